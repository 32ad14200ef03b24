package telegram

import "fmt"

// Reader reads telegrams with one root element. It belongs to one thread.
type Reader struct {
	root  string
	names names
	scan  scanner
}

// NewReader makes a reader of fields (load).
func NewReader(root string, fields []Field) (*Reader, error) {
	if !named(root) {
		return nil, fmt.Errorf("%q cannot be a root element", root)
	}
	if err := checkFields(fields); err != nil {
		return nil, err
	}
	return &Reader{root: root, names: newNames(fields)}, nil
}

// Value is the value of a field in a telegram.
type Value struct {
	Seen bool
	Num  float64 // of a LONG or BOOL too
	Text Span    // as it stands there, with what stands for < > & " ' (Unescape)
}

// Span is a part of a telegram. It has two numbers instead of a slice, since the cycle keeps no pointers.
type Span struct{ From, To int }

// Of returns the part, empty when the text is another one (cycle).
func (s Span) Of(text []byte) []byte {
	if s.From < 0 || s.From > s.To || s.To > len(text) {
		return nil
	}
	return text[s.From:s.To]
}

// Head is what every telegram has.
type Head struct {
	Type  Span   // attribute of the root
	Stamp Span   // IPOC as written
	IPOC  uint64 // the same as a number
	Wrong int    // field that is the reason of BadNumber or Twice, or -1
}

// Read reads a telegram and writes the values of the fields, in the order in which they were given, into as much room as there
// is (cycle). Values are of no use when there is a fault.
func (r *Reader) Read(text []byte, values []Value) (Head, Fault) {
	for i := range values {
		values[i].Seen, values[i].Num = false, 0
	}
	h := Head{Wrong: -1}
	if len(text) > Longest {
		return h, TooLong
	}
	s := &r.scan
	s.begin(text)
	f := r.document(text, s, values, &h)
	return h, f
}

// document is everything from the first to the last byte.
func (r *Reader) document(text []byte, s *scanner, values []Value, h *Head) Fault {
	s.prolog(text)
	stamped := false
	for {
		switch s.next(text) {
		case atEnd:
			return r.ended(s, stamped)
		case atStart:
			if s.depth == 1 && !is(s.name.Of(text), r.root) {
				return OtherRoot
			}
			if f := r.attributes(text, s, values, h); f != Good {
				return f
			}
		case atClose:
			if s.depth == 1 { // the element that ends stood in the root
				if f := r.element(text, s, values, h, &stamped); f != Good {
					return f
				}
			}
		default:
			return s.fault
		}
	}
}

func (r *Reader) ended(s *scanner, stamped bool) Fault {
	switch {
	case !s.rooted || s.depth != 0:
		return NotXML
	case !stamped:
		return NoStamp
	}
	return Good
}

// attributes reads those of the element that has just begun.
func (r *Reader) attributes(text []byte, s *scanner, values []Value, h *Head) Fault {
	element := s.name.Of(text)
	of := uint32(0)
	if s.depth == 2 {
		of = hash(seed, element)
	}
	for {
		found, fault := s.attribute(text)
		if fault != Good {
			return fault
		}
		if !found {
			return Good
		}
		switch attr := s.attr.Of(text); s.depth {
		case 1:
			if fold(attr, "TYPE") {
				h.Type = s.value
			}
		case 2:
			if f := r.take(text, r.names.find(element, of, attr), s.value, values, h); f != Good {
				return f
			}
		}
	}
}

// element takes the text of an element that has ended.
func (r *Reader) element(text []byte, s *scanner, values []Value, h *Head, stamped *bool) Fault {
	name := s.name.Of(text)
	if is(name, ipoc) {
		h.Stamp = s.inner.trimmed(text)
		if *stamped || s.mixed {
			return NoStamp
		}
		*stamped = true
		var ok bool
		if h.IPOC, ok = stamp(h.Stamp.Of(text)); !ok {
			return NoStamp
		}
		return Good
	}
	i := r.names.find(name, hash(seed, name), nil)
	if i < 0 {
		return Good
	}
	if s.mixed {
		h.Wrong = i
		return BadNumber
	}
	return r.take(text, i, s.inner, values, h)
}

// take keeps the value of a field that is looked for.
func (r *Reader) take(text []byte, i int, at Span, values []Value, h *Head) Fault {
	fields := r.names.fields
	if uint(i) >= uint(len(fields)) || uint(i) >= uint(len(values)) {
		return Good
	}
	v := &values[i]
	if v.Seen {
		h.Wrong = i
		return Twice
	}
	v.Seen, v.Text = true, at
	digits := at.trimmed(text).Of(text)
	ok := true
	switch fields[i].Kind {
	case Double:
		v.Num, ok = double(digits)
	case Bool:
		v.Num, ok = truth(digits)
	case Long:
		var whole64 int64
		whole64, ok = whole(digits)
		v.Num = float64(whole64)
	case String:
	}
	if !ok {
		h.Wrong = i
		return BadNumber
	}
	return Good
}

// trimmed returns a part without blanks around it.
func (s Span) trimmed(text []byte) Span {
	t := s.Of(text)
	for len(t) > 0 && blank(t[0]) {
		t = t[1:]
		s.From++
	}
	for len(t) > 0 && blank(t[len(t)-1]) {
		t = t[:len(t)-1]
	}
	return Span{s.From, s.From + len(t)}
}
