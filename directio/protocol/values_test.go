package protocol

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc"
)

// reader is a client that reads when it likes.
type reader struct {
	*cell
	session *session
	heard   func(message string)
}

func newReader(c *cell, cfg Config, heard func(string)) *reader {
	cfg.clock = c.people
	r := &reader{cell: c, session: newConversation(c.core, cfg), heard: heard}
	r.session.greeted = true
	c.t.Cleanup(r.session.observer.Close)
	return r
}

// say lets the client say something and take what there is, so that there is room for the answer.
func (r *reader) say(format string, a ...any) {
	r.read(-1)
	r.session.answer(r.t.Context(), fmt.Sprintf(format, a...))
	r.session.followUp(r.t.Context())
}

// turn is what Serve does when there is something to do.
func (r *reader) turn() {
	select {
	case <-r.session.observer.Bell():
		r.session.rung(r.t.Context())
	default:
	}
	if r.session.untilDue() <= 0 {
		r.session.poll(r.t.Context())
	}
}

// read takes n parcels, all of them with -1.
func (r *reader) read(n int) {
	for ; n != 0 && len(r.session.out) > 0; n-- {
		p := <-r.session.out
		r.session.underway.Add(-int64(len(p.text)))
		for _, message := range p.appendTo(nil) {
			r.heard(string(message))
		}
		p.release()
	}
}

// rising is a net with two values, which are set together and only get larger.
const rising = `{a=Core::IntNetcommIn(Key='a',Value='0'),b=Core::IntNetcommIn(Key='b',Value='0'),` +
	`x=Core::IntNetcommOut(inValue=a.outValue,Key='a'),y=Core::IntNetcommOut(inValue=b.outValue,Key='b'),` +
	`end=Core::BooleanNetcommIn(Key='end',Value='false'),outTerminate=end.outValue}`

// account is what a client knows by one subscription.
type account struct {
	net    *rcc.Net
	states []string
	value  int
}

// TestThousandsOfSubscriptions: whatever changes when, and however the client reads, by each of thousands of subscriptions it
// gets the newest values in the end and never an older one after a newer one, those of a cycle together, and every state in its order.
func TestThousandsOfSubscriptions(t *testing.T) {
	const nets, each, steps = 60, 50, 150
	c := newCell(t)
	chance := rand.New(rand.NewPCG(1, 2))
	accounts := map[string]*account{}
	values := regexp.MustCompile(`^(\w+)=nc\(\{outa:"(\d+)",outb:"(\d+)"\}\)$`)
	states := regexp.MustCompile(`^(\w+)=ns\("(\w+)"\)$`)
	r := newReader(c, Config{}, func(message string) {
		if m := states.FindStringSubmatch(message); m != nil {
			accounts[m[1]].states = append(accounts[m[1]].states, m[2])
			return
		}
		m := values.FindStringSubmatch(message)
		if m == nil {
			if !regexp.MustCompile(`^\w+=ok\(`).MatchString(message) {
				t.Fatalf("heard %q", message)
			}
			return
		}
		is, err := strconv.Atoi(m[2])
		if err != nil || m[2] != m[3] || is < accounts[m[1]].value {
			t.Fatalf("%s after %d", message, accounts[m[1]].value)
		}
		accounts[m[1]].value = is
	})
	var all []*rcc.Net
	for range nets {
		n, err := c.core.Nets.Load(rcc.LoadRequest{Text: rising, Period: 10 * time.Millisecond})
		if err != nil || n.State() != rcc.Ready {
			t.Fatal(n.Problems(), err)
		}
		all = append(all, n)
	}
	for i := range nets * each {
		tag := fmt.Sprintf("s%d", i)
		accounts[tag] = &account{net: all[i%nets]}
		r.say(`%s=gne("%s",%v)`, tag, all[i%nets].Name(), float64(chance.IntN(80))/1000)
	}
	for _, n := range all {
		if err := n.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	final := map[*rcc.Net]int{}
	set := func(n *rcc.Net) {
		final[n]++
		text := strconv.Itoa(final[n])
		if err := n.Set([]rcc.KeyValue{{Key: "ina", Value: text}, {Key: "inb", Value: text}}); err != nil {
			t.Fatal(err)
		}
	}
	ended := map[*rcc.Net]bool{}
	for step := range steps {
		for range chance.IntN(nets) {
			if n := all[chance.IntN(nets)]; !ended[n] {
				set(n)
			}
		}
		if n := all[chance.IntN(nets)]; step%10 == 9 && !ended[n] {
			ended[n] = true
			if err := n.Set([]rcc.KeyValue{{Key: "inend", Value: "true"}}); err != nil {
				t.Fatal(err)
			}
		}
		c.advance(time.Duration(chance.IntN(30)) * time.Millisecond)
		for range chance.IntN(3) {
			r.turn()
			r.read(chance.IntN(3) - 1)
		}
	}
	for range 50 {
		r.read(-1)
		c.advance(10 * time.Millisecond)
		r.turn()
	}
	for tag, is := range accounts {
		if is.value != final[is.net] {
			t.Errorf("%s: %d in the end, not %d", tag, is.value, final[is.net])
		}
		want := []string{"READY", "RUNNING"}
		if ended[is.net] {
			want = append(want, "TERMINATED")
		}
		if !slices.Equal(is.states, want) {
			t.Errorf("%s: %v", tag, is.states)
		}
	}
}

// TestNothingNewIsNotLookedAt: of thousands of subscriptions those are looked at of which there is something new.
func TestNothingNewIsNotLookedAt(t *testing.T) {
	const others = 1000
	c := newCell(t)
	looks := 0
	r := newReader(c, Config{}, func(string) {})
	var all []*rcc.Net
	for i := range others + 1 {
		n, err := c.core.Nets.Load(rcc.LoadRequest{Text: rising})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
		r.say(`s%d=gne("%s",0.1)`, i, n.Name())
	}
	for _, sub := range r.session.byName {
		sub.watch = counted{sub.watch, &looks}
	}
	r.say(`x=nse("me")`)
	if err := all[others/2].Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.settle()
	r.turn()
	if r.read(-1); looks == 0 || looks > 10 {
		t.Errorf("%d looks at %d subscriptions of which one has changed", looks, others+1)
	}
}

type counted struct {
	watch
	looks *int
}

func (c counted) look(g *glance) bool {
	*c.looks++
	return c.watch.look(g)
}

// TestTooManyChanges: who has not looked for a long time looks at everything.
func TestTooManyChanges(t *testing.T) {
	c := newCell(t)
	var heard []string
	r := newReader(c, Config{}, func(message string) { heard = append(heard, message) })
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: rising})
	if err != nil {
		t.Fatal(err)
	}
	r.say(`s=gne("%s",0.1)`, n.Name())
	r.read(-1)
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 600 { // two states each
		other, err := c.core.Nets.Load(rcc.LoadRequest{Text: rising})
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Unload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	c.settle()
	heard = nil
	r.turn()
	if r.read(-1); len(heard) == 0 || heard[0] != `s=ns("RUNNING")` {
		t.Errorf("heard %q", heard)
	}
}

