// Package channels is the agreement between a controller with RSI and the driver that answers it (§11.3): which values are exchanged
// and what they are called. Telegrams can be configured freely, so that this is configuration on both sides; the driver, the
// simulated controller and the files for the controller are made of the same one.
package channels

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
)

// Axes is the number of axes of each kind of a controller.
const Axes = 6

// Names are the names of values in telegrams. They are a part of the configuration of devices. A channel without a name is
// not used.
type Names struct {
	SenType string `rcc:"sen_type" default:"ImFree" doc:"type of the answers, SENTYPE in the Ethernet configuration of the controller"`

	Actual      string `rcc:"actual" default:"AIPos" doc:"element of the measured positions of the arm, A1 to A6"`
	Setpoint    string `rcc:"setpoint" default:"ASPos" doc:"element of the positions that the controller commands"`
	ActualExt   string `rcc:"actual_ext" default:"EIPos" doc:"element of the measured positions of external axes, E1 to E6"`
	SetpointExt string `rcc:"setpoint_ext" default:"ESPos" doc:"element of the positions of external axes that the controller commands"`
	Late        string `rcc:"late" default:"Delay.D" doc:"number of answers that were late or lost, as the controller counts"`
	Status      string `rcc:"status" default:"ProgStatus" doc:"state of the program and the drives: 1 positions are only read, 2 drives have power, 4 emergency stop"`

	Correction    string `rcc:"correction" default:"AK" doc:"element of the corrections of the arm, A1 to A6"`
	CorrectionExt string `rcc:"correction_ext" default:"EK" doc:"element of the corrections of external axes, E1 to E6; empty: there are none"`
	Stop          string `rcc:"stop" default:"Stop" doc:"that control from outside should end"`
	Message       string `rcc:"message" default:"EStr" doc:"text for the operator"`
	Tool          string `rcc:"tool" default:"Tool" doc:"element of the load at the flange; empty: tools cannot be changed"`

	DigitalIn  string `rcc:"digin" default:"Digin.i1 Digin.i2 Digin.i3 Digin.i4" doc:"digital inputs: channels that the controller sends"`
	DigitalOut string `rcc:"digout" default:"Digout.o1 Digout.o2 Digout.o3 Digout.o4" doc:"digital outputs: channels that the controller receives"`
	AnalogIn   string `rcc:"anin" doc:"analog inputs: channels that the controller sends"`
	AnalogOut  string `rcc:"anout" doc:"analog outputs: channels that the controller receives"`
}

// Usual returns the names that are used when nothing else is configured.
func Usual() Names {
	var n Names
	of, into := reflect.TypeFor[Names](), reflect.ValueOf(&n).Elem()
	for i := range of.NumField() {
		into.Field(i).SetString(of.Field(i).Tag.Get("default"))
	}
	return n
}

// Bits of the status channel.
const (
	ReadOnly = 1 << iota // the first step of figure 11.11: positions are read, tools are loaded, nothing moves
	DrivesOn
	EmergencyStop
)

// Attributes of the load: X Y Z in mm and M in kg as in listing 11.2, then moments of inertia in kg·m² and a number by
// which the program knows a new one.
var toolAttrs = []string{"X", "Y", "Z", "M", "IX", "IY", "IZ", "N"}

// Places in the load.
const (
	ToolX = iota
	ToolY
	ToolZ
	ToolMass
	ToolIX
	ToolIY
	ToolIZ
	ToolNumber
	ToolValues
)

// Range is a part of a list of fields, nothing when N is 0.
type Range struct{ At, N int }

// Layout is the places of values among the fields of both directions.
type Layout struct {
	Rob, Sen []telegram.Field

	// Of Rob.
	Actual, Setpoint, ActualExt, SetpointExt Range
	Late, Status                             Range
	DigitalIn, AnalogIn                      Range

	// Of Sen.
	Message, Correction, CorrectionExt, Stop, Tool Range
	DigitalOut, AnalogOut                          Range
}

// Layout puts the fields in order.
func (n *Names) Layout() (*Layout, error) {
	l := &Layout{}
	b := builder{}
	l.Actual = b.axes(n.Actual, "A")
	l.Setpoint = b.axes(n.Setpoint, "A")
	l.ActualExt = b.axes(n.ActualExt, "E")
	l.SetpointExt = b.axes(n.SetpointExt, "E")
	l.Late = b.one(n.Late, telegram.Long)
	l.Status = b.one(n.Status, telegram.Long)
	l.DigitalIn = b.list("digin", n.DigitalIn, telegram.Bool)
	l.AnalogIn = b.list("anin", n.AnalogIn, telegram.Double)
	l.Rob = b.fields

	b.fields = nil
	l.Message = b.one(n.Message, telegram.String)
	l.Correction = b.axes(n.Correction, "A")
	l.CorrectionExt = b.axes(n.CorrectionExt, "E")
	l.Stop = b.one(n.Stop, telegram.Bool)
	l.DigitalOut = b.list("digout", n.DigitalOut, telegram.Bool)
	l.AnalogOut = b.list("anout", n.AnalogOut, telegram.Double)
	if n.Tool != "" {
		l.Tool = b.add(telegram.Attributes(n.Tool, telegram.Double, toolAttrs...)...)
		b.fields[l.Tool.At+ToolNumber].Kind = telegram.Long
	}
	l.Sen = b.fields
	switch {
	case b.err != nil:
		return nil, b.err
	case l.Actual.N == 0:
		return nil, errors.New("parameter actual is empty: corrections start from measured positions")
	case l.Correction.N == 0:
		return nil, errors.New("parameter correction is empty: without it nothing moves")
	}
	return l, nil
}

// builder collects fields, and the first error.
type builder struct {
	fields []telegram.Field
	err    error
}

func (b *builder) add(fields ...telegram.Field) Range {
	r := Range{At: len(b.fields), N: len(fields)}
	b.fields = append(b.fields, fields...)
	return r
}

func (b *builder) axes(element, letter string) Range {
	if element == "" {
		return Range{}
	}
	attrs := make([]string, Axes)
	for i := range attrs {
		attrs[i] = fmt.Sprint(letter, i+1)
	}
	return b.add(telegram.Attributes(element, telegram.Double, attrs...)...)
}

// one returns a channel of the kind that is needed, unless the name has another kind.
func (b *builder) one(name string, k telegram.Kind) Range {
	if name == "" {
		return Range{}
	}
	r := b.list(name, name, k)
	if r.N > 1 && b.err == nil {
		b.err = fmt.Errorf("%q is more than one channel", name)
	}
	return r
}

func (b *builder) list(param, names string, k telegram.Kind) Range {
	list, err := telegram.ParseFields(names, k)
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("parameter %s: %w", param, err)
	}
	return b.add(list...)
}
