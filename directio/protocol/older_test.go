package protocol

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/oldclient"
	"github.com/softrobot-rcc/rccd/rcc"
)

// older is a conversation with an older client whose every step a test takes: its statements, the bell, looks that are due, and what
// the writer does, which takes as long as chance has it. The code is that of Serve without its goroutines.
type older struct {
	*cell
	session *session
	bell    <-chan struct{}
	stop    func()
	chance  *rand.Rand
	begin   time.Time
	due     []errand
	out     []outgoing
	frames  []oldclient.Frame
}

// errand is something that is done at a time.
type errand struct {
	at time.Duration
	do func()
}

// outgoing is a message whose writing ends at a time.
type outgoing struct {
	*parcel
	at time.Duration
}

const olderStep = 500 * time.Microsecond

func newOlder(c *cell, asOlder bool, seed uint64) *older {
	o := &older{
		cell: c, session: newConversation(c.core, Config{Older: asOlder, clock: c.people}), chance: rand.New(rand.NewPCG(seed, 3)),
		begin: c.people.Now(),
	}
	o.session.greeted = true
	o.bell, o.stop = o.session.observer.Bell(), o.session.observer.Close
	return o
}

func (o *older) now() time.Duration { return o.people.Now().Sub(o.begin) }

// within draws a time.
func (o *older) within(d time.Duration) time.Duration {
	return time.Duration(o.chance.Int64N(int64(d) + 1))
}

func (o *older) at(at time.Duration, do func()) { o.due = append(o.due, errand{at, do}) }

// say has the client say something.
func (o *older) say(format string, a ...any) {
	o.session.answer(o.t.Context(), fmt.Sprintf(format, a...))
	o.session.followUp(o.t.Context())
	o.take()
}

// take is how the writer gets its messages.
func (o *older) take() {
	for {
		select {
		case m := <-o.session.out:
			at := o.now() + o.within(time.Millisecond)
			if n := len(o.out); n > 0 {
				at = max(at, o.out[n-1].at)
			}
			o.out = append(o.out, outgoing{m, at})
			continue
		default:
		}
		return
	}
}

// run lets time pass.
func (o *older) run(d time.Duration) {
	slices.SortStableFunc(o.due, func(a, b errand) int { return cmp.Compare(a.at, b.at) })
	for end := o.now() + d; o.now() < end; o.advance(olderStep) {
		for ; len(o.due) > 0 && o.due[0].at <= o.now(); o.due = o.due[1:] {
			o.due[0].do()
		}
		o.turn()
	}
}

// turn is what Serve does when there is something to do.
func (o *older) turn() {
	for ; len(o.out) > 0 && o.out[0].at <= o.now(); o.out = o.out[1:] {
		for _, message := range o.out[0].appendTo(nil) {
			o.frames = append(o.frames, oldclient.Frame{At: o.now(), Text: string(message)})
		}
		if o.out[0].state {
			o.session.pace.sent(o.out[0].parcel, o.people.Now())
		}
	}
	select {
	case <-o.bell:
		o.session.rung(o.t.Context())
	default:
	}
	if o.session.untilDue() <= 0 {
		o.session.poll(o.t.Context())
	}
	o.take()
}

// motion is a command of the second generation: a net that gives a result after some cycles and is stopped by a rule then.
type motion struct {
	tag    string
	begin  time.Duration
	cycles int
	joint  string        // that it needs
	pause  time.Duration // between what is asked about the net and its start
}

const motionNet = `{n=Test::Count(),g=Core::IntGreater(inFirst=n.outValue,Second='%d'),h=Test::Hold(Joint='%s'),` +
	`o=Core::BooleanNetcommOut(Key='done',inValue=g.outValue,Value='false'),outTerminate=Core::BooleanValue(Value='false').outValue}`

// start does what the client does for a motion, each step as soon as it may after the one before. Nets and rules are
// made over another connection. known is called with what the client waits for.
func (o *older) start(m motion, known func(oldclient.Command)) {
	var n *rcc.Net
	var rule *rcc.Rule
	add := func(r rcc.RuleRequest) *rcc.Rule {
		added, err := o.core.Rules.Add(o.t.Context(), r)
		if err != nil {
			o.t.Fatal(err)
		}
		return added
	}
	at := m.begin
	next := func(do func()) {
		o.at(at, do)
		at += o.within(1500 * time.Microsecond)
	}
	next(func() {
		var err error
		n, err = o.core.Nets.Load(rcc.LoadRequest{Text: fmt.Sprintf(motionNet, m.cycles, m.joint), Period: time.Millisecond})
		if err != nil || n.State() != rcc.Ready {
			o.t.Fatal(n.Problems(), err)
		}
	})
	next(func() { o.say(`%s=gne("%s",0.02)`, m.tag, n.Name()) })
	next(func() { add(rcc.RuleRequest{Condition: n.Name() + ".outdone", Stop: []string{n.Name()}}) })
	at += m.pause
	next(func() { rule = add(rcc.RuleRequest{Condition: "t", Start: []string{n.Name()}}) })
	next(func() {
		known(oldclient.Command{Net: m.tag, Result: "outdone", Rule: m.tag + "r", Asked: o.now()})
		o.say(`%sr=gsy("%d")`, m.tag, rule.Number())
	})
}

