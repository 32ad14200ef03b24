package grammar

import (
	"slices"
	"strings"
)

var statementLanguage = newLanguage(map[class]string{
	nameStart:   letters + "_",
	inName:      letters + digits + "_",
	numberStart: digits + "+-.",
	punctuation: "=()[]{},:",
	quote:       `"`,
})

// ParseStatement reads a message of DirectIO (appendix A.2).
func ParseStatement(text string, lim Limits) (*Statement, error) {
	p := statementParser{scanner: newScanner(text, statementLanguage, lim)}
	var st Statement
	st.Tag = p.expect(kindName)
	p.expect('=')
	st.Command = p.expect(kindName)
	st.Params = p.group('(', ')', p.param)
	p.expect(kindEnd)
	if err := p.result(); err != nil {
		return nil, err
	}
	return &st, nil
}

type statementParser struct {
	scanner
	items int
	open  []Param // of the lists that are being read, outer ones first
}

// group reads members in brackets.
func (p *statementParser) group(opening, closing kind, member func() Param) []Param {
	p.enter()
	defer p.leave()
	p.expect(opening)
	if p.accept(closing) {
		return nil
	}
	outer := len(p.open)
	for more := true; more; more = p.separator(closing) {
		m := member()
		p.open = append(p.open, m)
	}
	members := slices.Clone(p.open[outer:])
	p.open = p.open[:outer]
	return members
}

func (p *statementParser) param() Param {
	p.count(&p.items, p.lim.Items, "parameters")
	switch p.kind {
	case kindString:
		return Param{Kind: String, Text: p.expect(kindString)}
	case kindNumber:
		return numberParam(p.expect(kindNumber))
	case '[':
		return Param{Kind: List, Items: p.group('[', ']', p.param)}
	case '{':
		return p.dictionary()
	default:
		p.unexpected(kindNumber, kindString, '[', '{')
		return Param{}
	}
}

func numberParam(text string) Param {
	if strings.ContainsAny(text, ".eE") {
		return Param{Kind: Float, Text: text}
	}
	return Param{Kind: Int, Text: text}
}

func (p *statementParser) dictionary() Param {
	m := Param{Kind: Map}
	m.Items = p.group('{', '}', func() Param {
		m.Keys = append(m.Keys, p.key())
		p.expect(':')
		return p.param()
	})
	return m
}

func (p *statementParser) key() string {
	key := p.text
	if !p.accept(kindName) && !p.accept(kindString) {
		p.unexpected(kindName, kindString)
	}
	return key
}
