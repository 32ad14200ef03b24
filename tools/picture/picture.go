// Package picture draws values over time and ways in a plane, as SVG.
package picture

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Figure is a picture of things over time, one panel below the other, or of places in a plane.
type Figure struct {
	Name     string // of its file, without .svg
	Title    string
	Duration float64
	Marks    []float64 // times that a line is drawn at
	Panels   []Panel
}

// Panel has an axis of its own.
type Panel struct {
	Label  string
	Curves []Curve
	Limit  float64 // drawn above and below 0, 0 for none
	Size   bool    // never below 0
	Plane  *Plane  // instead of curves
}

// Curve is a function of time.
type Curve struct {
	Label string
	At    func(t float64) float64
}

// Plane is seen from above, with the same scale in both directions.
type Plane struct {
	Lines []Line
}

// Line is a way in a plane.
type Line struct {
	Label  string
	Points []Point
	Dots   bool // the points themselves
}

// Point is a place in a plane.
type Point struct{ X, Y float64 }

// Sizes in pixels.
const (
	width       = 760
	left, right = 70, 14
	top, bottom = 34, 34
	high        = 104 // a panel
	highPlane   = 260
	gap         = 16
)

// colors can be distinguished by color-blind people too (M. Okabe and K. Ito, "Color Universal Design", 2002).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

func color(i int) string { return colors[i%len(colors)] }

// svg writes a picture. Coordinates are rounded, so that all processors write the same.
type svg struct{ strings.Builder }

func (s *svg) add(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// px prints a coordinate with one decimal. A value halfway between two decimals is first moved up by more than processors differ.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*10+1e-4)/10+0, 'f', -1, 64)
}

func (s *svg) text(x, y float64, anchor, text string) {
	s.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, px(x), px(y), anchor, html.EscapeString(text))
}

// path draws lines through points. Those inside of a level stretch are left out.
func (s *svg) path(points []Point, style string) {
	s.WriteString(`<path d="`)
	before := "M"
	for i, p := range points {
		y := px(p.Y)
		if i > 0 && i < len(points)-1 && y == px(points[i-1].Y) && y == px(points[i+1].Y) {
			continue
		}
		s.WriteString(before + px(p.X) + "," + y)
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

// Draw writes the whole picture.
func (f *Figure) Draw() string {
	height := float64(top + bottom - gap)
	for i := range f.Panels {
		height += f.Panels[i].high() + gap
	}
	var s svg
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s" font-family="sans-serif" font-size="11">`, width, px(height), width, px(height))
	s.add(`<title>%s</title>`, html.EscapeString(f.Title))
	s.add(`<rect width="100%%" height="100%%" fill="white"/>`)
	s.add(`<text x="%d" y="18" font-size="13" font-weight="bold">%s</text>`, left, html.EscapeString(f.Title))
	s.legend(f.names())
	y := float64(top)
	for i := range f.Panels {
		p := &f.Panels[i]
		if p.Plane != nil {
			p.Plane.draw(&s, y, p.Label)
		} else {
			f.curves(&s, y, p, i == len(f.Panels)-1)
		}
		y += p.high() + gap
	}
	s.add(`</svg>`)
	return s.String()
}

// Save writes the picture to a folder, under its name.
func (f *Figure) Save(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, f.Name+".svg"), []byte(f.Draw()), 0o644)
}

// high returns how high a panel is, with the names of its ticks.
func (p *Panel) high() float64 {
	if p.Plane != nil {
		return highPlane + 10
	}
	return high
}

func (p *Panel) limits() []float64 {
	switch {
	case p.Limit == 0:
		return nil
	case p.Size:
		return []float64{p.Limit}
	}
	return []float64{-p.Limit, p.Limit}
}

// Samples of a curve.
const Samples = 300

func (f *Figure) curves(s *svg, y float64, p *Panel, last bool) {
	x := scale{0, f.Duration, left, width - right}
	values := make([][]float64, len(p.Curves))
	limits := p.limits()
	low, most := math.Inf(1), math.Inf(-1)
	for _, l := range limits {
		low, most = min(low, l), max(most, l)
	}
	for i, c := range p.Curves {
		for k := range Samples + 1 {
			v := c.At(f.Duration * float64(k) / Samples)
			values[i] = append(values[i], v)
			low, most = min(low, v), max(most, v)
		}
	}
	margin := 0.08*(most-low) + 1e-9
	up := scale{low - margin, most + margin, y + high, y}

	s.frame(x, up, y, p.Label)
	for _, m := range f.Marks {
		s.path([]Point{{x.px(m), y}, {x.px(m), y + high}}, `stroke="#bbb" stroke-dasharray="2,3"`)
	}
	for _, l := range limits {
		s.path([]Point{{left, up.px(l)}, {width - right, up.px(l)}}, `stroke="#888" stroke-dasharray="6,4"`)
	}
	for i := range values {
		points := make([]Point, len(values[i]))
		for k, v := range values[i] {
			points[k] = Point{x.px(f.Duration * float64(k) / Samples), up.px(v)}
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
		s.path([]Point{{x.from, up.px(v)}, {x.upTo, up.px(v)}}, `stroke="#e4e4e4"`)
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

// names returns those of the panel that has the most: of the curves, or of the lines of a plane.
func (f *Figure) names() (most []string) {
	for i := range f.Panels {
		p := &f.Panels[i]
		var names []string
		for _, c := range p.Curves {
			names = append(names, c.Label)
		}
		if p.Plane != nil {
			for _, l := range p.Plane.Lines {
				names = append(names, l.Label)
			}
		}
		if len(strings.Join(names, "")) > len(strings.Join(most, "")) {
			most = names
		}
	}
	return most
}

func (p *Plane) draw(s *svg, y float64, label string) {
	low, most := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, l := range p.Lines {
		for _, q := range l.Points {
			low.X, low.Y = min(low.X, q.X), min(low.Y, q.Y)
			most.X, most.Y = max(most.X, q.X), max(most.Y, q.Y)
		}
	}
	const margin = 18
	each := min((width-left-right-2*margin)/(most.X-low.X), (highPlane-2*margin)/(most.Y-low.Y)) // pixels
	wide, tall := float64(width-left-right)/each, highPlane/each
	middle := Point{(low.X + most.X) / 2, (low.Y + most.Y) / 2}
	x := scale{middle.X - wide/2, middle.X + wide/2, left, width - right}
	up := scale{middle.Y - tall/2, middle.Y + tall/2, y + highPlane, y}
	s.frame(x, up, y, label)
	for _, v := range x.ticks(8) {
		s.text(x.px(v), y+highPlane+13, "middle", number(v))
	}
	for i, l := range p.Lines {
		points := make([]Point, len(l.Points))
		for k, q := range l.Points {
			points[k] = Point{x.px(q.X), up.px(q.Y)}
			if l.Dots {
				s.add(`<circle cx="%s" cy="%s" r="3" fill="%s"/>`, px(points[k].X), px(points[k].Y), color(i))
			}
		}
		if !l.Dots {
			s.path(points, fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.6"`, color(i)))
		}
	}
}