// TestTakenBack: the values that a state was entered with are not sent after newer ones.
func TestTakenBack(t *testing.T) {
	c := newCell(t)
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: counting, Period: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(50 * time.Millisecond)
	w := newNetWatch(n, 0, false, nil)
	g := glance{now: c.people.Now(), first: true, room: true, tag: "t", out: new(parcel)}
	w.look(&g)
	if err := n.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(50 * time.Millisecond)
	g = glance{now: c.people.Now(), room: true, tag: "t", out: new(parcel)}
	w.report(&g, n.Values()) // between the state and the look that finds it
	w.look(&g)
	const want = `t=nc({outn:"10"})t=nc({outn:"10"})t=ns("CANCELLING")`
	if got := string(g.out.text); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
}

// TestBeat: whenever they have subscribed, all look at the same instants, none before its interval is over, and at its rate.
func TestBeat(t *testing.T) {
	c := newCell(t)
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: counting, Period: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := make([]int, 7)
	var readers []*reader
	for i := range told {
		r := newReader(c, Config{}, func(string) { told[i]++ })
		r.say(`s=gne("%s",0.02)`, n.Name())
		r.read(-1)
		readers = append(readers, r)
		c.advance(300 * time.Microsecond)
	}
	clear(told)
	const lasts = time.Second
	for begin := c.people.Now(); c.people.Now().Sub(begin) < lasts; c.advance(100 * time.Microsecond) {
		for _, r := range readers {
			if r.session.untilDue() > 0 {
				continue
			}
			if off := c.people.Now().Sub(c.people.Begin()) % beat; off != 0 {
				t.Fatalf("a look %v after a beat", off)
			}
			r.session.poll(t.Context())
			r.read(-1)
		}
	}
	for i, k := range told {
		if k < 49 || k > 51 {
			t.Errorf("reader %d: told %d times in %v", i, k, lasts)
		}
	}
}

