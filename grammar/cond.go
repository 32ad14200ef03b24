package grammar

var condLanguage = newLanguage(map[class]string{
	nameStart:   letters + digits + ":_",
	inName:      letters + digits + ":_",
	punctuation: "|&!().",
})

// ParseCond reads the condition of a synchronization rule (§6.1). An empty text is true, so that a rule without
// condition fires at once.
func ParseCond(text string, lim Limits) (*Cond, error) {
	p := condParser{scanner: newScanner(text, condLanguage, lim)}
	c := &Cond{Op: True, Pos: Pos{1, 1}}
	if p.kind != kindEnd {
		c = p.or()
		p.expect(kindEnd)
	}
	if err := p.result(); err != nil {
		return nil, err
	}
	return c, nil
}

type condParser struct {
	scanner
	items int
}

func (p *condParser) or() *Cond  { return p.operation(Or, '|', p.and) }
func (p *condParser) and() *Cond { return p.operation(And, '&', p.not) }

func (p *condParser) operation(op Op, mark kind, operand func() *Cond) *Cond {
	first := operand()
	if p.kind != mark {
		return first
	}
	c := &Cond{Op: op, Pos: first.Pos}
	c.add(first)
	for p.accept(mark) {
		c.add(operand())
	}
	return c
}

// add takes in the operands of an operand with the same operator: a&(b&c) is a&b&c.
func (c *Cond) add(operand *Cond) {
	if operand.Op == c.Op {
		c.Operands = append(c.Operands, operand.Operands...)
		return
	}
	c.Operands = append(c.Operands, operand)
}

func (p *condParser) not() *Cond {
	pos := p.pos
	if p.kind != '!' {
		return p.atom()
	}
	p.enter()
	defer p.leave()
	p.expect('!')
	return &Cond{Op: Not, Pos: pos, Operands: []*Cond{p.not()}}
}

func (p *condParser) atom() *Cond {
	if p.kind == '(' {
		return p.parentheses()
	}
	if p.kind != kindName {
		p.unexpected(kindName, '!', '(')
	}
	p.count(&p.items, p.lim.Items, "operands")
	c := &Cond{Op: Var, Pos: p.pos}
	c.Net = p.expect(kindName)
	if c.Net == "t" && p.kind != '.' {
		c.Op, c.Net = True, ""
		return c
	}
	p.expect('.')
	c.Key = p.expect(kindName)
	return c
}

func (p *condParser) parentheses() *Cond {
	p.enter()
	defer p.leave()
	p.expect('(')
	c := p.or()
	p.expect(')')
	return c
}
