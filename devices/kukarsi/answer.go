package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
)

// put writes a value of the answer (cycle).
func (d *driver) put(r channels.Range, i int, v float64) {
	out := d.out
	if k := r.At + i; i < r.N && uint(k) < uint(len(out)) {
		out[k] = v
	}
}

// fill writes what the answer says (cycle).
func (d *driver) fill() {
	p, l := d.now(), d.layout
	for i := range d.groups {
		if g := d.groups[i].Load(); g != nil && g.began {
			g.correct(&d.axes)
		}
	}
	d.correct()
	stop := 0.0
	if p.stops(d.steps.two.Load()) {
		stop = 1
	}
	d.put(l.Stop, 0, stop)
	d.put(l.Message, 0, float64(p))
	for i := range l.DigitalOut.N {
		on := 0.0
		if d.ports.DigitalOut(i) {
			on = 1
		}
		d.put(l.DigitalOut, i, on)
	}
	for i := range l.AnalogOut.N {
		d.put(l.AnalogOut, i, d.ports.AnalogOut(i))
	}
	if out := d.out; p == reading && l.Tool.N > 0 && uint(l.Tool.At) < uint(len(out)) {
		d.tools.offer(out[l.Tool.At:])
	}
}

// correct writes the corrections of all axes; those of a device that has gone stay. Relative ones are what the controller does not
// hold yet: what is rounded away in one cycle comes in the next (cycle).
func (d *driver) correct() {
	axes := &d.axes
	for i := range axes {
		a := &axes[i]
		by := a.sum
		if d.relative {
			by = d.rounded(a.sum) - d.rounded(a.held)
		}
		if i < channels.Axes {
			d.put(d.layout.Correction, i, by)
		} else {
			d.put(d.layout.CorrectionExt, i-channels.Axes, by)
		}
	}
}

// rounded returns a value rounded as on the wire (cycle).
func (d *driver) rounded(v float64) float64 { return math.Round(v*d.grid) / d.grid }
