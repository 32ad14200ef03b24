package kukarsi

import (
	"testing"
	"time"
)

// chained returns a session that has been followed for some cycles: stamps of 4 ms, Delay 2, the newest telegram answered.
func chained(count counting) *session {
	s := &session{}
	s.open(&wireConfig{Cycle: 4 * time.Millisecond, Silence: 10, Timeout: 100})
	s.known, s.step, s.stamp, s.late, s.at, s.answered, s.counting = true, 4, 1000, 2, int64(time.Hour), true, count
	return s
}

// TestChain: what follows the newest telegram, and what it reports of the answer.
func TestChain(t *testing.T) {
	for _, tt := range []struct {
		name           string
		count          counting
		by             int64 // stamps
		late           int64
		after          time.Duration
		how            relation
		applied, still bool
		lost           uint32
	}{
		{"applied", counted, 4, 2, 4 * time.Millisecond, next, true, false, 0},
		{"not applied", counted, 4, 3, 4 * time.Millisecond, next, false, true, 0},
		{"applied, two lost", counted, 12, 4, 12 * time.Millisecond, next, true, true, 2},
		{"not applied, two lost", counted, 12, 5, 12 * time.Millisecond, next, false, true, 2},
		{"applied, counted in a row", counted, 4, 0, 4 * time.Millisecond, next, true, false, 0},
		{"counted in total, which does not fall", inTotal, 4, 0, 4 * time.Millisecond, apart, false, false, 0},
		{"counted too little", counted, 40, 3, 40 * time.Millisecond, apart, false, false, 0},
		{"counted too much", counted, 4, 9, 4 * time.Millisecond, apart, false, false, 0},
		{"the same", counted, 0, 2, 4 * time.Millisecond, same, false, false, 0},
		{"older", counted, -8, 2, 4 * time.Millisecond, older, false, false, 0},
		{"no multiple of the step", counted, 5, 3, 4 * time.Millisecond, apart, false, false, 0},
		{"not counted", uncounted, 4, 0, 4 * time.Millisecond, next, true, false, 0},
		{"not counted, lost", uncounted, 20, 0, 20 * time.Millisecond, next, true, true, 4},
		{"not counted, ahead of time", uncounted, 400, 0, 4 * time.Millisecond, apart, false, false, 0},
		{"not counted, behind time", uncounted, 4, 0, 100 * time.Millisecond, apart, false, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := chained(tt.count)
			h := heard{stamp: uint64(1000 + tt.by), late: tt.late, counts: tt.count != uncounted, at: s.at + int64(tt.after)}
			if how := s.relate(&h); how != tt.how {
				t.Fatalf("relation %d, not %d", how, tt.how)
			}
			if tt.how == next && (s.applied != tt.applied || s.still != tt.still || s.lost != tt.lost) {
				t.Errorf("applied %t, still %t, lost %d", s.applied, s.still, s.lost)
			}
		})
	}
}

// TestTransitions: what must never be in the table. Control begins when the controller is known to hold nothing, or when an operator has
// re-armed it; a driver that does not know what it holds does not answer.
func TestTransitions(t *testing.T) {
	for p := range phases {
		for e := range events {
			to, why := p.after(e)
			if to != p && why == 0 {
				t.Errorf("%s: event %d leads to %s without a reason", pageWords[p], e, pageWords[to])
			}
			if knows := e != lost && e != ended && e != doubt && e != mystery; !knows && !to.is(silent) {
				t.Errorf("%s: event %d leads to %s, which answers", pageWords[p], e, pageWords[to])
			}
			begins := e == beginning && p.is(of(listening, unknown, blind)) || e == rearmed && p == disarmed || e == usual && p.is(of(blind, changing))
			if to == ready && p != ready && !begins {
				t.Errorf("%s: event %d leads to control", pageWords[p], e)
			}
			if p.is(of(offline, between)) && !to.is(silent) {
				t.Errorf("%s: event %d leads to %s without listening", pageWords[p], e, pageWords[to])
			}
		}
	}
	for p := range phases {
		entered := p == offline
		for from := range phases {
			for e := range events {
				to, _ := from.after(e)
				entered = entered || to == p && from != p
			}
		}
		if !entered {
			t.Errorf("nothing leads to %s", pageWords[p])
		}
	}
}
