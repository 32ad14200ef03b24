package beckhoff

import (
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// model is a type of terminal (facts of terminals).
type model struct {
	order    string // number
	product  uint32
	channels int // 0 of a coupler
	kind     device.PortKind
	signal   signal
}

// Codes of the vendor. The lower half of product codes is the kind of part.
const (
	vendor       = 2
	partTerminal = 0x3052
	partCoupler  = 0x2c52
	halfCode     = 16
)

// models are all there are.
var models = []model{
	{order: "EK1100", product: 1100<<halfCode | partCoupler},
	digital(1002, device.DigitalIn, 2), digital(1004, device.DigitalIn, 4), digital(1008, device.DigitalIn, 8), digital(1018, device.DigitalIn, 8),
	digital(1808, device.DigitalIn, 8), digital(1809, device.DigitalIn, 16),
	digital(2002, device.DigitalOut, 2), digital(2004, device.DigitalOut, 4), digital(2008, device.DigitalOut, 8),
	digital(2024, device.DigitalOut, 4), digital(2808, device.DigitalOut, 8), digital(2809, device.DigitalOut, 16),
	analog(3062, device.AnalogIn, 2, volts), analog(3064, device.AnalogIn, 4, volts),
	analog(3102, device.AnalogIn, 2, bipolar), analog(3104, device.AnalogIn, 4, bipolar), analog(3154, device.AnalogIn, 4, loop),
	analog(3162, device.AnalogIn, 2, volts), analog(3164, device.AnalogIn, 4, volts),
	analog(4002, device.AnalogOut, 2, volts), analog(4004, device.AnalogOut, 4, volts),
	analog(4102, device.AnalogOut, 2, volts), analog(4104, device.AnalogOut, 4, volts),
	analog(4132, device.AnalogOut, 2, bipolar), analog(4134, device.AnalogOut, 4, bipolar),
}

func digital(number uint32, kind device.PortKind, channels int) model {
	return model{order: fmt.Sprintf("EL%04d", number), product: number<<halfCode | partTerminal, channels: channels, kind: kind}
}

func analog(number uint32, kind device.PortKind, channels int, s signal) model {
	m := digital(number, kind, channels)
	m.signal = s
	return m
}

// name returns the name of its device type.
func (m *model) name() string { return strings.ToLower(m.order) }

func (m *model) ports(name string) device.Ports {
	p := device.Ports{Device: name}
	switch m.kind {
	case device.DigitalIn:
		p.DigitalIn = m.channels
	case device.DigitalOut:
		p.DigitalOut = m.channels
	case device.AnalogIn:
		p.AnalogIn = m.channels
	case device.AnalogOut:
		p.AnalogOut = m.channels
	}
	return p
}

// identity returns what a slave has to be. Revisions stand in the upper half.
func (m *model) identity(revision int) sii.Identity {
	return sii.Identity{Vendor: vendor, Product: m.product, Revision: uint32(revision) << halfCode}
}

// doc returns the model in words.
func (m *model) doc() string {
	if m.channels == 0 {
		return "Beckhoff " + m.order + ": the coupler of a rack of terminals"
	}
	what := map[device.PortKind]string{
		device.DigitalIn: "digital inputs", device.DigitalOut: "digital outputs", device.AnalogIn: "analog inputs", device.AnalogOut: "analog outputs",
	}[m.kind]
	return fmt.Sprintf("Beckhoff %s: %d %s, %v", m.order, m.channels, what, m.signal)
}

// signal is what is at a channel.
type signal uint8

const (
	level   signal = iota // on or off
	volts                 // from 0 to 10
	bipolar               // from -10 to 10
	loop                  // a current from 4 to 20 mA
)

func (g signal) String() string {
	switch g {
	case volts:
		return "0 to 10 V"
	case bipolar:
		return "-10 to 10 V"
	case loop:
		return "4 to 20 mA"
	case level:
	}
	return "24 V"
}

// unit returns the unit of values.
func (g signal) unit() string {
	switch g {
	case loop:
		return "mA"
	case volts, bipolar:
		return "V"
	case level:
	}
	return ""
}

// least returns the lowest value as a share of the highest one.
func (g signal) least() float64 {
	if g == bipolar {
		return -1
	}
	return 0
}

// line returns the value at 0 and what comes on top of it up to the highest.
func (g signal) line() (zero, span float64) {
	if g == loop {
		return 4, 16
	}
	return 0, 10
}
