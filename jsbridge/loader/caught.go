package loader

import "github.com/dop251/goja/ast"

// caught makes a catch clause pass what it caught to [Host.Caught] first: the
// engine gives its own errors a stack in a format of its own, and offers no other
// place to put a better one before the program can look. A clause whose parameter
// is a pattern is left alone: the value has no name there.
func (w *walker) caught(c *ast.CatchStatement) {
	name, ok := c.Parameter.(*ast.Identifier)
	if !w.stacks || !ok || c.Body == nil {
		return
	}
	at := c.Body.LeftBrace
	call := &ast.CallExpression{
		Callee: &ast.DotExpression{
			Left:       &ast.Identifier{Name: hostName, Idx: at},
			Identifier: ast.Identifier{Name: "caught", Idx: at},
		},
		LeftParenthesis: at, RightParenthesis: at,
		ArgumentList: []ast.Expression{&ast.Identifier{Name: name.Name, Idx: at}},
	}
	c.Body.List = append([]ast.Statement{&ast.ExpressionStatement{Expression: call}}, c.Body.List...)
}
