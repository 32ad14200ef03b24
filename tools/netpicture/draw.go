package main

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
)

// box is a primitive in the picture, or the end of the net where outTerminate leads to.
type box struct {
	name, kind string
	params     []string
	in, out    []string // ports that links lead to and begin at
	column     int
	x, y, wide float64
}

// link connects an out port to an in port.
type link struct {
	from, to         *box
	fromPort, toPort string
}

type picture struct {
	boxes []*box
	links []link
}

// draw draws the text of a net of primitives. Links lead from left to right.
func draw(text string) (string, error) {
	root, err := grammar.ParseNet(text, grammar.DefaultLimits)
	if err != nil {
		return "", err
	}
	var p picture
	if err := p.add(root); err != nil {
		return "", err
	}
	p.columns()
	width, height := p.arrange()
	return p.svg(width, height), nil
}

func (p *picture) add(root *grammar.Node) error {
	of := map[*grammar.Node]*box{}
	named := map[string]*box{}
	place := func(n *grammar.Node) *box {
		b := &box{name: n.Name, kind: n.Type}
		p.boxes = append(p.boxes, b)
		of[n], named[n.Name] = b, b
		return b
	}
	for _, n := range root.Nodes {
		if n.Fragment {
			return fmt.Errorf("%s is a fragment: only nets of primitives are drawn", n.Name)
		}
		place(n)
	}
	var connect func(to *box, port string, from grammar.Source) error
	arguments := func(b *box, n *grammar.Node) error {
		for _, a := range n.Args {
			if !a.Connected() {
				b.params = append(b.params, a.Name+" = "+a.Value)
			} else if err := connect(b, a.Name, a.From); err != nil {
				return err
			}
		}
		return nil
	}
	connect = func(to *box, port string, from grammar.Source) error {
		source := named[from.Name]
		if from.Inline != nil {
			source = place(from.Inline)
			if err := arguments(source, from.Inline); err != nil {
				return err
			}
		}
		if source == nil {
			return fmt.Errorf("%s.%s: the net has no primitive %q", to.name, port, from.Name)
		}
		if !slices.Contains(source.out, from.Port) {
			source.out = append(source.out, from.Port)
		}
		to.in = append(to.in, port)
		p.links = append(p.links, link{source, to, from.Port, port})
		return nil
	}
	for _, n := range root.Nodes {
		if err := arguments(of[n], n); err != nil {
			return err
		}
	}
	end := &box{name: "net"}
	for _, o := range root.Outs {
		if err := connect(end, o.Name, o.From); err != nil {
			return err
		}
	}
	p.boxes = append(p.boxes, end)
	return nil
}

// columns puts each box to the right of all that it depends on, and as near to what depends on it as that allows. A link that
// closes a cycle counts as often as there are boxes.
func (p *picture) columns() {
	last := 0
	for range p.boxes {
		for _, l := range p.links {
			if l.from != l.to {
				l.to.column = min(max(l.to.column, l.from.column+1), len(p.boxes))
				last = max(last, l.to.column)
			}
		}
	}
	forward := slices.DeleteFunc(slices.Clone(p.links), func(l link) bool { return l.from.column >= l.to.column })
	for _, b := range p.boxes {
		b.column = last
	}
	for range p.boxes {
		for _, l := range forward {
			l.from.column = min(l.from.column, l.to.column-1)
		}
	}
}

// Sizes in pixels.
const (
	letter = 6.6 // width of one
	row    = 17.0
	gapX   = 46.0
	gapY   = 16.0
	margin = 10.0
)

func (b *box) rows() int { return len(b.heading()) + len(b.params) + max(len(b.in), len(b.out)) }

func (b *box) high() float64 { return float64(b.rows())*row + 10 }

func (b *box) heading() []string {
	if b.kind == "" {
		return []string{b.name}
	}
	return []string{b.name, b.kind}
}

// port returns where a link meets the box, counted from the first one.
func (b *box) port(i int) float64 {
	return b.y + float64(len(b.heading())+len(b.params)+i)*row + 14
}

func (p *picture) arrange() (width, height float64) {
	x := margin
	for column := range len(p.boxes) + 1 {
		y, wide := margin, 0.0
		for _, b := range p.boxes {
			if b.column != column {
				continue
			}
			b.x, b.y = x, y
			y += b.high() + gapY
			longest := len(longestOf(b.in)) + len(longestOf(b.out)) + 3
			for _, text := range slices.Concat(b.heading(), b.params) {
				longest = max(longest, len(text))
			}
			b.wide = float64(longest)*letter + 16
			wide = max(wide, b.wide)
		}
		for _, b := range p.boxes {
			if b.column == column {
				b.wide = wide
			}
		}
		if wide > 0 {
			width, x = x+wide+margin, x+wide+gapX
			height = max(height, y-gapY+margin)
		}
	}
	return width, height
}

func longestOf(texts []string) (longest string) {
	for _, t := range texts {
		if len(t) > len(longest) {
			longest = t
		}
	}
	return longest
}

func (p *picture) svg(width, height float64) string {
	var s strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	text := func(x, y float64, style, content string) {
		add(`<text x="%.0f" y="%.0f" %s>%s</text>`, x, y, style, html.EscapeString(content))
	}
	add(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="11">`,
		width, height, width, height)
	add(`<rect width="100%%" height="100%%" fill="white"/>`)
	for _, l := range p.links {
		x1, y1 := l.from.x+l.from.wide, l.from.port(slices.Index(l.from.out, l.fromPort))
		x2, y2 := l.to.x, l.to.port(slices.Index(l.to.in, l.toPort))
		bend := max(gapX/2, (x2-x1)/2)
		add(`<path d="M%.0f,%.0f C%.0f,%.0f %.0f,%.0f %.0f,%.0f" fill="none" stroke="#0072b2" stroke-width="1.6"/>`,
			x1, y1-4, x1+bend, y1-4, x2-bend, y2-4, x2, y2-4)
	}
	for _, b := range p.boxes {
		add(`<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="4" fill="#f6f8fa" stroke="#57606a"/>`, b.x, b.y, b.wide, b.high())
		y := b.y + 14
		for i, t := range b.heading() {
			style := `fill="#57606a"`
			if i == 0 {
				style = `font-weight="bold"`
			}
			text(b.x+8, y, style, t)
			y += row
		}
		for _, t := range b.params {
			text(b.x+8, y, `fill="#d55e00"`, t)
			y += row
		}
		for i, t := range b.in {
			text(b.x+8, b.port(i), `fill="#0072b2"`, t)
		}
		for i, t := range b.out {
			text(b.x+b.wide-8, b.port(i), `fill="#0072b2" text-anchor="end"`, t)
		}
	}
	add(`</svg>`)
	return s.String()
}
