package telegram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Kind is the type of a value, as the configuration of the controller names it.
type Kind uint8

// The kinds of values.
const (
	Double Kind = iota
	Long
	Bool
	String
)

var kinds = [...]string{Double: "DOUBLE", Long: "LONG", Bool: "BOOL", String: "STRING"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "?"
}

// Field is a value of a telegram: an attribute of an element, or its text when there is no attribute. The elements stand
// directly in the telegram.
type Field struct {
	Element, Attr string
	Kind          Kind
}

// Name returns the name of the field in the configuration of the controller, such as AIPos.A1 or Stop.
func (f Field) Name() string {
	if f.Attr == "" {
		return f.Element
	}
	return f.Element + "." + f.Attr
}

// MostFields is the largest number of values of a telegram in one direction: those that a controller knows by itself and 64 more.
const MostFields = 128

// Attributes are fields of one element, all of one kind.
func Attributes(element string, k Kind, attrs ...string) []Field {
	list := make([]Field, len(attrs))
	for i, a := range attrs {
		list[i] = Field{element, a, k}
	}
	return list
}

// ParseFields reads names with their kinds, such as
//
//	Digin.i1:BOOL Pressure:DOUBLE Mode:LONG
//
// A name without a kind has the usual one.
func ParseFields(text string, usual Kind) ([]Field, error) {
	var list []Field
	for _, word := range strings.Fields(text) {
		name, kind, typed := strings.Cut(word, ":")
		f := Field{Kind: usual}
		f.Element, f.Attr, _ = strings.Cut(name, ".")
		if typed {
			k := slices.Index(kinds[:], strings.ToUpper(kind))
			if k < 0 {
				return nil, fmt.Errorf("%q: unknown kind %s%s", word, kind, suggest.DidYouMean(strings.ToUpper(kind), slices.Values(kinds[:])))
			}
			f.Kind = Kind(k)
		}
		if strings.HasSuffix(name, ".") || !named(f.Element) || f.Attr != "" && !named(f.Attr) {
			return nil, fmt.Errorf("%q is not like Element.Attribute:DOUBLE or Element:BOOL", word)
		}
		list = append(list, f)
	}
	return list, checkFields(list)
}

// named reports whether a text can be the name of an element.
func named(name string) bool {
	for i := range len(name) {
		if !inName(name[i]) || i == 0 && !beginsName(name[i]) {
			return false
		}
	}
	return name != ""
}

// ipoc is the element that is always there.
const ipoc = "IPOC"

func checkFields(list []Field) error {
	if len(list) > MostFields {
		return fmt.Errorf("%d values; a telegram has at most %d", len(list), MostFields)
	}
	for i, f := range list {
		switch {
		case !named(f.Element) || f.Attr != "" && !named(f.Attr):
			return fmt.Errorf("%q cannot be the name of a value", f.Name())
		case f.Element == ipoc:
			return fmt.Errorf("%s is part of every telegram; leave it out", ipoc)
		case slices.ContainsFunc(list[:i], func(o Field) bool { return o.Name() == f.Name() }):
			return fmt.Errorf("%s is given twice", f.Name())
		}
	}
	return nil
}
