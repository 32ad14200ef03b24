package rcc

import "github.com/softrobot-rcc/rccd/rcc/sched"

// Executors run the nets of a core.
type Executors struct {
	*ground

	devices *Devices
	nets    *Nets
}

// All describes the executors: one for each cycle time, class and CPU in use.
func (ex *Executors) All() []sched.Executor { return ex.sched.Executors() }

// CPU is the part of a CPU that nets take.
type CPU = sched.CPU

// CPUs describes how much nets take of the CPUs of executors.
func (ex *Executors) CPUs() []CPU { return ex.sched.CPUs() }

// Slot is a row of the table of §8.3: nets that never run at the same time, because they all need the same resource.
type Slot struct {
	sched.Lane

	Nets []*Net // in the order in which they came; at most one of them runs
}

// Slots returns the table, oldest slots first. Nets that have ended are in none.
func (ex *Executors) Slots() []Slot {
	lanes := ex.sched.Lanes()
	ex.mu.Lock()
	defer ex.mu.Unlock()
	list := make([]Slot, len(lanes))
	for i, lane := range lanes {
		list[i].Lane = lane
		for _, ref := range lane.Nets {
			if n := ex.nets.bySlot[ref]; n != nil {
				list[i].Nets = append(list[i].Nets, n)
			}
		}
	}
	return list
}

// Incident is a tick that was late, or whose cycles took too long.
type Incident struct {
	sched.Incident

	Net    string // name of the net, which may be gone, or of the device; empty when it is neither's
	Reason string // of an overload, with figures
}

// Incidents returns the number of incidents so far, and the newest ones, oldest first.
func (ex *Executors) Incidents() (count uint64, kept []Incident) {
	count, list := ex.sched.Incidents()
	for _, i := range list {
		n := Incident{Incident: i, Net: ex.labelled(i.Net)}
		switch {
		case i.Kind != sched.Overload:
		case i.Cause == sched.TooMuch:
			n.Reason = (&sched.OverloadError{Load: i.Load}).Told(n.Net)
		default:
			n.Reason = i.Load.Doubtful(n.Net)
		}
		kept = append(kept, n)
	}
	return count, kept
}

// Tally counts late and missed ticks and overruns since the cell was opened.
func (ex *Executors) Tally() sched.Tally { return ex.sched.Tally() }

// label is what incidents call a net: zero is none.
func label(number int) uint64 { return uint64(number) + 1 }

// deviceLabel is what they call what a device does in its ticks.
func deviceLabel(number uint64) uint64 { return number | ofDevice }

const ofDevice = 1 << 63

func (ex *Executors) labelled(label uint64) string {
	switch {
	case label == 0:
		return ""
	case label&ofDevice != 0:
		return ex.devices.labelled(label &^ ofDevice)
	}
	return netName(int(label) - 1)
}

// labelled is how incidents name a device.
func (ds *Devices) labelled(number uint64) string {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for name, d := range ds.byName {
		if d.number == number {
			return "device " + name
		}
	}
	return "a device that is gone"
}
