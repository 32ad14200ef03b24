package krc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Scenario is a controller, a network, and what happens: everything that a run follows from. Protocol is RSI or FRI, the
// options of the other one are not used.
type Scenario struct {
	Seed     uint64
	Protocol Protocol
	RSI      RSIOptions
	FRI      FRIOptions
	Net      NetOptions
	Events   []Event       // by Cycle
	Cycles   int           // of the controller
	Quiet    time.Duration // before the first telegram, in which the driver already runs
	Believes time.Duration // the cycle that the driver is configured with, which may be wrong
}

// Protocol of a scenario.
type Protocol uint8

// Protocols.
const (
	ProtocolRSI Protocol = iota
	ProtocolFRI
)

// Event is something that happens at the beginning of a cycle.
type Event struct {
	Cycle int
	What  What
	N     int           // of cycles or parcels
	Ago   int           // of Replay: parcels before the newest
	For   time.Duration // of Hold and Hang
	Way   Way
}

// A What is a kind of event.
type What uint8

// Kinds of events.
const (
	Lose      What = iota // N parcels of a way
	HoldUp                // parcels of a way, For a time, then all at once
	Replay                // N parcels of a way once more, Ago parcels old
	Hang                  // the driver takes nothing For a time; telegrams queue
	Kill                  // the driver is killed and started again, after For
	Stranger              // N telegrams of another address, copies of the newest, or of the first before there is one
	Junk                  // N datagrams without meaning from the controller's address
	Restart               // RSI ends and begins again after N cycles; FRI is closed and opened again
	RestartAt             // the same, from another port of the controller
	Freeze                // the controller sends nothing for N cycles, and counts nothing
	Jog                   // RSI ends, the operator moves the arm, RSI begins again after N cycles
	whats                 // how many there are
)

func (w What) String() string {
	return [...]string{"lose", "hold up", "replay", "hang", "kill", "stranger", "junk", "restart", "restart at another port", "freeze", "jog"}[w]
}

func (e Event) String() string {
	way := "telegrams"
	if e.Way == In {
		way = "answers"
	}
	s := fmt.Sprintf("cycle %d: %v", e.Cycle, e.What)
	switch e.What {
	case Lose:
		return fmt.Sprintf("%s %d %s", s, e.N, way)
	case HoldUp:
		return fmt.Sprintf("%s %s for %v", s, way, e.For)
	case Replay:
		return fmt.Sprintf("%s %d %s, %d old", s, e.N, way, e.Ago)
	case Hang, Kill:
		return fmt.Sprintf("%s for %v", s, e.For)
	}
	return fmt.Sprintf("%s %d", s, e.N)
}

func (s *Scenario) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %d cycles\n", s.Seed, s.Cycles)
	if s.Protocol == ProtocolRSI {
		fmt.Fprintf(&b, "RSI %+v\n", s.RSI)
	} else {
		fmt.Fprintf(&b, "FRI %+v\n", s.FRI)
	}
	fmt.Fprintf(&b, "net %+v", s.Net)
	return b.String()
}

// Random draws a scenario: a controller and a network of every kind that there is, and events.
func Random(p Protocol, seed uint64) Scenario {
	r := rand.New(rand.NewPCG(seed, uint64(p)+1))
	s := Scenario{Seed: seed, Protocol: p, Cycles: 500 + r.IntN(1500)}
	var cycle time.Duration
	if p == ProtocolRSI {
		s.RSI = randomRSI(r)
		cycle = s.RSI.Cycle
	} else {
		s.FRI = randomFRI(r)
		cycle = s.FRI.Cycle
	}
	s.Net = randomNet(r, cycle)
	s.Quiet = pick(r, 0, time.Second, 20*time.Second)
	if s.Believes = cycle; odds(r, 8) {
		s.Believes = pick(r, cycle/2, 3*cycle)
	}
	if odds(r, 8) {
		s.Events = append(s.Events, Event{Cycle: pick(r, 0, 0, 50), What: Stranger, N: 1})
	}
	for at := 150 + r.IntN(150); at < s.Cycles; at += 1 + r.IntN(300) {
		if e := randomEvent(r, at, cycle); !s.replacedWhileFrozen(e, cycle) {
			s.Events = append(s.Events, e)
		}
	}
	if p == ProtocolRSI {
		s.waits(r)
	}
	return s
}

