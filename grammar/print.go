package grammar

import (
	"iter"
	"strings"
)

// String returns the text form of a net without blanks, which reads back as the same net.
func (n *Node) String() string { return string(n.AppendText(nil)) }

// AppendText appends the text form to dst. A node that is not a net is written as it stands in one: with its name, if it
// has one, and its arguments.
func (n *Node) AppendText(dst []byte) []byte {
	if n.Name == "" && n.Fragment && len(n.Args) == 0 {
		return n.appendBody(dst)
	}
	if n.Name != "" {
		dst = append(dst, n.Name...)
		dst = append(dst, '=')
	}
	return n.appendNode(dst)
}

func (n *Node) appendBody(dst []byte) []byte {
	dst = append(dst, '{')
	for i, inner := range n.Nodes {
		dst = appendComma(dst, i)
		dst = append(dst, inner.Name...)
		dst = append(dst, '=')
		dst = inner.appendNode(dst)
	}
	for i := range n.Outs {
		dst = appendComma(dst, len(n.Nodes)+i)
		dst = n.Outs[i].appendText(dst)
	}
	return append(dst, '}')
}

func (n *Node) appendNode(dst []byte) []byte {
	if n.Fragment {
		dst = n.appendBody(dst)
	} else {
		dst = append(dst, n.Type...)
	}
	dst = append(dst, '(')
	for i := range n.Args {
		dst = appendComma(dst, i)
		dst = n.Args[i].appendText(dst)
	}
	return append(dst, ')')
}

func (o *Out) appendText(dst []byte) []byte {
	dst = appendPort(dst, o.Name, o.Debug)
	return o.From.appendText(dst)
}

func (a *Arg) appendText(dst []byte) []byte {
	dst = appendPort(dst, a.Name, a.Debug)
	if a.Connected() {
		return a.From.appendText(dst)
	}
	return appendQuoted(dst, a.Value, '\'')
}

func appendPort(dst []byte, name, debug string) []byte {
	dst = append(dst, name...)
	if debug != "" {
		dst = append(dst, '[')
		dst = append(dst, debug...)
		dst = append(dst, ']')
	}
	return append(dst, '=')
}

func (s *Source) appendText(dst []byte) []byte {
	if s.Inline != nil {
		dst = s.Inline.appendNode(dst)
	} else {
		dst = append(dst, s.Name...)
	}
	dst = append(dst, '.')
	return append(dst, s.Port...)
}

func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}

func appendQuoted(dst []byte, text string, quote byte) []byte {
	dst = append(dst, quote)
	plain := 0
	for i := range len(text) {
		if text[i] == quote || text[i] == '\\' {
			dst = append(dst, text[plain:i]...)
			dst = append(dst, '\\')
			plain = i
		}
	}
	dst = append(dst, text[plain:]...)
	return append(dst, quote)
}

// String returns the statement as sent.
func (s *Statement) String() string { return string(s.AppendText(nil)) }

// AppendText appends the statement as sent to dst.
func (s *Statement) AppendText(dst []byte) []byte {
	dst = append(dst, s.Tag...)
	dst = append(dst, '=')
	dst = append(dst, s.Command...)
	dst = append(dst, '(')
	dst = appendParams(dst, s.Params)
	return append(dst, ')')
}

func appendParams(dst []byte, params []Param) []byte {
	for i := range params {
		dst = appendComma(dst, i)
		dst = params[i].appendText(dst)
	}
	return dst
}

func (p *Param) appendText(dst []byte) []byte {
	switch p.Kind {
	case String:
		return appendQuoted(dst, p.Text, '"')
	case List:
		dst = append(dst, '[')
		dst = appendParams(dst, p.Items)
		return append(dst, ']')
	case Map:
		return p.appendMap(dst)
	case Int, Float:
	}
	return append(dst, p.Text...)
}

func (p *Param) appendMap(dst []byte) []byte {
	dst = append(dst, '{')
	for i, key := range p.Keys {
		dst = appendComma(dst, i)
		dst = appendKey(dst, key)
		dst = p.Items[i].appendText(dst)
	}
	return append(dst, '}')
}

func appendKey(dst []byte, key string) []byte {
	if isIdentifier(key) {
		dst = append(dst, key...)
	} else {
		dst = appendQuoted(dst, key, '"')
	}
	return append(dst, ':')
}

// AppendTexts appends the statement whose parameters are maps of strings, the most frequent kind: it makes no tree.
func AppendTexts(dst []byte, tag, command string, maps ...iter.Seq2[string, string]) []byte {
	dst = append(dst, tag...)
	dst = append(dst, '=')
	dst = append(dst, command...)
	dst = append(dst, '(')
	for i, members := range maps {
		dst = append(appendComma(dst, i), '{')
		n := 0
		for key, text := range members {
			dst = appendComma(dst, n)
			dst = appendKey(dst, key)
			dst = appendQuoted(dst, text, '"')
			n++
		}
		dst = append(dst, '}')
	}
	return append(dst, ')')
}

func isIdentifier(text string) bool {
	if text == "" || statementLanguage[text[0]]&nameStart == 0 {
		return false
	}
	for i := range len(text) {
		if statementLanguage[text[i]]&inName == 0 {
			return false
		}
	}
	return true
}

// String returns the text form of a condition with no more parentheses than needed.
func (c *Cond) String() string {
	var b strings.Builder
	c.write(&b)
	return b.String()
}

func (c *Cond) write(b *strings.Builder) {
	switch c.Op {
	case True:
		b.WriteByte('t')
	case Var:
		b.WriteString(c.Net)
		b.WriteByte('.')
		b.WriteString(c.Key)
	case Not:
		b.WriteByte('!')
		c.Operands[0].writeWithin(b, Not)
	case And:
		c.writeOperands(b, '&')
	case Or:
		c.writeOperands(b, '|')
	}
}

func (c *Cond) writeOperands(b *strings.Builder, mark byte) {
	for i, operand := range c.Operands {
		if i > 0 {
			b.WriteByte(mark)
		}
		operand.writeWithin(b, c.Op)
	}
}

// writeWithin writes an operand of op, in parentheses when it binds less tightly.
func (c *Cond) writeWithin(b *strings.Builder, op Op) {
	if (c.Op != And && c.Op != Or) || c.Op < op {
		c.write(b)
		return
	}
	b.WriteByte('(')
	c.write(b)
	b.WriteByte(')')
}
