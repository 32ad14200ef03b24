package link

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scribe is a driver for a Virtual whose telegrams say how it judges them, and that writes down its calls.
type scribe struct {
	start int64
	text  []string
	wrong int   // length of answers that are none
	knows Cause // why sessions end, better than the Link does
	cycle int64 // that the robot reports
}

// say returns a telegram that is judged like that.
func say(k Kind, lost byte, why Cause) []byte { return []byte{byte(k), lost, byte(why)} }

func (s *scribe) note(at Stamp, format string, args ...any) {
	s.text = append(s.text, fmt.Sprintf("%gms: ", float64(at.Time-s.start)/1e6)+fmt.Sprintf(format, args...))
}

func (s *scribe) Answer(telegram, answer []byte, at Stamp) (int, Verdict) {
	v := Verdict{Kind: Garbage}
	if len(telegram) == 3 {
		v = Verdict{Kind: Kind(telegram[0]), Lost: uint32(telegram[1]), Why: Cause(telegram[2])}
	}
	if at.N == 1 && v.Kind == Restart {
		v.Kind = InOrder // there is nothing that it could be the restart of
	}
	v.Cycle = s.cycle
	s.note(at, "%d is %v after %gms", at.N, v.Kind, float64(at.Span)/1e6)
	if s.wrong != 0 {
		return s.wrong, v
	}
	return copy(answer, telegram), v
}

func (s *scribe) Lost(at Stamp, why Cause) Cause {
	s.note(at, "lost %gms after %d: %d", float64(at.Span)/1e6, at.N, why)
	if s.knows != 0 {
		return s.knows
	}
	return why
}

// cell is a Link in a network without wires, which expects a telegram every 4 ms and waits 3 cycles for one.
type cell struct {
	*testing.T
	v *Virtual
	d *scribe
	l *Link
}

func newCell(t *testing.T, change func(o *Options)) *cell {
	t.Helper()
	start := time.Unix(1_000_000, 0)
	c := &cell{T: t, v: NewVirtual(start), d: &scribe{start: start.UnixNano()}}
	o := Options{Name: "robot", Listen: here, Cycle: 4 * time.Millisecond, Lapse: 3, Causes: []string{"the operator has stopped it"}}
	if change != nil {
		change(&o)
	}
	var err error
	if c.l, err = c.v.Open(o, c.d); err != nil {
		t.Fatal(err)
	}
	return c
}

// send sends a telegram and lets time go on until another one is due.
func (c *cell) send(from netip.AddrPort, telegrams ...[]byte) (answers int) {
	for _, b := range telegrams {
		if c.v.Send(from, c.l.Address(), b) != nil {
			answers++
		}
		c.v.Advance(4 * time.Millisecond)
	}
	return answers
}

// told compares the driver's calls, a line each.
func (c *cell) told(want string) {
	c.Helper()
	if diff := cmp.Diff(strings.Fields(strings.ReplaceAll(want, "\n", " ↵ ")), strings.Fields(strings.Join(c.d.text, " ↵ "))); diff != "" {
		c.Errorf("the driver was told\n%s", strings.Join(c.d.text, "\n"))
	}
	c.d.text = nil
}

// counts are the figures without times.
func (c *cell) counts(want Statistics) {
	c.Helper()
	got := c.l.Statistics()
	got.Cycle, got.Jitter, got.Answer = want.Cycle, want.Jitter, want.Answer
	if diff := cmp.Diff(want, got); diff != "" {
		c.Error(diff)
	}
}

// ends returns the causes of the sessions that have been, the newest first.
func (c *cell) ends() (causes []Cause) {
	for _, s := range c.l.Sessions() {
		causes = append(causes, s.Cause)
	}
	return causes
}

var next = say(InOrder, 0, 0)

