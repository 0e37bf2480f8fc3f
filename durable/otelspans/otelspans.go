// Package otelspans turns a timeline of calls into OpenTelemetry spans
// (https://opentelemetry.io/docs/specs/otel/trace/api/), through the API alone:
// what becomes of the spans is up to the program's TracerProvider.
//
// Each call is a span of kind client, named NAMESPACE.method. Each of its attempts
// is a child span named "attempt N". What the host and the faults did are events
// of the attempt. The times are those of the world's clock, so that a virtual one
// begins on 1 January 2026.
//
// Attributes of a call:
//
//	rpc.system                     "durable_objects"
//	rpc.service, rpc.method        the namespace; the method, "fetch" for stub.fetch()
//	durashim.object.id             64 hex digits
//	durashim.object.name           the name that the id was made from, if known
//	durashim.caller                who called
//	durashim.call.kind             RPC, fetch or get
//	durashim.call.outcome          pending, succeeded, failed, recovered, claim rejected, ...
//	durashim.call.attempts         how many attempts were made
//	durashim.call.runs             how often the method was entered
//	durashim.call.faults           how many faults acted
//	durashim.retry.max_retries     the option of the stub; durashim.retry.timeout_ms too
//	durashim.request.identity      what a host tells duplicates by; absent if the call cannot be retried
//	durashim.repeat.round          2 and up: the application's own repetitions of a call that was retried;
//	                               durashim.repeat.site says where, durashim.repeat.product what multiplies
//	error.type                     the class of the error that the caller got
//
// Attributes of an attempt are durashim.attempt.number, durashim.attempt.retry
// (flagged as one), durashim.attempt.delivery of one that failed ("not delivered",
// "uncertain", "answered") and error.type. Events are named "claimed", "started",
// "ran", "rejected", "duplicate rejected" and "fault", the last with
// durashim.fault.text; the call has the event "backoff" with
// durashim.backoff.wait_ms.
package otelspans

import (
	"context"
	"strconv"
	"time"

	"github.com/durashim/durashim/durable"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Export makes the spans of calls, as [durable.Timeline.Calls] returns them, as
// children of the span in ctx if there is one. A call that has not ended becomes a
// span that ends with its last event. Exporting calls twice makes two sets of
// spans.
func Export(ctx context.Context, tracer trace.Tracer, calls []durable.CallRecord) {
	for i := range calls {
		export(ctx, tracer, &calls[i])
	}
}

func export(ctx context.Context, tracer trace.Tracer, r *durable.CallRecord) {
	ctx, span := tracer.Start(ctx, r.Target.Namespace+"."+r.Method, trace.WithTimestamp(r.Started),
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes(r)...))
	end := r.Ended()
	if end.IsZero() {
		end = r.Started
		for _, e := range r.Events {
			if e.At.After(end) {
				end = e.At
			}
		}
	}
	for _, e := range r.Events {
		if e.Kind == durable.EventBackoff {
			span.AddEvent("backoff", trace.WithTimestamp(e.At), trace.WithAttributes(
				attribute.Float64("durashim.backoff.wait_ms", float64(e.Wait)/float64(time.Millisecond))))
		}
	}
	for n := 1; n <= r.Attempts(); n++ {
		attempt(ctx, tracer, r, n, end)
	}
	failed(span, r.Err)
	span.End(trace.WithTimestamp(end))
}

func attributes(r *durable.CallRecord) []attribute.KeyValue {
	all := []attribute.KeyValue{
		attribute.String("rpc.system", "durable_objects"),
		attribute.String("rpc.service", r.Target.Namespace),
		attribute.String("rpc.method", r.Method),
		attribute.String("durashim.object.id", r.Target.ID.String()),
		attribute.String("durashim.call.kind", r.Kind.String()),
		attribute.String("durashim.call.outcome", r.Outcome.String()),
		attribute.Int("durashim.call.attempts", r.Attempts()),
		attribute.Int("durashim.call.runs", r.Runs()),
		attribute.Int("durashim.call.faults", r.Faults()),
		attribute.Int("durashim.retry.max_retries", r.Retry.MaxRetries()),
		attribute.Int64("durashim.retry.timeout_ms", r.Retry.Timeout().Milliseconds()),
	}
	text := func(key, value string) {
		if value != "" {
			all = append(all, attribute.String(key, value))
		}
	}
	text("durashim.object.name", r.Target.Name)
	text("durashim.caller", r.Caller)
	if r.Identity != [16]byte{} {
		text("durashim.request.identity", r.Identity.String())
	}
	if p := r.Repeats; p != nil {
		all = append(all, attribute.Int("durashim.repeat.round", p.Round))
		text("durashim.repeat.site", p.Site)
		text("durashim.repeat.product", p.Product())
	}
	return all
}

// attempt makes the span of the n-th attempt. The call's end is its end unless the
// caller knew better.
func attempt(ctx context.Context, tracer trace.Tracer, r *durable.CallRecord, n int, end time.Time) {
	var span trace.Span
	for _, e := range r.Events {
		if e.Attempt != n {
			continue
		}
		if e.Kind == durable.EventSent {
			_, span = tracer.Start(ctx, "attempt "+strconv.Itoa(n), trace.WithTimestamp(e.At), trace.WithAttributes(
				attribute.Int("durashim.attempt.number", n), attribute.Bool("durashim.attempt.retry", e.Retry)))
		}
		if span == nil {
			continue // of a host, before it was sent: a record that is not ours
		}
		switch e.Kind {
		case durable.EventFailed:
			end = e.At
			span.SetAttributes(attribute.String("durashim.attempt.delivery", e.Delivery.String()))
			failed(span, e.Err)
		case durable.EventRejected:
			end = e.At
			span.AddEvent(e.Kind.String(), trace.WithTimestamp(e.At))
			span.SetStatus(codes.Error, "rejected as a duplicate")
		case durable.EventFault:
			span.AddEvent(e.Kind.String(), trace.WithTimestamp(e.At), trace.WithAttributes(attribute.String("durashim.fault.text", e.Fault)))
		case durable.EventRan:
			var a []attribute.KeyValue
			if e.Err != nil {
				a = append(a, attribute.String("error.type", errorType(e.Err)), attribute.String("exception.message", e.Err.Message))
			}
			span.AddEvent(e.Kind.String(), trace.WithTimestamp(e.At), trace.WithAttributes(a...))
		case durable.EventSent, durable.EventBackoff, durable.EventEnded:
		default:
			span.AddEvent(e.Kind.String(), trace.WithTimestamp(e.At))
		}
	}
	if span != nil {
		span.End(trace.WithTimestamp(end))
	}
}

func failed(span trace.Span, err *durable.Error) {
	if err != nil {
		span.SetAttributes(attribute.String("error.type", errorType(err)))
		span.SetStatus(codes.Error, err.Error())
	}
}

func errorType(e *durable.Error) string {
	if e.Name == "" {
		return "Error"
	}
	return e.Name
}
