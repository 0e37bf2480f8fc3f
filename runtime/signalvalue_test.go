package runtime_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What has no Go form is refused with an error that names it.
func TestSignalHasNoGoForm(t *testing.T) {
	dir := project(t, `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
	signal() { return new AbortController().signal; }
	request() { return new Request("http://x/", { signal: new AbortController().signal }); }
}
export default {};`, "A")
	file := filepath.Join(dir, "wrangler.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "wrangler.json", strings.Replace(string(text), `"main"`, `"compatibility_flags": ["enable_abortsignal_rpc"], "main"`, 1))
	rt := open(t, dir, nil)
	stub := rt.Namespace("A").GetByName("x")
	for method, want := range map[string]string{
		"signal":  "an AbortSignal has no Go form",
		"request": "a Request with a signal has no Go form",
	} {
		v, err := stub.Call(t.Context(), method)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		var decoded any
		if err := v.Decode(&decoded); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", method, err, want)
		}
		if v.String() == "" {
			t.Errorf("%s has no text", method)
		}
	}
}
