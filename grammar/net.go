package grammar

import "github.com/softrobot-rcc/rccd/internal/arena"

var netLanguage = newLanguage(map[class]string{
	nameStart:   letters + digits + ":_",
	inName:      letters + digits + ":_",
	punctuation: "{}()[]=,.",
	quote:       "'",
	slash:       "/",
})

// ParseNet reads a net in its text form (§7.6.3, appendix A.3), with or without comments. Names and values of the tree are pieces of text, which
// lives as long as they do.
func ParseNet(text string, lim Limits) (*Node, error) {
	p := netParser{scanner: newScanner(text, netLanguage, lim)}
	root := &Node{Pos: p.pos, Fragment: true}
	p.body(root)
	p.expect(kindEnd)
	if err := p.result(); err != nil {
		return nil, err
	}
	return root, nil
}

type netParser struct {
	scanner
	primitives, ports int
	args              []Arg // of the nodes that are being read, outer ones first
	nodes             arena.Of[Node]
	lists             arena.Of[Arg]
}

// body reads what is between the braces of a fragment.
func (p *netParser) body(fragment *Node) {
	p.count(&p.primitives, p.lim.Primitives, "primitives and fragments")
	p.enter()
	defer p.leave()
	p.expect('{')
	if p.accept('}') {
		return
	}
	for more := true; more; more = p.separator('}') {
		p.entry(fragment)
	}
}

func (p *netParser) entry(fragment *Node) {
	pos := p.pos
	name := p.expect(kindName)
	debug, debugPos := p.marker()
	p.expect('=')
	from := p.origin()
	if p.accept('.') {
		from.Port = p.expect(kindName)
		p.count(&p.ports, p.lim.Ports, "ports and parameters")
		fragment.Outs = append(fragment.Outs, Out{Name: name, Pos: pos, Debug: debug, From: from})
		return
	}
	if debug != "" {
		p.refuse(debugPos, "a debug marker belongs to a port, not to a node")
	}
	node := from.Inline
	if node == nil { // a type alone
		node = p.primitive(from.Name)
	}
	node.Name, node.Pos = name, pos
	fragment.Nodes = append(fragment.Nodes, node)
}

// origin reads a node, or only a name; whether that is the name of a node or a type depends on what follows.
func (p *netParser) origin() Source {
	from := Source{Pos: p.pos}
	switch p.kind {
	case '{':
		from.Inline = &Node{Pos: p.pos, Fragment: true}
		p.body(from.Inline)
		from.Inline.Args = p.arguments()
	case kindName:
		from.Name = p.expect(kindName)
		if p.kind == '(' {
			from.Inline = p.primitive(from.Name)
			from.Inline.Pos = from.Pos
			from.Inline.Args = p.arguments()
			from.Name = ""
		}
	default:
		p.unexpected(kindName, '{')
	}
	return from
}

func (p *netParser) primitive(typ string) *Node {
	p.count(&p.primitives, p.lim.Primitives, "primitives and fragments")
	node := p.nodes.One()
	node.Type = typ
	return node
}

func (p *netParser) arguments() []Arg {
	p.enter()
	defer p.leave()
	p.expect('(')
	if p.accept(')') {
		return nil
	}
	outer := len(p.args)
	for more := true; more; more = p.separator(')') {
		p.argument()
	}
	args := p.lists.Copy(p.args[outer:])
	p.args = p.args[:outer]
	return args
}

func (p *netParser) argument() {
	p.count(&p.ports, p.lim.Ports, "ports and parameters")
	arg := Arg{Pos: p.pos}
	arg.Name = p.expect(kindName)
	var debugPos Pos
	arg.Debug, debugPos = p.marker()
	p.expect('=')
	switch p.kind {
	case kindString:
		arg.Value = p.expect(kindString)
		if arg.Debug != "" {
			p.refuse(debugPos, "a debug marker belongs to an in port")
		}
	case kindName, '{':
		arg.From = p.origin()
		p.expect('.')
		arg.From.Port = p.expect(kindName)
	default:
		p.unexpected(kindName, kindString, '{')
	}
	p.args = append(p.args, arg)
}

// marker reads how many seconds of a port are to be recorded; without a marker there is no text.
func (p *netParser) marker() (seconds string, pos Pos) {
	if p.kind != '[' {
		return "", Pos{}
	}
	pos = p.pos
	p.nextSeconds()
	seconds = p.expect(kindNumber)
	p.expect(']')
	return seconds, pos
}
