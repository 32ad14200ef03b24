package ethercat

import (
	"context"

	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Guard stands between the bus and a device that may go while the bus runs.
type Guard interface {
	// Open reports whether the cycle may call the device and its drivers. Otherwise their outputs are zero (cycle).
	Open() bool
	// Holds returns, in a few words, what the device would lose if its slaves left Op; it is empty for nothing (any).
	Holds() string
	// Startup and Shutdown call those of the device.
	Startup(slaves []ecat.Slave) error
	Shutdown()
	// Call calls PreOp or SafeOp of one of its drivers.
	Call(ctx context.Context, f func(ctx context.Context) error) error
}

// Seat is a device on the bus, with its guard.
type Seat struct {
	Device ecat.Device
	Guard  Guard // nil for none
}

// Seat makes these the devices of the bus, in place of those that were added before. The bus must not be running.
func (m *Master) Seat(list []Seat) { m.devices = list }

func (s *Seat) startup(slaves []ecat.Slave) error {
	if s.Guard == nil {
		return s.Device.Startup(slaves)
	}
	return s.Guard.Startup(slaves)
}

func (s *Seat) shutdown() {
	if s.Guard == nil {
		s.Device.Shutdown()
		return
	}
	s.Guard.Shutdown()
}

// prepare calls the device (cycle).
func (s *Seat) prepare(at *ecat.Moment) {
	if s.Guard == nil || s.Guard.Open() {
		s.Device.Prepare(at)
	}
}

// AttachBehind is Attach for a driver of a device with a guard.
func (s *Slave) AttachBehind(g Guard, d ecat.Driver) error {
	if err := s.Attach(d); err != nil {
		return err
	}
	s.guard = g
	return nil
}

// callDriver calls PreOp or SafeOp of the driver, if there is one.
func (s *Slave) callDriver(ctx context.Context, f func(d ecat.Driver, ctx context.Context, s ecat.Slave) error) error {
	if s.driver == nil {
		return nil
	}
	call := func(ctx context.Context) error { return f(s.driver, ctx, s) }
	if s.guard == nil {
		return call(ctx)
	}
	return s.guard.Call(ctx, call)
}