// waits makes some of the simulators that count exchanges such as wait for an answer for a second, half of these with the same
// IPOC, and lets some programs begin before the driver does, or only just after it.
func (s *Scenario) waits(r *rand.Rand) {
	if s.RSI.Exchange > 0 && odds(r, 2) {
		s.RSI.Exchange, s.RSI.Resend = time.Second, odds(r, 2)
		if odds(r, 2) {
			s.RSI.FromZero = true
		}
	}
	if odds(r, 6) {
		begins := Event{Cycle: r.IntN(pick(r, 1, 5, 30)), What: Kill, For: time.Duration(r.Int64N(int64(pick(r, s.RSI.Cycle, 20*s.RSI.Cycle)))) + 1}
		s.Events = append([]Event{begins}, s.Events...)
		slices.SortStableFunc(s.Events, func(a, b Event) int { return a.Cycle - b.Cycle })
	}
}

// replacedWhileFrozen reports whether an event would let the driver be replaced within a second of a time in which the controller
// counts nothing. Such a controller looks like one that has just begun: it holds corrections, and Delay is 0. Only a paused simulator
// does that, and drivers take for granted that nobody restarts them in that very moment.
func (s *Scenario) replacedWhileFrozen(e Event, cycle time.Duration) bool {
	second := int(time.Second/cycle) + 1
	lasts := func(e Event) int {
		if e.What == Freeze {
			return e.N
		}
		return int(e.For/cycle) + second
	}
	for _, before := range s.Events {
		if (before.What == Freeze && e.What == Kill || before.What == Kill && e.What == Freeze) && e.Cycle <= before.Cycle+lasts(before) {
			return true
		}
	}
	return false
}

func randomRSI(r *rand.Rand) RSIOptions {
	o := RSIOptions{
		Cycle: 4 * time.Millisecond, GoesOn: odds(r, 3), Relative: odds(r, 4), Delay: pick(r, DelayTotal, DelayTotal, DelayTotal, DelayInRow, DelayZero, DelayAbsent),
		Timeout: pick(r, 100, 100, 10, 30, 1000), TimeoutInRow: odds(r, 3), Setpoint: pick(r, SetpointSum, SetpointSum, SetpointProgrammed, SetpointAbsent),
		NoActual: odds(r, 10), Lag: pick(r, 0, 1, 3, 20, 30), Precision: pick(r, 4, 4, 1, 6), First: pick[uint64](r, 1, 4_485_717, 1<<32-100, 1<<53), Step: pick[uint64](r, 0, 0, 1),
	}
	if odds(r, 3) {
		o.Cycle = 12 * time.Millisecond
	}
	o.Again = pick(r, 20, o.Timeout, 2*o.Timeout)
	if odds(r, 6) {
		o.GoesOn = false // a simulator that is started again begins again
		o.Exchange = pick(r, o.Cycle, 5*o.Cycle, time.Second)
	}
	o.Window = o.Cycle * time.Duration(pick(r, 4, 4, 3, 2, 1)) / 4
	return o
}

func randomNet(r *rand.Rand, cycle time.Duration) NetOptions {
	switch r.IntN(4) {
	case 0:
		return NetOptions{}
	case 1:
		return NetOptions{Delay: cycle / 20, Jitter: cycle / 10}
	case 2:
		return NetOptions{Delay: cycle / 10, Jitter: cycle / 2, Loss: 0.01, Duplicate: 0.01, Age: 100 * time.Millisecond}
	}
	return NetOptions{Jitter: cycle, Loss: 0.05, Duplicate: 0.05, Age: time.Second, Overtake: true}
}

func randomEvent(r *rand.Rand, at int, cycle time.Duration) Event {
	e := Event{Cycle: at, What: What(r.IntN(int(whats))), Way: Way(r.IntN(2)), N: 1 + r.IntN(5), Ago: 1 + r.IntN(1+at)}
	e.For = time.Duration(r.Int64N(int64(pick(r, 2*cycle, 10*cycle, 30*cycle, time.Second)))) + 1
	switch e.What {
	case Lose, Freeze:
		e.N = 1 + r.IntN(pick(r, 1, 3, 20, 200))
	case Replay:
		e.Ago = min(e.Ago, pick(r, 3, 20, at))
	case Restart, RestartAt, Jog:
		e.N = r.IntN(pick(r, 1, 3, 100))
	}
	return e
}

func odds(r *rand.Rand, oneIn int) bool { return r.IntN(oneIn) == 0 }

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomFRI(r *rand.Rand) FRIOptions {
	o := FRIOptions{
		Cycle: pick(r, time.Millisecond, 2*time.Millisecond, 2*time.Millisecond, 5*time.Millisecond, 10*time.Millisecond), Bridge: pick(r, -1, 1, 3, 3, 10),
		Holds: odds(r, 4), Ordered: odds(r, 2), Lag: pick(r, 0, 1, 5), Behind: odds(r, 4), Limits: pick(r, 1, 1, 0.3), Strict: odds(r, 2),
		Lenient: odds(r, 2),
	}
	o.Window = o.Cycle * time.Duration(pick(r, 4, 4, 3, 2)) / 4
	return o
}
