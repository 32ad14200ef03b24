package main

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// figure is a picture of things over time, one panel below the other, or of places in a plane.
type figure struct {
	name     string // of its file
	title    string
	duration float64
	marks    []float64 // times that a line is drawn at
	panels   []panel
}

// panel has an axis of its own.
type panel struct {
	label  string
	curves []curve
	limit  float64 // drawn above and below 0, 0 for none
	size   bool    // never below 0
	plane  *plane  // instead of curves
}

// curve is a function of time.
type curve struct {
	label string
	at    func(t float64) float64
}

// plane is seen from above, with the same scale in both directions.
type plane struct {
	lines []line
}

type line struct {
	label  string
	points []point
	dots   bool // the points themselves
}

type point struct{ x, y float64 }

// Sizes in pixels.
const (
	width       = 760
	left, right = 70, 14
	top, bottom = 34, 34
	high        = 104 // a panel
	highPlane   = 260
	gap         = 16
)

// colors can be told apart by everybody (M. Okabe and K. Ito, "Color Universal Design", 2002).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

func color(i int) string { return colors[i%len(colors)] }

// svg writes a picture. Coordinates are rounded, so that all processors write the same.
type svg struct{ strings.Builder }

func (s *svg) add(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// px prints a coordinate with one decimal. What lies between two decimals is moved up first by more than processors differ.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*10+1e-4)/10+0, 'f', -1, 64)
}

func (s *svg) text(x, y float64, anchor, text string) {
	s.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, px(x), px(y), anchor, html.EscapeString(text))
}

// path draws lines through points. Those inside of a level stretch are left out.
func (s *svg) path(points []point, style string) {
	s.WriteString(`<path d="`)
	before := "M"
	for i, p := range points {
		y := px(p.y)
		if i > 0 && i < len(points)-1 && y == px(points[i-1].y) && y == px(points[i+1].y) {
			continue
		}
		s.WriteString(before + px(p.x) + "," + y)
		before = " "
	}
	s.add(`" %s/>`, style)
}

// scale takes values to pixels.
type scale struct {
	low, high  float64 // values
	from, upTo float64 // pixels
}

func (c scale) px(v float64) float64 {
	return c.from + (v-c.low)/(c.high-c.low)*(c.upTo-c.from)
}

// ticks are round numbers on the scale, n steps of them at most.
func (c scale) ticks(n int) (ticks []float64) {
	raw := (c.high - c.low) / float64(n)
	step := math.Pow(10, math.Floor(math.Log10(raw)+1e-9))
	for _, more := range []float64{1, 2, 5, 10} {
		if more*step >= raw*(1-1e-9) {
			step *= more
			break
		}
	}
	for i := math.Ceil(c.low/step - 1e-6); i*step <= c.high+1e-6*step; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'g', -1, 64)
}

// draw writes the whole picture.
func (f *figure) draw() string {
	height := float64(top + bottom - gap)
	for i := range f.panels {
		height += f.panels[i].high() + gap
	}
	var s svg
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s" font-family="sans-serif" font-size="11">`, width, px(height), width, px(height))
	s.add(`<title>%s</title>`, html.EscapeString(f.title))
	s.add(`<rect width="100%%" height="100%%" fill="white"/>`)
	s.add(`<text x="%d" y="18" font-size="13" font-weight="bold">%s</text>`, left, html.EscapeString(f.title))
	s.legend(f.names())
	y := float64(top)
	for i := range f.panels {
		p := &f.panels[i]
		if p.plane != nil {
			p.plane.draw(&s, y, p.label)
		} else {
			f.curves(&s, y, p, i == len(f.panels)-1)
		}
		y += p.high() + gap
	}
	s.add(`</svg>`)
	return s.String()
}

// high is how high a panel is, with the names of its ticks.
func (p *panel) high() float64 {
	if p.plane != nil {
		return highPlane + 10
	}
	return high
}

func (p *panel) limits() []float64 {
	switch {
	case p.limit == 0:
		return nil
	case p.size:
		return []float64{p.limit}
	}
	return []float64{-p.limit, p.limit}
}

// samples of a curve.
const samples = 300