func TestRegularTelegrams(t *testing.T) {
	c := newCell(t, nil)
	if n := c.send(robot, next, next, next); n != 3 {
		t.Errorf("%d answers", n)
	}
	c.told("0ms: 1 is in order after 0ms\n4ms: 2 is in order after 4ms\n8ms: 3 is in order after 4ms")
	c.counts(Statistics{Sessions: 1, Received: 3, Answered: 3})
	if s := c.l.Statistics(); s.Cycle.Count != 2 || s.Cycle.Max != 4*time.Millisecond || s.Jitter.Max != 0 || s.Answer.Count != 3 {
		t.Errorf("%+v", s)
	}
	want := Session{Peer: robot, Begin: time.Unix(1_000_000, 0), Why: "alive", Telegrams: 3}
	if diff := cmp.Diff([]Session{want}, c.l.Sessions(), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	if peer, calls := c.l.Calling(); !calls || peer != robot {
		t.Errorf("calling: %v %t", peer, calls)
	}
}

// A session ends half a cycle after the last telegram was due that may be missing.
func TestSilence(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next)
	c.v.Advance(time.Second)
	c.told("0ms: 1 is in order after 0ms\n14ms: lost 14ms after 1: 1")
	c.counts(Statistics{Sessions: 1, Received: 1, Answered: 1, Silent: 3})
	if _, calls := c.l.Calling(); calls || !slices.Equal(c.ends(), []Cause{Silent}) {
		t.Errorf("calling %t, %v", calls, c.ends())
	}
	c.send(other, next) // now any sender may call
	c.told("1004ms: 1 is in order after 0ms")
}

// A telegram that comes late belongs to the session.
func TestLate(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next)
	c.v.Advance(8 * time.Millisecond)
	c.send(robot, next, next)
	c.told("0ms: 1 is in order after 0ms\n12ms: 2 is in order after 12ms\n16ms: 3 is in order after 4ms")
	c.counts(Statistics{Sessions: 1, Received: 3, Answered: 3, Late: 1, Silent: 2})
	if s := c.l.Statistics(); s.Jitter.Max != 8*time.Millisecond {
		t.Errorf("jitter %v", s.Jitter.Max)
	}
}

// Lost telegrams are those that the driver says: the time between the others says nothing about the cycle.
func TestLostTelegrams(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next)
	c.v.Advance(4 * time.Millisecond)
	c.send(robot, say(InOrder, 1, 0), next)
	c.counts(Statistics{Sessions: 1, Received: 3, Answered: 3, Lost: 1, Silent: 1})
	if s, list := c.l.Statistics(), c.l.Sessions(); s.Cycle.Count != 1 || list[0].Lost != 1 {
		t.Errorf("%d spans, %d lost in the session", s.Cycle.Count, list[0].Lost)
	}
}

// Telegrams that are not in order do not keep a session alive.
func TestOutOfOrder(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next, say(Repeated, 0, 0), say(Outdated, 0, 0), say(Garbage, 0, 0), nil)
	c.counts(Statistics{Sessions: 1, Received: 5, Answered: 4, Repeated: 1, Outdated: 1, Garbage: 2, Silent: 3})
	if !slices.Equal(c.ends(), []Cause{Silent}) {
		t.Errorf("%v", c.ends())
	}
	// Nor does it begin one.
	c.send(robot, say(Garbage, 0, 0), say(Repeated, 0, 0), say(Outdated, 0, 0))
	if list := c.l.Sessions(); len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

func TestRestart(t *testing.T) {
	c := newCell(t, nil)
	if n := c.send(robot, next, say(Restart, 0, 0), next, say(Restart, 0, OwnCauses)); n != 4 {
		t.Errorf("%d answers", n)
	}
	c.told("0ms: 1 is in order after 0ms\n4ms: 2 is restart after 4ms\n4ms: lost 4ms after 1: 2\n4ms: 1 is in order after 0ms\n" +
		"8ms: 2 is in order after 4ms\n12ms: 3 is restart after 4ms\n12ms: lost 4ms after 2: 16\n12ms: 1 is in order after 0ms")
	c.counts(Statistics{Sessions: 3, Received: 4, Answered: 4})
	if !slices.Equal(c.ends(), []Cause{Alive, OwnCauses, Restarted}) || c.l.Sessions()[1].Why != "the operator has stopped it" {
		t.Errorf("%+v", c.l.Sessions())
	}
}

func TestFarewell(t *testing.T) {
	c := newCell(t, nil)
	if n := c.send(robot, next, say(Farewell, 0, 0)); n != 2 {
		t.Errorf("%d answers", n)
	}
	if n := c.send(other, next); n != 1 {
		t.Errorf("%d answers to the next one", n)
	}
	c.told("0ms: 1 is in order after 0ms\n4ms: 2 is farewell after 4ms\n4ms: lost 0ms after 2: 3\n8ms: 1 is in order after 0ms")
	if !slices.Equal(c.ends(), []Cause{Alive, Ended}) || c.l.Sessions()[1].Telegrams != 2 {
		t.Errorf("%+v", c.l.Sessions())
	}
}

