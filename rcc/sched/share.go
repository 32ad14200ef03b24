package sched

import (
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Share is a part of the time of a CPU, in millionths.
type Share int64

// WholeCPU is all of its time.
const WholeCPU Share = 1_000_000

// String returns the share for messages.
func (s Share) String() string { return fmt.Sprintf("%.3g %%", s.Percent()) }

// Percent is the share in percent.
func (s Share) Percent() float64 { return float64(s) / float64(WholeCPU/100) }

// account is what the nets take that run on one executor, or on one CPU. Where the system is free to choose CPUs, each executor has at
// most one, and all of them together have those that the runtime uses; otherwise executors are bounded by their CPU.
type account struct {
	taken atomic.Int64 // Share of the nets that run; written in the turn
	limit Share
	cpu   int // place in Config.CPUs

	// turn only
	visit  uint64 // change for which the next two hold
	change Share  // that it makes
	starts Share  // of it: of the nets that it starts
	fresh  bool   // a net has been measured since the last weighing
	over   int    // weighings in a row that found more than the limit
	newest int64  // instant of the last of these
	excess int64  // time that they found too much together
	told   bool   // that it could not be told why
	doubt
}

// newAccounts makes those of all places of executors, and behind them those of CPUs.
func newAccounts(c *Config) []account {
	list := make([]account, maxExecutors+max(1, len(c.CPUs)))
	for i := range list {
		list[i].limit, list[i].cpu = c.Share, max(0, i-maxExecutors)
	}
	if len(c.CPUs) == 0 {
		list[maxExecutors].limit = c.Share * Share(runtime.GOMAXPROCS(0))
		return list
	}
	for i := range maxExecutors {
		list[i].limit = unbounded
	}
	return list
}

const unbounded = Share(math.MaxInt64 / 2)

// accountsOf are those of an executor and its CPU (cycle).
func (s *Scheduler) accountsOf(x *executor) [2]*account {
	return [...]*account{s.accounts.at(uint32(x.index)), s.accounts.at(uint32(maxExecutors + x.cpu))}
}

// add charges an account (turn).
func (a *account) add(d Share) { a.taken.Store(a.taken.Load() + int64(d)) }

// would is what an account is going to be charged by a change (cycle).
func (a *account) would() Share { return Share(a.taken.Load()) + a.change }

// plan adds to what a change does to an account (cycle).
func (a *account) plan(visit uint64, d Share) {
	if a.visit != visit {
		a.visit, a.change, a.starts = visit, 0, 0
	}
	a.change += d
	a.starts += max(0, d)
}

// fits checks whether the nets to be started have time on their CPUs, beside those that go on (turn). A change that leaves no
// more to do than before is never refused, nor is what devices do. The nets are settled: they are not moved before that.
func (s *Scheduler) fits(c *command) refusal {
	if s.config.Share == 0 {
		return refusal{}
	}
	for _, n := range c.stop {
		if life := s.life(n); life != nil {
			for _, a := range s.accountsOf(s.executorOf(n.slot)) {
				a.plan(s.visit, -life.share)
			}
		}
	}
	for _, n := range c.start {
		for _, a := range s.accountsOf(s.executorOf(n.slot)) {
			a.plan(s.visit, s.shareOf(n.slot))
		}
	}
	for _, n := range c.start {
		if s.resident(n.slot) {
			continue
		}
		x := s.executorOf(n.slot)
		for i, a := range s.accountsOf(x) {
			if a.change > 0 && a.would() > a.limit {
				return refusal{reason: noTime, net: n, load: loadOf(x, a, i == 0, a.would()-a.starts, a.starts)}
			}
		}
	}
	return refusal{}
}

// shareOf is what a net takes of its CPU as far as is known (any).
func (s *Scheduler) shareOf(slot uint32) Share { return Share(s.stats(slot).share.Load()) }

// charge counts a net that is to run (turn).
func (s *Scheduler) charge(slot uint32) {
	life := s.nets.at(slot)
	s.starts++
	life.order = s.starts
	s.recharge(slot, s.shareOf(slot))
	if !life.charged {
		life.charged = true
		s.charged.add(slot)
	}
}

// refund no longer counts a net (turn).
func (s *Scheduler) refund(slot uint32) {
	if s.nets.at(slot).share != 0 {
		s.recharge(slot, 0)
	}
}

func (s *Scheduler) recharge(slot uint32, share Share) {
	life := s.nets.at(slot)
	for _, a := range s.accountsOf(s.executorOf(slot)) {
		a.add(share - life.share)
	}
	life.share = share
}

// weigh counts the nets that run once more when some have been measured, and ends those for which there is no time (turn).
func (s *Scheduler) weigh() {
	if !s.measured() {
		return
	}
	for _, i := range s.charged.take() {
		life := s.nets.at(i)
		if life.share == 0 {
			life.charged = false
			continue
		}
		s.charged.add(i)
		s.recharge(i, s.shareOf(i))
	}
	list := s.accounts.of
	for i := range list {
		s.relieve(&list[i])
	}
}

// measured reports whether nets have been measured since the last weighing, and marks the accounts of these (turn).
func (s *Scheduler) measured() (any bool) {
	for i := range s.executorsUsed() {
		x := s.executor(i)
		if x == nil {
			continue
		}
		if n := x.measurements.Load(); n != x.weighed {
			x.weighed, any = n, true
			for _, a := range s.accountsOf(x) {
				a.fresh = true
			}
		}
	}
	return any
}

// relieve ends nets of an account that has been charged too much several times in a row, until the others fit (turn). Interrupts and
// the host of a virtual machine that take time in every tick count as time of nets: then no net is ended.
func (s *Scheduler) relieve(a *account) {
	if !a.fresh || s.config.Share == 0 {
		return
	}
	a.fresh = false
	taken := Share(a.taken.Load())
	if taken <= a.limit {
		a.over, a.told = 0, false
		return
	}
	now := s.floor()
	if a.over++; a.over == 1 {
		a.newest, a.excess = now, 0
		a.begin(&s.observer, s.observed(a.cpu))
	}
	a.excess += int64(float64(taken-a.limit) * float64(now-a.newest) / float64(WholeCPU))
	a.newest = now
	switch {
	case a.over < enough:
	case a.dispelled(&s.observer, s.observed(a.cpu), a.excess):
		a.over, a.told = 0, false
		s.makeRoom(a, taken)
	case a.explained():
		a.over = 0
		s.shrug(a, taken)
	}
}

// makeRoom ends nets until the others fit (turn).
func (s *Scheduler) makeRoom(a *account, taken Share) {
	for rest := taken - s.relieved(a); rest > a.limit; {
		last, found := s.last(a)
		if !found {
			return
		}
		rest -= s.nets.at(last).share
		load := s.blame(last, a, taken, TooMuch)
		if s.config.Overrun != AbortOverruns {
			return
		}
		life := s.nets.at(last)
		life.relief = refusal{reason: overloaded, net: Ref{last, life.generation}, load: load}
		s.release(last)
	}
}

// shrug keeps, once, that there was too much to do, but that it cannot be told whose fault that is (turn).
func (s *Scheduler) shrug(a *account, taken Share) {
	last, found := s.last(a)
	if a.told || !found {
		return
	}
	a.told = true
	s.blame(last, a, taken, Unclear)
}

// in reports whether a net is charged to an account (turn).
func (s *Scheduler) in(a *account, slot uint32) bool {
	of := s.accountsOf(s.executorOf(slot))
	return s.nets.at(slot).share > 0 && (of[0] == a || of[1] == a)
}

// relieved is the share of the nets of an account that are about to end for it (turn).
func (s *Scheduler) relieved(a *account) (share Share) {
	for _, i := range s.released.list() {
		if s.in(a, i) && s.nets.at(i).deadline > 0 {
			share += s.nets.at(i).share
		}
	}
	return share
}

// last finds the net that ends first when there is too much to do: of those that are not real-time if there are any, the one
// that was started last (turn).
func (s *Scheduler) last(a *account) (last uint32, found bool) {
	for _, i := range s.charged.list() {
		if s.resident(i) || s.nets.at(i).deadline > 0 || !s.in(a, i) {
			continue
		}
		if !found || s.goesBefore(i, last) {
			last, found = i, true
		}
	}
	return last, found
}

func (s *Scheduler) goesBefore(slot, other uint32) bool {
	if rt := s.executorOf(slot).realtime; rt != s.executorOf(other).realtime {
		return !rt
	}
	return s.nets.at(slot).order > s.nets.at(other).order
}

// blame keeps that there was too much to do, and which net is to make room, or would have to (turn).
func (s *Scheduler) blame(slot uint32, a *account, taken Share, cause IncidentCause) load {
	life, x := s.nets.at(slot), s.executorOf(slot)
	of := s.accountsOf(x)
	load := loadOf(x, a, of[0] == a, taken-life.share, life.share)
	s.overloads.add(&Incident{
		Kind: Overload, Cause: cause, Time: s.clock.Unix(s.floor()), Period: time.Duration(x.period), Realtime: x.realtime,
		Net: s.slots.at(slot).label, Cycle: s.stats(slot).cycles.Load(), Load: load.exported(s),
	})
	return load
}

// leaveIn is how long a net that is to make room may take to come to its end before it is aborted.
const leaveIn = int64(500 * time.Millisecond)

// release asks a net to come to its end (turn).
func (s *Scheduler) release(slot uint32) {
	life := s.nets.at(slot)
	life.deadline = s.floor() + leaveIn
	s.released.add(slot)
	if c := &s.farewell; len(c.cancel) > 0 && life.state == Running {
		c.cancel[0] = Ref{slot, life.generation}
		s.change(c, Overloaded)
	}
}

// endReleased aborts the nets that have not come to their end in time (turn).
func (s *Scheduler) endReleased() {
	if s.released.n == 0 {
		return
	}
	floor := s.floor()
	for _, i := range s.released.take() {
		life, c := s.nets.at(i), &s.eviction
		switch {
		case !life.runs() || life.deadline == 0 || life.stopping:
		case floor < life.deadline:
			s.released.add(i)
		case len(c.stop) > 0:
			c.stop[0] = Ref{i, life.generation}
			s.change(c, Overloaded)
		}
	}
}

// load is a Load while it is numbers.
type load struct {
	cpu                 int32 // place in Config.CPUs
	alone               bool  // the limit is that of the executor
	period              int64
	limit, taken, share Share
}

func loadOf(x *executor, a *account, alone bool, taken, share Share) load {
	return load{cpu: int32(x.cpu), alone: alone, period: x.period, limit: a.limit, taken: taken, share: share}
}

// Load is the load of a CPU when it had no time for a net.
type Load struct {
	CPU    int           // rt.AnyCPU if executors keep to none
	Period time.Duration // of the nets that share one thread, if that is what is full; zero if it is the CPU
	Limit  Share         // that nets may take
	Taken  Share         // by the other nets that run
	Share  Share         // of the net, or of all nets that are started with it
}

func (sum load) exported(s *Scheduler) Load {
	e := Load{CPU: s.cpu(int(sum.cpu)), Limit: sum.limit, Taken: sum.taken, Share: sum.share}
	if sum.alone && e.CPU == rt.AnyCPU {
		e.Period = time.Duration(sum.period)
	}
	return e
}

// Doubtful returns a text that says that the load was too high, with the name of the net that would have to make room if
// nets were known to be the reason.
func (l Load) Doubtful(net string) string {
	return fmt.Sprintf("of %s nets may have %v, the others take %v, and %s takes %v; interrupts or the host may have taken as much, so nobody is ended",
		l.Place(), l.Limit, l.Taken, net, l.Share)
}

// Place returns the name of the full CPU or thread.
func (l Load) Place() string {
	switch {
	case l.Period > 0:
		return fmt.Sprintf("the thread for cycles of %v", l.Period)
	case l.CPU == rt.AnyCPU:
		return "all CPUs"
	default:
		return fmt.Sprintf("CPU %d", l.CPU)
	}
}

// CPU is the part that nets take of a CPU, or of all CPUs when executors may use any.
type CPU struct {
	Number int   // rt.AnyCPU for all
	Taken  Share // by the nets that run
	Limit  Share // that they may take; zero for no limit
}

// CPUs describes the CPUs of executors.
func (s *Scheduler) CPUs() (list []CPU) {
	for i := range max(1, len(s.config.CPUs)) {
		a := s.accounts.at(uint32(maxExecutors + i))
		list = append(list, CPU{s.cpu(i), Share(a.taken.Load()), a.limit})
	}
	return list
}
