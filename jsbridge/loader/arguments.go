package loader

import (
	"fmt"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// argumentsScope is a function that has `arguments` of its own.
type argumentsScope struct {
	direct bool // used outside of arrow functions
	arrow  bool // used in one
}

// walker mends what can be mended in the syntax tree before it is compiled.
type walker struct {
	scope    *argumentsScope // nil at the top
	arrows   int             // depth of arrow functions within scope
	patterns bool            // regular expressions may need mending
	stacks   bool            // the stacks of errors are looked at
	super    bool            // `super` was used by the code that is being walked
	err      error
}

func (w *walker) unknown(n any) {
	if w.err == nil {
		w.err = fmt.Errorf("loader: the repair for `arguments` in arrow functions does not know %T of this version of goja", n)
	}
}

// function works around a fault of goja's compiler: a function whose
// `arguments` is used by arrow functions only does not keep it for them, and
// the use reads foreign memory of the stack or panics. A use in the function
// itself makes the compiler keep it, so one is added where there is none. The
// compiler keeps parameters and body apart, so each gets its own: a statement
// `arguments;` in the body, and `(arguments, value)` for a default value. The
// function's text, as toString gives it, was taken before.
func (w *walker) function(f *ast.FunctionLiteral) {
	if f == nil {
		return
	}
	outer, depth, super := w.scope, w.arrows, w.super
	w.arrows = 0

	w.scope = &argumentsScope{}
	w.parameters(f.ParameterList)
	if s := w.scope; s.arrow && !s.direct {
		w.useInParameters(f.ParameterList)
	}

	w.scope = &argumentsScope{}
	w.statements(f.Body.List)
	if s := w.scope; s.arrow && !s.direct {
		i := 0
		for i < len(f.Body.List) && isDirective(f.Body.List[i]) {
			i++
		}
		use := &ast.ExpressionStatement{Expression: argumentsAt(f.Body.LeftBrace)}
		f.Body.List = slices.Insert(f.Body.List, i, ast.Statement(use))
	}
	w.scope, w.arrows, w.super = outer, depth, super
}

func argumentsAt(idx file.Idx) *ast.Identifier {
	return &ast.Identifier{Name: "arguments", Idx: idx}
}

func (w *walker) useInParameters(l *ast.ParameterList) {
	for _, b := range l.List {
		if !isNil(b.Initializer) {
			b.Initializer = &ast.SequenceExpression{Sequence: []ast.Expression{argumentsAt(b.Initializer.Idx0()), b.Initializer}}
			return
		}
	}
	if w.err == nil {
		w.err = &positionError{idx: l.Opening, text: "`arguments` in an arrow function within a destructured parameter is not supported: the engine loses it"}
	}
}

func isDirective(s ast.Statement) bool {
	e, ok := s.(*ast.ExpressionStatement)
	if !ok {
		return false
	}
	_, ok = e.Expression.(*ast.StringLiteral)
	return ok
}

func (w *walker) parameters(l *ast.ParameterList) {
	if l == nil {
		return
	}
	w.bindings(l.List)
	w.expression(l.Rest)
}

func (w *walker) arrow(f *ast.ArrowFunctionLiteral) {
	super := w.super
	w.arrows++
	w.parameters(f.ParameterList)
	switch b := f.Body.(type) {
	case *ast.BlockStatement:
		w.statements(b.List)
	case *ast.ExpressionBody:
		w.expression(b.Expression)
	default:
		w.unknown(b)
	}
	w.arrows--
	w.super = super
}

func (w *walker) class(c *ast.ClassLiteral) {
	w.expression(c.SuperClass)
	for _, e := range c.Body {
		switch e := e.(type) {
		case *ast.MethodDefinition:
			w.expression(e.Key)
			w.function(e.Body)
		case *ast.FieldDefinition:
			w.expression(e.Key)
			w.initializer(e) // cannot use `arguments`
		case *ast.ClassStaticBlock:
			w.statements(e.Block.List)
		default:
			w.unknown(e)
		}
	}
}

// initializer works around another fault: `super` is known in the methods of a
// class and in arrow functions in its fields, but not in the fields themselves, so
// `x = super.y` becomes `x = (() => super.y)()`.
func (w *walker) initializer(f *ast.FieldDefinition) {
	outer := w.super
	w.super = false
	w.expression(f.Initializer)
	if w.super {
		at := f.Initializer.Idx0()
		f.Initializer = &ast.CallExpression{
			Callee: &ast.ArrowFunctionLiteral{
				Start: at, ParameterList: &ast.ParameterList{Opening: at, Closing: at}, Body: &ast.ExpressionBody{Expression: f.Initializer},
			},
			LeftParenthesis: at, RightParenthesis: at,
		}
	}
	w.super = outer
}

func (w *walker) bindings(l []*ast.Binding) {
	for _, b := range l {
		w.expression(b.Target)
		w.expression(b.Initializer)
	}
}

func (w *walker) expressions(l []ast.Expression) {
	for _, e := range l {
		w.expression(e)
	}
}
