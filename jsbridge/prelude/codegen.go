package prelude

import "github.com/dop251/goja"

// codegen guards eval and the constructors that compile text.
type codegen struct {
	denied bool
	eval   goja.Value // the engine's
	deny   *goja.Object
}

// AllowCode sets whether eval, Function and its relatives may compile text.
// Initially they may. The real runtime allows it while a Worker's modules are
// evaluated and not afterwards; what fails is an EvalError. A reference to
// eval that a program took while it was allowed keeps working.
func (p *Prelude) AllowCode(allow bool) error {
	p.code.denied = !allow
	eval := p.code.eval
	if !allow {
		eval = p.code.deny
	}
	// The engine's own eval has to be in place while it is allowed, or direct
	// calls would not see local variables.
	return hidden(p.rt.GlobalObject(), "eval", eval)
}

func (p *Prelude) denyCode() {
	p.throw("EvalError", "Code generation from strings disallowed for this context")
}

var relatives = []*goja.Program{
	goja.MustCompile(fileName, "(function*(){})", true),
	goja.MustCompile(fileName, "(async function(){})", true),
}

func (p *Prelude) installCodegen() error {
	p.code.eval = p.rt.Get("eval")
	p.code.deny = p.function("eval", 1, func(goja.FunctionCall) goja.Value {
		p.denyCode()
		return nil
	})
	if err := p.wrapConstructor("Function", 1, func(args []goja.Value) []goja.Value {
		if p.code.denied {
			p.denyCode()
		}
		return args
	}); err != nil {
		return err
	}
	// The relatives have no global name; they hang on their prototypes.
	for _, program := range relatives {
		v, err := p.rt.RunProgram(program)
		if err != nil {
			return err
		}
		proto := v.ToObject(p.rt).Prototype()
		native := proto.Get("constructor").ToObject(p.rt)
		construct, ok := goja.AssertConstructor(native)
		if !ok {
			return errMissing("GeneratorFunction")
		}
		w := p.constructor(native.Get("name").String(), 1, func(c goja.ConstructorCall) *goja.Object {
			if p.code.denied {
				p.denyCode()
			}
			o, err := construct(native, c.Arguments...)
			if err != nil {
				rethrow(err)
			}
			return o
		})
		if err := w.DefineDataProperty("prototype", proto, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
			return err
		}
		if err := w.SetPrototype(p.rt.Get("Function").ToObject(p.rt)); err != nil {
			return err
		}
		if err := proto.DefineDataProperty("constructor", w, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}
