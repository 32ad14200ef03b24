package link

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// counting is a driver whose telegrams are numbers, and whose answers are the same numbers. It is cycle code, as all are.
type counting struct {
	newest byte
	lost   [100]Cause // for which sessions have ended
	n      int        // of them
}

func (c *counting) told() []Cause { return c.lost[:c.n] }

func (c *counting) Answer(telegram, answer []byte, at Stamp) (int, Verdict) {
	if len(telegram) != 1 {
		return 0, Verdict{Kind: Garbage}
	}
	v := Verdict{}
	if at.N > 1 {
		switch step := int8(telegram[0] - c.newest); {
		case telegram[0] == 0:
			return 0, Verdict{Kind: Restart}
		case telegram[0] == 255:
			return copy(answer, telegram), Verdict{Kind: Farewell}
		case step == 0:
			return 0, Verdict{Kind: Repeated}
		case step < 0:
			return 0, Verdict{Kind: Outdated}
		default:
			v.Lost = uint32(step - 1)
		}
	}
	c.newest = telegram[0]
	return copy(answer, telegram), v
}

func (c *counting) Lost(_ Stamp, why Cause) Cause {
	if lost := &c.lost; uint(c.n) < uint(len(lost)) {
		lost[c.n] = why
		c.n++
	}
	return why
}

var (
	here  = netip.MustParseAddrPort("127.0.0.1:49938")
	robot = netip.MustParseAddrPort("192.168.0.10:5000")
	other = netip.MustParseAddrPort("192.168.0.11:5000")
)

func TestVirtual(t *testing.T) {
	v, d := NewVirtual(time.Unix(1_000_000, 0)), new(counting)
	l, err := v.Open(Options{Listen: here, Cycle: time.Millisecond, Lapse: 3}, d)
	if err != nil {
		t.Fatal(err)
	}
	for i := byte(1); i < 5; i++ {
		if a := v.Send(robot, here, []byte{i}); !slices.Equal(a, []byte{i}) {
			t.Errorf("answer %v to %d", a, i)
		}
		if a := v.Send(other, here, []byte{i}); a != nil {
			t.Errorf("a foreigner got %v", a)
		}
		v.Advance(time.Millisecond)
	}
	v.Advance(time.Second)
	if want := []Cause{Silent}; !slices.Equal(d.told(), want) {
		t.Errorf("the driver was told %v", d.told())
	}
	if s := l.Statistics(); s.Received != 8 || s.Answered != 4 || s.Foreign != 4 || s.Sessions != 1 || s.Silent != 3 {
		t.Errorf("%+v", s)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestQueued: a telegram that waited arrived when it arrived, and was taken now.
func TestQueued(t *testing.T) {
	v, d := NewVirtual(time.Unix(1_000_000, 0)), new(stamping)
	if _, err := v.Open(Options{Listen: here, Cycle: time.Millisecond}, d); err != nil {
		t.Fatal(err)
	}
	arrived := v.Now()
	v.Advance(7 * time.Millisecond)
	v.SendQueued(robot, here, []byte{1}, arrived)
	if d.at.Time != arrived || d.at.Taken != v.Now() {
		t.Errorf("arrived at %d and was taken at %d, want %d and %d", d.at.Time, d.at.Taken, arrived, v.Now())
	}
}

// stamping is a driver that remembers when its newest telegram came.
type stamping struct{ at Stamp }

func (s *stamping) Answer(_, _ []byte, at Stamp) (int, Verdict) {
	s.at = at
	return 0, Verdict{}
}

func (s *stamping) Lost(_ Stamp, why Cause) Cause { return why }

// TestQuiet: how long nothing came that the robot may have sent, from whomever and since the Link was opened.
func TestQuiet(t *testing.T) {
	v, d := NewVirtual(time.Unix(1_000_000, 0)), new(stamping)
	l, err := v.Open(Options{Listen: here, Cycle: time.Millisecond}, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		from  netip.AddrPort
		want  time.Duration
	}{
		{300 * time.Millisecond, robot, 300 * time.Millisecond},
		{time.Millisecond, robot, time.Millisecond},
		{2 * time.Millisecond, other, time.Millisecond}, // which is dropped
		{3 * time.Millisecond, robot, 3 * time.Millisecond},
		{time.Minute, other, time.Minute},
	} {
		v.Advance(tt.after)
		v.Send(tt.from, here, []byte{1})
		if d.at.Quiet != int64(tt.want) {
			t.Errorf("%v after the telegram before: %v, not %v", tt.after, time.Duration(d.at.Quiet), tt.want)
		}
	}
	if s := l.Strangers(); s != other.String() {
		t.Errorf("strangers %q", s)
	}
}

// TestDiary: sessions begin and end with entries that stay as they are, and strangers are named once.
func TestDiary(t *testing.T) {
	v := NewVirtual(time.Unix(1_000_000, 0))
	l, err := v.Open(Options{Listen: here, Cycle: time.Millisecond}, new(stamping))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		v.Send(robot, here, []byte{1})
		v.Send(other, here, []byte{1})
	}
	whose := fmt.Sprintf("session of %v since 13:46:40.000", robot)
	want := []string{whose + " began", fmt.Sprintf("%s: dropping telegrams of %v", whose, other)}
	if diff := cmp.Diff(want, l.Diary()); diff != "" {
		t.Error(diff)
	}
	v.Advance(time.Second)
	want = append(want, whose+" ended after 3 telegrams: telegrams stopped")
	if diff := cmp.Diff(want, l.Diary()); diff != "" {
		t.Error(diff)
	}
	for range 100 {
		v.Send(robot, here, []byte{1})
		v.Advance(time.Second)
	}
	if n := len(l.Diary()); n != 2*inDiary {
		t.Errorf("%d entries", n)
	}
}
