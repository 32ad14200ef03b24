package krcfiles

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Robot is the robot of the files.
type Robot struct {
	Name     string // of the device
	Names    channels.Names
	Listen   netip.AddrPort // where the driver listens
	Cycle    time.Duration
	Relative bool
	Timeout  int
	Axes     []Axis // those that the driver moves
}

// Axis is an axis of the robot, in degrees or mm.
type Axis struct {
	Number   int // from 1; those from 7 on are external
	Min, Max float64
}

// Name returns the controller's name of an axis.
func (a Axis) Name() string {
	if a.Number <= channels.Axes {
		return "A" + strconv.Itoa(a.Number)
	}
	return "E" + strconv.Itoa(a.Number-channels.Axes)
}

// External reports whether it is beside the arm.
func (a Axis) External() bool { return a.Number > channels.Axes }

// Channel is a value of a telegram with its place at the ETHERNET object.
type Channel struct {
	Tag, Type, Index string
	Hold             int
	Object, Port     string // that it is connected to, where that is known
}

// mostChannels is how many channels an ETHERNET object has in each direction.
const mostChannels = 64

// internal are elements that controllers know by themselves.
var internal = map[string]string{"AIPos": "DEF_AIPos", "ASPos": "DEF_ASPos", "EIPos": "DEF_EIPos", "ESPos": "DEF_ESPos", "Delay.D": "DEF_Delay"}

// Indexes of variables that KRL programs share with RSI.
const (
	statusVariable = 1 // $SEN_PINT
	numberVariable = 2 // $SEN_PINT
)

//go:embed templates
var templates embed.FS

// parsed are the templates. In what they are for there is no {, so that they have other brackets.
var parsed = template.Must(template.New("").Delims("«", "»").ParseFS(templates, "templates/*"))

// Files returns all files.
func Files(r Robot) ([]device.File, error) {
	d, err := r.data()
	if err != nil {
		return nil, err
	}
	var list []device.File
	for _, f := range []struct{ template, name, doc string }{
		{"ethernet.xml", d.File + ".xml", `Ethernet configuration, into C:\KRC\ROBOTER\Config\User\Common\SensorInterface`},
		{"context.txt", d.File + "_context.txt", "objects and connections of the context, to be drawn in RSI Visual and stored beside it as " + d.File + ".rsi"},
		{"program.src", d.File + ".src", `KRL program, into KRC:\R1\Program`},
		{"program.dat", d.File + ".dat", "its data, beside it"},
		{"submit.txt", d.File + "_sps.txt", "lines for the user section of the submit interpreter, which tell drives and emergency stop"},
	} {
		var text bytes.Buffer
		if err := parsed.ExecuteTemplate(&text, f.template, d); err != nil {
			return nil, err
		}
		list = append(list, device.File{Name: f.name, Doc: f.doc, Text: text.String()})
	}
	return list, nil
}

// data is what templates know.
type data struct {
	Robot
	File          string
	Host          string
	Port          uint16
	Send, Receive []Channel
	Mode, Rate    string
	Tool          bool
	Status        bool
	ArmAxes       []Axis
	ExtAxes       []Axis
}

func (r Robot) data() (*data, error) {
	layout, err := r.Names.Layout()
	if err != nil {
		return nil, err
	}
	d := &data{
		Robot: r, File: fileName(r.Name), Host: r.Listen.Addr().String(), Port: r.Listen.Port(), Mode: "#ABSOLUTE", Rate: "#IPO_FAST",
		Tool: layout.Tool.N > 0, Status: layout.Status.N > 0,
	}
	if r.Relative {
		d.Mode = "#RELATIVE"
	}
	switch r.Cycle {
	case 4 * time.Millisecond:
	case 12 * time.Millisecond:
		d.Rate = "#IPO"
	default:
		return nil, fmt.Errorf("parameter cycle: controllers have 4ms or 12ms, not %v", r.Cycle)
	}
	if r.Listen.Addr().IsUnspecified() {
		d.Host = "TO.BE.FILLED.IN"
	}
	for _, a := range r.Axes {
		if a.External() {
			d.ExtAxes = append(d.ExtAxes, a)
		} else {
			d.ArmAxes = append(d.ArmAxes, a)
		}
	}
	return d, errors.Join(d.sent(layout), d.received(layout))
}

