package rsisim

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
)

// text writes telegrams as controllers do that are configured in different ways.
type text struct {
	options *Options
	layout  *channels.Layout
	rnd     *rand.Rand
	arm     *kinematics.Arm
}

func (t *text) open(o *Options, l *channels.Layout) {
	t.options, t.layout, t.rnd, t.arm = o, l, rand.New(rand.NewPCG(uint64(o.Seed), 2)), robots.KR16()
}

// telegram writes the one of a cycle.
func (t *text) telegram(c *Controller) []byte {
	values := t.values(c)
	var elements []string
	elements = append(elements, t.pose(c))
	for i := 0; i < len(t.layout.Rob); {
		f, n := t.layout.Rob[i], i+1
		for n < len(t.layout.Rob) && f.Attr != "" && t.layout.Rob[n].Element == f.Element && t.layout.Rob[n].Attr != "" {
			n++
		}
		elements = append(elements, t.element(t.layout.Rob[i:n], values[i:n]))
		i = n
	}
	elements = append(elements, "<IPOC>"+strconv.FormatUint(c.session.IPOC, 10)+"</IPOC>")
	if t.options.Shuffled {
		t.rnd.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
	}
	open, between := `<Rob Type="KUKA">`, ""
	if t.options.Capitals {
		open = `<Rob TYPE="KUKA">`
	}
	if t.options.Spaced {
		open, between = `<?xml version="1.0" encoding="UTF-8"?>`+"\r\n"+strings.Replace(open, `="`, ` = "`, 1), "\n  "
		elements = append(elements, "<!-- a controller of another version --><Unknown A1='7'><Deeper/>text</Unknown>")
	}
	return []byte(open + between + strings.Join(elements, between) + between + "</Rob>")
}

// values returns those of the channels.
func (t *text) values(c *Controller) []float64 {
	l, values := t.layout, make([]float64, len(t.layout.Rob))
	put := func(r channels.Range, of func(i int) float64) {
		for i := range r.N {
			values[r.At+i] = of(i)
		}
	}
	put(l.Actual, func(i int) float64 { return c.plant.Measured(i).Pos })
	put(l.Setpoint, func(i int) float64 { return c.setpoint(i) })
	put(l.ActualExt, func(i int) float64 { return c.plant.Measured(channels.Axes + i).Pos })
	put(l.SetpointExt, func(i int) float64 { return c.setpoint(channels.Axes + i) })
	put(l.Late, func(int) float64 { return float64(c.late()) })
	put(l.Status, func(int) float64 { return float64(c.bits()) })
	put(l.DigitalIn, func(i int) float64 { return c.in[0][i] })
	put(l.AnalogIn, func(i int) float64 { return c.in[1][i] })
	return values
}

// setpoint returns where an axis is commanded, as telegrams say.
func (c *Controller) setpoint(i int) float64 {
	if c.options.Programmed {
		return c.start[i]
	}
	return c.command[i]
}

// late returns how many answers were late or lost, as telegrams say.
func (c *Controller) late() int {
	switch c.options.Counting {
	case CountRow:
		return c.session.InARow
	case CountZero:
		return 0
	}
	return c.session.Late
}

// bits returns those of the status channel.
func (c *Controller) bits() (bits int) {
	if c.phase == Reading {
		bits |= channels.ReadOnly
	}
	if c.plant.Powered() {
		bits |= channels.DrivesOn
	}
	if c.plant.Stopped() {
		bits |= channels.EmergencyStop
	}
	return bits
}

func (t *text) element(fields []telegram.Field, values []float64) string {
	name := fields[0].Element
	if fields[0].Attr == "" {
		return "<" + name + ">" + t.number(fields[0].Kind, values[0]) + "</" + name + ">"
	}
	blank := ""
	if t.options.Spaced {
		blank = " "
	}
	var b strings.Builder
	b.WriteString("<" + name)
	for i, f := range fields {
		b.WriteString(" " + f.Attr + blank + `="` + t.number(f.Kind, values[i]) + `"`)
	}
	b.WriteString(blank + "/>")
	return b.String()
}

func (t *text) number(k telegram.Kind, v float64) string {
	if k == telegram.Double {
		return strconv.FormatFloat(v, 'f', t.options.Precision, 64)
	}
	return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
}

// pose returns where the flange of a KR 16 is, which telegrams usually have too.
func (t *text) pose(c *Controller) string {
	q := make([]float64, channels.Axes)
	for i := range q {
		q[i] = c.plant.Measured(i).Pos * math.Pi / 180
	}
	p := t.arm.Forward(q)
	a, b, g := p.Rot.ABC()
	return t.element(telegram.Attributes("RIst", telegram.Double, "X", "Y", "Z", "A", "B", "C"), []float64{
		1000 * p.Pos.X, 1000 * p.Pos.Y, 1000 * p.Pos.Z, a * 180 / math.Pi, b * 180 / math.Pi, g * 180 / math.Pi,
	})
}
