package sim

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Schedule is faults that happen by themselves as time passes. The same seed on the same rack gives the same faults at the same
// instants, so that what goes wrong in a long run can be repeated.
type Schedule struct {
	Seed uint64
	// Every is the mean time between two faults, at least 100 µs; 0 means no faults.
	Every time.Duration
	// Longest is the largest duration of a fault that does not end by itself; one second when it is 0.
	Longest time.Duration
	// Kinds are the kinds that happen, all when it is 0.
	Kinds FaultKinds
	// Spare names slaves to which nothing happens alone. Events of slaves in front of them still reach them.
	Spare []string
}

// FaultKinds are groups of faults.
type FaultKinds uint8

// Groups of faults.
const (
	FrameFaults FaultKinds = 1 << iota // frames are lost, late, doubled, spoilt or foreign
	CableFaults                        // cables break, and nothing comes back for so long that watchdogs expire
	SlaveFaults                        // slaves vanish, are reset, do not listen, report errors
	DataFaults                         // slaves lose what maps their process data, or SYNC0, and stay in Op
	MailFaults                         // mails are lost, or come unasked

	EveryFault = FrameFaults | CableFaults | SlaveFaults | DataFaults | MailFaults
)

// keptIncidents bounds what is remembered of long runs.
const keptIncidents = 256

// Incident is a fault that has happened, or ended: a command and its time.
type Incident struct {
	At      int64
	Command string
}

func (i Incident) String() string { return fmt.Sprintf("%.6f s: %s", float64(i.At)*1e-9, i.Command) }

// schedule is one that is carried out.
type schedule struct {
	given     Schedule
	random    *rand.Rand
	next      int64  // when the next fault begins
	ends      ends   // of those that last
	order     uint64 // of ends at the same instant
	suffering map[*Slave]bool
	incidents []Incident
	count     uint64
}

// Plan plans faults from now on, instead of those that were planned before. A Schedule of zero ends them all: what lasts ends
// at once.
func (c *Chain) Plan(p Schedule) {
	for len(c.plan.ends) > 0 {
		c.endFault()
	}
	if p.Longest <= 0 {
		p.Longest = time.Second
	}
	if p.Kinds == 0 {
		p.Kinds = EveryFault
	}
	c.faults = lineFaults{random: rand.New(rand.NewPCG(p.Seed, 1))}
	for _, s := range c.slaves {
		s.faults.loseMail = 0
	}
	if p.Every > 0 {
		p.Every = max(p.Every, shortestPlan)
	}
	c.plan.given, c.plan.random = p, rand.New(rand.NewPCG(p.Seed, 0))
	c.plan.suffering = map[*Slave]bool{}
	c.plan.next = c.plan.after(c.now)
}

// Incidents returns the newest faults of the plan, oldest first, and how many there have been.
func (c *Chain) Incidents() ([]Incident, uint64) { return slices.Clone(c.plan.incidents), c.plan.count }

// after returns when the next fault begins: faults are independent of each other, so the time between them is exponential.
func (p *schedule) after(now int64) int64 {
	return now + 1 + int64(p.random.ExpFloat64()*float64(p.given.Every))
}

// due returns when something happens next, if anything is planned.
func (p *schedule) due() (at int64, ok bool) {
	if p.given.Every > 0 {
		at, ok = p.next, true
	}
	if len(p.ends) > 0 && (!ok || p.ends[0].at < at) {
		at, ok = p.ends[0].at, true
	}
	return at, ok
}

// mostAtOnce bounds what is caught up with when time has made a leap, as after a computer has slept; what is due then is left out.
const mostAtOnce = 10_000

// carryOut does what is due next.
func (c *Chain) carryOut() {
	p := &c.plan
	if len(p.ends) > 0 && (p.given.Every <= 0 || p.ends[0].at < p.next) {
		c.endFault()
		return
	}
	c.beginFault()
	p.next = p.after(p.next)
}

// beginFault chooses a fault and lets it happen.
func (c *Chain) beginFault() {
	p := &c.plan
	kinds := plannedFaults(p.given.Kinds)
	f := kinds[p.random.IntN(len(kinds))]
	var s *Slave
	if f.slave {
		s = c.slaves[p.random.IntN(len(c.slaves))]
		if p.suffering[s] || slices.Contains(p.given.Spare, s.name) || f.possible != nil && !f.possible(s) {
			return
		}
	}
	begin := f.begin(p.random)
	if s != nil {
		begin = "slave " + s.name + " " + begin
	}
	if !c.happen(begin) {
		return
	}
	if f.end != "" {
		p.suffering[s] = true
		p.order++
		heap.Push(&p.ends, faultEnd{c.now + 1 + p.random.Int64N(int64(p.given.Longest)), p.order, s, "slave " + s.name + " " + f.end})
	}
}

