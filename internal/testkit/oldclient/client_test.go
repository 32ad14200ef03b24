package oldclient

import (
	"testing"
	"time"
)

const gap = 15 * time.Millisecond

// hangs plays a sender against the client, and returns in how many of the schedules a command waits for ever, the first of
// them, and how long a state had to wait.
func hangs(t *testing.T, s Sender, nets, schedules int) (count int, first *Hung, longest time.Duration) {
	t.Helper()
	const each = 100
	for seed := range uint64(schedules / each) {
		frames, commands, waited := s.Send(Burst{Nets: nets, Seed: seed})
		session, err := NewSession(frames, commands)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, waited)
		for k := range uint64(each) {
			if hung := session.Play(Quiet(), seed*each+k); hung != nil {
				if count++; first == nil {
					first = hung
				}
			}
		}
	}
	return count, first, longest
}

// TestMeasured: the model hangs in some schedules where the original client did, and in none where it did not. How many
// they are says nothing: the schedules are those that are possible, not those that are likely.
func TestMeasured(t *testing.T) {
	for _, tt := range []struct {
		name   string
		sender Sender
		nets   int
		hangs  bool
	}{
		{"everything at once", Sender{}, 1, true},
		{"a pause after RUNNING", Sender{Running: gap}, 1, true},
		{"each state of the connection after a pause", Sender{Connection: gap, Net: gap}, 1, false},
		{"and the newest only", Sender{Connection: gap, Net: gap, Newest: true}, 1, false},
		// What the pause belongs to is decided by several nets at a time.
		{"each state of a net after a pause", Sender{Net: gap, Newest: true}, 1, false},
		{"the same of several nets", Sender{Net: gap, Newest: true}, 4, true},
		{"of several nets, each state of the connection", Sender{Connection: gap, Net: gap, Newest: true}, 4, false},
		{"of many nets, each state of the connection", Sender{Connection: gap, Net: gap, Newest: true}, 20, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const schedules = 20_000
			count, first, longest := hangs(t, tt.sender, tt.nets, schedules)
			t.Logf("%d of %d schedules hang, states wait for %v at most", count, schedules, longest)
			if (count > 0) != tt.hangs {
				t.Errorf("%d of %d schedules hang, the first: %v", count, schedules, first)
			}
			if most := time.Duration(tt.nets) * gap; tt.sender.Newest && longest > most {
				t.Errorf("a state waits for %v, more than %v", longest, most)
			}
		})
	}
}

// TestRulesAreLost: what becomes of a rule is lost on a client that is told too soon after it has asked, and it waits for ever when its net
// could not be started.
func TestRulesAreLost(t *testing.T) {
	for _, tt := range []struct {
		told time.Duration // after the question
		lost bool
	}{{0, true}, {900 * time.Microsecond, true}, {gap, false}} {
		const asked = 5 * time.Millisecond
		session, err := NewSession([]Frame{{0, `n=ns("SCHEDULED")`}, {asked + tt.told, `r=rs("FIREFAILED")`}},
			[]Command{{Net: "n", Result: "outdone", Rule: "r", Asked: asked}})
		if err != nil {
			t.Fatal(err)
		}
		lost := false
		for seed := range uint64(1000) {
			lost = lost || session.Play(Quiet(), seed) != nil
		}
		if lost != tt.lost {
			t.Errorf("told %v after the question: lost is %v", tt.told, lost)
		}
	}
}

// TestOutcomes: what a command comes to when threads take no time at all.
func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		frames []Frame
		hangs  bool
	}{
		{"result, then end", []Frame{{0, `n=ns("RUNNING")`}, {1, `n=nc({outdone:"true"})`}, {2, `n=ns("TERMINATED")`}}, false},
		{"end without a result", []Frame{{0, `n=ns("RUNNING")`}, {1, `n=nc({outdone:"false"})`}, {2, `n=ns("TERMINATED")`}}, true},
		{"the same of another net", []Frame{{0, `n=ns("RUNNING")`}, {1, `m=nc({outdone:"true"})`}, {2, `n=ns("TERMINATED")`}}, true},
		{"no end", []Frame{{0, `n=ns("RUNNING")`}, {1, `n=nc({outdone:"true"})`}}, true},
		{"no start", []Frame{{0, `n=ns("READY")`}, {1, `r=rs("FIREFAILED")`}}, false},
		{"a start", []Frame{{0, `n=ns("READY")`}, {1, `r=rs("FIRED")`}}, true},
	} {
		session, err := NewSession(tt.frames, []Command{{Net: "n", Result: "outdone", Rule: "r"}})
		if err != nil {
			t.Fatal(err)
		}
		if hung := session.Play(Bounds{}, 1); (hung != nil) != tt.hangs {
			t.Errorf("%s: %v", tt.name, hung)
		}
	}
	if _, err := NewSession([]Frame{{0, "n=ns("}}, nil); err == nil {
		t.Error("what is no statement is read")
	}
}
