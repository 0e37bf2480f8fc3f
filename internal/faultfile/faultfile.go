// Package faultfile reads fault plans from files: JSON with comments and trailing
// commas, an array of plans.
//
//	[
//	  // The reply to the second call of addOne is lost, and so is that of its retry.
//	  { "fault": "dropReply", "method": "addOne", "call": 2, "times": 2 },
//	  { "fault": "delayRequest", "delay": "250ms", "namespace": "INVENTORY", "probability": 0.1, "times": "always" },
//	  { "fault": "refuseRequest", "object": "main", "for": "3s" },
//	  { "fault": "storageUnavailable", "duration": 2000 },
//	]
//
// The fields are those of [durable.Fault] under their names in JavaScript.
// Durations are numbers of milliseconds, or texts such as "250ms" and "1m30s"
// (https://pkg.go.dev/time#ParseDuration).
package faultfile

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config/source"
	"github.com/durashim/durashim/internal/config/wrangler"
)

// Read reads the file of a name; see [Parse].
func Read(name string) ([]durable.Fault, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// fields are what a plan may have besides its fault. for comes before times, which
// limits it.
var fields = []string{"namespace", "object", "method", "caller", "call", "attempt", "probability", "for", "times"}

// Parse reads the plans in text; name is that of the file. The plans know where
// they were written. Every error is one of [source.Error], or the plan's own,
// that begins with the place: a field or a name that there is not, a value of the
// wrong type, a plan that can never act.
func Parse(name string, text []byte) ([]durable.Fault, error) {
	root, err := wrangler.ParseJSON(name, text)
	if err != nil {
		return nil, err
	}
	if root.Kind != wrangler.Array {
		return nil, source.Errorf(root.Pos, `a file of faults is an array of plans such as { "fault": "dropReply", "method": "addOne" }, not %v`, root.Kind)
	}
	var plans []durable.Fault
	for _, n := range root.Items {
		f, err := parsePlan(n)
		if err != nil {
			return nil, err
		}
		plans = append(plans, f)
	}
	return plans, nil
}

// timeField is the field for the duration that the fault of a name needs, "" if it
// needs none.
func timeField(fault string) string {
	switch {
	case !durable.FaultTakesDuration(fault):
		return ""
	case strings.HasPrefix(fault, "delay"):
		return "delay"
	}
	return "duration"
}

func parsePlan(n *wrangler.Node) (f durable.Fault, err error) {
	if n.Kind != wrangler.Object {
		return f, source.Errorf(n.Pos, `a plan is an object such as { "fault": "dropReply", "method": "addOne" }, not %v`, n.Kind)
	}
	names := durable.FaultNames()
	kind := n.Get("fault")
	if kind == nil {
		return f, source.Errorf(n.Pos, `the plan lacks the field "fault"; there are %s`, strings.Join(names, ", "))
	}
	if kind.Kind != wrangler.String {
		return f, source.Errorf(kind.Pos, `"fault" must be a string, not %v`, kind.Kind)
	}
	if !slices.Contains(names, kind.Text) {
		return f, source.Errorf(kind.Pos, `there is no fault %q%s; there are %s`, kind.Text, source.DidYouMean(kind.Text, names), strings.Join(names, ", "))
	}
	known := append([]string{"fault"}, fields...)
	timed := timeField(kind.Text)
	if timed != "" {
		known = append(known, timed)
	}
	for _, m := range n.Members {
		if !slices.Contains(known, m.Name) {
			return f, source.Errorf(m.Pos, "%s has no field %q%s; there are %s", kind.Text, m.Name, source.DidYouMean(m.Name, known), strings.Join(known, ", "))
		}
	}
	var d time.Duration
	if timed != "" {
		t := n.Get(timed)
		if t == nil {
			return f, source.Errorf(n.Pos, `%s needs the field %q, such as "250ms" or 250`, kind.Text, timed)
		}
		if d, err = duration(timed, t); err != nil {
			return f, err
		}
	}
	if f, err = durable.NewFault(kind.Text, d); err != nil {
		return f, source.Errorf(kind.Pos, "%v", err)
	}
	f = f.From(n.Pos.String())
	for _, name := range fields {
		if v := n.Get(name); v != nil {
			if f, err = restrict(f, name, v); err != nil {
				return f, err
			}
		}
	}
	return f, f.Check()
}

// restrict applies one field.
func restrict(f durable.Fault, name string, v *wrangler.Node) (durable.Fault, error) {
	switch name {
	case "namespace", "object", "method", "caller":
		if v.Kind != wrangler.String || v.Text == "" {
			return f, wrong(name, v, "a string that is not empty")
		}
		switch name {
		case "namespace":
			return f.Namespace(v.Text), nil
		case "object":
			return f.Object(v.Text), nil
		case "method":
			return f.Method(v.Text), nil
		}
		return f.Caller(v.Text), nil
	case "for":
		d, err := duration(name, v)
		return f.For(d), err
	case "probability":
		p, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != wrangler.Number || err != nil || !(p > 0 && p <= 1) {
			return f, wrong(name, v, "a number greater than 0 and at most 1")
		}
		return f.Probability(p), nil
	}
	if name == "times" && v.Kind == wrangler.String && v.Text == "always" {
		return f.Always(), nil
	}
	x, err := strconv.ParseFloat(v.Text, 64)
	if v.Kind != wrangler.Number || err != nil || x != math.Trunc(x) || x < 1 || x > 1e9 {
		want := "a positive integer"
		if name == "times" {
			want += ` or "always"`
		}
		return f, wrong(name, v, want)
	}
	switch name {
	case "call":
		return f.Call(int(x)), nil
	case "attempt":
		return f.Attempt(int(x)), nil
	}
	return f.Times(int(x)), nil
}

// duration reads a number of milliseconds or a text with a unit.
func duration(name string, v *wrangler.Node) (time.Duration, error) {
	switch v.Kind {
	case wrangler.Number:
		ms, err := strconv.ParseFloat(v.Text, 64)
		if err == nil && ms > 0 && ms < 1e12 {
			return time.Duration(ms * float64(time.Millisecond)), nil
		}
	case wrangler.String:
		if d, err := time.ParseDuration(v.Text); err == nil && d > 0 {
			return d, nil
		}
	}
	return 0, wrong(name, v, `a positive number of milliseconds, or a text such as "250ms" or "1m30s"`)
}

func wrong(name string, v *wrangler.Node, want string) error {
	got := fmt.Sprint(v.Kind)
	switch v.Kind {
	case wrangler.Number, wrangler.String, wrangler.Bool:
		got = v.JSON()
	}
	return source.Errorf(v.Pos, "%q must be %s, not %s", name, want, got)
}
