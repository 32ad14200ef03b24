package testkit

import (
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// longest is how long arrays are at most that no example asks for.
const longest = 9

func hasLength(t value.Type) bool {
	_, isArray := t.Element()
	return isArray || t == value.TypeMatrix
}

// likeIn returns a value that the example gives to an in port.
func likeIn(e spec.Example, port *spec.Port) string {
	for _, text := range e.In[port.Name] {
		if text != null {
			return text
		}
	}
	return repeated(port.Type, 0)
}

// likeAny returns a value as long as the primitive expects it: as in an example with these parameters, or as its
// parameter Size says.
func likeAny(p *spec.Primitive, params map[string]string, port *spec.Port) string {
	for _, e := range p.Examples {
		if e.In[port.Name] != nil && e.Params["Size"] == params["Size"] {
			return likeIn(e, port)
		}
	}
	text, given := params["Size"]
	if k := p.Param("Size"); !given && k >= 0 {
		text = p.Params[k].Default
	}
	n, err := value.Int.Parse(text)
	if err != nil {
		n = 2
	}
	return repeated(port.Type, min(max(int(n), 0), longest))
}

// repeated returns an array of n zeros, or a matrix of n rows and columns of them.
func repeated(t value.Type, n int) string {
	element, isArray := t.Element()
	zero := "{}"
	switch {
	case !isArray: // a matrix
		return "[" + strings.TrimSuffix(strings.Repeat(repeated(value.ArrayOf(value.TypeDouble), n)+",", n), ",") + "]"
	case element == value.TypeBool:
		zero = strconv.FormatBool(false)
	case element == value.TypeInt, element == value.TypeDouble, element == value.TypeTime:
		zero = "0"
	}
	return "[" + strings.TrimSuffix(strings.Repeat(zero+",", n), ",") + "]"
}
