package ethercat

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Slave is one slave of a bus that was scanned. What is set in it once, at the scan, is read by anybody; what changes is asked for
// by methods.
type Slave struct {
	Position int    // from 0, in the order in which frames pass
	Station  uint16 // the address that the master has given to it
	Alias    uint16
	Name     string // of the configuration, otherwise of the SII
	Identity sii.Identity

	Chip         uint8 // register 0x0000
	Features     uint16
	FMMUs        int
	SyncManagers int
	Ports        uint8 // register 0x0007
	Links        wire.LinkStatus
	Emulation    bool // has no processor: its state is what it is told
	SII          *sii.Description
	Image        []byte // of the SII, as it was read

	// Where it is connected; Parent is -1 at the master.
	Parent, ParentPort int
	EntryPort          int // by which frames come

	Setup   Setup
	Outputs []Area // process data, when they are configured
	Inputs  []Area
	place   image.Place
	placed  bool // process data have their place, and keep it
	driver  Driver
	quality atomic.Uint32 // of the inputs of the newest cycle

	master  *Master
	mailbox *mailbox
	delay   atomic.Int64 // ns from the reference

	mu          sync.Mutex
	status      Status
	emergencies []coe.Emergency
}

// Status is what changes in a slave.
type Status struct {
	State       wire.State
	Code        wire.Code // why it is not where it should be
	Lost        bool      // does not answer
	Failures    int       // attempts in a row to bring it back
	Recoveries  int       // how often it was brought back
	Trouble     string    // why the newest attempt has failed
	Difference  int32     // ns that its clock is ahead of the system time
	Emergencies int
}

// Driver is who knows what the process data of a slave mean (EtherCATSlave of figure 9.4). PreOp and SafeOp are called from a
// goroutine and may talk to the slave; Write and Read are cycle code.
type Driver interface {
	PreOp(ctx context.Context, s *Slave) error
	SafeOp(ctx context.Context, s *Slave) error
	Write(outputs image.View, at *Moment)
	Read(inputs image.View, q Quality, at *Moment)
}

// Device is one or several slaves that belong together (EtherCATDevice of figure 9.4). Prepare is called before the slaves write,
// so that they write what fits together (cycle).
type Device interface {
	// Startup is called when the bus has been scanned. The device looks for its slaves and attaches drivers to them.
	Startup(slaves []*Slave) error
	// Shutdown is called when the bus is left. The drivers are not called any more.
	Shutdown()
	Prepare(at *Moment)
}

// Setup is how a slave is to be configured. The zero value leaves all as the slave says.
type Setup struct {
	Start    []Write       // objects that are written in Pre-Op, in this order
	Outputs  []PDO         // assigned to the SyncManager of outputs; nil leaves what is assigned
	Inputs   []PDO         // assigned to that of inputs
	Clock    *SlaveClock   // nil runs free
	Watchdog time.Duration // of process data, 0 leaves it
	Limit    time.Duration // for a change of state, 0 takes the usual ones
}

// Write is an object and what is to be written into it.
type Write struct {
	Index    uint16
	Sub      uint8
	Complete bool
	Data     []byte
}

// PDO is a process data object to be assigned.
type PDO struct {
	Index   uint16
	Entries []coe.Mapping // nil leaves its mapping
}

// SlaveClock is how a slave uses SYNC0 and SYNC1.
type SlaveClock struct {
	Activate uint16        // AssignActivate of its description: 0x0300 for SYNC0, 0x0700 for both
	Shift    time.Duration // by which SYNC0 comes later than the grid of the bus
	Cycle    time.Duration // of SYNC0; 0 is that of the bus
	Cycle1   time.Duration // register 0x09a4
}

// Area is memory of a slave with process data.
type Area struct {
	SyncManager int
	Start       uint16
	Length      int // bytes
	Bits        int // of PDOs in it
	Control     wire.SyncControl
	PDOs        []Assigned
}

// Assigned is a process data object in an area.
type Assigned struct {
	Index   uint16
	Name    string
	Entries []coe.Mapping
}

// Bits is how long it is.
func (a *Assigned) Bits() (n int) {
	for _, e := range a.Entries {
		n += int(e.Bits())
	}
	return n
}

// Attach gives process data to a driver, at Device.Startup.
func (s *Slave) Attach(d Driver) { s.driver = d }

// String is how a slave is called in errors.
func (s *Slave) String() string {
	if s.Name == "" {
		return fmt.Sprintf("slave %d", s.Position)
	}
	return fmt.Sprintf("slave %d %q", s.Position, s.Name)
}

// Status is the one of now (any).
func (s *Slave) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *Slave) change(f func(st *Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.status)
}

// Quality says what the inputs of the newest cycle are worth (any).
func (s *Slave) Quality() Quality { return Quality(s.quality.Load()) }

// Place is where its process data are in the image, when they are configured.
func (s *Slave) Place() image.Place { return s.place }

// HasMailbox tells whether one can talk to it.
func (s *Slave) HasMailbox() bool {
	return s.SII != nil && s.SII.Mailbox.OutSize > 0 && s.SII.Mailbox.InSize > 0
}

// HasCoE tells whether it has objects.
func (s *Slave) HasCoE() bool { return s.HasMailbox() && s.SII.Protocols&sii.CoE != 0 }

// HasClock tells whether it has a distributed clock.
func (s *Slave) HasClock() bool { return s.Features&wire.FeatureClock != 0 }

// Wide tells whether its clock has 64 bits.
func (s *Slave) Wide() bool { return s.Features&wire.FeatureClock64 != 0 }

// Delay is how long frames take to it from the reference clock, ns.
func (s *Slave) Delay() int64 { return s.delay.Load() }

// Emergencies are the messages that it has sent since the last call.
func (s *Slave) Emergencies() []coe.Emergency {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.emergencies
	s.emergencies = nil
	return list
}

// SlaveError is something that has failed with a slave.
type SlaveError struct {
	Position int
	Name     string
	Doing    string
	Err      error
}

func (e *SlaveError) Error() string {
	return fmt.Sprintf("slave %d %q: %s: %v", e.Position, e.Name, e.Doing, e.Err)
}

func (e *SlaveError) Unwrap() error { return e.Err }

// fail is an error of the slave, nil when there is none.
func (s *Slave) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	return &SlaveError{s.Position, s.Name, doing, err}
}

// StateError is that a slave has not reached a state.
type StateError struct {
	Want, Got wire.State
	Code      wire.Code
}

func (e *StateError) Error() string {
	switch {
	case e.Code != wire.NoCode:
		return fmt.Sprintf("is in %v instead of %v: %v: %s", e.Got, e.Want, e.Code, e.Code.Remedy())
	case e.Want == wire.Op && e.Got == wire.SafeOp:
		return "stays in Safe-Op without a code: it is waiting for SYNC0 or for outputs"
	}
	return fmt.Sprintf("is in %v instead of %v", e.Got, e.Want)
}
