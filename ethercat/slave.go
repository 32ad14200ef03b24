package ethercat

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Slave is one slave of a bus that was scanned. Fields that are set once, at the scan, may be read by any goroutine; for those
// that change there are methods.
type Slave struct {
	ecat.Label

	Chip         uint8 // register 0x0000
	Features     uint16
	FMMUs        int
	SyncManagers int
	Ports        uint8 // register 0x0007
	Links        wire.LinkStatus
	Emulation    bool // has no processor: its state is what is written
	SystemTime   bool // has register 0x0910
	SII          *sii.Description
	Image        []byte // of the SII, as it was read

	// Where it is connected; Parent is -1 at the master.
	Parent, ParentPort int
	EntryPort          int // by which frames come

	Setup   ecat.Setup
	Outputs []ecat.Area // process data, when they are configured
	Inputs  []ecat.Area
	place   image.Place
	placed  bool // process data have their place, and keep it
	driver  ecat.Driver
	guard   Guard         // of the driver's device, nil for none
	quality atomic.Uint32 // of the inputs of the newest cycle
	op      obedience

	master    *Master
	again     int64  // instant before which it is not tried to bring it back
	unused    string // which SyncManagers carry nothing
	forgot    bool   // is to be configured again although it is in Op
	differs   bool   // has not the settings that were written
	forgets   int    // how often in a row
	spared    int64  // instant before which it is not for that reason
	box       boxHealth
	lapse     lapse
	suspect   atomic.Bool // its mailbox has not answered: it is looked at first
	heard     atomic.Int64
	exchanges atomic.Bool // it has process data
	mailbox   *mailbox
	delay     atomic.Int64 // ns from the reference

	mu          sync.Mutex
	status      ecat.Status
	wiring      health
	emergencies []coe.Emergency
}

// About returns the identity of the slave (any).
func (s *Slave) About() ecat.Label { return s.Label }

// Configure sets how it is configured, at Device.Startup.
func (s *Slave) Configure(how ecat.Setup) error {
	if err := s.free(); err != nil {
		return err
	}
	s.Setup = how
	return nil
}

// Attach gives process data to a driver, at Device.Startup. Only one can have them.
func (s *Slave) Attach(d ecat.Driver) error {
	if err := s.free(); err != nil {
		return err
	}
	s.driver = d
	return nil
}

func (s *Slave) free() error {
	if s.driver != nil {
		return fmt.Errorf("%v belongs to another device", s.Label)
	}
	return nil
}

// Layout returns its process data, when they are configured.
func (s *Slave) Layout() (outputs, inputs []ecat.Area) { return s.Outputs, s.Inputs }

// Status returns the present status (any).
func (s *Slave) Status() ecat.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *Slave) change(f func(st *ecat.Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.status)
}

// Quality returns the quality of the inputs of the newest cycle (any).
func (s *Slave) Quality() ecat.Quality { return ecat.Quality(s.quality.Load()) }

// Obeys reports whether the slave is known to be in Op. When frames come back after they stayed away, its status is from before (any).
func (s *Slave) Obeys() bool { return s.op.known() }

// Place returns the place of its process data in the image, when they are configured.
func (s *Slave) Place() image.Place { return s.place }

// HasMailbox reports whether it has a mailbox.
func (s *Slave) HasMailbox() bool {
	return s.SII != nil && s.SII.Mailbox.OutSize > 0 && s.SII.Mailbox.InSize > 0
}

// HasCoE reports whether it has objects.
func (s *Slave) HasCoE() bool { return s.HasMailbox() && s.SII.Protocols&sii.CoE != 0 }

// HasClock reports whether it has a distributed clock. Some parts say so that only measure delays.
func (s *Slave) HasClock() bool { return s.Features&wire.FeatureClock != 0 && s.SystemTime }

// Wide reports whether its clock has 64 bits.
func (s *Slave) Wide() bool { return s.Features&wire.FeatureClock64 != 0 }

// Delay returns the delay of frames from the reference clock to it, ns.
func (s *Slave) Delay() int64 { return s.delay.Load() }

// Emergencies returns the newest messages that it has sent by itself, oldest first (any).
func (s *Slave) Emergencies() []coe.Emergency {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.emergencies)
}

// SlaveError is a failure of a slave.
type SlaveError struct {
	Position int
	Name     string
	Doing    string
	Err      error
}

func (e *SlaveError) Error() string {
	return fmt.Sprintf("%v: %s: %v", ecat.Label{Position: e.Position, Name: e.Name}, e.Doing, e.Err)
}

func (e *SlaveError) Unwrap() error { return e.Err }

// fail returns an error of the slave, nil when there is none.
func (s *Slave) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	return &SlaveError{s.Position, s.Name, doing, err}
}

// StateError is returned when a slave has not reached a state.
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
