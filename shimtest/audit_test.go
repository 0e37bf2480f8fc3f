package shimtest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/shimtest"
)

// stocked has an apple in store.
func stocked(tb testing.TB, w *shimtest.World) {
	if _, err := w.Namespace("INVENTORY").GetByName("main").Call(tb.Context(), "setQuantity", "apple", 1); err != nil {
		tb.Fatal(err)
	}
}

func TestAuditPassesSetQuantity(t *testing.T) {
	r := shimtest.Audit(t, inventory, shimtest.Repeatable{
		Setup: stocked, Namespace: "INVENTORY", Object: "main", Method: "setQuantity", Args: []any{"apple", 5},
	})
	if len(r.Differences) != 0 || r.String() != `INVENTORY("main").setQuantity is safe to repeat: a second run changes nothing that others can see.` {
		t.Errorf("%s", r)
	}
}

func TestAuditFlagsAddOne(t *testing.T) {
	rec := &recorder{TB: t}
	shimtest.Audit(rec, inventory, shimtest.Repeatable{
		Setup: stocked, Namespace: "INVENTORY", Object: "main", Method: "addOne", Args: []any{"apple"},
	})
	const want = `INVENTORY("main").addOne is not safe to repeat. Run once, and run twice, from the same state:
    result                              once: 2  twice: 3
    INVENTORY("main") key "item:apple"  once: 2  twice: 3
`
	if !rec.failed || rec.text.String() != want {
		t.Errorf("failed %v, got\n%s\nwant\n%s", rec.failed, rec.text.String(), want)
	}
}

// auditProject is a project with methods that can be seen to run twice in every
// other way.
func auditProject(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A"]}]}`,
		"main.js": `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  quiet() {}
  add(n) { this.ctx.storage.put("n", n); this.ctx.waitUntil(Promise.resolve()); }
  async count() { await this.ctx.storage.put("n", (await this.ctx.storage.get("n") ?? 0) + 1); }
  async addElsewhere() { await this.env.A.getByName("other").add(7); return "done"; }
  async countElsewhere() { await this.env.A.getByName("other").count(); return "done"; }
  async random() { await this.ctx.storage.put(crypto.randomUUID(), 1); }
  async now() { await this.ctx.storage.put("now", Date.now()); return Date.now(); }
  async get() { return (await fetch("https://pay.example/rate")).text(); }
  async post() { await fetch("https://pay.example/charge", { method: "POST", body: "500" }); }
  async postOnce() { await fetch("https://pay.example/charge", { method: "POST", body: "500", headers: { "Idempotency-Key": "k1" } }); }
  async changing() { await this.env.A.getByName("other").add(await this.next()); return 0; }
  async next() { const n = (this.n ?? 0) + 1; this.n = n; return n; }
  async throwsTwice() { if (await this.ctx.storage.get("ran")) throw new RangeError("ran before"); await this.ctx.storage.put("ran", true); }
  async removes() { await this.ctx.storage.delete("n"); }
  fetch(request) { return new Response(request.method); }
}
export default {};
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bank answers every request.
type bank struct{}

func (bank) RoundTrip(req *http.Request) (*http.Response, error) {
	res := httptest.NewRecorder()
	_, _ = res.WriteString("ok")
	return res.Result(), nil
}

func TestAuditSeesEveryEffect(t *testing.T) {
	dir := auditProject(t)
	for method, want := range map[string]struct {
		differences []string
		note        string
	}{
		"quiet":          {},
		"count":          {differences: []string{`A("a") key "n"|1|2`}},
		"addElsewhere":   {note: `calls A("other").add(7) again in the second run, with the same arguments`},
		"countElsewhere": {differences: []string{`A("other") key "n"|1|2`}, note: `calls A("other").count() again in the second run, with the same arguments`},
		"now":            {},
		"get":            {note: "sends GET https://pay.example/rate again in the second run"},
		"post":           {differences: []string{"request POST https://pay.example/charge 500|once|2 times"}},
		"postOnce":       {note: "sends POST https://pay.example/charge 500 [Idempotency-Key: k1] again in the second run"},
		"changing":       {differences: []string{`A("other") key "n"|1|2`, `call of A("other").add(1)|once|once`, `call of A("other").add(2)||once`}},
		"throwsTwice":    {differences: []string{"result|undefined|throws RangeError: ran before"}},
		"removes":        {},
	} {
		rec := &recorder{TB: t}
		r := shimtest.Audit(rec, dir, shimtest.Repeatable{Namespace: "A", Object: "a", Method: method}, shimtest.Outbound(bank{}))
		var got []string
		for _, d := range r.Differences {
			got = append(got, d.What+"|"+d.Once+"|"+d.Twice)
		}
		if strings.Join(got, "\n") != strings.Join(want.differences, "\n") || rec.failed != (len(got) > 0) {
			t.Errorf("%s: failed %v, got\n%s\nwant\n%s\n%s", method, rec.failed, strings.Join(got, "\n"), strings.Join(want.differences, "\n"), rec.text.String())
		}
		if strings.Join(r.Notes, "\n") != want.note {
			t.Errorf("%s: notes %q, want %q", method, r.Notes, want.note)
		}
	}
	// What is random differs by its key.
	rec := &recorder{TB: t}
	if r := shimtest.Audit(rec, dir, shimtest.Repeatable{Namespace: "A", Object: "a", Method: "random"}); len(r.Differences) != 1 || r.Differences[0].Once != "" {
		t.Errorf("random: %s", r)
	}
	r := shimtest.Audit(t, dir, shimtest.Repeatable{Namespace: "A", Object: "a",
		Request: func() *http.Request { return httptest.NewRequest("PUT", "http://a.example/", nil) }})
	if len(r.Differences) != 0 || r.Call != `A("a").fetch` {
		t.Errorf("fetch: %s", r)
	}
}

// Nothing of an audit reaches the network by accident.
func TestAuditWithoutOutbound(t *testing.T) {
	rec := &recorder{TB: t}
	r := shimtest.Audit(rec, auditProject(t), shimtest.Repeatable{Namespace: "A", Object: "a", Method: "post"})
	if !rec.failed || len(r.Differences) != 1 {
		t.Errorf("failed %v: %s", rec.failed, rec.text.String())
	}
	rec = &recorder{TB: t}
	shimtest.Audit(rec, auditProject(t), shimtest.Repeatable{Namespace: "NONE", Object: "a", Method: "post"})
	if !rec.failed || !strings.Contains(rec.text.String(), `no Durable Object binding "NONE"`) {
		t.Errorf("failed %v: %s", rec.failed, rec.text.String())
	}
}

// A method that never ran compares equal to itself, which says nothing about it.
func TestAuditOfWhatNeverRuns(t *testing.T) {
	for _, call := range []shimtest.Repeatable{
		{Namespace: "INVENTORY", Object: "main", Method: "setQuantitee"},
		{Namespace: "INVENTORI", Object: "main", Method: "setQuantity"},
	} {
		rec := &recorder{TB: t}
		shimtest.Audit(rec, inventory, call)
		got := rec.text.String()
		if !rec.failed || strings.Count(got, "shimtest: audit of") != 1 || strings.Contains(got, ".s:") {
			t.Errorf("failed %v, got\n%s", rec.failed, got)
		}
		if !strings.Contains(got, `does not implement the method "setQuantitee"`) && !strings.Contains(got, `no Durable Object binding "INVENTORI"`) {
			t.Errorf("got\n%s", got)
		}
	}
}