// Others are neither answered nor shown to the driver while a session lives, however many there are.
func TestForeigners(t *testing.T) {
	c := newCell(t, nil)
	for range 10 {
		c.send(robot, next)
		for port := range uint16(100) {
			if c.v.Send(netip.AddrPortFrom(other.Addr(), 1000+port), here, next) != nil {
				t.Fatal("a foreigner was answered")
			}
			c.v.Send(netip.AddrPortFrom(robot.Addr(), 1000+port), here, say(Restart, 0, 0))
		}
	}
	c.counts(Statistics{Sessions: 1, Received: 2010, Answered: 10, Foreign: 2000})
	// Nor do they keep the session alive.
	for range 4 {
		c.send(other, next)
	}
	if peer, calls := c.l.Calling(); !calls || peer != other || !slices.Equal(c.ends(), []Cause{Alive, Moved}) {
		t.Errorf("calling: %v, %v", peer, c.ends())
	}
}

func TestOnePeerOnly(t *testing.T) {
	c := newCell(t, func(o *Options) { o.Peer = robot.Addr() })
	if n := c.send(other, next, next); n != 0 {
		t.Errorf("%d answers", n)
	}
	if n := c.send(netip.AddrPortFrom(robot.Addr(), 1), next); n != 1 {
		t.Error("the peer is not answered")
	}
	c.counts(Statistics{Sessions: 1, Received: 3, Answered: 1, Foreign: 2})
}

func TestTelegramsThatAreTooLong(t *testing.T) {
	c := newCell(t, func(o *Options) { o.Size = 3 })
	if n := c.send(robot, next, append(slices.Clone(next), 0), next); n != 2 {
		t.Errorf("%d answers", n)
	}
	c.counts(Statistics{Sessions: 1, Received: 3, Answered: 2, Late: 1, Garbage: 1, TooLong: 1, Silent: 1})
}

// A driver that returns nonsense is not followed.
func TestAnswersThatAreTooLong(t *testing.T) {
	c := newCell(t, func(o *Options) { o.Size = 3 })
	for _, c.d.wrong = range []int{-1, 4, 1 << 40} {
		if n := c.send(robot, next); n != 0 {
			t.Errorf("an answer of %d bytes", c.d.wrong)
		}
	}
}

// The robot says which cycle it has: from the next telegram on that one is expected.
func TestCycleOfTheRobot(t *testing.T) {
	c := newCell(t, nil)
	c.d.cycle = int64(10 * time.Millisecond)
	c.send(robot, next)
	c.v.Advance(time.Second)
	c.told("0ms: 1 is in order after 0ms\n35ms: lost 35ms after 1: 1")
	if c.l.Cycle() != 10*time.Millisecond {
		t.Errorf("cycle %v", c.l.Cycle())
	}
}

// The newest sessions are remembered.
func TestRemembered(t *testing.T) {
	c := newCell(t, nil)
	const sessions = 3*Remembered + 5
	for i := range sessions {
		c.v.Send(netip.AddrPortFrom(robot.Addr(), uint16(i)), here, say(Farewell, 0, 0))
	}
	list := c.l.Sessions()
	if len(list) != Remembered-1 {
		t.Fatalf("%d sessions", len(list))
	}
	for i, s := range list {
		if s.Peer != netip.AddrPortFrom(robot.Addr(), uint16(sessions-1-i)) || s.Telegrams != 1 || s.Cause != Ended || s.End.Before(s.Begin) {
			t.Errorf("%d: %+v", i, s)
		}
	}
}

func TestCloseEndsTheSession(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next)
	if err := c.l.Close(); err != nil {
		t.Error(err)
	}
	c.told("0ms: 1 is in order after 0ms\n4ms: lost 4ms after 1: 4")
	if c.l.Close() == nil {
		t.Error("closed twice")
	}
	if c.send(robot, next) != 0 {
		t.Error("answered after the end")
	}
}