// TestFirstValue: a client that asked for less than 10 ms receives the first values of a net as soon as they exist, though no
// time has passed since its start; others when it is time for a look.
func TestFirstValue(t *testing.T) {
	c := newCell(t)
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: counting, Period: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var readers []*reader
	heard := make([][]string, 4)
	for i, asks := range []struct {
		interval float64
		older    bool
	}{{0.001, false}, {0.01, false}, {0, false}, {0.001, true}} {
		r := newReader(c, Config{Older: asks.older}, func(message string) { heard[i] = append(heard[i], message) })
		r.say(`s=gne("%s",%v)`, n.Name(), asks.interval)
		readers = append(readers, r)
	}
	c.people.advance(time.Second)
	turn := func() {
		c.settle()
		for i, r := range readers {
			heard[i] = nil
			r.turn()
			r.read(-1)
		}
	}
	turn()
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn()
	if diff := cmp.Diff([]string{`s=ns("RUNNING")`}, heard[0]); diff != "" {
		t.Fatal(diff)
	}
	if err := c.time.Advance(t.Context(), time.Millisecond); err != nil {
		t.Fatal(err)
	}
	turn()
	if diff := cmp.Diff([][]string{{`s=nc({outn:"1"})`}, nil, nil, nil}, heard); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	first := c.people.Now()
	for len(heard[1]) == 0 {
		c.people.advance(500 * time.Microsecond)
		turn()
	}
	if after := c.people.Now().Sub(first); after < shortestInterval || after > shortestInterval+beat {
		t.Errorf("who has asked for 10 ms is told after %v", after)
	}
}

// TestSwift: values are sent as often as asked for, if that is not more than 1,000 times a second; for those of older clients
// and those who do not say, 100 times.
func TestSwift(t *testing.T) {
	c := newCell(t)
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: counting, Period: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		interval float64
		older    bool
		from, to int
		told     int
	}{
		{interval: 0.001, from: 999, to: 1001},
		{interval: 0.0001, from: 999, to: 1001},
		{interval: 0.004, from: 249, to: 251},
		{interval: 0, from: 99, to: 101},
		{interval: 0.001, older: true, from: 90, to: 101},
	}
	var readers []*reader
	for i := range tests {
		tt := &tests[i]
		r := newReader(c, Config{Older: tt.older}, func(string) { tt.told++ })
		r.say(`s=gne("%s",%v)`, n.Name(), tt.interval)
		r.read(-1)
		readers = append(readers, r)
	}
	const lasts = time.Second
	for i := range tests {
		tests[i].told = 0
	}
	for begin := c.people.Now(); c.people.Now().Sub(begin) < lasts; c.advance(250 * time.Microsecond) {
		for _, r := range readers {
			if r.session.untilDue() <= 0 {
				r.session.poll(t.Context())
			}
			r.read(-1)
		}
	}
	for _, tt := range tests {
		if tt.told < tt.from || tt.told > tt.to {
			t.Errorf("every %v s, older %v: told %d times in %v", tt.interval, tt.older, tt.told, lasts)
		}
	}
}

// calls is a connection that keeps what was handed over at once.
type calls struct {
	pipe
	list [][]string
}

func (c *calls) WriteMessages(messages ...[]byte) error {
	var texts []string
	for _, m := range messages {
		texts = append(texts, string(m))
	}
	c.list = append(c.list, texts)
	return nil
}

// TestTogether: waiting messages are handed over at once, except to older clients, which get each message by itself.
func TestTogether(t *testing.T) {
	c := newCell(t)
	for older, want := range map[bool][][]string{
		false: {{`a=ok()`, `b=ok()`, `c=ok()`}},
		true:  {{`a=ok()`}, {`b=ok()`}, {`c=ok()`}},
	} {
		r := newReader(c, Config{Older: older}, func(string) {})
		for _, tag := range []string{"a", "b", "c"} {
			r.session.say(t.Context(), tag, "ok")
		}
		close(r.session.out)
		conn := new(calls)
		r.session.send(conn, func(err error) { t.Error(err) })
		if diff := cmp.Diff(want, conn.list); diff != "" {
			t.Errorf("older %v: %s", older, diff)
		}
		if left := r.session.underway.Load(); left != 0 {
			t.Errorf("older %v: %d bytes are under way after all", older, left)
		}
	}
}

// BenchmarkSubscriptions is a command with its answer over a connection with subscriptions of which none has changed, and
// beside it the same when all of them are looked at.
func BenchmarkSubscriptions(b *testing.B) {
	for _, nets := range []int{1, 1000} {
		c := newCell(b)
		r := newReader(c, Config{}, func(string) {})
		for i := range nets {
			n, err := c.core.Nets.Load(rcc.LoadRequest{Text: rising})
			if err != nil {
				b.Fatal(err)
			}
			for k := range 4 {
				r.say(`s%d_%d=gne("%s",0.1)`, i, k, n.Name())
			}
		}
		r.turn()
		r.read(-1)
		b.Run(fmt.Sprintf("%d", 4*nets), func(b *testing.B) {
			for b.Loop() {
				r.say(`x=snc({})`)
			}
		})
		b.Run(fmt.Sprintf("%d/all", 4*nets), func(b *testing.B) {
			for b.Loop() {
				r.session.agenda.noteAll()
				r.say(`x=snc({})`)
			}
		})
	}
}
