package script_test

import (
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

var words = []script.Word{
	{Name: "off"},
	{Name: "fail", Numbers: []script.Number{script.Index("joint", 2)}},
	{Name: "part", Numbers: []script.Number{script.Between(0, 0.1)}},
	{Name: "push", Numbers: []script.Number{script.Index("joint", 2), script.Any}},
}

// TestNext: everything happens in the tick in which it is due, in the order of times, and once.
func TestNext(t *testing.T) {
	s, err := script.Parse(" 30ms part 0.05;10ms off; ;20ms push 1 -2.5e1;20ms fail 1", words)
	if err != nil {
		t.Fatal(err)
	}
	const epoch = int64(1e18)
	want := map[int64][]script.Event{10: {{What: 0}}, 20: {{What: 3}, {What: 1}}, 30: {{What: 2}}}
	want[20][0].Numbers[0], want[20][0].Numbers[1], want[20][1].Numbers[0], want[30][0].Numbers[0] = 1, -25, 1, 0.05
	for ms := int64(0); ms < 40; ms += 2 {
		n := 0
		for e, due := s.Next(epoch + ms*int64(time.Millisecond)); due; e, due = s.Next(epoch + ms*int64(time.Millisecond)) {
			if n >= len(want[ms]) || e.What != want[ms][n].What || e.Numbers != want[ms][n].Numbers {
				t.Fatalf("at %d ms: %+v", ms, e)
			}
			n++
		}
		if n != len(want[ms]) {
			t.Errorf("at %d ms: %d events, not %d", ms, n, len(want[ms]))
		}
	}
	if n := alloc.Least(func() { s.Next(epoch) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"off": `"off": off is not a time`, "1s": "event is missing", "1s of": "unknown event of, did you mean off?",
		"1s fail": "fail needs 1 numbers", "1s off 1": "off needs 0 numbers", "1s fail 2": "no joint 2, only 0 to 1",
		"1s fail x": "no joint x", "-1s off": "-1s is not a time", "1s push 1 x": "x is not a number", "1s push 1 nan": "nan is not a number",
		"1s part 0.2": "0.2 is not between 0 and 0.1", "1s part -1": "-1 is not between",
	} {
		if _, err := script.Parse(text, words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
}

// TestHappen: an order happens in the next tick, in its order and before what is due by the script; nonsense is refused.
func TestHappen(t *testing.T) {
	s, err := script.Parse("0s off", words)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"fail 1", " part  0.05 "} {
		if err := s.Happen(text); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"": "event is missing", "fial 1": "did you mean fail?", "fail": "fail needs 1 numbers", "fail 2": "no joint 2", "1s off": "unknown event 1s",
	} {
		if err := s.Happen(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for i, what := range []int{1, 2, 0} {
		if e, due := s.Next(7); !due || e.What != what {
			t.Errorf("event %d is %+v, %t", i, e, due)
		}
	}
	if e, due := s.Next(7); due {
		t.Errorf("one more: %+v", e)
	}
	told := 0
	for ; told < 1000 && s.Happen("off") == nil; told++ {
	}
	if told == 0 || told == 1000 {
		t.Errorf("%d events wait", told)
	}
	if got := strings.Join(s.Words(), "; "); got != "off; fail JOINT; part NUMBER; push JOINT NUMBER" {
		t.Error(got)
	}
}
