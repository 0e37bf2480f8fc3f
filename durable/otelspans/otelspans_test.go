package otelspans_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/otelspans"
	"github.com/durashim/durashim/runtime"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// recorder is a tracer that writes each span when it ends.
type recorder struct {
	noop.Tracer
	w     io.Writer
	epoch time.Time
	spans []*span
}

type span struct {
	noop.Span
	r          *recorder
	name       string
	kind       trace.SpanKind
	parent     *span
	start, end time.Time
	attrs      map[attribute.Key]string
	events     []string
	status     string
}

func (r *recorder) Start(ctx context.Context, name string, o ...trace.SpanStartOption) (context.Context, trace.Span) {
	c := trace.NewSpanStartConfig(o...)
	s := &span{r: r, name: name, kind: c.SpanKind(), start: c.Timestamp(), attrs: map[attribute.Key]string{}, status: "Unset"}
	s.parent, _ = trace.SpanFromContext(ctx).(*span)
	s.SetAttributes(c.Attributes()...)
	return trace.ContextWithSpan(ctx, s), s
}

func (s *span) SetAttributes(all ...attribute.KeyValue) {
	for _, kv := range all {
		s.attrs[kv.Key] = kv.Value.String()
	}
}

func (s *span) AddEvent(name string, o ...trace.EventOption) {
	c := trace.NewEventConfig(o...)
	text := fmt.Sprintf("%v %s", c.Timestamp().Sub(s.r.epoch).Round(time.Millisecond), name)
	for _, kv := range c.Attributes() {
		text += fmt.Sprintf(" %s=%s", kv.Key, kv.Value.String())
	}
	s.events = append(s.events, text)
}

func (s *span) SetStatus(code codes.Code, text string) { s.status = code.String() + ": " + text }

func (s *span) End(o ...trace.SpanEndOption) {
	c := trace.NewSpanEndConfig(o...)
	s.end = c.Timestamp()
	s.r.spans = append(s.r.spans, s)
	indent := ""
	if s.parent != nil {
		indent = "- "
	}
	ms := func(t time.Time) time.Duration { return t.Sub(s.r.epoch).Round(time.Millisecond) }
	fmt.Fprintf(s.r.w, "%s%s, %v to %v, %s\n", indent, s.name, ms(s.start), ms(s.end), s.status)
}

// lostReplies makes two calls whose replies are lost.
func lostReplies(ctx context.Context) ([]durable.CallRecord, error) {
	seed := uint64(1)
	rt, err := runtime.Open("../../examples/inventory", runtime.Options{
		Clock: runtime.NewVirtualClock(), Seed: &seed, Record: true,
		Faults: []durable.Fault{durable.DropReply().Method("setQuantity"), durable.DropReply().Method("addOne")},
	})
	if err != nil {
		return nil, err
	}
	main := rt.Namespace("INVENTORY").GetByName("main")
	if _, err := main.Call(ctx, "setQuantity", "apple", 5); err != nil {
		return nil, err
	}
	if _, err := main.Call(ctx, "addOne", "apple"); err == nil {
		return nil, fmt.Errorf("the reply was not lost")
	}
	return rt.Timeline().Calls(), rt.Close()
}

