package beckhoff

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Status returns the state of the terminal, with the reason if it cannot be used (any).
func (t *Terminal) Status() device.Status { return t.Standing(t.remarks(), t.model.channels > 0) }

// remarks returns what people should know of a terminal that works.
func (t *Terminal) remarks() string {
	var list []string
	for i := range t.shown {
		switch bits := t.shown[i].bits.Load(); {
		case !t.settings.usable(bits):
			list = append(list, fmt.Sprintf("anin %d has no value (%s)", i, words(bits)))
		case bits&bitSync != 0:
			list = append(list, fmt.Sprintf("anin %d: %s", i, words(bits)))
		}
	}
	for i := range t.Ports().AnalogOut {
		if t.scales[i].beyond(t.AnalogOut(i)) {
			list = append(list, fmt.Sprintf("anout %d cannot be %g", i, t.AnalogOut(i)))
		}
	}
	if several := t.Image.Trouble(); several != "" {
		list = append(list, several)
	}
	return strings.Join(list, "; ")
}

// words are status bits as people read them.
func words(bits uint32) string {
	var list []string
	for _, b := range []struct {
		bit  uint32
		word string
	}{
		{bitUnder, "below range"}, {bitOver, "above range"}, {bitError, "error"}, {bitSync, "not in time with SYNC0"}, {bitInvalid, "invalid"},
	} {
		if bits&b.bit != 0 {
			list = append(list, b.word)
		}
	}
	return strings.Join(list, ", ")
}

// Metrics returns losses and inputs without a value (any).
func (t *Terminal) Metrics() []device.Metric {
	without := 0
	for i := range t.Ports().AnalogIn {
		if v := t.AnalogIn(i); v != v {
			without++
		}
	}
	return []device.Metric{
		{Name: "terminal_losses_total", Help: "How often a terminal has dropped out of the exchange.", Value: float64(t.Losses())},
		{Name: "terminal_inputs_without_value", Help: "Analog inputs that have no value now.", Value: float64(without)},
	}
}

// page shows a terminal to those who look for what is wrong with it.
var page = device.DeclarePage(device.Sheet[*Terminal, device.Nothing]{
	Path: "terminal", Doc: "the terminal on the bus: which one it is, its channels with raw numbers and status bits",
	Show: func(t *Terminal, _ device.Question) (any, error) { return viewOf(t), nil },
})

// view is what the page shows.
type view struct {
	XMLName  xml.Name      `xml:"terminal" json:"-"`
	Type     string        `xml:"type,attr" json:"type"`
	Bus      string        `xml:"bus,attr" json:"bus"`
	Slave    int           `xml:"slave,attr,omitempty" json:"slave,omitempty"`
	Revision uint32        `xml:"revision,attr,omitempty" json:"revision,omitempty"`
	Serial   uint32        `xml:"serial,attr,omitempty" json:"serial,omitempty"`
	Alias    uint16        `xml:"alias,attr,omitempty" json:"alias,omitempty"`
	Status   string        `xml:"status,attr" json:"status"`
	Cause    string        `xml:"cause,attr,omitempty" json:"cause,omitempty"`
	State    string        `xml:"state,attr,omitempty" json:"state,omitempty"` // of the slave
	Quality  string        `xml:"quality,attr" json:"quality"`
	Losses   uint64        `xml:"losses,attr" json:"losses"`
	Channels []channelView `xml:"channel" json:"channels"`
}

// channelView is a channel. Raw numbers and bits are those of the process data.
type channelView struct {
	Number  int        `xml:"nr,attr" json:"nr"` // as printed on the terminal, from 1
	Port    string     `xml:"port,attr" json:"port"`
	Value   device.Num `xml:"value,attr" json:"value" unit:"1"`
	Unit    string     `xml:"unit,attr,omitempty" json:"unit,omitempty"`
	Raw     int32      `xml:"raw,attr" json:"raw"`
	Bits    string     `xml:"bits,attr,omitempty" json:"bits,omitempty"`
	Means   string     `xml:"means,attr,omitempty" json:"means,omitempty"`
	Updates uint64     `xml:"updates,attr,omitempty" json:"updates,omitempty"` // as its toggle bit shows
}

func viewOf(t *Terminal) *view {
	is := t.Status()
	v := &view{
		Type: t.model.order, Bus: t.settings.Bus, Status: is.State.String(), Cause: is.Cause,
		Quality: t.Inputs().String(), Losses: t.Losses(), Channels: []channelView{},
	}
	if s := t.Slave(); s != nil {
		about := s.About()
		v.Slave, v.Revision, v.Serial, v.Alias = about.Number(), about.Identity.Revision>>halfCode, about.Identity.Serial, about.Alias
		v.State = s.Status().State.String()
	}
	for i := range t.model.channels {
		v.Channels = append(v.Channels, t.channel(i))
	}
	return v
}

func (t *Terminal) channel(i int) channelView {
	c := channelView{Number: i + 1, Port: fmt.Sprintf("%v %d", t.model.kind, i)}
	if len(t.settings.Factor)+len(t.settings.Offset) == 0 {
		c.Unit = t.model.signal.unit()
	}
	switch t.model.kind {
	case device.DigitalIn:
		c.Raw = number(t.DigitalIn(i))
		c.Value = device.Num(c.Raw)
	case device.DigitalOut:
		c.Raw = number(t.DigitalOut(i))
		c.Value = device.Num(c.Raw)
	case device.AnalogIn:
		k := &t.shown[i]
		bits := k.bits.Load()
		c.Value, c.Raw, c.Bits, c.Means, c.Updates = device.Num(t.AnalogIn(i)), k.raw.Load(), fmt.Sprintf("0x%04x", bits), words(bits), k.updates.Load()
	case device.AnalogOut:
		c.Value = device.Num(t.AnalogOut(i))
		if p := t.plan.Load(); p != nil {
			c.Raw = int32(p.scales[i].raw(t.AnalogOut(i)))
		}
	}
	return c
}

func number(on bool) int32 {
	if on {
		return 1
	}
	return 0
}
