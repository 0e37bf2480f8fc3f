package jsbridge

import (
	"strings"

	"github.com/dop251/goja"
)

// nodeVersion is the version of Node.js that the real runtime claims to be.
const nodeVersion = "22.23.4"

// processHost gives node:process what it is made of.
func (iso *Isolate) processHost(h *goja.Object) {
	rt := iso.rt
	_ = h.Set("nodeVersion", func(goja.FunctionCall) goja.Value { return rt.ToValue(nodeVersion) })
	_ = h.Set("env", func(goja.FunctionCall) goja.Value {
		env := rt.NewObject()
		for _, b := range iso.cfg.Env {
			if b.Text != nil {
				_ = env.Set(b.Name, *b.Text)
			}
		}
		return env
	})
	_ = h.Set("now", func(goja.FunctionCall) goja.Value {
		return rt.ToValue(float64(iso.now.UnixMicro()) / 1000)
	})
	_ = h.Set("nextTick", func(c goja.FunctionCall) goja.Value {
		fn, _ := goja.AssertFunction(c.Argument(0)) // node:process passes nothing else
		iso.microtask(iso.timerCall(fn, nil, 0))
		return goja.Undefined()
	})
	_ = h.Set("getBuiltinModule", func(c goja.FunctionCall) goja.Value {
		id := c.Argument(0).String()
		if !strings.HasPrefix(id, "node:") {
			id = "node:" + id
		}
		m, err := iso.modules.Load(id)
		if err != nil {
			return goja.Undefined()
		}
		if d := m.Get("default"); d != nil {
			return d
		}
		return m
	})
}
