package explain

import (
	antlr "github.com/antlr4-go/antlr/v4"

	"github.com/softrobot-rcc/rccd/grammar"
	gen "github.com/softrobot-rcc/rccd/grammar/internal/antlr"
)

// parseCond is grammar.ParseCond by the generated parser.
func parseCond(text string) (*grammar.Cond, *mismatch) {
	newLexer := func(in antlr.CharStream) lexer { return gen.NewCondLexer(in) }
	p := gen.NewCondParser(tokens(text, newLexer))
	var ctx gen.IDisjunctionContext
	if m := run(p, func() { ctx = p.Condition().Disjunction() }); m != nil {
		return nil, m
	}
	if ctx == nil {
		return &grammar.Cond{Op: grammar.True, Pos: grammar.Pos{Line: 1, Column: 1}}, nil
	}
	return or(ctx), nil
}

func or(ctx gen.IDisjunctionContext) *grammar.Cond {
	var operands []*grammar.Cond
	for _, c := range ctx.AllConjunction() {
		operands = append(operands, and(c))
	}
	return flat(grammar.Or, operands)
}

func and(ctx gen.IConjunctionContext) *grammar.Cond {
	var operands []*grammar.Cond
	for _, n := range ctx.AllNegation() {
		operands = append(operands, not(n))
	}
	return flat(grammar.And, operands)
}

func flat(op grammar.Op, operands []*grammar.Cond) *grammar.Cond {
	if len(operands) == 1 {
		return operands[0]
	}
	c := &grammar.Cond{Op: op, Pos: operands[0].Pos}
	for _, o := range operands {
		if o.Op == op {
			c.Operands = append(c.Operands, o.Operands...)
		} else {
			c.Operands = append(c.Operands, o)
		}
	}
	return c
}

func not(ctx gen.INegationContext) *grammar.Cond {
	if ctx.Atom() != nil {
		return atom(ctx.Atom())
	}
	return &grammar.Cond{
		Op:       grammar.Not,
		Pos:      posOf(ctx.GetStart()),
		Operands: []*grammar.Cond{not(ctx.Negation())},
	}
}

func atom(ctx gen.IAtomContext) *grammar.Cond {
	if ctx.Disjunction() != nil {
		return or(ctx.Disjunction())
	}
	c := &grammar.Cond{Op: grammar.True, Pos: posOf(ctx.GetStart())}
	if ctx.Key() != nil {
		c.Op, c.Net, c.Key = grammar.Var, ctx.GetStart().GetText(), ctx.Key().GetText()
	}
	return c
}