func TestOptions(t *testing.T) {
	v := NewVirtual(time.Unix(0, 0))
	open := func(o Options) error {
		_, err := v.Open(o, new(scribe))
		return err
	}
	good := Options{Listen: here, Cycle: time.Millisecond}
	if err := open(good); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"address":  {Cycle: time.Millisecond},
		"cycle":    {Listen: here},
		"in use":   good,
		"negative": {Listen: here, Cycle: -1},
	} {
		if err := open(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	free := Options{Listen: netip.AddrPortFrom(here.Addr(), 0), Cycle: time.Millisecond}
	for range 2 {
		if err := open(free); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(fmt.Sprint(open(good)), "in use") {
		t.Error("the address is not said to be in use")
	}
}

// Of two numbers, one is newer: that of the other one half a circle before. A thousand steps make a thousand steps.
func TestOrder16(t *testing.T) {
	for _, tt := range []struct {
		newest, number uint16
		want           Verdict
	}{
		{0, 1, Verdict{}},
		{65535, 0, Verdict{}},
		{65535, 1, Verdict{Lost: 1}},
		{10, 1010, Verdict{Lost: 999}},
		{10, 10, Verdict{Kind: Repeated}},
		{10, 9, Verdict{Kind: Outdated}},
		{0, 65535, Verdict{Kind: Outdated}},
		{0, 32767, Verdict{Lost: 32766}},
		{0, 32768, Verdict{Kind: Outdated}},
	} {
		if got := Order16(tt.newest, tt.number); got != tt.want {
			t.Errorf("%d after %d: %+v", tt.number, tt.newest, got)
		}
	}
}

func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for k := InOrder; k <= Garbage+1; k++ {
		seen[k.String()] = true
	}
	for c := Alive; c <= Closed+1; c++ {
		seen[c.String()] = true
	}
	if want := int(Garbage) + 2 + int(Closed) + 2; len(seen) != want {
		t.Errorf("%d words, not %d: %v", len(seen), want, seen)
	}
}

// FuzzLink sends whatever to a Link: telegrams of several senders, late and early. The counts of them add up.
func FuzzLink(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0x80, 9, 3, 0, 0})
	f.Add([]byte{0, 3, 0, 0, 1, 0, 0, 0, 0x80, 200, 4, 0, 20, 2, 5, 0, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		c := newCell(t, func(o *Options) { o.Size = 4 })
		for len(script) >= 4 {
			op := script[:4]
			script = script[4:]
			switch {
			case op[0]&0x80 != 0:
				c.v.Advance(time.Duration(op[1]) * time.Millisecond / 4)
			case op[0]&0x40 != 0:
				c.v.Send(robot, here, op[:1+op[1]%4])
			case op[0]&0x20 != 0:
				c.v.Send(robot, here, script)
			default:
				c.v.Send(netip.AddrPortFrom(robot.Addr(), uint16(op[0]%2)), here, say(Kind(op[1]%8), op[2], Cause(op[3])))
			}
		}
		_ = c.l.Close()
		c.addsUp()
	})
}

// addsUp compares figures with the sessions, as far as they are remembered, and with the driver's calls.
func (c *cell) addsUp() {
	c.Helper()
	s := c.l.Statistics()
	var told struct{ lost, inOrder uint64 }
	for _, line := range c.d.text {
		switch {
		case strings.Contains(line, "lost"):
			told.lost++
		case strings.Contains(line, "in order"), strings.Contains(line, "farewell"):
			told.inOrder++
		}
	}
	if s.Received != told.inOrder+s.Repeated+s.Outdated+s.Foreign+s.Garbage || s.TooLong > s.Garbage {
		c.Errorf("of %d in order: %+v", told.inOrder, s)
	}
	if s.Sessions != told.lost {
		c.Errorf("%+v, the driver was told %+v", s, told)
	}
	var telegrams, lost uint64
	for _, session := range c.l.Sessions() {
		telegrams += session.Telegrams
		lost += session.Lost
		if session.Cause == Alive || session.Telegrams == 0 || session.End.Before(session.Begin) {
			c.Errorf("%+v", session)
		}
	}
	if s.Sessions < Remembered && (telegrams != told.inOrder || lost != s.Lost) {
		c.Errorf("sessions had %d telegrams and lost %d: %+v", telegrams, lost, s)
	}
}