func (c *Chain) endFault() {
	e := heap.Pop(&c.plan.ends).(faultEnd)
	delete(c.plan.suffering, e.slave)
	c.happen(e.command)
}

// happen carries out a command of the plan; it may be refused by what a slave is or does just now.
func (c *Chain) happen(command string) bool {
	if c.Do(command) != nil {
		return false
	}
	p := &c.plan
	p.count++
	if len(p.incidents) == keptIncidents {
		p.incidents = slices.Delete(p.incidents, 0, 1)
	}
	p.incidents = append(p.incidents, Incident{c.now, command})
	return true
}

// plannedFault is one that a plan may choose, as a command of Chain.Do.
type plannedFault struct {
	kind     FaultKinds
	slave    bool // happens to a slave
	begin    func(r *rand.Rand) string
	end      string // of one that lasts
	possible func(s *Slave) bool
}

func always(command string) func(*rand.Rand) string {
	return func(*rand.Rand) string { return command }
}

// some returns a command with a number of times, mostly small.
func some(command string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return fmt.Sprintf("%s %d", command, 1+r.IntN(1+r.IntN(8))) }
}

var allPlanned = []plannedFault{
	{kind: FrameFaults, begin: some("drop")},
	{kind: FrameFaults, begin: some("unanswered")},
	{kind: FrameFaults, begin: some("twice")},
	{kind: FrameFaults, begin: some("stale")},
	{kind: FrameFaults, begin: some("cut")},
	{kind: FrameFaults, begin: some("index")},
	{kind: FrameFaults, begin: some("foreign")},
	{kind: FrameFaults, begin: func(r *rand.Rand) string {
		return fmt.Sprintf("late %s %d", time.Duration(r.Int64N(int64(5*time.Millisecond))), 1+r.IntN(4))
	}},
	{kind: FrameFaults, begin: func(r *rand.Rand) string { return fmt.Sprintf("counter %d %d", r.IntN(7)-3, 1+r.IntN(4)) }},
	{kind: CableFaults, begin: func(r *rand.Rand) string {
		return fmt.Sprintf("silence %s", time.Duration(r.Int64N(int64(300*time.Millisecond))))
	}},
	{kind: CableFaults, slave: true, begin: always("break"), end: "mend"},
	{kind: SlaveFaults, slave: true, begin: always("vanish"), end: "return"},
	{kind: SlaveFaults, slave: true, begin: always("cycle")},
	{kind: SlaveFaults, slave: true, begin: always("deaf"), end: "hear"},
	{kind: SlaveFaults, slave: true, begin: func(r *rand.Rand) string {
		codes := [...]int{0x0001, 0x001a, 0x001b, 0x002c, 0x0032, 0x8001}
		return fmt.Sprintf("error 0x%04x %s", codes[r.IntN(len(codes))], [...]string{"init", "preop", "safeop", ""}[r.IntN(4)])
	}, possible: func(s *Slave) bool { return !s.kind.emulation }},
	{kind: DataFaults, slave: true, begin: func(r *rand.Rand) string {
		return "forget " + [...]string{"fmmus", "managers", "all"}[r.IntN(3)]
	}},
	{kind: DataFaults, slave: true, begin: always("sync off"), possible: func(s *Slave) bool { return s.clock.running }},
	{kind: MailFaults, slave: true, begin: some("losemail"), possible: hasMailbox},
	{kind: MailFaults, slave: true, begin: some("emergency 0x8130"), possible: hasMailbox},
}

func hasMailbox(s *Slave) bool { return s.mail.server != nil }

// plannedFaults returns those of groups.
func plannedFaults(kinds FaultKinds) (list []plannedFault) {
	for _, f := range allPlanned {
		if f.kind&kinds != 0 {
			list = append(list, f)
		}
	}
	return list
}

// faultEnd is when a fault ends.
type faultEnd struct {
	at      int64
	order   uint64
	slave   *Slave
	command string
}

// ends in the order in which they come.
type ends []faultEnd

func (e ends) Len() int { return len(e) }
func (e ends) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e ends) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push is for package heap.
func (e *ends) Push(x any) { *e = append(*e, x.(faultEnd)) }

// Pop is for package heap.
func (e *ends) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}
