package frisim

import (
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// judge rates answers.
type judge struct {
	count  uint16 // of the newest telegram
	answer wire.Answer
	heard  bool // there has been an answer
	timely bool // to the newest telegram
	gap    int  // telegrams in a row without one in time
	recent [window]bool

	at       int
	good     int // of recent
	missed   uint32
	forced   wire.Quality
	isForced bool
}

// window is how many cycles count for the rating.
const window = 100

func (j *judge) open() { *j = judge{forced: j.forced, isForced: j.isForced} }

// next ends the time for the answer to the newest telegram, and reports whether it has come.
func (j *judge) next() bool {
	was := j.timely
	if j.recent[j.at] {
		j.good--
	}
	j.recent[j.at] = was
	if was {
		j.good++
		j.gap = 0
	} else {
		j.gap++
		j.missed++
	}
	j.at = (j.at + 1) % window
	j.timely = false
	return was
}

// verdict is the fate of an answer.
type verdict uint8

const (
	taken verdict = iota
	late
	outdated
	garbage
)

// take looks at an answer. Those that are not newer than what has been heard are dropped, and those to telegrams before the
// newest one are late.
func (j *judge) take(b []byte) verdict {
	var a wire.Answer
	switch {
	case a.Decode(b) != wire.Good:
		return garbage
	case j.heard && !wire.Newer(a.Count, j.answer.Count):
		return outdated
	}
	inTime := a.Reflected == j.count
	j.heard = true
	if !inTime {
		j.answer.Count = a.Count
		return late
	}
	j.answer, j.timely = a, true
	return taken
}

// quality is perfect when 99 of the last 100 answers were in time, ok with 95, bad with 50.
func (j *judge) quality() wire.Quality {
	switch {
	case j.isForced:
		return j.forced
	case j.good >= window*99/100:
		return wire.Perfect
	case j.good >= window*95/100:
		return wire.Fine
	case j.good >= window/2:
		return wire.Bad
	}
	return wire.Unacceptable
}

func (j *judge) statistics(period float64) wire.Statistics {
	rate := float32(j.good) / window
	return wire.Statistics{AnswerRate: rate, Latency: float32(period / 2), MissRate: 1 - rate, Missed: j.missed}
}

// Receive takes an answer from the network.
func (k *KRC) Receive(b []byte, now int64) { k.network.answer(b, now); k.network.settle(k, now) }

// Figures count what has happened.
type Figures struct {
	Sent       uint64  `json:"sent"`
	Taken      uint64  `json:"taken"`
	Missed     uint64  `json:"missed"` // answers
	Late       uint64  `json:"late"`
	Outdated   uint64  `json:"outdated"`
	Garbage    uint64  `json:"garbage"`
	Violations uint64  `json:"violations"` // answers that the controller refused: beyond limits, or not fitting
	Fastest    float64 `json:"fastest"`    // command, as a share of the limit of speed
	Steepest   float64 `json:"steepest"`   // command, as a share of the limit of acceleration

	Jumps         uint64  `json:"jumps"`         // of joints, in one cycle, farther than they can move in it
	Brakes        uint64  `json:"brakes"`        // stops by answers that were harder than joints stop
	Interruptions uint64  `json:"interruptions"` // ends of command mode while a joint moved faster than it can stop in a cycle
	Interrupted   float64 `json:"interrupted"`   // the fastest such joint, rad/s
}

// Figures returns those since the start.
func (k *KRC) Figures() Figures {
	f := k.figures
	f.Jumps, f.Brakes = k.motion.Count(), k.motion.Brakes()
	return f
}

// Jumps returns the first impossible motions that answers commanded.
func (k *KRC) Jumps() []plant.Violation { return k.motion.Violations() }

// heard counts an answer that has arrived.
func (k *KRC) heard(b []byte) {
	if !k.open {
		return
	}
	switch k.judge.take(b) {
	case taken:
		k.figures.Taken++
	case late:
		k.figures.Late++
	case outdated:
		k.figures.Outdated++
	case garbage:
		k.figures.Garbage++
	}
}
