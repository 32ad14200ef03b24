package device

import "strconv"

// IOName is the name under which devices announce IO.
const IOName = "io"

// IO is the interface of everything with digital and analog inputs and outputs (§9.2): terminals of a bus, grippers,
// controllers of robots. Ports of each kind count from 0; what an analog value means depends on what is connected.
//
// Methods of the cycle may be called by any number of nets. Outputs are not resources: nets may share a device, and
// the last one of a tick that writes an output decides. Several writers are reported (Shared).
//
// A port that does not exist reads false or 0 and takes nothing. Primitives refuse it when their net is loaded.
type IO interface {
	Device
	// Ports returns their numbers, which do not change (any).
	Ports() Ports
	// DigitalIn and AnalogIn return the newest values of inputs (cycle).
	DigitalIn(port int) bool
	AnalogIn(port int) float64
	// DigitalOut and AnalogOut return the last values of outputs (cycle).
	DigitalOut(port int) bool
	AnalogOut(port int) float64
	// SetDigitalOut and SetAnalogOut set outputs. The time is that of the tick, or 0 from outside of nets (cycle).
	SetDigitalOut(port int, on bool, time int64)
	SetAnalogOut(port int, v float64, time int64)
	// Shared returns how many times an output was written more than once in a tick (any).
	Shared(k PortKind, port int) uint64
}

// Distant is a device whose outputs are elsewhere, as those of a fieldbus are. Values that nets write while they are not reached have no effect.
type Distant interface {
	// Reached reports whether written values get to the outputs (cycle).
	Reached() bool
}

// FedIO is IO of a simulation, whose inputs may be set from outside.
type FedIO interface {
	IO
	// SetDigitalIn and SetAnalogIn set inputs (any).
	SetDigitalIn(port int, on bool)
	SetAnalogIn(port int, v float64)
}

// PortKind is a kind of port. Its word is also the parameter that announces their number.
type PortKind uint8

// The kinds of ports.
const (
	DigitalIn PortKind = iota
	DigitalOut
	AnalogIn
	AnalogOut
)

func (k PortKind) String() string {
	switch k {
	case DigitalIn:
		return "digin"
	case DigitalOut:
		return "digout"
	case AnalogIn:
		return "anin"
	case AnalogOut:
		return "anout"
	}
	return "port kind " + strconv.Itoa(int(k))
}

// Ports are the ports of a device.
type Ports struct {
	Device                                     string // whose they are
	DigitalIn, DigitalOut, AnalogIn, AnalogOut int    // how many
}

// Of returns the number of ports of a kind.
func (p Ports) Of(k PortKind) int {
	switch k {
	case DigitalIn:
		return p.DigitalIn
	case DigitalOut:
		return p.DigitalOut
	case AnalogIn:
		return p.AnalogIn
	case AnalogOut:
		return p.AnalogOut
	}
	return 0
}

// AnnounceIO returns what an IO announces to applications. Clients compare the numbers with the ports that they use.
func AnnounceIO(p Ports) Interface {
	params := map[string]string{}
	for k := DigitalIn; k <= AnalogOut; k++ {
		params[k.String()] = strconv.Itoa(p.Of(k))
	}
	return Interface{Name: IOName, Params: params}
}
