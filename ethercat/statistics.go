package ethercat

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/figures"
)

// counters are figures that the cycle keeps; each is a word that any thread may read.
type counters struct {
	cycles, sent, unsent, received                          atomic.Uint64
	lost, late, overdue, twice, broken, foreign, echoes     atomic.Uint64
	wrongCounter, incomplete, invalid, retries, emergencies atomic.Uint64
	recovered, timeouts, unexplained, reconfigured          atomic.Uint64
	unasked, reopened                                       atomic.Uint64
}

// Statistics are counters since the master was made.
type Statistics struct {
	Cycles       uint64 // exchanges
	Sent         uint64 // frames
	Unsent       uint64 // frames that the link did not take
	Received     uint64 // frames that were waited for
	Late         uint64 // frames of the cycle that came after it was over, before the next: what they bring counts for the next
	Lost         uint64 // frames of the cycle that did not come before the next
	Overdue      uint64 // of these, those that came afterwards: they are dropped
	Twice        uint64 // frames that came again
	Broken       uint64 // frames that were cut, or changed, or of another time
	Foreign      uint64 // frames of others
	Echoes       uint64 // frames that came back as they were sent
	WrongCounter uint64 // datagrams with process data whose working counter was not as expected
	Unexplained  uint64 // of these, the unexplained: others than slaves whose inputs show it, or that are known to be away, are missing
	Incomplete   uint64 // cycles in which some slave had no fresh inputs
	Invalid      uint64 // cycles in which some inputs were invalid
	Retries      uint64 // datagrams of configuration that were repeated
	TimeOuts     uint64 // mailboxes that did not answer
	Unasked      uint64 // mails that are not answers, and no emergencies: those of another master, or later than was waited for
	Emergencies  uint64 // messages of slaves
	Recovered    uint64 // slaves that were brought back to Op
	Reconfigured uint64 // slaves in Op that took no part in the exchange and were configured again
	Reopened     uint64 // mailboxes whose SyncManagers were lost and written again
}

// Statistics returns the present counters (any).
func (m *Master) Statistics() Statistics {
	c := &m.count
	return Statistics{
		Cycles: c.cycles.Load(), Sent: c.sent.Load(), Unsent: c.unsent.Load(), Received: c.received.Load(), Lost: c.lost.Load(),
		Late: c.late.Load(), Overdue: c.overdue.Load(), Twice: c.twice.Load(), Broken: c.broken.Load(), Foreign: c.foreign.Load(), Echoes: c.echoes.Load(),
		WrongCounter: c.wrongCounter.Load(), Unexplained: c.unexplained.Load(), Incomplete: c.incomplete.Load(), Invalid: c.invalid.Load(), Retries: c.retries.Load(),
		TimeOuts: c.timeouts.Load(), Emergencies: c.emergencies.Load(), Recovered: c.recovered.Load(), Reconfigured: c.reconfigured.Load(),
		Unasked: c.unasked.Load(), Reopened: c.reopened.Load(),
	}
}

// RoundTrips returns the time of each cycle until all of its frames were back (any).
func (m *Master) RoundTrips() figures.Distribution { return m.cycle.trips.Read() }

// Incident is something that the cycle has noticed.
type Incident struct {
	Time  int64 // of the clock of the link
	Cycle uint64
	Kind  IncidentKind
	Value int64 // which slave, or how many
}

// IncidentKind is the kind of an incident.
type IncidentKind uint8

// Kinds of incidents. Slaves are given by position.
const (
	FrameLost    IncidentKind = iota + 1 // Value: how many in a row
	SlaveSilent                          // a slave has no fresh inputs any more
	SlaveBack                            // and has them again
	SlaveInvalid                         // its inputs are too old to be used
	CountDiffers                         // Value: how many slaves have answered
	StateDiffers                         // Value: states of all slaves, put together
	TimeBridged                          // Value: ns in which a reference of 32 bits was not read, longer than it can count
	FrameLate                            // Value: how many of a cycle came after it was over
)

var incidentKinds = [...]string{
	FrameLost: "frame lost", SlaveSilent: "slave silent", SlaveBack: "slave back", SlaveInvalid: "inputs invalid",
	CountDiffers: "number of slaves differs", StateDiffers: "some slave has left its state",
	TimeBridged: "time of the reference taken over by the own clock",
	FrameLate:   "frame late",
}

// OfSlave reports whether the value is a slave.
func (k IncidentKind) OfSlave() bool { return k == SlaveSilent || k == SlaveBack || k == SlaveInvalid }

func (k IncidentKind) String() string {
	if int(k) < len(incidentKinds) {
		return incidentKinds[k]
	}
	return ""
}

// incidents is the newest of them: words that the cycle writes and others read, torn ones are left out.
type incidents struct {
	next  atomic.Uint64
	words [mostIncidents][4]atomic.Uint64
}

const mostIncidents = 256

// add keeps an incident (cycle).
func (r *incidents) add(at int64, cycle uint64, kind IncidentKind, value int64) {
	n := r.next.Load()
	w := &r.words[n%mostIncidents]
	w[0].Store(0) // not to be read
	w[1].Store(uint64(at))
	w[2].Store(cycle)
	w[3].Store(uint64(value)<<8 | uint64(kind))
	w[0].Store(n + 1)
	r.next.Store(n + 1)
}

// Incidents returns the newest ones, oldest first (any).
func (m *Master) Incidents() (list []Incident) {
	r := &m.cycle.incidents
	end := r.next.Load()
	for n := end - min(end, mostIncidents); n < end; n++ {
		w := &r.words[n%mostIncidents]
		i := Incident{int64(w[1].Load()), w[2].Load(), IncidentKind(w[3].Load()), int64(w[3].Load()) >> 8}
		if w[0].Load() == n+1 {
			list = append(list, i)
		}
	}
	return list
}
