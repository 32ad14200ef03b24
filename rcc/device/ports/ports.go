// Package ports keeps the values of inputs and outputs: drivers embed them to be a device.IO. Nets read and write in
// their cycle, the driver in that of its bus, people whenever they like; none waits for another.
//
//	type terminal struct {
//		*ports.Image
//		…
//	}
//
// The driver takes outputs by DigitalOut and AnalogOut and delivers inputs by SetDigitalIn and SetAnalogIn.
package ports

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Image has the values of the ports of a device. All are false and 0 at first.
type Image struct {
	count                 device.Ports
	digitalIn, analogIn   []atomic.Uint64
	digitalOut, analogOut []output
	shared                atomic.Bool // some output has been written more than once in a tick
}

// output is an output with its writers.
type output struct {
	value  atomic.Uint64
	time   atomic.Int64  // of the tick in which a net has written it last
	shared atomic.Uint64 // times that it was written by more than one in a tick
}

// New makes room for the ports of a device (load).
func New(count device.Ports) *Image {
	return &Image{
		count:     count,
		digitalIn: make([]atomic.Uint64, count.DigitalIn), analogIn: make([]atomic.Uint64, count.AnalogIn),
		digitalOut: make([]output, count.DigitalOut), analogOut: make([]output, count.AnalogOut),
	}
}

// Begin copies all of them from the device that a twin stands in for, if it has some (load).
func (p *Image) Begin(as *device.Original) {
	if as == nil {
		return
	}
	from, is := as.Device.(device.IO)
	if !is {
		return
	}
	for port := range p.digitalIn {
		p.SetDigitalIn(port, from.DigitalIn(port))
	}
	for port := range p.analogIn {
		p.SetAnalogIn(port, from.AnalogIn(port))
	}
	for port := range p.digitalOut {
		p.SetDigitalOut(port, from.DigitalOut(port), 0)
	}
	for port := range p.analogOut {
		p.SetAnalogOut(port, from.AnalogOut(port), 0)
	}
}

// Ports returns the numbers of ports (any).
func (p *Image) Ports() device.Ports { return p.count }

// DigitalIn is the newest value of an input (cycle).
func (p *Image) DigitalIn(port int) bool { return read(p.digitalIn, port) != 0 }

// AnalogIn returns the newest value of an input (cycle).
func (p *Image) AnalogIn(port int) float64 { return math.Float64frombits(read(p.analogIn, port)) }

// SetDigitalIn takes a new value of an input (cycle).
func (p *Image) SetDigitalIn(port int, on bool) { write(p.digitalIn, port, bit(on)) }

// SetAnalogIn takes a new value of an input (cycle).
func (p *Image) SetAnalogIn(port int, v float64) { write(p.analogIn, port, math.Float64bits(v)) }

// DigitalOut returns the last value of an output (cycle).
func (p *Image) DigitalOut(port int) bool { return set(p.digitalOut, port) != 0 }

// AnalogOut returns the last value of an output (cycle).
func (p *Image) AnalogOut(port int) float64 { return math.Float64frombits(set(p.analogOut, port)) }

// SetDigitalOut sets an output, at the time of a tick or 0 from outside of nets (cycle).
func (p *Image) SetDigitalOut(port int, on bool, time int64) {
	p.put(p.digitalOut, port, bit(on), time)
}

// SetAnalogOut sets an output, at the time of a tick or 0 from outside of nets (cycle).
func (p *Image) SetAnalogOut(port int, v float64, time int64) {
	p.put(p.analogOut, port, math.Float64bits(v), time)
}

// Shared returns how many times an output has been written more than once in a tick (any).
func (p *Image) Shared(k device.PortKind, port int) uint64 {
	if outputs := p.outputs(k); uint(port) < uint(len(outputs)) {
		return outputs[port].shared.Load()
	}
	return 0
}

func (p *Image) outputs(k device.PortKind) []output {
	switch k {
	case device.DigitalOut:
		return p.digitalOut
	case device.AnalogOut:
		return p.analogOut
	}
	return nil
}

// mostNamed is how many outputs fit into a line.
const mostNamed = 8

// Trouble returns a line that names outputs that were written more than once in a tick; it is empty if there are none (any). It is
// the cause in the status of a device that can do what it should nevertheless.
func (p *Image) Trouble() string {
	if !p.shared.Load() {
		return ""
	}
	var which []string
	for _, k := range []device.PortKind{device.DigitalOut, device.AnalogOut} {
		for port := range p.count.Of(k) {
			if p.Shared(k, port) == 0 {
				continue
			}
			if len(which) == mostNamed {
				which = append(which, "and others")
				return shared + strings.Join(which, ", ")
			}
			which = append(which, fmt.Sprintf("%v %d", k, port))
		}
	}
	return shared + strings.Join(which, ", ")
}

const shared = "written more than once in a tick: "

func read(from []atomic.Uint64, port int) uint64 {
	if uint(port) < uint(len(from)) {
		return from[port].Load()
	}
	return 0
}

func write(to []atomic.Uint64, port int, word uint64) {
	if uint(port) < uint(len(to)) {
		to[port].Store(word)
	}
}

func set(of []output, port int) uint64 {
	if uint(port) < uint(len(of)) {
		return of[port].value.Load()
	}
	return 0
}

// put sets an output and notices that another one has done so in the same tick: a writer writes once.
func (p *Image) put(to []output, port int, word uint64, time int64) {
	if uint(port) >= uint(len(to)) {
		return
	}
	o := &to[port]
	o.value.Store(word)
	if time != 0 && o.time.Swap(time) == time {
		o.shared.Add(1)
		p.shared.Store(true)
	}
}

func bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}
