package runtime_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

const memoryMain = `
import { DurableObject } from "cloudflare:workers";
import { twice } from "./lib/twice.ts";
import greeting from "./greeting.txt";
import numbers from "./numbers.json";
import old from "./old.cjs";
import bytes from "./bytes.bin";
interface Env { GREETED: string }
export class Box extends DurableObject<Env> {
  async put(n: number): Promise<number> { await this.ctx.storage.put("n", n); return twice(n); }
  async get(): Promise<number | undefined> { return this.ctx.storage.get<number>("n"); }
  all() { return [greeting + this.env.GREETED, numbers[1], old.name, new Uint8Array(bytes)[0]]; }
  where() { return twice("x" as any); }
}
export default {};
`

func memory() runtime.Config {
	return runtime.Config{
		Name: "boxes",
		Modules: []runtime.Module{
			{Name: "main.ts", Source: memoryMain},
			{Name: "lib/twice.ts", Source: "export const twice = (n: number): number => {\n  if (typeof n !== 'number') throw new TypeError('not a number: ' + n);\n  return n * 2;\n};"},
			{Name: "greeting.txt", Source: "hello "},
			{Name: "numbers.json", Source: "[1, 22]"},
			{Name: "old.cjs", Source: "exports.name = 'CommonJS';"},
			{Name: "bytes.bin", Source: "\xff\x00"},
		},
		Classes:           []runtime.Class{{Binding: "BOX", Class: "Box"}, {Binding: "ALIAS", Class: "Box"}},
		Vars:              map[string]string{"GREETED": "world", "UNUSED": ""},
		CompatibilityDate: "2026-11-01",
	}
}

func TestNew(t *testing.T) {
	rt, err := runtime.New(memory(), runtime.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	box := rt.Namespace("BOX").GetByName("b")
	v, err := box.Call(t.Context(), "put", 21)
	if got := number(t, v, err); got != 42 {
		t.Errorf("put: %v", got)
	}
	v, err = rt.Namespace("ALIAS").GetByName("b").Call(t.Context(), "get")
	if got := number(t, v, err); got != 21 {
		t.Errorf("the other binding of the class: %v", got)
	}
	v, err = box.Call(t.Context(), "all")
	if err != nil {
		t.Fatal(err)
	}
	var all []any
	if err := v.Decode(&all); err != nil || len(all) != 4 ||
		all[0] != "hello world" || all[1] != 22.0 || all[2] != "CommonJS" || all[3] != 255.0 {
		t.Errorf("all: %v, %v", all, err)
	}
	_, err = box.Call(t.Context(), "where")
	if e, ok := err.(*runtime.Error); !ok || e.Name != "TypeError" || !strings.Contains(e.Stack, "lib/twice.ts:2:") {
		t.Errorf("where: %#v", err)
	}
}

// A worker in memory and a wrangler project that say the same have the same ids
// and the same files.
func TestNewReadsWhatAProjectWrote(t *testing.T) {
	dir := project(t, `
import { DurableObject } from "cloudflare:workers";
export class Box extends DurableObject { put(n) { return this.ctx.storage.put("n", n); } }
export default {};`, "Box")
	o := runtime.Options{PersistTo: filepath.Join(dir, "state")}
	rt, err := runtime.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	stub := rt.Namespace("BOX").GetByName("b")
	if _, err := stub.Call(t.Context(), "put", 7); err != nil {
		t.Fatal(err)
	}
	id := stub.ID()
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	cfg := memory()
	cfg.Name = "w"
	if rt, err = runtime.New(cfg, o); err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	stub = rt.Namespace("BOX").GetByName("b")
	v, err := stub.Call(t.Context(), "get")
	if got := number(t, v, err); got != 7 || stub.ID() != id {
		t.Errorf("got %v under the id %s, want 7 under %s", got, stub.ID(), id)
	}
}

func TestNewErrors(t *testing.T) {
	for want, change := range map[string]func(*runtime.Config){
		"worker boxes: Modules is empty":          func(c *runtime.Config) { c.Modules = nil },
		"Modules[1] has no name":                  func(c *runtime.Config) { c.Modules[1].Name = "" },
		"lib/twice.ts:2:7: ":                      func(c *runtime.Config) { c.Modules[1].Source = "const a: number = 1;\nconst : string;" },
		`main.ts:3:23: No such module "lib/tw`:    func(c *runtime.Config) { c.Modules[1].Name = "elsewhere.ts" },
		"numbers.json:1:4: ":                      func(c *runtime.Config) { c.Modules[3].Source = "[1 2]" },
		"at load":                                 func(c *runtime.Config) { c.Modules[4].Source = "\nthrow new Error('at load')" },
		"old.cjs:2:":                              func(c *runtime.Config) { c.Modules[4].Source = "\nthrow new Error('at load')" },
		`"Nope"`:                                  func(c *runtime.Config) { c.Classes[0].Class = "Nope" },
		"Classes[1] needs both Binding and Class": func(c *runtime.Config) { c.Classes[1].Class = "" },
		`Classes[1]: the binding "BOX" is alread`: func(c *runtime.Config) { c.Classes[1].Binding = "BOX" },
		`Classes[0]: the binding "GREETED" is al`: func(c *runtime.Config) { c.Classes[0].Binding = "GREETED" },
		`CompatibilityDate "soon"`:                func(c *runtime.Config) { c.CompatibilityDate = "soon" },
		"Vars has an empty name":                  func(c *runtime.Config) { c.Vars[""] = "x" },
		`Name "a/b"`:                              func(c *runtime.Config) { c.Name = "a/b" },
		`two modules are named "main.ts"`:         func(c *runtime.Config) { c.Modules[1].Name = "main.ts" },
	} {
		cfg := memory()
		change(&cfg)
		rt, err := runtime.New(cfg, runtime.Options{})
		if err == nil {
			t.Errorf("%s: no error", want)
			_ = rt.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}