// fileName returns a name that KRL takes for a module.
func fileName(device string) string {
	var b strings.Builder
	b.WriteString("rccd_")
	for _, r := range strings.ToLower(device) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else {
			b.WriteRune('_')
		}
	}
	const most = 18 // a module has 24, and its parts are called after it
	if b.Len() > most {
		return b.String()[:most]
	}
	return b.String()
}

// sent adds the channels from the controller.
func (d *data) sent(l *channels.Layout) error {
	index := 0
	done := map[string]bool{}
	for i, f := range l.Rob {
		element := f.Element
		if f.Name() == "Delay.D" {
			element = f.Name()
		}
		if tag, known := internal[element]; known {
			if !done[tag] {
				d.Send = append(d.Send, Channel{Tag: tag, Type: f.Kind.String(), Index: "INTERNAL"})
			}
			done[tag] = true
			continue
		}
		index++
		c := Channel{Tag: f.Name(), Type: f.Kind.String(), Index: strconv.Itoa(index)}
		switch {
		case i == l.Status.At && l.Status.N > 0:
			c.Object, c.Port = fmt.Sprintf("SEN_PINT with Index %d", statusVariable), "Out1"
		case within(i, l.DigitalIn):
			c.Object, c.Port = fmt.Sprintf("DIGIN with Index %d", 1+i-l.DigitalIn.At), "Out1"
		case within(i, l.AnalogIn):
			c.Object, c.Port = fmt.Sprintf("ANIN with Index %d", 1+i-l.AnalogIn.At), "Out1"
		}
		d.Send = append(d.Send, c)
	}
	return enough("sent", index)
}

// received adds the channels to the controller.
func (d *data) received(l *channels.Layout) error {
	index, hold := 0, 1
	if d.Relative {
		hold = 0 // or the robot would go on when an answer is missing
	}
	for i, f := range l.Sen {
		if f.Name() == "EStr" {
			d.Receive = append(d.Receive, Channel{Tag: "DEF_EStr", Type: f.Kind.String(), Index: "INTERNAL"})
			continue
		}
		index++
		c := Channel{Tag: f.Name(), Type: f.Kind.String(), Index: strconv.Itoa(index), Hold: 1}
		switch {
		case within(i, l.Correction):
			c.Hold = hold
			c.Object, c.Port = "AXISCORR1", fmt.Sprintf("CorrA%d", 1+i-l.Correction.At)
		case within(i, l.CorrectionExt):
			c.Hold = hold
			if d.moves(1 + channels.Axes + i - l.CorrectionExt.At) {
				c.Object, c.Port = "AXISCORREXT1", fmt.Sprintf("CorrE%d", 1+i-l.CorrectionExt.At)
			}
		case i == l.Stop.At && l.Stop.N > 0:
			c.Hold = 0
			c.Object, c.Port = "STOP1", "In1"
		case within(i, l.DigitalOut):
			c.Object, c.Port = fmt.Sprintf("MAP2DIGOUT with Index %d", 1+i-l.DigitalOut.At), "In1"
		case within(i, l.AnalogOut):
			c.Object, c.Port = fmt.Sprintf("MAP2ANOUT with Index %d", 1+i-l.AnalogOut.At), "In1"
		case within(i, l.Tool):
			c.Object, c.Port = fmt.Sprintf("MAP2SEN_PREA with Index %d", 1+i-l.Tool.At), "In1"
			if f.Kind == telegram.Long {
				c.Object = fmt.Sprintf("MAP2SEN_PINT with Index %d", numberVariable)
			}
		}
		d.Receive = append(d.Receive, c)
	}
	return enough("received", index)
}

func (d *data) moves(axis int) bool {
	for _, a := range d.Axes {
		if a.Number == axis {
			return true
		}
	}
	return false
}

func within(i int, r channels.Range) bool { return i >= r.At && i < r.At+r.N }

func enough(what string, n int) error {
	if n > mostChannels {
		return fmt.Errorf("%d channels are %s, but an ETHERNET object has %d", n, what, mostChannels)
	}
	return nil
}

// Fixed formats a limit.
func (d *data) Fixed(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// Milliseconds returns the cycle.
func (d *data) Milliseconds() int { return int(d.Cycle.Milliseconds()) }

// SoonDone returns how much time late answers may take.
func (d *data) SoonDone() time.Duration { return time.Duration(d.Timeout) * d.Cycle }
