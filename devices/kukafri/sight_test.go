package kukafri

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
)

// watched is a controller as sight sees it: it takes answers or not, goes on by itself or holds, and reports what it commands at once or
// a cycle later.
type watched struct {
	random    *rand.Rand
	late      bool
	holds     bool
	loses     float64
	m         wire.Measurement
	pos, step [seven]float64
	before    [seven]float64 // pos of the cycle before
}

// cycle is one of the controller, with the answer to its newest telegram or without.
func (w *watched) cycle(answer *[seven]float64, number uint16) {
	w.before = w.pos
	taken := answer != nil && w.random.Float64() >= w.loses
	for i := range w.pos {
		switch {
		case taken:
			w.step[i] = answer[i] - w.pos[i]
		case w.holds:
			w.step[i] = 0
		}
		w.pos[i] += w.step[i]
		tells := w.pos[i]
		if w.late {
			tells = w.before[i]
		}
		w.m.Commanded[i], w.m.Offset[i] = 1.25, float32(tells-1.25)
	}
	w.m.Count++
	if taken {
		w.m.Reflected = number
	} else {
		w.m.Missed++
	}
}

// TestSight: what is said to be known is true, whatever happens to answers and telegrams, and it is known again soon.
func TestSight(t *testing.T) {
	const period = 0.002
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := &watched{random: random, late: seed%2 == 1, holds: seed%4 >= 2, loses: []float64{0, 0.01, 0.2}[seed/4%3]}
		for i := range w.pos {
			w.pos[i] = float64(float32(random.Float64()*4 - 2))
		}
		var s sight
		var number uint16
		var answer *[seven]float64
		speed, knew, unknown, skipped, falls := [seven]float64{}, 0, 0, 0, 0
		for n := range 3000 {
			w.cycle(answer, number)
			answer = nil
			if n > 10 && random.Float64() < w.loses/2 {
				skipped++
				continue // the telegram is lost
			}
			if unknown > 20 { // the controller has waited long enough
				w.step, falls, unknown = [seven]float64{}, falls+1, 0
			}
			s.look(&w.m, 1+skipped, period, n < 10)
			skipped = 0
			if s.clarity != known {
				unknown++
				continue
			}
			unknown = 0
			knew++
			for i := range s.pos {
				if off, slip := s.pos[i]-w.pos[i], s.step[i]-w.step[i]; math.Abs(off) > 3*grain || math.Abs(slip) > 3*grain {
					t.Fatalf("seed %d, telegram %d: joint %d is at %v with %v, it is said to be at %v with %v; lag %d", seed, n, i, w.pos[i], w.step[i], s.pos[i], s.step[i], s.lag)
				}
			}
			to := s.pos
			for i := range to {
				change := (random.Float64()*2 - 1) * 4e-5
				if math.Abs(speed[i]) > 1e-3 {
					change = -speed[i] / 50
				}
				speed[i] = s.step[i] + change
				if n < 10 {
					speed[i] = 0
				}
				to[i] = float64(float32(s.pos[i] + speed[i]))
			}
			number++
			s.answered(number, &to)
			answer = &to
		}
		want := lagNone
		if w.late {
			want = lagOne
		}
		if s.lag != want || falls > 5 || w.loses == 0 && knew < 2990 || knew < 1000 {
			t.Errorf("seed %d (late %t, holds %t, loses %v): known for %d telegrams, %d falls, lag %d", seed, w.late, w.holds, w.loses, knew, falls, s.lag)
		}
	}
}

// TestSilent: what the controller commands is known from two telegrams only if no answer can be between them.
func TestSilent(t *testing.T) {
	for _, tt := range []struct {
		lag    lag
		silent int
		want   clarity
	}{{lagNone, 0, blind}, {lagNone, 1, known}, {lagOne, 0, blind}, {lagOne, 1, blind}, {lagOne, 2, known}} {
		s := sight{lag: tt.lag, silent: tt.silent, clarity: blind}
		if s.search(new([seven]float64), 1, 0.005); s.clarity != tt.want {
			t.Errorf("lag %v, %d telegrams since the answer: %v, want %v", tt.lag, tt.silent, s.clarity, tt.want)
		}
	}
}

// TestTooFast: what moves faster than any joint does is not believed.
func TestTooFast(t *testing.T) {
	const period = 0.005
	for by, want := range map[float64]clarity{0.9 * rapid * period: known, 1.1 * rapid * period: blind, -1.1 * rapid * period: blind, math.NaN(): blind} {
		s := sight{lag: lagNone, silent: 1, clarity: blind}
		s.mirror[3] = by
		if s.search(new([seven]float64), 1, period); s.clarity != want {
			t.Errorf("%v rad in a cycle: %v, want %v", by, s.clarity, want)
		}
	}
}

// TestLostAnswer: when the controller goes on by itself, its answer was lost; if it says that the answer has arrived, that is believed only
// of a controller that is known to report without lag.
func TestLostAnswer(t *testing.T) {
	for _, tt := range []struct {
		lag     lag
		arrived bool
		want    clarity
	}{{lagNone, false, known}, {lagNone, true, known}, {lagUnknown, false, known}, {lagUnknown, true, doubted}, {lagOne, false, blind}} {
		s := sight{lag: tt.lag, clarity: known}
		s.answered(7, &[seven]float64{2: 1e-3})
		m := wire.Measurement{}
		if tt.arrived {
			m.Reflected = 7
		}
		if s.follow(&m, 1); s.clarity != tt.want {
			t.Errorf("lag %v, arrived %t: %v, want %v", tt.lag, tt.arrived, s.clarity, tt.want)
		}
	}
}
