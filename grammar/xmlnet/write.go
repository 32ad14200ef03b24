package xmlnet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Append appends the XML form of a net to dst, as existing clients read it: with modules, and without a namespace.
// It reads back as the same net, in which anonymous nodes have got names. It fails for what XML cannot say:
// parameters with characters that XML does not have, and, in a fragment, the name of a node that does not exist but
// would be that of the fragment.
func Append(dst []byte, root *grammar.Node) ([]byte, error) {
	w := writer{dst: append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...), root: root}
	w.open("rpinet", "id", "ROOT")
	w.body(root, &scope{})
	w.close("rpinet")
	return w.dst, w.err
}

type writer struct {
	dst   []byte
	depth int
	root  *grammar.Node
	names map[string]int // that are taken, and how often a number was put behind them
	err   error
}

// scope is the inside of a fragment while it is written.
type scope struct {
	name      string // under which it is written, empty for the root
	shadowed  bool   // a node inside has that name
	anonymous []named
}

// named is a node and the name under which it is written.
type named struct {
	*grammar.Node
	name string
}

func (w *writer) body(f *grammar.Node, s *scope) {
	for _, inner := range f.Nodes {
		w.node(named{inner, inner.Name}, s)
	}
	for i := range f.Outs {
		out := &f.Outs[i]
		w.connection("outport", out.Name, out.Debug, &out.From, s)
	}
	for i := 0; i < len(s.anonymous); i++ { // more can come to the list
		w.node(s.anonymous[i], s)
	}
}

func (w *writer) node(n named, outer *scope) {
	name, port := "module", "port"
	attributes := []string{"id", n.name, "type", n.Type}
	if n.Fragment {
		name, port, attributes = "fragment", "inport", attributes[:2]
	}
	if len(n.Nodes)+len(n.Outs)+len(n.Args) == 0 {
		w.element(name, attributes...)
		return
	}
	w.open(name, attributes...)
	w.body(n.Node, &scope{name: n.name, shadowed: hasNode(n.Node, n.name)})
	w.arguments(n, port, outer)
	w.close(name)
}

func (w *writer) arguments(n named, port string, outer *scope) {
	for i := range n.Args {
		arg := &n.Args[i]
		if arg.Connected() {
			w.connection(port, arg.Name, arg.Debug, &arg.From, outer)
			continue
		}
		if c, ok := foreign(arg.Value); ok {
			w.fail("parameter %s of %s has the character %U, which XML does not have", arg.Name, n.name, c)
		}
		w.element("parameter", "name", arg.Name, "value", arg.Value)
	}
}

func (w *writer) connection(kind, name, debug string, from *grammar.Source, s *scope) {
	attributes := []string{"name", name, "frommodule", w.source(from, s), "fromport", from.Port, "debug", debug}
	if debug == "" {
		attributes = attributes[:6]
	}
	w.element(kind, attributes...)
}

// source returns the name of the node from which a value comes, as seen inside of a fragment.
func (w *writer) source(from *grammar.Source, s *scope) string {
	switch {
	case from.Inline != nil:
		n := named{from.Inline, w.fresh(from.Inline)}
		s.anonymous = append(s.anonymous, n)
		return n.name
	case s.name == "" || s.shadowed:
	case from.Name == grammar.Parent:
		return s.name
	case from.Name == s.name:
		w.fail("there is no %s inside of the fragment %s, and XML would take it for the fragment", s.name, s.name)
	}
	return from.Name
}

// fresh makes a name for an anonymous node, which nothing in the net has.
func (w *writer) fresh(n *grammar.Node) string {
	if w.names == nil {
		w.names = map[string]int{grammar.Parent: 0}
		w.collect(w.root)
	}
	base := n.Type[strings.LastIndexByte(n.Type, ':')+1:]
	if n.Fragment {
		base = "fragment"
	}
	for {
		w.names[base]++
		name := base + strconv.Itoa(w.names[base])
		if _, taken := w.names[name]; !taken {
			w.names[name] = 0
			return name
		}
	}
}

// collect takes the names of nodes, and those that are used for nodes that may not exist.
func (w *writer) collect(n *grammar.Node) {
	w.names[n.Name] = 0
	for i := range n.Args {
		w.collectSource(&n.Args[i].From)
	}
	for _, inner := range n.Nodes {
		w.collect(inner)
	}
	for i := range n.Outs {
		w.collectSource(&n.Outs[i].From)
	}
}

func (w *writer) collectSource(from *grammar.Source) {
	w.names[from.Name] = 0
	if from.Inline != nil {
		w.collect(from.Inline)
	}
}

// open writes the start of an element with pairs of names and values of attributes.
func (w *writer) open(name string, attributes ...string) {
	w.begin(name, attributes)
	w.dst = append(w.dst, ">\n"...)
	w.depth++
}

func (w *writer) close(name string) {
	w.depth--
	w.indent()
	w.dst = append(w.dst, "</"+name+">\n"...)
}

// element writes an element without inside.
func (w *writer) element(name string, attributes ...string) {
	w.begin(name, attributes)
	w.dst = append(w.dst, "/>\n"...)
}

func (w *writer) begin(name string, attributes []string) {
	w.indent()
	w.dst = append(w.dst, '<')
	w.dst = append(w.dst, name...)
	for i := 0; i < len(attributes); i += 2 {
		w.dst = append(w.dst, ' ')
		w.dst = append(w.dst, attributes[i]...)
		w.dst = append(w.dst, `="`...)
		w.dst = appendEscaped(w.dst, attributes[i+1])
		w.dst = append(w.dst, '"')
	}
}

// deepest bounds how far elements are indented: nets may be nested a thousand deep, and blanks are long, too.
const deepest = 20

func (w *writer) indent() {
	for range min(w.depth, deepest) {
		w.dst = append(w.dst, "  "...)
	}
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// appendEscaped writes the value of an attribute. Line breaks and tabs are written by number: readers of XML make blanks
// of those that stand for themselves.
func appendEscaped(dst []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\t', '\n', '\r':
			dst = append(dst, "&#"...)
			dst = strconv.AppendUint(dst, uint64(c), 10)
			dst = append(dst, ';')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// foreign finds a character that XML 1.0 does not have (section 2.2 of its specification), not even by number.
func foreign(text string) (found rune, ok bool) {
	for _, c := range text {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
			return c, true
		}
	}
	return 0, false
}
