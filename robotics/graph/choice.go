package graph

// Primitives that compute nothing, but choose between inputs, are tried out with all possible inputs.
//
// That is more than what can come in together: variables that depend on each other are tried as if they did not. Facts that hold
// in all trials hold in all cycles: that a primitive gives only one value, or what one of its variables has, null included.
// Values that are not known are taken to differ, so that one is handed on only if it is chosen every time.

// token stands for a value: null, false, true, and from firstToken on values that are not distinguished further.
type token int32

const (
	null token = iota
	isFalse
	isTrue
	firstToken
)

func tokenOf(v bool) token {
	if v {
		return isTrue
	}
	return isFalse
}

// or returns the token, or that of a parameter in place of null.
func (t token) or(p *Primitive, param int) token {
	if t == null {
		return tokenOf(p.param(param) == yes)
	}
	return t
}

func conjunction(p *Primitive, t *trial) token {
	return tokenOf(t.in(p, 0).or(p, 0) == isTrue && t.in(p, 1).or(p, 1) == isTrue)
}

func disjunction(p *Primitive, t *trial) token {
	return tokenOf(t.in(p, 0).or(p, 0) == isTrue || t.in(p, 1).or(p, 1) == isTrue)
}

func negation(p *Primitive, t *trial) token { return tokenOf(t.in(p, 0).or(p, 0) == isFalse) }

func choose(p *Primitive, t *trial) token {
	if t.in(p, 0) == isTrue {
		return t.in(p, 1)
	}
	return t.in(p, 2)
}

func takeAway(p *Primitive, t *trial) token {
	if t.in(p, 1) == isTrue {
		return null
	}
	return t.in(p, 0)
}

func isNull(p *Primitive, t *trial) token { return tokenOf(t.in(p, 0) == null) }

// trial tries a primitive out. The variables are the ports that feed it; where those that feed it are such primitives
// themselves, it may be their ports instead.
type trial struct {
	facts     *facts
	root      *Primitive
	variables [mostVariables]Port
	can       [mostVariables]tokens
	now       [mostVariables]token
	count     int
	texts     []string // of tokens from firstToken on, "" of one that is not known
}

// tokens are what a variable can be.
type tokens struct {
	list  [3]token
	count int
}

func (l *tokens) add(t token) {
	l.list[l.count] = t
	l.count++
}

// mostVariables bounds how often a primitive is tried out: 27 times at most.
const mostVariables = 3

// chosen returns what a primitive that chooses can give. All three in ports that there are fit into a trial.
func chosen(s *facts, p *Primitive, _ int) (f fact) {
	t := &s.trials[0]
	t.begin(s, p)
	choice := s.rules[p.number].choice
	t.each(0, func() { f.add(t.fact(choice(p, t))) })
	return f
}

// begin makes variables of all ports that feed the primitive.
func (t *trial) begin(s *facts, root *Primitive) {
	t.facts, t.root, t.count, t.texts = s, root, 0, t.texts[:0]
	for i := range root.decl.In {
		t.variable(root, i)
	}
}

// variable makes a variable of what feeds an in port, unless it is one, and reports whether there was room.
func (t *trial) variable(p *Primitive, in int) bool {
	from := p.in[in]
	if from.Open() || t.index(from) >= 0 {
		return true
	}
	if t.count == mostVariables {
		return false
	}
	t.variables[t.count] = from
	t.can[t.count] = t.tokens(t.facts.at(p, in), from.Type() == Bool)
	t.count++
	return true
}

func (t *trial) index(from Port) int {
	for i := range t.count {
		if t.variables[i] == from {
			return i
		}
	}
	return -1
}

// tokens stand for what a port can be.
func (t *trial) tokens(f fact, isBool bool) (list tokens) {
	if f.null {
		list.add(null)
	}
	switch {
	case f.many == none:
	case !isBool:
		list.add(t.token(f.value))
	default:
		if f.mayBe(no) {
			list.add(isFalse)
		}
		if f.mayBe(yes) {
			list.add(isTrue)
		}
	}
	return list
}

// token returns the token of a text; each value that is not known has its own.
func (t *trial) token(text string) token {
	for i, have := range t.texts {
		if have == text && text != "" {
			return firstToken + token(i)
		}
	}
	t.texts = append(t.texts, text)
	return firstToken + token(len(t.texts)-1)
}

// each does something for every combination of what the variables from the i-th on can be.
func (t *trial) each(i int, do func()) {
	if i == t.count {
		do()
		return
	}
	for k := range t.can[i].count {
		t.now[i] = t.can[i].list[k]
		t.each(i+1, do)
	}
}

// in returns what comes in at a port of a primitive.
func (t *trial) in(p *Primitive, i int) token {
	from := p.in[i]
	if from.Open() {
		return t.open(p, i)
	}
	if k := t.index(from); k >= 0 {
		return t.now[k]
	}
	q := from.of // within the net between root and variables
	return t.facts.rules[q.number].choice(q, t)
}

func (t *trial) open(p *Primitive, i int) token {
	f := p.standIn(i)
	switch {
	case f.many == none:
		return null
	case p.decl.In[i].Type == Bool:
		return tokenOf(f.value == yes)
	}
	return t.token(f.value)
}

// fact returns what a token stands for.
func (t *trial) fact(of token) fact {
	switch of {
	case null:
		return fact{null: true}
	case isFalse:
		return fact{many: one, value: no}
	case isTrue:
		return fact{many: one, value: yes}
	}
	if text := t.texts[of-firstToken]; text != "" {
		return fact{many: one, value: text}
	}
	return fact{many: several}
}

// deepen tries with the ports that feed a primitive of logic in place of its own, if there is such a primitive and room; nil
// otherwise. (What is found is simplified and looked at again: once is enough.)
func (t *trial) deepen() *trial {
	for i := range t.count {
		q := t.variables[i].of
		if r := t.facts.rules[q.number]; r == nil || r.choice == nil || t.variables[i].Type() != Bool || !runsWith(t.root, q) {
			continue
		}
		deeper := &t.facts.trials[1]
		deeper.facts, deeper.root, deeper.count, deeper.texts = t.facts, t.root, 0, append(deeper.texts[:0], t.texts...)
		fits := true
		for k := range t.count {
			if k != i {
				deeper.take(t, k)
			}
		}
		for in := range q.decl.In {
			fits = fits && deeper.variable(q, in)
		}
		if fits {
			return deeper
		}
	}
	return nil
}

func (t *trial) take(from *trial, k int) {
	t.variables[t.count], t.can[t.count] = from.variables[k], from.can[k]
	t.count++
}

// try finds out what the primitive can give, and whether it hands on one of its variables, whatever that is.
func (t *trial) try() (gives fact, same Port) {
	var is [mostVariables]bool
	for k := range t.count {
		is[k] = t.variables[k].Type() == t.root.decl.Out[0].Type
	}
	choice := t.facts.rules[t.root.number].choice
	t.each(0, func() {
		got := choice(t.root, t)
		gives.add(t.fact(got))
		for k := range t.count {
			is[k] = is[k] && t.now[k] == got
		}
	})
	for k := range t.count {
		if is[k] {
			return gives, t.variables[k]
		}
	}
	return gives, Port{}
}
