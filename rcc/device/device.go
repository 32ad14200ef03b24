// Package device is the contract between device drivers and the daemon (chapter 9): it defines devices, their states, and the
// resources that nets must own to command them.
package device

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

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

// Status is the state of a device and, where that is not operational, why.
type Status struct {
	State State
	Cause string // one line for people, empty when there is nothing to say
}

// Device is one device. Primitives reach its abilities by asserting it to the interface that they need.
type Device interface {
	// Status may be called by any goroutine at any time, but not in the cycle.
	Status() Status
	// Interfaces does not change while the device exists, except that ports of a slave may become known when its bus is started first.
	Interfaces() []Interface
	// Close brings the device to rest and releases it. It is called once, when no net and no other device uses the device
	// any more.
	Close() error
}

// Cyclic is a device that is called in every tick, as simulated ones have, which live in the time of the cell.
// Drivers of hardware have threads of their own, in the time of their bus (§9.4).
type Cyclic interface {
	Device
	// Period returns the interval between ticks. It is constant.
	Period() time.Duration
	// Tick is called while the device is open, before the sensors of nets are read in the same
	// tick of the same period. While there is no net, a simulated device gets the ticks of up to 20 ms at once (ADR 0041) (cycle).
	Tick(t Tick)
}

// Tick is what a device learns of a tick.
type Tick struct {
	N      uint64  // of the device, from 1
	Time   int64   // Unix time in ns; after ticks that were missed it is later by as many periods
	Period float64 // s
}

// Env is what the daemon gives to a device when it is created.
type Env struct {
	Name string // of the device
	// Device lends another device, which cannot be removed before this one is closed. It may be called until Open returns.
	Device func(name string) (Device, error)
	// Clock is the time of nets.
	Clock rt.Clock
	// Thread describes threads of the device that must be in time for its bus or its robot (§9.4); nil where there is
	// no real time. It comes with a name that the device replaces.
	Thread *rt.Thread
	// Claims takes what a device claims instead of opening it, in a cell that is only checked; nil in all others.
	Claims *Claims
	// Stop is the emergency stop of the cell, which devices obey that move something; nil where there is none.
	Stop *Stop
	// Original is the device that a twin stands in for, whose state it begins with; nil for all others.
	Original *Original
	// Changed informs those who watch devices that the status may have changed. It may be called by any goroutine; changes that
	// happen in a cycle are noticed without.
	Changed func()
}

// Lend finds the device that a parameter names and asserts it to what is needed of it.
func Lend[T any](env *Env, name, what string) (T, error) {
	var none T
	d, err := env.Device(name)
	if err != nil {
		return none, err
	}
	is, ok := d.(T)
	if !ok {
		return none, fmt.Errorf("device %q is not %s", name, what)
	}
	return is, nil
}
