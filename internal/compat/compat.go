// Package compat knows the compatibility dates and flags that change what
// durashim does
// (https://developers.cloudflare.com/workers/configuration/compatibility-flags/).
package compat

import (
	"fmt"
	"slices"
)

// flag is a compatibility flag.
type flag struct {
	name string
	off  string // the flag that turns it off; "" for none
	date string // the compatibility date from which it is on; "" for never
}

// flags are the flags that are known, by name.
var flags = []flag{
	{"allow_irrevocable_stub_storage", "", ""},
	{"capture_async_api_throws", "do_not_capture_async_api_throws", "2022-10-31"},
	{"delete_all_deletes_alarm", "delete_all_preserves_alarm", "2026-02-24"},
	{"durable_object_fetch_requires_full_url", "durable_object_fetch_allows_relative_url", "2021-11-10"},
	{"enable_abortsignal_rpc", "", ""},
	{"enable_ctx_exports", "disable_ctx_exports", "2025-11-17"},
	{"enable_request_signal", "disable_request_signal", ""},
	{"enhanced_error_serialization", "legacy_error_serialization", "2026-04-21"},
	{"experimental", "", ""},
	{"fetch_standard_url", "fetch_legacy_url", "2024-06-03"},
	{"fetcher_no_get_put_delete", "fetcher_has_get_put_delete", "2024-03-26"},
	{"handle_cross_request_promise_resolution", "no_handle_cross_request_promise_resolution", "2024-10-14"},
	{"js_rpc", "", ""},
	{"nodejs_als", "no_nodejs_als", ""},
	{"nodejs_compat", "no_nodejs_compat", "2026-08-04"},
	{"nodejs_compat_v2", "no_nodejs_compat_v2", ""},
	{"request_signal_passthrough", "no_request_signal_passthrough", ""},
	{"rpc", "no_rpc", "2024-04-03"},
	{"rpc_params_dup_stubs", "rpc_params_transfer_stubs", "2026-01-20"},
	{"service_binding_extra_handlers", "", ""},
	{"streams_enable_constructors", "streams_disable_constructors", "2022-11-30"},
	{"transformstream_enable_standard_constructor", "transformstream_disable_standard_constructor", "2022-11-30"},
	{"unhandled_rejection_after_microtask_checkpoint", "no_unhandled_rejection_after_microtask_checkpoint", "2026-03-03"},
	{"unsafe_module", "", ""},
	{"unwrap_custom_thenables", "no_unwrap_custom_thenables", "2024-04-01"},
	{"url_standard", "url_original", "2022-10-31"},
	{"web_socket_auto_reply_to_close", "web_socket_manual_reply_to_close", "2026-04-07"},
	{"websocket_standard_binary_type", "no_websocket_standard_binary_type", "2026-03-17"},
}

// Set says which flags are on. It is immutable and safe for use by many
// goroutines. The zero Set has none on.
type Set struct{ on map[string]bool }

// On reports whether a flag is on. It panics when there is no such flag: that is
// a mistake in the program that asks.
func (s Set) On(name string) bool {
	if !slices.ContainsFunc(flags, func(f flag) bool { return f.name == name }) {
		panic("compat: unknown flag " + name)
	}
	return s.on[name]
}

// UnknownFlagError reports a flag that is not in the table.
type UnknownFlagError struct {
	Flag  string
	Index int // of the flag in the list
}

func (e *UnknownFlagError) Error() string {
	return fmt.Sprintf("unknown compatibility flag %q", e.Flag)
}

// ConflictError reports a flag that is given together with its opposite.
type ConflictError struct {
	Flag, Opposite string
	Index          int // of the later one in the list
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("the compatibility flags %s and %s contradict each other", e.Flag, e.Opposite)
}

// New returns what a date (YYYY-MM-DD; "" stands for the newest) and a list of
// flags turn on. The errors are [*UnknownFlagError] and [*ConflictError].
func New(date string, list []string) (Set, error) {
	s := Set{on: make(map[string]bool, len(flags))}
	for _, f := range flags {
		// Dates in this form compare as text.
		s.on[f.name] = f.date != "" && (date == "" || date >= f.date)
	}
	given := make(map[string]bool, len(list))
	for i, name := range list {
		given[name] = true
		n := slices.IndexFunc(flags, func(f flag) bool { return f.name == name || f.off != "" && f.off == name })
		if n < 0 {
			return Set{}, &UnknownFlagError{Flag: name, Index: i}
		}
		f := flags[n]
		if f.off != "" && given[f.name] && given[f.off] {
			return Set{}, &ConflictError{Flag: f.name, Opposite: f.off, Index: i}
		}
		s.on[f.name] = name == f.name
	}
	return s, nil
}
