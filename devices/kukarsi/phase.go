package kukarsi

import "github.com/softrobot-rcc/rccd/rcc/device"

// phase is whether the robot may be moved, and if not why.
type phase uint32

const (
	offline   phase = iota // no controller calls
	between                // a session ended as asked; the next one is to come
	listening              // a controller calls, and the driver finds out what the controller holds: no answers
	unknown                // what the controller holds cannot be known: no answers, so that it ends its session
	blind                  // telegrams without positions, or with positions that are too coarse
	reading                // the first step of figure 11.11
	refused                // the robot is not where it should be
	stopped                // emergency stop
	unpowered
	disarmed // after one of these two, in the same session
	broken   // telegrams were missing for too long, and the controller has not ended the session
	changing // a tool
	leaving  // the device is being closed
	ready    // under control from outside
	phases
)

// event is what a telegram, or the lack of telegrams, means for the phase. Of several that apply the first one counts.
type event uint8

const (
	lost          event = iota // no telegrams, or another session has begun
	ended                      // the same, after answers with the stop bit
	doubt                      // too little is known yet of what the controller holds
	mystery                    // too little will be known
	emergencyStop              // status of the controller
	powerOff                   // status of the controller
	noPositions
	readOnly   // status of the controller
	gap        // the session goes on after a silence
	gapInSteps // the same, of a program with a step in which positions are read
	elsewhere  // corrections may begin, but the robot is not where it should be
	beginning  // corrections may begin
	rearmed    // the robot was re-armed, and it is where it was commanded to be
	cellStop   // emergency stop of the cell, and joints rest
	toolChange // a tool is wanted, and joints rest
	closing    // the device is being closed, and joints rest
	usual      // none of these
	events
)

// moments is a set of events.
type moments uint32

// calm are the events of telegrams that report no stop.
const calm = moments(1<<events-1) &^ (1<<lost | 1<<ended | 1<<doubt | 1<<mystery | 1<<emergencyStop | 1<<powerOff)

// set is a set of phases.
type set uint32

func of(list ...phase) (s set) {
	for _, p := range list {
		s |= 1 << p
	}
	return s
}

const everywhere = set(1<<phases - 1)

// silent are phases in which telegrams are not answered.
const silent = set(1<<offline | 1<<between | 1<<listening | 1<<unknown)

// rule is a row of the table of transitions: in some phases an event leads to another one.
type rule struct {
	in  set
	on  moments
	to  phase
	why string // for people
}

// rules are the table of transitions (docs/adr/0027). Without a row that fits nothing changes; of several the last one counts.
var rules = [...]rule{
	{everywhere, 1 << lost, offline, "the session ended"},
	{everywhere, 1 << ended, between, "the program ended the session as asked"},
	{of(offline, between, listening, unknown, leaving), 1 << ended, offline, "the controller no longer calls"},
	{everywhere, 1 << doubt, listening, "telegrams are out of sequence, and it is not clear yet what the controller holds"},
	{everywhere, 1 << mystery, unknown, "it is not known which corrections the controller holds: no answers until it has ended its session"},

	{everywhere &^ of(offline, between), 1 << emergencyStop, stopped, "the controller reports an emergency stop"},
	{everywhere &^ of(offline, between), 1 << powerOff, unpowered, "the controller reports that drives are off"},
	{of(stopped), calm, disarmed, "the controller's emergency stop is over, and the session goes on"},
	{of(unpowered), calm, disarmed, "drives have power again, and the session goes on"},
	{of(disarmed), 1 << rearmed, ready, "the robot was re-armed"},

	{of(listening, unknown, ready, reading, changing), 1 << noPositions, blind, "telegrams lack positions, or have too few digits"},
	{of(listening, unknown, blind, ready), 1 << readOnly, reading, "the program is having positions read"},
	{of(listening, unknown, blind), 1 << elsewhere, refused, "the robot is not where it should be"},
	{of(listening, unknown, blind), 1 << beginning, ready, "a session without corrections began"},
	{of(blind), 1 << usual, ready, "telegrams have positions again"},
	{of(listening, unknown), 1 << gapInSteps, broken, "telegrams were missing for too long, and the session goes on: the program is sent back to where positions are read"},
	{of(listening, unknown), 1 << gap, disarmed, "telegrams were missing for too long, and the session goes on"},

	{of(ready, changing), 1 << cellStop, disarmed, "the cell's emergency stop was pressed"},
	{of(ready), 1 << toolChange, changing, "a net wants another tool"},
	{of(changing), 1 << usual, ready, "the tool is no longer wanted"},
	{of(ready, changing), 1 << closing, leaving, "the device is being closed"},
}

// transitions are the rules as a table: the phase that follows, and the rule, from 1.
var transitions = tabulate()

type transition struct {
	to   phase
	rule int32
}

func tabulate() (t [phases][events]transition) {
	for p := range phases {
		for e := range events {
			t[p][e].to = p
		}
	}
	for i, r := range rules {
		for p := range phases {
			if r.in&(1<<p) != 0 {
				for e := range events {
					if r.on&(1<<e) != 0 {
						t[p][e] = transition{r.to, int32(i + 1)}
					}
				}
			}
		}
	}
	return t
}

// after returns the phase that an event leads to, and the number of the rule (cycle).
func (p phase) after(e event) (next phase, rule int32) {
	if uint(p) >= uint(phases) || uint(e) >= uint(events) {
		return p, 0
	}
	t := &transitions[p][e]
	return t.to, t.rule
}

// is reports whether a phase is one of some (cycle).
func (p phase) is(s set) bool { return s&(1<<(p%phases)) != 0 }

// words are what the robot shows its operator.
var words = [phases]string{
	offline: "", between: "", listening: "", unknown: "", blind: "rccd: no positions", reading: "rccd: reading positions", refused: "rccd: start refused",
	stopped: "rccd: emergency stop", unpowered: "rccd: drives are off", disarmed: "rccd: not armed", broken: "rccd: telegrams were missing", changing: "rccd: changing the tool",
	leaving: "rccd: control has ended", ready: "rccd: control",
}

// Faults of joints of this driver.
const (
	faultOffline device.JointFault = device.JointOwnFaults + iota
	faultReading
	faultRefused
	faultDisarmed
	faultChanging
	faultHeld // a net that commanded before has not let go
	faultSlow // a net is faster than axes are led that stay near where they are measured
	ownFaults // ends them
)

// fault returns what joints show (cycle).
func (p phase) fault() device.JointFault {
	switch p {
	case ready:
		return device.JointGood
	case stopped, unpowered:
		return device.JointDrivesOff
	case reading:
		return faultReading
	case refused, blind, unknown:
		return faultRefused
	case disarmed, broken:
		return faultDisarmed
	case changing, between:
		return faultChanging
	default:
		return faultOffline
	}
}

// stops reports whether the program is asked to end the session (cycle).
func (p phase) stops(twoSteps bool) bool {
	switch p {
	case reading, changing, leaving, broken:
		return true
	case refused: // the program goes back to reading; without that step it would end
		return twoSteps
	default:
		return false
	}
}
