package loader

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// isNil also knows the typed nil pointers that the parser leaves in optional
// places.
func isNil(n ast.Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func (w *walker) expression(e ast.Expression) {
	if isNil(e) {
		return
	}
	switch e := e.(type) {
	case *ast.Identifier:
		if e.Name == "arguments" && w.scope != nil {
			if w.arrows > 0 {
				w.scope.arrow = true
			} else {
				w.scope.direct = true
			}
		}
	case *ast.FunctionLiteral:
		w.function(e)
	case *ast.ArrowFunctionLiteral:
		w.arrow(e)
	case *ast.ClassLiteral:
		w.class(e)
	case *ast.YieldExpression:
		w.expression(e.Argument)
	case *ast.AwaitExpression:
		w.expression(e.Argument)
	case *ast.ArrayLiteral:
		w.expressions(e.Value)
	case *ast.ArrayPattern:
		w.expressions(e.Elements)
		w.expression(e.Rest)
	case *ast.AssignExpression:
		w.expression(e.Left)
		w.expression(e.Right)
	case *ast.BinaryExpression:
		w.expression(e.Left)
		w.expression(e.Right)
	case *ast.BracketExpression:
		w.expression(e.Left)
		w.expression(e.Member)
	case *ast.RegExpLiteral:
		w.regexpLiteral(e)
	case *ast.SuperExpression:
		w.super = true
	case *ast.CallExpression:
		w.expression(e.Callee)
		w.expressions(e.ArgumentList)
		e.ArgumentList = w.newRegExp(e.Callee, e.ArgumentList)
	case *ast.ConditionalExpression:
		w.expression(e.Test)
		w.expression(e.Consequent)
		w.expression(e.Alternate)
	case *ast.DotExpression:
		w.expression(e.Left)
	case *ast.PrivateDotExpression:
		w.expression(e.Left)
	case *ast.OptionalChain:
		w.expression(e.Expression)
	case *ast.Optional:
		w.expression(e.Expression)
	case *ast.NewExpression:
		w.expression(e.Callee)
		w.expressions(e.ArgumentList)
		e.ArgumentList = w.newRegExp(e.Callee, e.ArgumentList)
	case *ast.ObjectLiteral:
		w.properties(e.Value)
	case *ast.ObjectPattern:
		w.properties(e.Properties)
		w.expression(e.Rest)
	case *ast.PropertyShort:
		w.property(e)
	case *ast.PropertyKeyed:
		w.property(e)
	case *ast.SpreadElement:
		w.expression(e.Expression)
	case *ast.SequenceExpression:
		w.expressions(e.Sequence)
	case *ast.TemplateLiteral:
		w.expression(e.Tag)
		w.expressions(e.Expressions)
	case *ast.UnaryExpression:
		w.expression(e.Operand)
	case *ast.Binding:
		w.expression(e.Target)
		w.expression(e.Initializer)
	case *ast.NullLiteral, *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral,
		*ast.ThisExpression, *ast.MetaProperty, *ast.PrivateIdentifier, *ast.BadExpression:
	default:
		w.unknown(e)
	}
}

func (w *walker) properties(l []ast.Property) {
	for _, p := range l {
		w.property(p)
	}
}

func (w *walker) property(p ast.Property) {
	switch p := p.(type) {
	case *ast.PropertyShort:
		w.expression(&p.Name)
		w.expression(p.Initializer)
	case *ast.PropertyKeyed:
		w.expression(p.Key)
		w.expression(p.Value)
	case *ast.SpreadElement:
		w.expression(p.Expression)
	default:
		w.unknown(p)
	}
}

func (w *walker) statements(l []ast.Statement) {
	for _, s := range l {
		w.statement(s)
	}
}

func (w *walker) statement(s ast.Statement) {
	if isNil(s) {
		return
	}
	switch s := s.(type) {
	case *ast.BlockStatement:
		w.statements(s.List)
	case *ast.ExpressionStatement:
		w.expression(s.Expression)
	case *ast.FunctionDeclaration:
		w.function(s.Function)
	case *ast.ClassDeclaration:
		w.class(s.Class)
	case *ast.VariableStatement:
		w.bindings(s.List)
	case *ast.LexicalDeclaration:
		w.bindings(s.List)
	case *ast.ReturnStatement:
		w.expression(s.Argument)
	case *ast.ThrowStatement:
		w.expression(s.Argument)
	case *ast.IfStatement:
		w.expression(s.Test)
		w.statement(s.Consequent)
		w.statement(s.Alternate)
	case *ast.ForStatement:
		switch i := s.Initializer.(type) {
		case nil:
		case *ast.ForLoopInitializerExpression:
			w.expression(i.Expression)
		case *ast.ForLoopInitializerVarDeclList:
			w.bindings(i.List)
		case *ast.ForLoopInitializerLexicalDecl:
			w.bindings(i.LexicalDeclaration.List)
		default:
			w.unknown(i)
		}
		w.expression(s.Test)
		w.expression(s.Update)
		w.statement(s.Body)
	case *ast.ForInStatement:
		w.forInto(s.Into)
		w.expression(s.Source)
		w.statement(s.Body)
	case *ast.ForOfStatement:
		w.forInto(s.Into)
		w.expression(s.Source)
		w.statement(s.Body)
	case *ast.WhileStatement:
		w.expression(s.Test)
		w.statement(s.Body)
	case *ast.DoWhileStatement:
		w.statement(s.Body)
		w.expression(s.Test)
	case *ast.SwitchStatement:
		w.expression(s.Discriminant)
		for _, c := range s.Body {
			w.expression(c.Test)
			w.statements(c.Consequent)
		}
	case *ast.TryStatement:
		w.statement(s.Body)
		if s.Catch != nil {
			w.expression(s.Catch.Parameter)
			w.statement(s.Catch.Body)
			w.caught(s.Catch)
		}
		w.statement(s.Finally)
	case *ast.LabelledStatement:
		w.statement(s.Statement)
	case *ast.WithStatement:
		w.expression(s.Object)
		w.statement(s.Body)
	case *ast.BranchStatement, *ast.DebuggerStatement, *ast.EmptyStatement, *ast.BadStatement:
	default:
		w.unknown(s)
	}
}

func (w *walker) forInto(i ast.ForInto) {
	switch i := i.(type) {
	case *ast.ForIntoVar:
		w.bindings([]*ast.Binding{i.Binding})
	case *ast.ForDeclaration:
		w.expression(i.Target)
	case *ast.ForIntoExpression:
		w.expression(i.Expression)
	default:
		w.unknown(i)
	}
}