func (f *figure) curves(s *svg, y float64, p *panel, last bool) {
	x := scale{0, f.duration, left, width - right}
	values := make([][]float64, len(p.curves))
	limits := p.limits()
	low, most := math.Inf(1), math.Inf(-1)
	for _, l := range limits {
		low, most = min(low, l), max(most, l)
	}
	for i, c := range p.curves {
		for k := range samples + 1 {
			v := c.at(f.duration * float64(k) / samples)
			values[i] = append(values[i], v)
			low, most = min(low, v), max(most, v)
		}
	}
	margin := 0.08*(most-low) + 1e-9
	up := scale{low - margin, most + margin, y + high, y}

	s.frame(x, up, y, p.label)
	for _, m := range f.marks {
		s.path([]point{{x.px(m), y}, {x.px(m), y + high}}, `stroke="#bbb" stroke-dasharray="2,3"`)
	}
	for _, l := range limits {
		s.path([]point{{left, up.px(l)}, {width - right, up.px(l)}}, `stroke="#888" stroke-dasharray="6,4"`)
	}
	for i := range values {
		points := make([]point, len(values[i]))
		for k, v := range values[i] {
			points[k] = point{x.px(f.duration * float64(k) / samples), up.px(v)}
		}
		s.path(points, fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.6"`, color(i)))
	}
	if last {
		for _, t := range x.ticks(8) {
			s.text(x.px(t), y+high+14, "middle", number(t))
		}
		s.text(width-right, y+high+28, "end", "time, s")
	}
}

// frame draws the box of a panel, and the ticks on its left.
func (s *svg) frame(x, up scale, y float64, label string) {
	s.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="#888"/>`, px(x.from), px(y), px(x.upTo-x.from), px(up.from-y))
	for _, v := range up.ticks(4) {
		s.path([]point{{x.from, up.px(v)}, {x.upTo, up.px(v)}}, `stroke="#e4e4e4"`)
		s.text(x.from-5, up.px(v)+4, "end", number(v))
	}
	middle := (y + up.from) / 2
	s.add(`<text transform="translate(14,%s) rotate(-90)" text-anchor="middle">%s</text>`, px(middle), html.EscapeString(label))
}

// legend says which color is what.
func (s *svg) legend(names []string) {
	at := float64(width - right - 6)
	for i := len(names) - 1; i >= 0; i-- {
		if names[i] != "" {
			s.add(`<text x="%s" y="%s" text-anchor="end" fill="%s">%s</text>`, px(at), px(18), color(i), html.EscapeString(names[i]))
			at -= 6.3*float64(len([]rune(names[i]))) + 12
		}
	}
}

// names are those of the panel that has the most: of the curves, or of the lines of a plane.
func (f *figure) names() (most []string) {
	for i := range f.panels {
		p := &f.panels[i]
		var names []string
		for _, c := range p.curves {
			names = append(names, c.label)
		}
		if p.plane != nil {
			for _, l := range p.plane.lines {
				names = append(names, l.label)
			}
		}
		if len(strings.Join(names, "")) > len(strings.Join(most, "")) {
			most = names
		}
	}
	return most
}

func (p *plane) draw(s *svg, y float64, label string) {
	low, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range p.lines {
		for _, q := range l.points {
			low.x, low.y = min(low.x, q.x), min(low.y, q.y)
			most.x, most.y = max(most.x, q.x), max(most.y, q.y)
		}
	}
	const margin = 18
	each := min((width-left-right-2*margin)/(most.x-low.x), (highPlane-2*margin)/(most.y-low.y)) // pixels
	wide, tall := float64(width-left-right)/each, highPlane/each
	middle := point{(low.x + most.x) / 2, (low.y + most.y) / 2}
	x := scale{middle.x - wide/2, middle.x + wide/2, left, width - right}
	up := scale{middle.y - tall/2, middle.y + tall/2, y + highPlane, y}
	s.frame(x, up, y, label)
	for _, v := range x.ticks(8) {
		s.text(x.px(v), y+highPlane+13, "middle", number(v))
	}
	for i, l := range p.lines {
		points := make([]point, len(l.points))
		for k, q := range l.points {
			points[k] = point{x.px(q.x), up.px(q.y)}
			if l.dots {
				s.add(`<circle cx="%s" cy="%s" r="3" fill="%s"/>`, px(points[k].x), px(points[k].y), color(i))
			}
		}
		if !l.dots {
			s.path(points, fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.6"`, color(i)))
		}
	}
}
