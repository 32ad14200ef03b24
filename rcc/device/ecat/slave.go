package ecat

import (
	"context"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Slave is one slave of a bus that was scanned. It is not to be used after Shutdown.
type Slave interface {
	// About returns the identity of the slave, which does not change (any).
	About() Label
	// HasCoE reports whether the slave has objects, HasClock whether it has a distributed clock (any).
	HasCoE() bool
	HasClock() bool
	// Memory returns the contents of its SII, which do not change (any).
	Memory() *sii.Description

	// Configure sets how the slave is configured, and Attach connects its driver; both are called at Startup, by one device.
	Configure(how Setup) error
	Attach(d Driver) error

	// Layout returns its process data, from the end of Pre-Op on: in Driver.SafeOp, and not in PreOp.
	Layout() (outputs, inputs []Area)

	// Upload reads an entry of an object, or with complete access all of them from a subindex on, 0 or 1. Download writes one.
	// They may be called by any goroutine.
	Upload(ctx context.Context, index uint16, sub uint8, complete bool) ([]byte, error)
	Download(ctx context.Context, index uint16, sub uint8, complete bool, data []byte) error
	// Entry describes one of an object, where the slave can do that.
	Entry(ctx context.Context, index uint16, sub uint8) (coe.Entry, error)
	// Emergencies are the newest messages that it has sent by itself, oldest first; Status counts all of them (any).
	Emergencies() []coe.Emergency

	Status() Status   // (any)
	Quality() Quality // of the inputs of the newest cycle (any)

	// Age returns how long ago the slave was heard. Unheard reports whether that is too long to rely on what is known of it (any).
	Age() time.Duration
	Unheard() bool
	// Obeys reports whether it is known to be in Op, in which alone outputs count. Its Status may be older than an absence (any).
	Obeys() bool
}

// Label identifies a slave.
type Label struct {
	Position int    // from 0, in the order in which frames pass
	Station  uint16 // the address that the master has given to it
	Alias    uint16
	Name     string // of the configuration, otherwise of the SII
	Identity sii.Identity
}

// Number returns how people count slaves and how configurations name them: from 1, the first one behind the master.
func (l Label) Number() int { return l.Position + 1 }

// String returns how a slave is called in errors.
func (l Label) String() string {
	if l.Name == "" {
		return fmt.Sprintf("slave %d", l.Number())
	}
	return fmt.Sprintf("slave %d %q", l.Number(), l.Name)
}

// Driver knows the meaning of the process data of a slave (EtherCATSlave of figure 9.4). PreOp and SafeOp are called from a
// goroutine and may talk to the slave; Write and Read are called by the thread of the bus (cycle). SafeOp is called each time before
// the slave is asked for Op, also when it has only fallen to Safe-Op: its outputs are off, and a driver may not want to restore them.
//
// Read is called once in each cycle. When the frame of a cycle comes after it, and before the next, Read is called again with the
// fresh inputs and the same Moment; the cycle had Held or Invalid ones before.
type Driver interface {
	PreOp(ctx context.Context, s Slave) error
	SafeOp(ctx context.Context, s Slave) error
	Write(outputs image.View, at *Moment)
	Read(inputs image.View, q Quality, at *Moment)
}

// Setup is how a slave is to be configured. The zero value leaves everything to the slave.
type Setup struct {
	Start    []Write       // objects that are written in Pre-Op, in this order
	Outputs  []PDO         // assigned to the SyncManager of outputs; nil leaves what is assigned
	Inputs   []PDO         // assigned to that of inputs
	Clock    *Clock        // nil runs free
	Watchdog time.Duration // of process data, 0 leaves it
	Limit    time.Duration // for a change of state, 0 takes the usual ones
}

// Write is an object and a value to write into it.
type Write struct {
	Index    uint16
	Sub      uint8
	Complete bool
	Data     []byte
	Type     coe.DataType // by which the data were written, 0 where it is unknown
}

// PDO is a process data object to be assigned.
type PDO struct {
	Index   uint16
	Entries []coe.Mapping // nil leaves its mapping
}

// Clock is how a slave uses SYNC0 and SYNC1.
type Clock struct {
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

// Bits returns its length.
func (a *Assigned) Bits() (n int) {
	for _, e := range a.Entries {
		n += int(e.Bits())
	}
	return n
}

// Status is the changing state of a slave.
type Status struct {
	State       wire.State
	Code        wire.Code // why it is not where it should be
	Lost        bool      // does not answer
	Failures    int       // attempts in a row to bring it back
	Recoveries  int       // how often it was brought back
	Trouble     string    // why the newest attempt has failed
	Difference  int32     // ns that its clock is ahead of the system time
	Emergencies int
	Misnamed    int // aborts of SDO transfers that came as responses instead of requests

	Fault        string // what is wrong with a slave that is in Op
	Configuring  bool   // it is being configured: its states follow from that
	Reopened     int    // how often its mailbox was lost and its SyncManagers were written again
	Reconfigured int    // how often it was configured again because it took no part in the exchange in Op
}
