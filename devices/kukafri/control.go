package kukafri

import (
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// control is how much of the robot is under control.
type control struct {
	phase   phase
	signals signals
	away    reason // why the driver does not want command mode
	talk    *krl.Talk

	strategy device.Strategy // that nets ask for
	loads    bool            // the talk is about a load that nets asked for
	begun    bool            // a talk of nets
}

const (
	wishArm    = 1
	wishDisarm = 2
)

func (r *Robot) cycle() time.Duration { return time.Duration(r.session.period*1e9 + 0.5) }

// disarm ends control until it is requested (cycle).
func (r *Robot) disarm(why reason) {
	r.session.away = why
	if r.config.Resume && !why.here() {
		r.session.away = wantedStill
	}
	r.shown.loss.Store(uint32(why))
}

// control decides what to answer, and reports whether to answer at all (cycle).
func (r *Robot) control(before wire.State, late bool) (answers bool) {
	s := &r.session
	r.listen()
	busy := s.talk.Progress() == krl.Busy
	switch s.talk.Step(&s.now.KRL, &s.out.KRL, s.now.State, s.time) {
	case krl.Done:
		r.complete()
	case krl.Refused, krl.Silent:
		r.disarm(programFailed)
		r.fail()
	}
	s.signals = r.signs(before == wire.Command && !busy)
	was := s.phase
	to, why := was.next(s.signals)
	s.phase = to
	if why == leftCommandMode {
		why = r.whyLeft()
	}
	if why != wantedStill {
		r.disarm(why)
		s.signals = s.signals&^wanted | wanted.when(s.away == wantedStill)
	}
	if s.talk.Progress() != krl.Busy {
		r.ask()
	}
	r.shown.phase.Store(uint32(to))
	r.shown.signals.Store(uint32(s.signals))
	r.note(was, to)
	return r.act(was, late)
}

// listen does what people asked for. While the cell's emergency stop is pressed they cannot arm the robot.
func (r *Robot) listen() {
	s := &r.session
	switch r.wish.Swap(0) {
	case wishArm:
		s.away = wantedStill
		r.shown.loss.Store(uint32(wantedStill))
	case wishDisarm:
		r.disarm(byPeople)
	}
	switch {
	case r.closing.Load():
		r.disarm(byClosing)
	case r.stop.Pressed() && s.away == wantedStill:
		r.disarm(byStop)
	}
}

// signs returns the signals of the newest telegram. With mayLeave only the controller itself can be the one that leaves command mode.
func (r *Robot) signs(mayLeave bool) signals {
	s := &r.session
	springs := s.springs == ours || r.Strategy() == device.PositionControl
	return powered.when(s.now.Powered()) |
		commanded.when(s.now.State == wire.Command) |
		left.when(s.now.State != wire.Command && mayLeave) |
		talking.when(s.talk.Progress() == krl.Busy) |
		sighted.when(s.sight.clarity == known && springs) |
		nearby.when(!r.apart()) |
		wanted.when(s.away == wantedStill) |
		rated.when(s.now.Quality >= wire.Fine)
}

// apart reports whether joints are so far from where they are commanded that they would jump there.
func (r *Robot) apart() bool {
	s := &r.session
	for i := range s.measured {
		if !(math.Abs(s.measured[i].Pos-s.sight.mirror[i]) < r.config.Apart) {
			return true
		}
	}
	return false
}

// act does what the phase is about, and reports whether to answer the telegram. A late one gets no answer: the controller no longer
// waits for it, and set-points of its time are past.
func (r *Robot) act(was phase, late bool) (answers bool) {
	s := &r.session
	switch s.phase {
	case leading:
		if late {
			return false
		}
		if !inLead.has(was) {
			r.takeOver()
		}
		return r.lead()
	case stopping:
		if late {
			return false
		}
		return r.halt()
	case switching:
		if !r.undisturbed() {
			r.block()
		}
		s.sent = s.sight.mirror
		return !late
	case mirroring:
		r.block()
		s.sent = s.sight.mirror
		return !late && s.sight.clarity == known
	case searching:
		return false
	}
	r.block()
	return false
}

// takeOver lets nets that begin now command joints from where the controller has them.
func (r *Robot) takeOver() {
	s := &r.session
	for i := range s.sent {
		r.axes.Unblock(i)
		r.axes.Revoke(i, device.JointDrivesOff)
		r.axes.Stands(i, s.sight.pos[i], s.sight.step[i]/s.period)
		s.values[i] = s.sight.pos[i]
	}
}

// lead answers what nets command, as far as joints can get there from where the controller has them.
func (r *Robot) lead() bool {
	s := &r.session
	for i := range s.values {
		r.axes.Unblock(i)
		if at := s.sight.pos[i]; !(math.Abs(s.values[i]-at) <= 2*grain) {
			r.axes.Stands(i, at, s.sight.step[i]/s.period)
			s.values[i] = at
		}
	}
	before := s.values
	r.axes.Values(s.time, s.values[:])
	for i, to := range s.values {
		s.sent[i] = r.reach(i, to, (to-before[i])/s.period)
	}
	return true
}

// reach returns how far a joint gets in one cycle of the controller towards a position that moves by itself. It keeps the invariant.
func (r *Robot) reach(i int, to, speed float64) float64 {
	s := &r.session
	if uint(i) >= seven {
		return 0
	}
	at, step := s.sight.pos[i], s.sight.step[i]
	if !(math.Abs(to) < far) {
		to, speed = at, 0 // it comes to rest
	}
	x := &r.limits[i]
	most := x.Velocity*s.share()*s.period - drift // in a cycle
	change := x.Acceleration * s.period * s.period
	change = max(change, slack*change-2*grain)
	if way := to - at; math.Abs(way) <= most && math.Abs(way-step) <= change {
		return float64(float32(to)) // limits of position are those of the axes
	}
	b := setpoint.Bounds{Vel: most / s.period, Acc: change / (s.period * s.period), Span: s.period}
	next, _ := b.Within(at, step/s.period, to, min(max(speed, -x.Velocity), x.Velocity), min(x.Min, at), max(x.Max, at))
	return float64(float32(next))
}

// share returns how much of the limits of velocity the controller allows: friStart(share).
func (s *session) share() float64 {
	if is := float64(s.now.SafetyLimits); is > 0 && is < 1 {
		return is
	}
	return 1
}

// halt brings joints to rest within their limits, and leaves them there.
func (r *Robot) halt() bool {
	s := &r.session
	if r.rests() {
		s.sent = s.sight.pos
		r.block()
		return true
	}
	for i := range s.sent {
		r.axes.Unblock(i)
		r.axes.Revoke(i, device.JointDrivesOff)
	}
	return r.lead()
}

// rests reports whether the controller commands rest.
func (r *Robot) rests() bool { return near(&r.session.sight.step, &[seven]float64{}, drift) }

// undisturbed reports whether nets leave joints where the robot has them, while the program switches.
func (r *Robot) undisturbed() bool {
	s := &r.session
	r.axes.Values(s.time, s.values[:])
	return near(&s.values, &s.sight.mirror, 2*grain)
}

// block keeps nets from commanding joints, and shows where they are.
func (r *Robot) block() {
	s := &r.session
	why := fault(s.phase, s.signals)
	for i, at := range s.sight.mirror {
		r.axes.Block(i, why, at)
	}
	r.axes.Values(s.time, s.values[:])
}

// ask begins to talk with the program when something is wanted of it.
func (r *Robot) ask() {
	s := &r.session
	r.Take(s.time)
	load, _ := r.Coming()
	if load != nil && !r.kind.TellsLoad() {
		r.Refuse(device.PayloadFailed)
		load = nil
	}
	changes := r.choose()
	switch {
	case s.phase == stopping && s.away.here() && r.rests():
		s.talk.Begin(&krl.Goal{}, s.time)
	case !s.signals.has(wanted | powered | nearby):
	case s.phase == leading && (changes || load != nil), !s.signals.has(commanded) && s.signals.has(rated):
		r.talkAbout(load, changes)
	}
}

// talkAbout asks for command mode with a load, or with another strategy.
func (r *Robot) talkAbout(load *device.Payload, changes bool) {
	s := &r.session
	goal := krl.Goal{Run: true, Strategy: r.Strategy()}
	if changes {
		goal.Strategy = s.strategy
	}
	if s.loads = load != nil; !s.loads {
		load = &r.Carried
	}
	goal.Load = krl.Load(load)
	s.begun = changes
	s.talk.Begin(&goal, s.time)
}

// choose reports whether nets want another strategy, and refuses what is impossible.
func (r *Robot) choose() (changes bool) {
	s := &r.session
	var words [2]uint64
	if r.switching.Next(words[:], s.time) {
		s.strategy = device.Strategy(uint32(words[1]))
	}
	if !r.switching.Pending() {
		return false
	}
	why := device.StrategyGood
	switch {
	case !s.strategy.Known():
		why = device.StrategyUnknown
	case !s.now.Powered():
		why = device.StrategyNoPower
	case s.away != wantedStill:
		why = device.StrategyFailed
	case s.now.State == wire.Command && s.strategy == r.Strategy():
	case !r.kind.TellsStrategy():
		why = device.StrategyFailed
	case !s.signals.has(nearby):
		why = device.StrategyApart
	default:
		return true
	}
	r.switching.End(int32(why))
	return false
}

// complete lets nets know that the program has done what they asked for.
func (r *Robot) complete() {
	s := &r.session
	if s.loads {
		r.Complete()
	}
	if s.begun {
		why := device.StrategyGood
		if s.strategy != r.Strategy() {
			why = device.StrategyFailed
		}
		r.switching.End(int32(why))
	}
	s.loads, s.begun = false, false
}

// fail lets nets know that it has not.
func (r *Robot) fail() {
	s := &r.session
	if s.loads {
		r.Refuse(device.PayloadFailed)
	}
	if s.begun {
		r.switching.End(int32(device.StrategyFailed))
	}
	s.loads, s.begun = false, false
}
