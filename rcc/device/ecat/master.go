package ecat

import (
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// MasterName is the name under which devices announce Master.
const MasterName = "ethercatmaster"

// Master is a bus as a device (EtherCATMaster of figure 9.4).
type Master interface {
	device.Device
	// Add makes a device part of the bus, under the name by which people know it. A running bus restarts for it, or says why that
	// has to wait (Holder). A bus cannot take a device when it is simulated: twins need no bus.
	Add(name string, d Device) error
	// Remove takes a device away. When it returns nothing of the device is called any more, and what its drivers would have written
	// is zero from the next cycle on: nothing could switch an output off.
	Remove(d Device)
	// Period is how often process data are exchanged. It does not change (any).
	Period() time.Duration
	// Trouble returns why the bus is not in operation; it is empty when it is (any).
	Trouble() string
	// Simulated reports whether the bus is simulated: devices on it are their twins. It does not change (any).
	Simulated() bool
}

// AnnounceMaster returns what a Master announces to applications.
func AnnounceMaster() device.Interface { return device.Interface{Name: MasterName} }

// Device is one or several slaves that belong together (EtherCATDevice of figure 9.4). Startup and Shutdown are called by one goroutine
// at a time, Prepare by the thread of the bus between them.
type Device interface {
	// Startup is called when the bus has been scanned. The device looks for its slaves, configures them and attaches drivers to
	// them. When it fails, the bus starts without the device, which is asked again at the next start.
	Startup(slaves []Slave) error
	// Prepare is called before the slaves write (cycle).
	Prepare(at *Moment)
	// Shutdown is called when the bus is left. Drivers are not called any more. It is called for a device whose Startup has failed as well.
	Shutdown()
}

// Holder is a Device that knows why the bus should not be stopped now.
type Holder interface {
	Device
	// Holds is empty when nothing would be lost; otherwise it says in a few words what would, such as "drives are on" (any).
	Holds() string
}

// Namer is a Device that knows names and types of entries in process data better than the memory of the slave.
type Namer interface {
	Device
	// EntryName returns name and type of an entry of an object of a slave; ok is false for what the device does not know (any).
	EntryName(slave Label, index uint16, sub uint8) (name, typ string, ok bool)
}

// Moment is the time of a cycle. Instants are those of the clock of nets, times those of the distributed clock in ns since
// 2000; SYNC0 and times are 0 where there is no distributed clock.
type Moment struct {
	Cycle    uint64
	Now      int64 // instant at which the exchange began
	System   int64 // time at that instant
	Sync     int64 // instant of the SYNC0 at which slaves take over what is written now (§9.4.3)
	SyncTime int64 // time of it
	Period   int64 // ns

	Operating bool // all slaves have been brought to Op; before that, some do not take outputs yet

	// Obeyed is true in Driver.Write and Driver.Read if this slave is in Op, so that outputs count. One that has fallen to Safe-Op gives
	// inputs as before, and nothing that is written to it takes effect.
	Obeyed bool
}

// Quality says how good inputs are. That of a slave with outputs only says whether it takes part.
type Quality uint32

// Qualities.
const (
	Invalid Quality = iota // not to be used: the slave is lost, does not run, or has no process data
	Held                   // of an earlier cycle, because this one's did not come
	Fresh                  // of this cycle
)

func (q Quality) String() string {
	switch q {
	case Fresh:
		return "fresh"
	case Held:
		return "held"
	case Invalid:
	}
	return "invalid"
}
