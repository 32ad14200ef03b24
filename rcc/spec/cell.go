package spec

import "github.com/softrobot-rcc/rccd/rcc/value"

// Cell is an out port whatever its type: Block.Cell and Block.Source return *Out[T], and each is a Cell.
type Cell interface {
	// Type is the data type of the port.
	Type() value.Type
	// Current reports whether the port has a value in this cycle (cycle).
	Current(cy *Cycle) bool
	// Words returns how many words the value has, also while the cycle writes it (any).
	Words() int
	// PutWords writes the words of the value (load, between cycles).
	PutWords(dst []uint64)
	// Text appends the value (load, between cycles).
	Text(dst []byte) []byte
	// SetText gives the port the value that a text stands for (load, between cycles).
	SetText(cy *Cycle, text string) error
	// SetWords gives the port the value that stands in words; it does not allocate (load, between cycles).
	SetWords(cy *Cycle, words []uint64)
}

// Type returns the data type of the port.
func (p *Out[T]) Type() value.Type { return value.Of[T]().Type }

// Words returns how many words the value has. Of an array only the length is read, which does not change after loading (any).
func (p *Out[T]) Words() int {
	codec := value.Of[T]()
	if n := codec.Words(*new(T)); n > 0 {
		return n
	}
	return codec.Words(p.V)
}

// PutWords writes the words of the value, whether it is current or not (load, between cycles).
func (p *Out[T]) PutWords(dst []uint64) { value.Of[T]().Put(dst, &p.V) }

// Text appends the value as text, whether it is current or not (load, between cycles).
func (p *Out[T]) Text(dst []byte) []byte { return value.Of[T]().Append(dst, p.V) }

// SetText gives the port the value that a text stands for (load, between cycles). The first text decides how long an
// array is.
func (p *Out[T]) SetText(cy *Cycle, text string) error {
	codec := value.Of[T]()
	v, err := codec.Parse(text)
	if err == nil && codec.Words(p.V) > 0 {
		err = codec.Fits(v, p.V)
	}
	if err == nil {
		p.Set(cy, v)
	}
	return err
}

// SetWords gives the port the value that stands in words (load, between cycles).
func (p *Out[T]) SetWords(cy *Cycle, words []uint64) {
	value.Of[T]().Get(words, &p.V)
	p.stamp = cy.N
}
