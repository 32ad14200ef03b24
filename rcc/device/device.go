// Package device is the contract between device drivers and the daemon (chapter 9): what a device is, which states it
// has, and which resources nets must own to command it.
package device

// State of a device (§9).
type State uint8

// The states: no connection, readable but not to be commanded, under full control.
const (
	Offline State = iota
	SafeOperational
	Operational
)

// String returns the word of the HTTP pages.
func (s State) String() string {
	switch s {
	case SafeOperational:
		return "safe-operational"
	case Operational:
		return "operational"
	default:
		return "offline"
	}
}

// Wire returns the word of DirectIO.
func (s State) Wire() string {
	switch s {
	case SafeOperational:
		return "safeop"
	case Operational:
		return "op"
	default:
		return "off"
	}
}

// Interface is a device interface that a device implements, with the parameters it announces to applications (§9.2,
// §9.3), for example robotarm with jointcount.
type Interface struct {
	Name   string
	Params map[string]string
}

// Resource is what only one running net may own: a channel of a device, for example a joint (§6.2).
type Resource struct {
	Device, Channel string
}

// String names the resource in messages.
func (r Resource) String() string { return r.Device + "/" + r.Channel }

// Device is one device. Primitives reach its abilities by asserting it to the interface that they need.
type Device interface {
	// State may be called from anywhere at any time.
	State() State
	// Interfaces does not change while the device exists.
	Interfaces() []Interface
	// Close brings the device to rest and releases it. It is called once, when no net uses the device any more.
	Close() error
}

// Type is a kind of device that can be created by name and parameters.
type Type struct {
	Name      string
	Doc       string
	Extension string
	Params    []Param
	Open      func(params map[string]string) (Device, error)
}

// Param documents a parameter of a device type.
type Param struct {
	Name    string
	Default string
	Doc     string
}
