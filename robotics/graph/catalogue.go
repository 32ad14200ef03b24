package graph

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Kind says what the outputs of a primitive depend on, and so what the optimiser may do with it.
type Kind uint8

// The kinds of primitives.
const (
	// Pure primitives depend on parameters and in ports of the same cycle only.
	Pure Kind = iota
	// State primitives depend on parameters and on what has come in since the net began. Two with the same inputs say
	// the same.
	State
	// Sensor primitives depend on what is outside of the net: devices, its cancellation, the time. Two of the same type with
	// the same parameters and inputs say the same (§5.2.1).
	Sensor
	// Input primitives take values from applications or other nets. Each counts.
	Input
	// Effect primitives act: they command devices, or publish. Each counts, and what they need stays.
	Effect
	kinds
)

var kindNames = [kinds]string{"pure", "state", "sensor", "input", "effect"}

func (k Kind) String() string { return kindNames[k] }

// Declaration describes a type of primitives.
type Declaration struct {
	Name   string
	Kind   Kind
	In     []InPort
	Out    []OutPort
	Params []Param

	// Delays means that a cycle of links may contain it (§5.2.2, Pre).
	Delays bool
}

// InPort is an in port. Every primitive has inActive as well.
type InPort struct {
	Name     string
	Type     Type
	Param    string // that gives the value while the port is open
	Required bool
}

// OutPort is an out port.
type OutPort struct {
	Name string
	Type Type
}

// Param is a parameter.
type Param struct {
	Name     string
	Type     Type
	Default  string
	Required bool
}

// inActive is the in port that every primitive has, whether it is listed or not.
const inActive = "inActive"

// in returns the index of an in port, len(d.In) for inActive where it is not listed, -1 for what is none.
func (d *Declaration) in(name string) int {
	for i := range d.In {
		if d.In[i].Name == name {
			return i
		}
	}
	if name == inActive {
		return len(d.In)
	}
	return -1
}

// inPort returns what is known of the in port at an index.
func (d *Declaration) inPort(i int) InPort {
	if i == len(d.In) {
		return InPort{Name: inActive, Type: Bool}
	}
	return d.In[i]
}

// standsFor returns the index of the in port that reads a parameter while it is open, -1 if there is none.
func (d *Declaration) standsFor(param string) int {
	return slices.IndexFunc(d.In, func(in InPort) bool { return in.Param == param })
}

func (d *Declaration) out(name string) int {
	for i := range d.Out {
		if d.Out[i].Name == name {
			return i
		}
	}
	return -1
}

func (d *Declaration) param(name string) int {
	for i := range d.Params {
		if d.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// Catalogue is a set of types of primitives. It does not change once made.
type Catalogue struct{ byName map[string]*Declaration }

// Lookup returns the type of that name, or nil. It is not to be changed.
func (c *Catalogue) Lookup(name string) *Declaration { return c.byName[name] }

// With returns a catalogue that has more, and other ones in place of those of equal name: for types of extensions, and
// for those that a user has written.
func (c *Catalogue) With(more ...Declaration) *Catalogue {
	extended := &Catalogue{byName: maps.Clone(c.byName)}
	for i := range more {
		extended.byName[more[i].Name] = &more[i]
	}
	return extended
}

// suggest names the type that may have been meant.
func (c *Catalogue) suggest(name string) string {
	return suggest.DidYouMean(name, slices.Values(slices.Sorted(maps.Keys(c.byName))))
}

//go:embed catalogue.txt
var standard string

// Standard returns the catalogue of the primitives that come with the daemon.
func Standard() *Catalogue { return readStandard() }

var readStandard = sync.OnceValue(func() *Catalogue {
	c := &Catalogue{byName: map[string]*Declaration{}}
	for line := range strings.Lines(standard) {
		d := readDeclaration(strings.Fields(line))
		c.byName[d.Name] = &d
	}
	return c
})

// readDeclaration reads a line of catalogue.txt: name, kind, and words as Declaration.line writes them.
func readDeclaration(words []string) Declaration {
	d := Declaration{Name: words[0]}
	for words[1] != d.Kind.String() {
		d.Kind++
	}
	for _, word := range words[2:] {
		what, rest, _ := strings.Cut(word, ":")
		name, rest, _ := strings.Cut(rest, ":")
		t, value, has := strings.Cut(rest, "=")
		required := strings.HasSuffix(t, "!")
		of := Type(strings.TrimSuffix(t, "!"))
		switch what {
		case "in":
			d.In = append(d.In, InPort{Name: name, Type: of, Param: value, Required: required})
		case "out":
			d.Out = append(d.Out, OutPort{Name: name, Type: of})
		case "param":
			d.Params = append(d.Params, Param{Name: name, Type: of, Default: value, Required: !has})
		case "delays":
			d.Delays = true
		}
	}
	return d
}

// line returns how catalogue.txt has a type: in ports with the parameters that stand in for them, ! behind the type of one that
// is required, parameters with their defaults if they have one.
func (d *Declaration) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", d.Name, d.Kind)
	if d.Delays {
		b.WriteString(" delays")
	}
	for _, p := range d.In {
		fmt.Fprintf(&b, " in:%s:%s", p.Name, p.Type)
		if p.Required {
			b.WriteByte('!')
		}
		if p.Param != "" {
			b.WriteString("=" + p.Param)
		}
	}
	for _, p := range d.Out {
		fmt.Fprintf(&b, " out:%s:%s", p.Name, p.Type)
	}
	for _, p := range d.Params {
		fmt.Fprintf(&b, " param:%s:%s", p.Name, p.Type)
		if !p.Required {
			b.WriteString("=" + p.Default)
		}
	}
	return b.String()
}