func ExampleExport() {
	calls, err := lostReplies(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	// In a program: otel.Tracer("durashim"), with the provider of its choice.
	tracer := &recorder{w: os.Stdout, epoch: calls[0].Started}
	otelspans.Export(context.Background(), tracer, calls)
	// Output:
	// - attempt 1, 0s to 0s, Error: Network connection lost.
	// - attempt 2, 73ms to 73ms, Unset
	// INVENTORY.setQuantity, 0s to 73ms, Unset
	// - attempt 1, 73ms to 73ms, Error: Network connection lost.
	// - attempt 2, 113ms to 113ms, Error: rejected as a duplicate
	// INVENTORY.addOne, 73ms to 113ms, Error: Network connection lost.
}

func TestExport(t *testing.T) {
	calls, err := lostReplies(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	calls[0].Repeats = &durable.Repetition{First: 1, Round: 3, Allowed: 5, Site: "a.ts:1:2"}
	tracer := &recorder{w: io.Discard, epoch: calls[0].Started}
	ctx, root := tracer.Start(t.Context(), "test")
	otelspans.Export(ctx, tracer, calls)
	if len(tracer.spans) != 6 {
		t.Fatalf("%d spans, want 6", len(tracer.spans))
	}
	set, add := tracer.spans[2], tracer.spans[5]
	for i, s := range tracer.spans {
		want := root
		if i < 2 {
			want = set
		} else if i == 3 || i == 4 {
			want = add
		}
		if trace.Span(s.parent) != want || s.start.IsZero() || s.end.Before(s.start) {
			t.Errorf("span %d, %s: parent %v, from %v to %v", i, s.name, s.parent, s.start, s.end)
		}
	}
	for key, want := range map[attribute.Key]string{
		"rpc.system": "durable_objects", "rpc.service": "INVENTORY", "rpc.method": "setQuantity",
		"durashim.object.name": "main", "durashim.object.id": calls[0].Target.ID.String(), "durashim.caller": "go",
		"durashim.call.kind": "RPC", "durashim.call.outcome": "recovered", "durashim.call.attempts": "2",
		"durashim.call.runs": "2", "durashim.call.faults": "1", "durashim.retry.max_retries": "4",
		"durashim.retry.timeout_ms": "10000", "durashim.request.identity": calls[0].Identity.String(),
		"durashim.repeat.round": "3", "durashim.repeat.site": "a.ts:1:2", "durashim.repeat.product": "3 × 5 = 15",
	} {
		if set.attrs[key] != want {
			t.Errorf("%s = %q, want %q", key, set.attrs[key], want)
		}
	}
	if set.kind != trace.SpanKindClient || set.status != "Unset" || add.attrs["error.type"] != "Error" || add.attrs["durashim.call.outcome"] != "claim rejected" {
		t.Errorf("got %+v and %+v", set, add)
	}
	first := tracer.spans[0]
	if first.attrs["durashim.attempt.delivery"] != "uncertain" || first.attrs["durashim.attempt.retry"] != "false" || tracer.spans[1].attrs["durashim.attempt.retry"] != "true" {
		t.Errorf("attempts: %+v, %+v", first.attrs, tracer.spans[1].attrs)
	}
	want := []string{"0s claimed", "0s started", "0s ran", "0s fault durashim.fault.text=reply dropped after the method finished"}
	if !slices.Equal(first.events, want) || len(set.events) != 1 || !strings.HasPrefix(set.events[0], "0s backoff durashim.backoff.wait_ms=") {
		t.Errorf("events %q and %q", first.events, set.events)
	}
	if e := tracer.spans[4].events; len(e) != 1 || !strings.HasSuffix(e[0], " rejected") {
		t.Errorf("events of the rejected attempt: %q", e)
	}
}

// A call that has not ended, and one whose record makes no sense, are spans too.
func TestExportOfUnendedCalls(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tracer := &recorder{w: io.Discard, epoch: start}
	otelspans.Export(t.Context(), tracer, []durable.CallRecord{
		{Method: "m", Started: start, Events: []durable.Event{
			{At: start.Add(time.Second), Kind: durable.EventStarted, Attempt: 1},
			{At: start.Add(2 * time.Second), Kind: durable.EventSent, Attempt: 1},
		}},
		{Method: "n", Started: start},
	})
	if len(tracer.spans) != 3 || tracer.spans[1].end != start.Add(2*time.Second) || tracer.spans[1].attrs["durashim.call.outcome"] != "pending" || tracer.spans[2].end != start {
		t.Errorf("got %+v", tracer.spans)
	}
}
