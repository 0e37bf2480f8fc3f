package runtime

import (
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/durashim/durashim/durable"
)

// goCall is a call that a Go program makes and waits for.
type goCall struct {
	ctx  context.Context
	done chan struct{}
	res  durable.Result
	err  *durable.Error
}

func (g *goCall) end(r durable.Result, err *durable.Error) {
	g.res, g.err = r, err
	close(g.done)
}

// Context implements [durable.Origin]: calls with the same context.Context are
// taken for one piece of work.
func (g *goCall) Context() any { return g.ctx }

// ours are the packages between a Go program and the call.
var ours = []string{
	"github.com/durashim/durashim/durable.", "github.com/durashim/durashim/runtime.", "github.com/durashim/durashim/shimtest.",
}

// CallSite implements [durable.Origin]: the innermost line that is not ours.
func (g *goCall) CallSite() string {
	var pcs [32]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(2, pcs[:])])
next:
	for {
		f, more := frames.Next()
		if !more {
			return ""
		}
		for _, p := range ours {
			if strings.HasPrefix(f.Function, p) {
				continue next
			}
		}
		return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	}
}

// repeated logs that an application repeats a call that was retried already.
func (rt *Runtime) repeated(t durable.Target, op *durable.Op, rep *durable.Repetition) {
	object := t.Name
	if object == "" {
		object = t.ID.String()
	}
	attempts := fmt.Sprintf("%d so far", rep.Before)
	if rep.Before == (rep.Round-1)*rep.Allowed { // else the calls end early, and nothing is multiplied yet
		attempts += ", up to " + rep.Product()
	}
	rt.log.Warn("retries multiply: the application repeats a call that is retried by itself",
		"namespace", t.Namespace, "object", object, "method", op.Method, "at", rep.Site,
		"round", rep.Round, "attempts", attempts, "hint", "if this is a loop, end it, or give the stub the option { retry: { maxRetries: 0 } }")
}
