package kukafri

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
)

// sight is what the driver knows of what the controller commands.
//
// Each telegram has the commanded positions of the cycle it was sent in. They show the fate of the answer before: either
// it was taken, or it was missing and the controller went on as fast as before. If neither fits, the driver assumes
// nothing: two telegrams with no answer in between show position and speed again.
type sight struct {
	clarity clarity
	lag     lag
	pos     [seven]float64 // that the controller commands now
	step    [seven]float64 // by how much that is ahead of the cycle before
	mirror  [seven]float64 // what the newest telegram says
	silent  int            // telegrams since the newest answer

	asked  uint16 // number of the answer to the telegram before
	asks   bool   // there was one
	wanted [seven]float64
	missed uint32 // answers, as the telegram before counted them
}

// clarity is how well the commanded positions are known.
type clarity uint8

const (
	blind   clarity = iota
	doubted         // what became of the newest answer is not
	known
)

// lag is by how many cycles the commanded positions of a telegram are behind those in force. It is not published; the first motion
// shows it.
type lag uint8

const (
	lagUnknown lag = iota
	lagNone
	lagOne
)

func (l lag) String() string {
	switch l {
	case lagNone:
		return "0"
	case lagOne:
		return "1"
	}
	return "unknown"
}

func (l lag) cycles() float64 {
	if l == lagOne {
		return 1
	}
	return 0
}

const (
	grain = 1e-6 // rad; that single precision makes of the sum of two positions
	drift = 3e-7 // rad; the same of a step, in each cycle that it is repeated
	rapid = 10   // rad/s; no joint is as fast
	far   = 1e3  // rad; beyond any joint
)

// open begins a session. The lag belongs to the controller, and stays as long as that commands what was answered.
func (s *sight) open() { *s = sight{lag: s.lag, mirror: s.mirror} }

// read takes the commanded positions of a telegram. It reports whether they are numbers of a robot.
func (s *sight) read(m *wire.Measurement, into *[seven]float64) bool {
	for i := range into {
		into[i] = float64(m.Commanded[i] + m.Offset[i])
		if !(math.Abs(into[i]) < far) {
			return false
		}
	}
	return true
}

// look takes up a telegram that came some cycles after the one before. With free the controller commands by itself, and
// answers do not count.
func (s *sight) look(m *wire.Measurement, cycles int, period float64, free bool) {
	var mirror [seven]float64
	if !s.read(m, &mirror) {
		s.clarity, s.asks, s.silent = blind, false, 0
		return
	}
	before := s.mirror
	s.mirror = mirror
	switch {
	case free:
		s.clarity, s.pos, s.step, s.silent, s.lag = known, mirror, [seven]float64{}, 0, lagUnknown
	case s.clarity == known:
		s.follow(m, float64(cycles))
	default:
		s.search(&before, float64(cycles), period)
	}
	s.asks, s.missed = false, m.Missed
	s.silent++
}

// follow finds out what became of the answer before.
func (s *sight) follow(m *wire.Measurement, cycles float64) {
	missing, taken := s.predict(false, cycles), s.predict(true, cycles)
	arrived := s.asks && m.Reflected == s.asked && (s.lag != lagOne || m.Missed == s.missed)
	fits, lost := s.asks && s.fits(&taken, cycles), s.fits(&missing, cycles)
	if s.lag == lagUnknown && fits && !near(&taken.pos, &s.pos, 10*grain) {
		s.lag = lagNone // with a lag, the telegram would have the position before
	}
	switch {
	case fits && (arrived && cycles == 1 || s.lag != lagOne && (arrived || !lost)):
		if s.resume(&taken.step); cycles == 1 {
			s.pos = taken.pos
		}
	case s.lag == lagOne: // whether the controller goes on by itself is seen too late
		s.clarity, s.silent = blind, 0
	case lost && (s.lag == lagNone || !arrived || near(&taken.pos, &missing.pos, 3*grain)):
		s.resume(&missing.step)
	default:
		s.clarity, s.silent = doubted, 0
	}
}

// outcome is what the controller commands, given what became of an answer.
type outcome struct{ pos, step [seven]float64 }

// predict returns what the controller commands some cycles after the telegram before.
func (s *sight) predict(taken bool, cycles float64) (f outcome) {
	for i := range f.pos {
		if f.step[i] = s.step[i]; taken {
			f.step[i] = s.wanted[i] - s.pos[i]
		}
		f.pos[i] = s.pos[i] + f.step[i]*cycles
	}
	if taken && cycles == 1 {
		f.pos = s.wanted
	}
	return f
}

// fits reports whether the newest telegram says what it would.
func (s *sight) fits(f *outcome, cycles float64) bool {
	behind := s.lag.cycles()
	for i, is := range s.mirror {
		if !(math.Abs(is-(f.pos[i]-behind*f.step[i])) <= grain+drift*cycles) {
			return false
		}
	}
	return true
}

// answered notes the positions that answered the newest telegram.
func (s *sight) answered(number uint16, to *[seven]float64) {
	s.asked, s.asks, s.wanted, s.silent = number, true, *to, 0
}

// resume notes that the controller goes on by itself, as the newest telegram says.
func (s *sight) resume(step *[seven]float64) {
	s.step = *step
	for i, is := range s.mirror {
		s.pos[i] = is + s.lag.cycles()*step[i]
	}
}

// search looks for position and speed in two telegrams with no answer in between. With a lag that takes a cycle more; while the lag
// is unknown, only rest can be seen.
func (s *sight) search(before *[seven]float64, cycles, period float64) {
	if s.clarity == doubted && s.lag == lagUnknown && near(&s.mirror, &s.wanted, grain) && !near(before, &s.wanted, 3*grain) {
		s.lag, s.clarity = lagOne, blind // an answer is seen one telegram later than it was looked for
		return
	}
	if s.silent < 1+int(s.lag.cycles()) {
		return
	}
	var step [seven]float64
	for i, is := range s.mirror {
		step[i] = (is - before[i]) / cycles
		if most := rapid * period; !(math.Abs(step[i]) < most) || s.lag == lagUnknown && math.Abs(step[i]) > drift {
			return
		}
	}
	s.clarity = known
	s.resume(&step)
}

func near(a, b *[seven]float64, by float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= by) {
			return false
		}
	}
	return true
}
