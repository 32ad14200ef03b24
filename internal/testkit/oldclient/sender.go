package oldclient

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Sender is a way to tell states, as simple as it can be said. States of a net that have to wait are replaced by newer ones
// if Newest is set, and queue otherwise.
type Sender struct {
	Net        time.Duration // between two states of a net
	Connection time.Duration // between two states of any nets
	Running    time.Duration // between RUNNING and the next state of a net
	Newest     bool
}

// Burst are motions without length: what happens to Nets nets that are started at once, at random times within a few
// milliseconds, by seed. Each has one result.
type Burst struct {
	Nets int
	Seed uint64
}

// step is a state that a net enters.
type step struct {
	at    time.Duration
	net   int
	state string
}

func (b Burst) steps() (steps []step, commands []Command) {
	chance := rand.New(rand.NewPCG(b.Seed, 2))
	for n := range b.Nets {
		commands = append(commands, Command{Net: fmt.Sprintf("n%d", n), Result: "outdone"})
		at := time.Duration(chance.Int64N(int64(2 * time.Millisecond)))
		for i, state := range []string{"READY", "SCHEDULED", "RUNNING", "TERMINATED"} {
			if i == 1 {
				at += 20 * time.Millisecond // rules are made in between
			}
			steps = append(steps, step{at, n, state})
			at += time.Duration(chance.Int64N(int64(2 * time.Millisecond)))
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	return steps, commands
}

// Send returns what happens to the nets. It also returns how long a state had to wait at most.
func (s Sender) Send(b Burst) (frames []Frame, commands []Command, longest time.Duration) {
	steps, commands := b.steps()
	waiting := make([][]step, b.Nets) // by net
	last := make([]step, b.Nets)      // that was told
	var told time.Duration            // when any was, except the first of a net
	for now := time.Duration(0); len(steps) > 0 || slices.ContainsFunc(waiting, func(w []step) bool { return len(w) > 0 }); now += 100 * time.Microsecond {
		for ; len(steps) > 0 && steps[0].at <= now; steps = steps[1:] {
			n := steps[0].net
			if s.Newest {
				waiting[n] = nil
			}
			waiting[n] = append(waiting[n], steps[0])
		}
		for range waiting { // who was told longest ago comes first
			n := s.next(waiting, last, now, told)
			if n < 0 {
				break
			}
			next := waiting[n][0]
			if waiting[n] = waiting[n][1:]; next.state == "TERMINATED" {
				frames = append(frames, Frame{now, fmt.Sprintf(`n%d=nc({outdone:"true"})`, n)})
			}
			frames = append(frames, Frame{now, fmt.Sprintf(`n%d=ns("%s")`, n, next.state)})
			if longest = max(longest, now-next.at); next.state != "READY" {
				told = now
			}
			last[n] = step{now, n, next.state}
		}
	}
	return frames, commands, longest
}

// next returns the net whose state is to be told now, -1 for none.
func (s Sender) next(waiting [][]step, last []step, now, told time.Duration) int {
	best := -1
	for n, w := range waiting {
		if len(w) == 0 {
			continue
		}
		first := last[n].state == ""
		since := now - last[n].at
		pause := s.Net
		if last[n].state == "RUNNING" {
			pause = max(pause, s.Running)
		}
		if !first && (since < pause || told > 0 && now-told < s.Connection) {
			continue
		}
		if best < 0 || last[n].at < last[best].at {
			best = n
		}
	}
	return best
}
