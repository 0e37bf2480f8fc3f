package runtime_test

import (
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

// Closing ends the calls that are in flight, whoever waits for them.
func TestCloseEndsCalls(t *testing.T) {
	entered := make(chan struct{})
	rt, err := runtime.Open(project(t, `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  async hang() { console.log("in"); await new Promise(() => {}); }
}
export default {};
`, "A"), runtime.Options{Console: func(_, _, _ string) { close(entered) }})
	if err != nil {
		t.Fatal(err)
	}
	call := start(t.Context(), rt.Namespace("A").GetByName("a"), "hang")
	<-entered
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-call; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
		t.Errorf("the call in flight: %v", err)
	}
	if _, err := rt.Namespace("A").GetByName("a").Call(t.Context(), "hang"); err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
		t.Errorf("a later call: %v", err)
	}
}
