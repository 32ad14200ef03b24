package kukafri

import (
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// control is how far the robot is under control.
type control struct {
	talk    *krl.Talk
	armed   bool // command mode is wanted
	engaged bool // set-points are sent
	holding bool // the program is switching something while joints stay where they are commanded

	strategy device.Strategy // that is asked for
	loads    bool            // the talk tells of a load that nets have asked for
	begun    bool            // a talk of nets
}

// phase is what the robot is doing, as people see it.
type phase uint32

const (
	offline phase = iota
	monitored
	rating // answers
	starting
	switching
	powerless
	elsewhere
	disarmed
	commanded
)

// loss is why command mode ended.
type loss uint32

const (
	neverLost loss = iota
	leftCommandMode
	lostConnection
	programFailed
	beyondLimits
	byPeople
	byStop
)

func (l loss) String() string {
	switch l {
	case leftCommandMode:
		return "the robot has left command mode"
	case lostConnection:
		return "the connection was lost in command mode"
	case programFailed:
		return "the KRL program did not do what it was asked"
	case beyondLimits:
		return "what was to be sent was beyond limits"
	case byPeople:
		return "somebody has taken the robot out of command mode"
	case byStop:
		return "emergency stop of the cell"
	}
	return ""
}

// Faults of joints that are the driver's own.
const (
	faultOffline   = device.JointOwnFaults
	faultMonitored = device.JointOwnFaults + 1
	faultSwitching = device.JointOwnFaults + 2
)

func (p phase) fault() device.JointFault {
	switch p {
	case offline:
		return faultOffline
	case powerless:
		return device.JointDrivesOff
	case switching:
		return faultSwitching
	case elsewhere:
		return device.JointElsewhere
	}
	return faultMonitored
}

const (
	wishArm    = 1
	wishDisarm = 2
)

func (r *Robot) cycle() time.Duration { return time.Duration(r.session.period*1e9 + 0.5) }

// disarm ends control until somebody asks for it (cycle).
func (r *Robot) disarm(why loss) {
	r.session.armed = r.config.Resume && why != byPeople && why != beyondLimits && why != byStop
	r.shown.loss.Store(uint32(why))
}

// control decides what is sent (cycle).
func (r *Robot) control(before wire.State) {
	s := &r.session
	r.listen()
	if before == wire.Command && s.now.State != wire.Command && s.talk.Progress() != krl.Busy {
		r.disarm(leftCommandMode)
	}
	switch s.talk.Step(&s.now.KRL, &s.out.KRL, s.now.State, s.time) {
	case krl.Done:
		r.complete()
	case krl.Refused, krl.Silent:
		r.disarm(programFailed)
		r.fail()
	}
	if s.talk.Progress() != krl.Busy {
		s.holding = false
		r.ask()
	}
	now := r.phase()
	r.shown.phase.Store(uint32(now))
	switch {
	case now == commanded:
		r.lead()
	case s.holding && s.now.State == wire.Monitor && s.now.Powered() && r.rests():
		s.sent = s.mirror
	default:
		s.engaged = false
		s.holding = s.holding && now == switching
		r.block(now)
		s.sent = s.mirror
	}
}

// listen does what people wish. As long as there is an emergency stop of the cell they cannot arm the robot.
func (r *Robot) listen() {
	s := &r.session
	switch r.wish.Swap(0) {
	case wishArm:
		s.armed = true
		r.shown.loss.Store(uint32(neverLost))
	case wishDisarm:
		r.disarm(byPeople)
	}
	if r.stop.Pressed() && s.armed && !s.engaged {
		r.disarm(byStop)
	}
}

// phase is what the newest telegram and the talk with the program make of the state.
func (r *Robot) phase() phase {
	s := &r.session
	busy := s.talk.Progress() == krl.Busy
	switch {
	case !s.now.Powered():
		return powerless
	case s.now.State == wire.Command && !s.armed:
		return disarmed
	case s.now.State == wire.Command && (s.engaged || !r.apart()):
		return commanded
	case s.holding:
		return switching
	case r.apart():
		return elsewhere
	case busy:
		return starting
	case !s.armed:
		return disarmed
	case s.now.State == wire.Monitor && s.now.Quality < wire.Fine:
		return rating
	}
	return monitored
}

// apart tells whether joints are measured away from where they are commanded: they would jump there.
func (r *Robot) apart() bool {
	s := &r.session
	for i := range s.mirror {
		if !(math.Abs(s.measured[i].Pos-s.mirror[i]) < r.config.Apart) {
			return true
		}
	}
	return false
}

// lead sends what nets command. By an emergency stop of the cell joints come to rest within their limits, and the robot is left
// to itself.
func (r *Robot) lead() {
	s := &r.session
	if !s.engaged {
		for i := range s.sent {
			if !s.holding {
				r.axes.Expel(i, device.JointDrivesOff)
			}
		}
		s.sent = s.mirror
	}
	s.engaged = true
	stop := r.stop.Pressed()
	for i := range s.sent {
		r.axes.Unblock(i)
		if stop {
			r.axes.Expel(i, device.JointDrivesOff)
		}
	}
	r.follow()
	if !r.sound() {
		r.disarm(beyondLimits)
		s.engaged = false
		r.block(disarmed)
		return // what was sent stays
	}
	rests := s.values == s.sent
	s.sent = s.values
	if stop && rests {
		r.disarm(byStop)
	}
}

// follow brings joints to the time of the telegram, cycle by cycle also where telegrams are missing: the robot has gone on
// meanwhile, and so have nets.
func (r *Robot) follow() {
	s := &r.session
	period := int64(s.period*1e9 + 0.5)
	for missing := min(s.lost, mostMissing); missing > 0; missing-- {
		r.axes.Values(s.time-int64(missing)*period, s.values[:])
	}
	r.axes.Values(s.time, s.values[:])
}

// mostMissing is more telegrams than may be lost in a session.
const mostMissing = 200

// sound tells whether values may be sent after those that were sent before.
func (r *Robot) sound() bool {
	s := &r.session
	const digits = 1e-6 // that single precision makes of a position
	span := s.period * float64(1+s.lost)
	for i, v := range s.values {
		if step := math.Abs(v - s.sent[i]); !(step <= r.limits[i]*(1+2*r.config.Margin)*span+digits) {
			return false
		}
	}
	return true
}

// rests tells whether nets leave joints where the robot has them, while the program switches.
func (r *Robot) rests() bool {
	s := &r.session
	r.axes.Values(s.time, s.values[:])
	for i, v := range s.values {
		if !(math.Abs(v-s.mirror[i]) < 2e-6) {
			return false
		}
	}
	return true
}

// block tells that joints cannot be commanded, and where they are.
func (r *Robot) block(why phase) {
	s := &r.session
	for i, at := range s.mirror {
		r.axes.Block(i, why.fault(), at)
	}
	r.axes.Values(s.time, s.values[:])
}

// ask begins a talk with the program when there is something to ask for.
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
	case s.now.State == wire.Command && !s.armed && r.asked():
		s.talk.Begin(&krl.Goal{}, s.time)
	case !s.armed || !s.now.Powered() || r.apart():
	case s.now.State == wire.Command && (changes || load != nil) && s.engaged:
		s.holding = true
		r.talkAbout(load, changes)
	case s.now.State == wire.Monitor && s.now.Quality >= wire.Fine:
		r.talkAbout(load, changes)
	}
}

// asked tells that people want the robot out of command mode; otherwise whoever keeps it there has a reason.
func (r *Robot) asked() bool {
	why := loss(r.shown.loss.Load())
	return why == byPeople || why == byStop
}

// talkAbout asks for command mode with what is wanted.
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

// choose looks whether nets want another strategy, and refuses what cannot be.
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
	case !s.armed:
		why = device.StrategyFailed
	case s.now.State == wire.Command && s.strategy == r.Strategy():
	case !r.kind.TellsStrategy():
		why = device.StrategyFailed
	case r.apart():
		why = device.StrategyApart
	default:
		return true
	}
	r.switching.End(int32(why))
	return false
}

// complete tells nets that the program has done what they have asked for.
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

// fail tells nets that it has not.
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
