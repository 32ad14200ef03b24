package ethercat

import (
	"encoding/xml"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// clocksView is what the page clocks shows.
type clocksView struct {
	XMLName    xml.Name     `xml:"clocks" json:"-"`
	Reference  string       `xml:"reference,attr" json:"reference"`
	Bits       int          `xml:"bits,attr" json:"bits"`
	Time       string       `xml:"time,attr" json:"time"`
	Error      string       `xml:"error,attr" json:"error"`
	Correction string       `xml:"correction,attr" json:"correction"`
	Settled    int64        `xml:"settled,attr" json:"settled"`
	Answering  int          `xml:"answering,attr" json:"answering"`
	Clocks     []clockView  `xml:"clock" json:"clocks"`
	History    device.Chart `xml:"history" json:"history"`
}

type clockView struct {
	Slave      int    `xml:"slave,attr" json:"slave"`
	Name       string `xml:"name,attr" json:"name"`
	Bits       int    `xml:"bits,attr" json:"bits"`
	Delay      int64  `xml:"delay,attr" json:"delay"`
	Difference int32  `xml:"difference,attr" json:"difference"`
	Sync       bool   `xml:"sync,attr" json:"sync"`
}

func bitsOf(wide bool) int {
	if wide {
		return 64
	}
	return 32
}

func (b *Bus) clocksView() *clocksView {
	v := &clocksView{Reference: "none in use"}
	m := b.master()
	if m == nil {
		return v
	}
	c, slaves := m.Clocks(), m.Slaves()
	if c.Reference >= 0 && c.Reference < len(slaves) {
		v.Reference, v.Bits = slaves[c.Reference].Label.String(), bitsOf(c.Wide)
		v.Time = time.Unix(0, c.System+zeroOfBus).UTC().Format(time.RFC3339Nano)
		v.Error, v.Correction, v.Settled, v.Answering = c.Error.String(), c.Correction.String(), c.Settled, c.Answering
	}
	for _, s := range slaves {
		if s.HasClock() {
			v.Clocks = append(v.Clocks, clockView{s.Number(), s.Name, bitsOf(s.Wide()), s.Delay(), s.Status().Difference, s.Setup.Clock != nil})
		}
	}
	v.History = b.errors.chart(b.ground.now())
	return v
}

// chart draws the last minute.
func (h *history) chart(now int64) device.Chart {
	apart, phase := device.Curve{Name: "farthest clock"}, device.Curve{Name: "phase of frames"}
	for _, s := range h.list() {
		at := device.Num(float64(s.at-now) * 1e-9)
		apart.X, apart.Y = append(apart.X, at), append(apart.Y, device.Num(s.difference.Nanoseconds()))
		phase.X, phase.Y = append(phase.X, at), append(phase.Y, device.Num(s.error.Nanoseconds()))
	}
	return device.Chart{Across: "s", Up: "ns", Lines: []device.Curve{apart, phase}}
}
