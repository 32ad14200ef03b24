package explain

import (
	antlr "github.com/antlr4-go/antlr/v4"

	"github.com/softrobot-rcc/rccd/grammar"
	gen "github.com/softrobot-rcc/rccd/grammar/internal/antlr"
)

// parseNet is grammar.ParseNet by the generated parser.
func parseNet(text string) (*grammar.Node, *mismatch) {
	newLexer := func(in antlr.CharStream) lexer { return gen.NewNetLexer(in) }
	p := gen.NewNetParser(tokens(text, newLexer))
	var body gen.IBodyContext
	if m := run(p, func() { body = p.Net().Body() }); m != nil {
		return nil, m
	}
	var b netBuilder
	root := b.fragment(body)
	return root, b.misplaced
}

// netBuilder makes the tree of a net and keeps the first misplaced debug marker.
type netBuilder struct {
	misplaced *mismatch
}

func (b *netBuilder) fragment(body gen.IBodyContext) *grammar.Node {
	n := &grammar.Node{Fragment: true, Pos: posOf(body.GetStart())}
	for _, e := range body.AllEntry() {
		if e.GetPort() == nil {
			n.Nodes = append(n.Nodes, b.node(e))
			continue
		}
		n.Outs = append(n.Outs, grammar.Out{
			Name:  e.GetName().GetText(),
			Pos:   posOf(e.GetStart()),
			Debug: seconds(e.Marker()),
			From:  b.source(e.Node(), e.GetPort()),
		})
	}
	return n
}

func (b *netBuilder) node(e gen.IEntryContext) *grammar.Node {
	b.noMarker(e.Marker())
	n := b.anonymous(e.Node())
	n.Name, n.Pos = e.GetName().GetText(), posOf(e.GetStart())
	return n
}

func (b *netBuilder) anonymous(ctx gen.INodeContext) *grammar.Node {
	var n *grammar.Node
	if ctx.Body() != nil {
		n = b.fragment(ctx.Body())
	} else {
		n = &grammar.Node{Type: ctx.NAME().GetText(), Pos: posOf(ctx.GetStart())}
	}
	if ctx.Arguments() == nil {
		return n
	}
	for _, a := range ctx.Arguments().AllArgument() {
		n.Args = append(n.Args, b.arg(a))
	}
	return n
}

func (b *netBuilder) arg(ctx gen.IArgumentContext) grammar.Arg {
	arg := grammar.Arg{Name: ctx.GetName().GetText(), Pos: posOf(ctx.GetStart()), Debug: seconds(ctx.Marker())}
	if ctx.STRING() != nil {
		b.noMarker(ctx.Marker())
		arg.Value = unescape(ctx.STRING().GetText())
		return arg
	}
	arg.From = b.source(ctx.Node(), ctx.GetPort())
	return arg
}

func (b *netBuilder) source(node gen.INodeContext, port antlr.Token) grammar.Source {
	from := grammar.Source{Pos: posOf(node.GetStart()), Port: port.GetText()}
	if node.Body() == nil && node.Arguments() == nil {
		from.Name = node.NAME().GetText()
		return from
	}
	from.Inline = b.anonymous(node)
	return from
}

func (b *netBuilder) noMarker(ctx gen.IMarkerContext) {
	if ctx != nil && b.misplaced == nil {
		b.misplaced = &mismatch{pos: posOf(ctx.GetStart())}
	}
}

func seconds(ctx gen.IMarkerContext) string {
	if ctx == nil {
		return ""
	}
	return ctx.NUMBER().GetText()
}
