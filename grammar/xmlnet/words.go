package xmlnet

import (
	"slices"
	"strings"
)

// Namespace is that of the schema of the dissertation (appendix A.1). Documents without one mean the same.
const Namespace = "http://schema.isse.de/SoftRobot/RCC/RPINet.xsd"

// element is what an element means, whatever its spelling.
type element uint8

const (
	unknown element = iota
	document
	net
	fragment
	primitive
	parameter
	port // that goes into a node
	outport

	kindsOfElement
)

// elements are all spellings, the usual one of each first.
var elements = []struct {
	name string
	is   element
}{
	{"rpinet", net},
	{"fragment", fragment},
	{"primitive", primitive},
	{"module", primitive},
	{"parameter", parameter},
	{"port", port},
	{"inport", port},
	{"inPort", port},
	{"outport", outport},
	{"outPort", outport},
}

// inside says what may stand in what. Fragments can have parameters, as in the text form. The net has nothing outside
// that could go into it.
var inside = [kindsOfElement][]element{
	document:  {net},
	net:       {fragment, primitive, outport},
	fragment:  {fragment, primitive, parameter, port, outport},
	primitive: {parameter, port},
}

func elementOf(name string) element {
	for _, e := range elements {
		if e.name == name {
			return e.is
		}
	}
	return unknown
}

// String returns the usual spelling.
func (is element) String() string {
	for _, e := range elements {
		if e.is == is {
			return e.name
		}
	}
	return ""
}

// spellings returns the names of elements that may stand within another one.
func spellings(within element) (names []string) {
	for _, e := range elements {
		if slices.Contains(inside[within], e.is) {
			names = append(names, e.name)
		}
	}
	return names
}

// attribute is one spelling of an attribute. Those that mean the same have the same place among the values.
type attribute struct {
	name     string
	place    int
	form     form
	optional bool
}

// Places of the values of attributes.
const (
	ofID, ofType              = 0, 1
	ofName, ofValue           = 0, 1
	ofSource, ofPort, ofDebug = 1, 2, 3

	places = 4
)

var attributes = [kindsOfElement][]attribute{
	net:       {{"id", ofID, anyText, true}},
	fragment:  {{"id", ofID, aName, false}},
	primitive: {{"id", ofID, aName, false}, {"type", ofType, aName, false}},
	parameter: {{"name", ofName, aName, false}, {"value", ofValue, anyText, false}},
	port:      connection,
	outport:   connection,
}

var connection = []attribute{
	{"name", ofName, aName, false},
	{"fromprimitive", ofSource, aName, false},
	{"frommodule", ofSource, aName, false},
	{"fromport", ofPort, aName, false},
	{"debug", ofDebug, seconds, true},
}

// namesOf returns the spellings of some attributes.
func namesOf(list []attribute) (names []string) {
	for _, a := range list {
		names = append(names, a.name)
	}
	return names
}

// sameAs returns all spellings of an attribute.
func sameAs(a attribute, list []attribute) (same []attribute) {
	for _, other := range list {
		if other.place == a.place {
			same = append(same, other)
		}
	}
	return same
}

// form is what the value of an attribute must be, so that it has a place in the text form.
type form string

const (
	anyText form = "any text"
	aName   form = "a name of letters, digits, : and _"
	seconds form = "seconds"
)

func (f form) fits(text string) bool {
	switch f {
	case aName:
		return text != "" && only(text, &inName)
	case seconds:
		whole, fraction, point := strings.Cut(text, ".")
		return only(whole, &isDigit) && only(fraction, &isDigit) && (fraction != "" || !point && whole != "")
	default:
		return true
	}
}

var isDigit, inName = setOf("0123456789"), setOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_")

func setOf(bytes string) (set [256]bool) {
	for i := range len(bytes) {
		set[bytes[i]] = true
	}
	return set
}

// only reports whether a text has nothing but the bytes of a set.
func only(text string, set *[256]bool) bool {
	for i := range len(text) {
		if !set[text[i]] {
			return false
		}
	}
	return true
}

// either lists what was expected.
func either(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
