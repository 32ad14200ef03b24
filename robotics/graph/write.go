package graph

import (
	"slices"
	"strconv"
	"strings"
)

// Text returns the net as the daemon takes it (nene, appendix A.3), or everything that is wrong with it. The names of
// primitives are numbers. Equal graphs have equal texts. A net that is to run has a Terminate.
func (g *Graph) Text() (string, error) {
	if g.text != "" {
		return g.text, nil
	}
	f, err := g.finish()
	if err != nil {
		return "", err
	}
	return string(f.appendText(nil)), nil
}

// finish checks the whole graph and returns it without wires.
func (g *Graph) finish() (*Graph, error) {
	f := g.resolve()
	f.check()
	if err := f.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

func (g *Graph) appendText(dst []byte) []byte {
	dst = append(dst, '{')
	for i, p := range g.primitives {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(strconv.AppendInt(dst, int64(p.number), 10), '=')
		dst = p.appendText(dst)
	}
	for i, o := range g.outs {
		if i > 0 || len(g.primitives) > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, o.name...), '=')
		dst = o.from.appendText(dst)
	}
	return append(dst, '}')
}

func (p *Primitive) appendText(dst []byte) []byte {
	dst = append(append(dst, p.decl.Name...), '(')
	begin := len(dst)
	next := func() {
		if len(dst) > begin {
			dst = append(dst, ',')
		}
	}
	for i := range p.decl.Params {
		if p.set[i] {
			next()
			dst = append(append(dst, p.decl.Params[i].Name...), '=')
			dst = appendQuoted(dst, p.params[i])
		}
	}
	for i, from := range p.in {
		if !from.Open() {
			next()
			dst = append(append(dst, p.decl.inPort(i).Name...), '=')
			dst = from.appendText(dst)
		}
	}
	return append(dst, ')')
}

func (p Port) appendText(dst []byte) []byte {
	dst = append(strconv.AppendInt(dst, int64(p.of.number), 10), '.')
	return append(dst, p.of.decl.Out[p.out].Name...)
}

// quoter escapes what strings of nets have to (wire format 5.1).
var quoter = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '\'')
	if strings.ContainsAny(text, `\'`) {
		text = quoter.Replace(text)
	}
	return append(append(dst, text...), '\'')
}

// resolve returns a copy without wires. It has the problems of the original, and those of wires.
func (g *Graph) resolve() *Graph {
	copied := &Graph{whole: &whole{catalogue: g.catalogue, problems: slices.Clone(g.problems)}}
	twins := copied.twins(g)
	moved := func(p Port) Port {
		if p.Open() {
			return p
		}
		from, err := p.source()
		if err != nil {
			copied.fail("", "%v", err)
			return Port{}
		}
		if from.Open() || from.failed() || twins[from.of.number] == nil {
			return Port{}
		}
		return Port{twins[from.of.number], from.out}
	}
	for _, p := range copied.primitives {
		for i := range p.in {
			p.in[i] = moved(p.in[i])
		}
	}
	for _, o := range g.outs {
		if from := moved(o.from); !from.Open() {
			copied.outs = append(copied.outs, rootPort{o.name, from})
		} else if len(copied.problems) == 0 {
			copied.fail("", "%s is linked to nothing", o.name)
		}
	}
	return copied
}

// twins copies all primitives but wires into few pieces of memory, and returns the copies by the numbers of the originals.
func (w *whole) twins(g *Graph) []*Primitive {
	ports, params := 0, 0
	for _, p := range g.primitives {
		ports += len(p.in)
		params += len(p.params)
	}
	all, in := make([]Primitive, len(g.primitives)), make([]Port, 0, ports)
	texts, set := make([]string, 0, params), make([]bool, 0, params)
	twins := make([]*Primitive, len(g.primitives))
	w.primitives = make([]*Primitive, 0, len(g.primitives))
	for i, p := range g.primitives {
		if p.decl.Name == wireName || p.decl.Name == unknown {
			continue
		}
		in, texts, set = append(in, p.in...), append(texts, p.params...), append(set, p.set...)
		twin := &all[i]
		*twin = *p
		twin.of, twin.number = w, len(w.primitives)
		twin.in = in[len(in)-len(p.in) : len(in) : len(in)]
		twin.params = texts[len(texts)-len(p.params) : len(texts) : len(texts)]
		twin.set = set[len(set)-len(p.set) : len(set) : len(set)]
		twins[i] = twin
		w.primitives = append(w.primitives, twin)
	}
	return twins
}
