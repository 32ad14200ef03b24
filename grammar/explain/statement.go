package explain

import (
	antlr "github.com/antlr4-go/antlr/v4"

	"github.com/softrobot-rcc/rccd/grammar"
	gen "github.com/softrobot-rcc/rccd/grammar/internal/antlr"
)

// parseStatement is grammar.ParseStatement by the generated parser.
func parseStatement(text string) (*grammar.Statement, *mismatch) {
	newLexer := func(in antlr.CharStream) lexer { return gen.NewStatementLexer(in) }
	p := gen.NewStatementParser(tokens(text, newLexer))
	var ctx gen.IStatementContext
	if m := run(p, func() { ctx = p.Statement() }); m != nil {
		return nil, m
	}
	return &grammar.Statement{
		Tag:     ctx.GetTag().GetText(),
		Command: ctx.GetCommand().GetText(),
		Params:  params(ctx.AllParam()),
	}, nil
}

func params(ctxs []gen.IParamContext) []grammar.Param {
	var ps []grammar.Param
	for _, ctx := range ctxs {
		ps = append(ps, param(ctx))
	}
	return ps
}

func param(ctx gen.IParamContext) grammar.Param {
	switch {
	case ctx.STRING() != nil:
		return grammar.Str(unescape(ctx.STRING().GetText()))
	case ctx.INT() != nil:
		return grammar.Param{Kind: grammar.Int, Text: ctx.INT().GetText()}
	case ctx.FLOAT() != nil:
		return grammar.Param{Kind: grammar.Float, Text: ctx.FLOAT().GetText()}
	case ctx.List() != nil:
		return grammar.Param{Kind: grammar.List, Items: params(ctx.List().AllParam())}
	default:
		return dictionary(ctx.Dictionary())
	}
}

func dictionary(ctx gen.IDictionaryContext) grammar.Param {
	m := grammar.Param{Kind: grammar.Map}
	for _, pair := range ctx.AllPair() {
		m.Keys = append(m.Keys, key(pair))
		m.Items = append(m.Items, param(pair.Param()))
	}
	return m
}

func key(pair gen.IPairContext) string {
	if pair.STRING() != nil {
		return unescape(pair.STRING().GetText())
	}
	return pair.NAME().GetText()
}