// motions are some at a time, by seed, some of which can only fail as another one has the joint. Other commands of the client
// make the daemon look at other times.
func motions(t *testing.T, c *cell, asOlder bool, seed uint64) ([]oldclient.Frame, []oldclient.Command) {
	t.Helper()
	o := newOlder(c, asOlder, seed)
	defer o.stop()
	var commands []oldclient.Command
	for i := range 1 + o.chance.IntN(5) {
		m := motion{tag: fmt.Sprintf("n%d", i), begin: o.within(30 * time.Millisecond), joint: fmt.Sprint(o.chance.IntN(8))}
		m.cycles = []int{0, 0, 1, o.chance.IntN(40)}[o.chance.IntN(4)]
		o.start(m, func(c oldclient.Command) { commands = append(commands, c) })
	}
	for i := range o.chance.IntN(20) {
		o.at(o.within(80*time.Millisecond), func() { o.say(`x%d=snc({})`, i) })
	}
	o.run(300 * time.Millisecond)
	for _, n := range c.core.Nets.All() {
		if err := n.Unload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return o.frames, commands
}

// schedulesOf plays what the daemon says in many conversations against many schedules of the client.
func schedulesOf(t *testing.T, asOlder bool, conversations, schedules int, hung func(seed uint64, h *oldclient.Hung)) {
	t.Helper()
	c := newCell(t)
	for seed := range uint64(conversations) {
		frames, commands := motions(t, c, asOlder, seed)
		s, err := oldclient.NewSession(frames, commands)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(schedules) {
			if h := s.Play(oldclient.Quiet(), k); h != nil {
				hung(seed, h)
				break
			}
		}
	}
}

// TestNothingHangsOlderClients: whatever the races of its threads, no client of the second generation waits for ever.
func TestNothingHangsOlderClients(t *testing.T) {
	schedulesOf(t, true, 200, 500, func(seed uint64, h *oldclient.Hung) { t.Errorf("conversation %d: %v", seed, h) })
}

// TestMotionsWithoutLength: however long the client takes, it loses no result of a net that ends as soon as it begins.
func TestMotionsWithoutLength(t *testing.T) {
	c := newCell(t)
	slow := oldclient.Bounds{Read: 50 * time.Millisecond, State: time.Second, Value: time.Second, Listener: time.Millisecond}
	for seed := range uint64(50) {
		o := newOlder(c, true, seed)
		var commands []oldclient.Command
		m := motion{tag: "n", joint: "1", pause: o.within(40 * time.Millisecond)}
		o.start(m, func(c oldclient.Command) { commands = append(commands, c) })
		o.run(120 * time.Millisecond)
		o.stop()
		s, err := oldclient.NewSession(o.frames, commands)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(200) {
			if hung := s.Play(slow, k); hung != nil {
				t.Fatal(hung)
			}
		}
	}
}

// TestEverythingAtOnceHangsThem: the model would notice.
func TestEverythingAtOnceHangsThem(t *testing.T) {
	hung := 0
	schedulesOf(t, false, 20, 100, func(uint64, *oldclient.Hung) { hung++ })
	if hung == 0 {
		t.Error("the model hangs in no conversation in which everything is told at once")
	}
}

// TestBusyOlderClients: a client that sends all the time hears of values nevertheless.
func TestBusyOlderClients(t *testing.T) {
	c := newCell(t)
	o := newOlder(c, true, 1)
	defer o.stop()
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: counting, Period: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.say(`n=gne("%s",0.0)`, n.Name())
	for i := range 60 {
		o.at(time.Duration(i)*3*time.Millisecond, func() { o.say(`x%d=snc({})`, i) })
	}
	o.run(180 * time.Millisecond)
	values := 0
	for _, f := range o.frames {
		if strings.HasPrefix(f.Text, "n=nc") {
			values++
		}
	}
	if values < 10 {
		t.Errorf("%d messages with values", values)
	}
}

// TestPace: an older client hears of many nets in turn, at its pace, and of the newest states only.
func TestPace(t *testing.T) {
	const nets = 10
	c := newCell(t)
	o := newOlder(c, true, 1)
	defer o.stop()
	for i := range nets {
		m := motion{tag: fmt.Sprintf("n%d", i), cycles: 500, joint: fmt.Sprint(i)}
		o.start(m, func(oldclient.Command) {})
	}
	o.run(450 * time.Millisecond)
	o.at(o.now(), func() {
		for _, n := range c.core.Nets.All() {
			if err := n.Abort(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	o.run(2 * nets * stateInterval)
	var last time.Duration
	told := map[string][]string{}
	for _, f := range o.frames {
		tag, state, ok := strings.Cut(f.Text, `=ns("`)
		if !ok {
			continue
		}
		if told[tag] = append(told[tag], strings.TrimSuffix(state, `")`)); len(told[tag]) == 1 {
			continue
		}
		if since := f.At - last; last > 0 && since < stateInterval {
			t.Errorf("%s %v after the state before it", f.Text, since)
		}
		last = f.At
	}
	for i := range nets {
		states := told[fmt.Sprintf("n%d", i)]
		if len(states) < 3 || states[0] != "READY" || states[len(states)-1] != "TERMINATED" || !slices.Contains(states, "RUNNING") {
			t.Errorf("net %d: %v", i, states)
		}
	}
}
