package ethercat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// planned is the bus of a cell that is only checked. It has the slaves of its rack, which its devices look for as they do when a bus
// has been scanned. Without a rack the slaves are unknown.
type planned struct {
	name   string
	period time.Duration
	slaves []*plannedSlave // nil without a rack
}

var _ ecat.Master = (*planned)(nil)

func openPlanned(env *device.Env, cfg *config) (device.Device, error) {
	rack, chain, err := cfg.rack(0)
	if err != nil {
		return nil, err
	}
	if cfg.Interface != simulated {
		if err := env.Claims.Interface(env.Name, cfg.Interface); err != nil {
			return nil, device.WrongParam("ethernetdevice", "%w", err)
		}
	}
	b := &planned{name: env.Name, period: cfg.Cycle}
	if rack == nil {
		return b, nil
	}
	for i, e := range expected(rack, chain) {
		b.slaves = append(b.slaves, &plannedSlave{label: ecat.Label{Position: i, Alias: e.Alias, Name: e.Name, Identity: e.Identity}})
	}
	i := 0
	for s := range chain.Slaves() {
		b.slaves[i].is = s
		i++
	}
	return b, nil
}

// Add lets the device look for its slaves.
func (b *planned) Add(name string, d ecat.Device) error {
	if b.slaves == nil {
		return nil
	}
	lent := make([]ecat.Slave, len(b.slaves))
	for i, s := range b.slaves {
		lent[i] = &plannedFor{s, name}
	}
	err := d.Startup(lent)
	d.Shutdown()
	if err != nil {
		b.free(name)
		return fmt.Errorf("%w (by the rack of bus %q)", err, b.name)
	}
	return nil
}

// Remove does nothing: nothing runs.
func (b *planned) Remove(ecat.Device) {}

// free gives back the slaves of a device that has not found all of them.
func (b *planned) free(name string) {
	for _, s := range b.slaves {
		if s.owner == name {
			s.owner = ""
		}
	}
}

// Period returns how often process data would be exchanged (any).
func (b *planned) Period() time.Duration { return b.period }

const onlyChecked = "the cell is only checked"

// Trouble returns that nothing runs (any).
func (b *planned) Trouble() string { return onlyChecked }

// Simulated is false: devices are made as for a bus (any).
func (b *planned) Simulated() bool { return false }

// Status returns offline (any).
func (b *planned) Status() device.Status { return device.Status{Cause: onlyChecked} }

// Interfaces returns the one of a bus (any).
func (b *planned) Interfaces() []device.Interface { return []device.Interface{ecat.AnnounceMaster()} }

// Close does nothing.
func (b *planned) Close() error { return nil }

// plannedSlave is a slave of a rack.
type plannedSlave struct {
	label ecat.Label
	is    *sim.Slave
	owner string // device that has it
}

// plannedFor is the same for one device.
type plannedFor struct {
	*plannedSlave
	device string
}

var _ ecat.Slave = (*plannedFor)(nil)

// About returns the identity in the rack (any).
func (s *plannedSlave) About() ecat.Label { return s.label }

// Memory returns the contents that its SII would have (any).
func (s *plannedSlave) Memory() *sii.Description {
	d := s.is.Description()
	return &d
}

// HasCoE reports whether it would have objects (any).
func (s *plannedSlave) HasCoE() bool {
	d := s.is.Description()
	return d.Mailbox.OutSize > 0 && d.Mailbox.InSize > 0 && d.Protocols&sii.CoE != 0
}

// HasClock reports whether it would have a distributed clock (any).
func (s *plannedSlave) HasClock() bool { return s.is.HasClock() }

// Configure and Attach refuse what belongs to another device.
func (s *plannedFor) Configure(ecat.Setup) error {
	if s.owner != "" && s.owner != s.device {
		return fmt.Errorf("%v belongs to device %q", s.label, s.owner)
	}
	return nil
}

// Attach makes it that of the device.
func (s *plannedFor) Attach(ecat.Driver) error {
	if err := s.Configure(ecat.Setup{}); err != nil {
		return err
	}
	s.owner = s.device
	return nil
}

var errPlanned = errors.New(onlyChecked + ", no slave can be asked")

// Layout is not known (any).
func (s *plannedSlave) Layout() (outputs, inputs []ecat.Area) { return nil, nil }

// Upload, Download and Entry have no slave to ask.
func (s *plannedSlave) Upload(context.Context, uint16, uint8, bool) ([]byte, error) {
	return nil, errPlanned
}

// Download cannot write anything.
func (s *plannedSlave) Download(context.Context, uint16, uint8, bool, []byte) error {
	return errPlanned
}

// Entry has no slave to ask.
func (s *plannedSlave) Entry(context.Context, uint16, uint8) (coe.Entry, error) {
	return coe.Entry{}, errPlanned
}

// Emergencies returns none (any).
func (s *plannedSlave) Emergencies() []coe.Emergency { return nil }

// Status returns that nothing is known (any).
func (s *plannedSlave) Status() ecat.Status { return ecat.Status{} }

// Quality returns the quality of no inputs (any).
func (s *plannedSlave) Quality() ecat.Quality { return ecat.Invalid }

// Age returns 0 (any).
func (s *plannedSlave) Age() time.Duration { return 0 }

// Unheard returns false: without a bus no answer is missing (any).
func (s *plannedSlave) Unheard() bool { return false }
func (s *plannedSlave) Obeys() bool   { return false }
