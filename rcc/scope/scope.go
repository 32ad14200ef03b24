package scope

import (
	"fmt"
	"slices"
	"time"
)

// Group is a set of channels with common ticks: ports of one net, or figures of one device.
type Group struct {
	Channels []int  // indexes in the setup
	Forms    []Form // of each channel, as in the source

	// Constants are the values of channels that never change and have no samples; nil for a channel that is null. Either all
	// channels of a group are constant, or none is.
	Constants [][]float64
}

// Block has samples of a group, oldest first. The receiver does not keep it.
type Block struct {
	Ticks   []int64  // Unix time in ns, rising
	Columns []Column // for each channel of the group
	Lost    int      // samples before these that were lost
}

// Column has the samples of one channel.
type Column struct {
	Given []bool
	Words []float64 // sample after sample
}

// Limits of a scope.
const (
	// MostBytes is how much memory the samples of a scope may take.
	MostBytes = 16 << 20
	// MostCapture is how much memory a capture may take.
	MostCapture = 8 << 20
	// mostWaiting is how many triggers wait for their samples.
	mostWaiting = 64
	// Grace is how long a capture waits for samples of other groups that are late.
	Grace = time.Second
	// shortestAuto is how long auto waits for a trigger at least.
	shortestAuto = int64(100 * time.Millisecond)
)

// Scope finds triggers and makes captures. One goroutine uses it. Its results depend only on the ticks of samples and events,
// and on Now for samples that do not come.
//
// A trigger counts when its tick is after the span of the previous trigger, and not within the holdoff of that trigger. With Auto
// a capture is made without a trigger when none has counted for the length of a capture, and for at least 100 ms; when the kind
// of trigger is None, captures follow each other without a gap. With Single no trigger counts after the first one until Arm.
type Scope struct {
	setup    Setup
	before   int64
	after    int64
	holdoff  int64
	patience int64 // of auto
	groups   []*group
	places   []place
	forms    []Form // of what channels show
	watched  int    // group of the trigger's channel; -1 for none

	started bool
	armed   bool
	from    int64 // first tick at which a trigger counts
	waiting []shot
	late    int64 // samples up to this tick are no longer waited for
	made    int
	missed  int
	lost    int
}

// place is where a channel is.
type place struct{ group, index int }

// shot is a trigger that has counted.
type shot struct {
	tick   int64
	forced bool
	why    string
}

// group is what a scope keeps of a group.
type group struct {
	Group
	selected []selection
	period   int64
	detector *Detector
	trigger  int // index of the trigger's channel in the group
	samples
	kept  int64 // ns that are kept
	ended bool
}

// New returns a scope for a setup that has been checked. The groups together have each of its channels once.
func New(setup *Setup, groups []Group) (*Scope, error) {
	s := &Scope{
		setup: *setup, before: span(setup.Before), after: span(setup.After), holdoff: span(setup.Holdoff), armed: true,
		places: make([]place, len(setup.Channels)), forms: make([]Form, len(setup.Channels)), watched: -1,
	}
	s.patience = max(s.before+s.after, shortestAuto)
	if setup.Trigger.Kind == None {
		s.patience = s.before
	}
	bytes := int64(0)
	for g := range groups {
		made, err := s.group(g, &groups[g])
		if err != nil {
			return nil, err
		}
		s.groups = append(s.groups, made)
		if made.Constants == nil {
			bytes += made.bytes(s.forms)
		}
	}
	if bytes > MostBytes {
		return nil, problem("/after", "%v s of these channels take %d MiB, %d MiB are allowed; show a shorter time or fewer channels",
			setup.Before+setup.After, bytes>>20, MostBytes>>20)
	}
	if bytes := s.largest(); bytes > MostCapture {
		return nil, problem("/after", "a capture of %v s has up to %d MiB, %d MiB are allowed; show a shorter time or fewer channels",
			setup.Before+setup.After, (bytes+1<<20-1)>>20, MostCapture>>20)
	}
	return s, nil
}

// largest returns how much memory a capture takes at most: where no tick of a group is one of another group.
func (s *Scope) largest() int64 {
	row, ticks := int64(8), int64(0)
	for i := range s.forms {
		row += 1 + 8*int64(len(s.forms[i].Components))
	}
	for _, g := range s.groups {
		if g.Constants == nil {
			ticks += (s.before+s.after)/g.tick() + 2
		}
	}
	return row * ticks
}

func (s *Scope) group(number int, of *Group) (*group, error) {
	g := &group{Group: *of, trigger: -1, kept: s.before + s.after + int64(Grace)}
	g.ended = of.Constants != nil
	g.marks, g.words = make([][]bool, len(of.Channels)), make([][]float64, len(of.Channels))
	for i, c := range of.Channels {
		channel, where := &s.setup.Channels[c], fmt.Sprintf("/channels/%d", c)
		selected, form, err := channel.choose(of.Forms[i])
		if err != nil {
			return nil, problem(where+"/component", "%v", err)
		}
		g.selected = append(g.selected, selected)
		g.period = form.Period
		s.forms[c] = form
		s.places[c] = place{number, i}
		if t := s.setup.Trigger; t.OfChannel() && channel.Name == t.Channel {
			if selected.width() != 1 {
				return nil, problem("/trigger/channel", "%q has %d components; give the channel one of them", t.Channel, selected.width())
			}
			if form.Type == "bool" && t.Kind != Window && t.Kind != Runt {
				t.Level, t.Hysteresis = 0.5, 0
			}
			g.detector, g.trigger, s.watched = NewDetector(t), i, number
		}
	}
	return g, nil
}

// bytes returns how much memory the samples of the group take at most: twice as many as are kept, as old ones are dropped in
// heaps.
func (g *group) bytes(forms []Form) int64 {
	row := int64(8)
	for _, c := range g.Channels {
		row += 1 + 8*int64(len(forms[c].Components))
	}
	return 2 * row * g.most()
}

// most returns how many samples are kept.
func (g *group) most() int64 { return g.kept/g.tick() + 2 }

// tick returns how far ticks are apart, or a guess where nobody knows.
func (g *group) tick() int64 {
	if g.period <= 0 {
		return int64(time.Millisecond)
	}
	return g.period
}

// Forms returns the forms of the channels of the setup.
func (s *Scope) Forms() []Form { return slices.Clone(s.forms) }

// Feed gives the scope samples of a group, which follow those of the previous call.
func (s *Scope) Feed(number int, b *Block) {
	g := s.groups[number]
	s.lost += b.Lost
	if b.Lost > 0 && g.detector != nil {
		g.detector.Forget()
	}
	for i, tick := range b.Ticks {
		if n := len(g.ticks); n > 0 && tick <= g.ticks[n-1] {
			continue // of a clock that was set back; ticks rise
		}
		g.add(b, i, tick)
		if !s.started {
			s.started, s.from = true, tick
		}
		if g.detector != nil {
			given, x := g.newest()
			if g.detector.Step(given, x) {
				s.shoot(shot{tick: tick, why: string(s.setup.Trigger.Kind)})
			}
		}
		if number == s.watched || s.watched < 0 {
			s.impatient(tick)
		}
	}
	s.drop(g)
}

// add keeps one sample.
func (g *group) add(b *Block, i int, tick int64) {
	g.ticks = append(g.ticks, tick)
	for c := range g.selected {
		column, words := &b.Columns[c], len(g.Forms[c].Components)
		g.marks[c] = append(g.marks[c], column.Given[i])
		g.words[c] = g.selected[c].add(g.words[c], column.Words[i*words:(i+1)*words])
	}
}

// newest returns the newest sample of the trigger's channel.
func (g *group) newest() (given bool, x float64) {
	marks, words := g.marks[g.trigger], g.words[g.trigger]
	return marks[len(marks)-1], words[len(words)-1]
}

// drop forgets the samples that no capture can need any more.
func (s *Scope) drop(g *group) {
	n := len(g.ticks)
	if int64(n) < 2*g.most() {
		return
	}
	old := n - int(g.most())
	g.ticks = slices.Delete(g.ticks, 0, old)
	for c := range g.selected {
		g.marks[c] = slices.Delete(g.marks[c], 0, old)
		g.words[c] = slices.Delete(g.words[c], 0, old*g.selected[c].width())
	}
}

// End says that no more samples of a group will come.
func (s *Scope) End(number int) { s.groups[number].ended = true }

// Begin says that samples of a group will come again.
func (s *Scope) Begin(number int) { s.groups[number].ended = false }

// Event gives the scope an event. Events may come later than samples of the same tick.
func (s *Scope) Event(e *Event) {
	if !s.setup.Trigger.Matches(e) {
		return
	}
	if !s.started {
		s.started, s.from = true, e.Tick
	}
	why := string(e.Kind)
	for _, name := range []string{e.Rule, e.Net, e.Device, e.State} {
		if name != "" {
			why += " " + name
		}
	}
	s.shoot(shot{tick: e.Tick, why: why})
}

// Now sets the time on the clock of ticks: samples that are older and have not come are late.
func (s *Scope) Now(now int64) {
	late := now - int64(Grace)
	if !s.started {
		s.started, s.from = true, now
	}
	s.late = max(s.late, late)
	s.impatient(late)
}

// shoot takes a trigger if it counts.
func (s *Scope) shoot(of shot) {
	if !s.armed || of.tick < s.from {
		return
	}
	s.from = max(of.tick+s.after+1, of.tick+s.holdoff)
	s.armed = s.setup.Mode != Single
	if len(s.waiting) == mostWaiting {
		s.missed++
		return
	}
	s.waiting = append(s.waiting, of)
}

// impatient makes a capture without a trigger if none has counted for long.
func (s *Scope) impatient(tick int64) {
	forced := s.setup.Mode == Auto || s.setup.Mode == Single && s.setup.Trigger.Kind == None
	if forced && s.started && tick >= s.from+s.patience {
		s.shoot(shot{tick: tick, forced: true})
	}
}

// Missed returns how many triggers were left out because too many captures were waiting for their samples.
func (s *Scope) Missed() int { return s.missed }

// Arm lets the next trigger count when Single has stopped after a capture. Other modes are always armed.
func (s *Scope) Arm() { s.armed = true }

// Phase is what a scope is doing.
type Phase string

// Phases.
const (
	Armed     Phase = "armed"     // it waits for a trigger
	Triggered Phase = "triggered" // a trigger has counted, and its samples are still to come
	Stopped   Phase = "stopped"   // Single, after its capture
)

// Phase returns what the scope is doing.
func (s *Scope) Phase() Phase {
	switch {
	case len(s.waiting) > 0:
		return Triggered
	case !s.armed:
		return Stopped
	}
	return Armed
}

// Next returns the next capture, nil when none is complete.
func (s *Scope) Next() *Capture {
	if len(s.waiting) == 0 {
		return nil
	}
	of := s.waiting[0]
	end := of.tick + s.after
	for _, g := range s.groups {
		if !g.complete(end) && end > s.late {
			return nil
		}
	}
	s.waiting = slices.Delete(s.waiting, 0, 1)
	return s.capture(of)
}

// complete reports whether no sample up to a tick can come any more.
func (g *group) complete(end int64) bool {
	n := len(g.ticks)
	return g.ended || n > 0 && (g.ticks[n-1] >= end || g.period > 0 && g.ticks[n-1]+g.period > end)
}

func (s *Scope) capture(of shot) *Capture {
	s.made++
	begin, end := of.tick-s.before, of.tick+s.after
	c := &Capture{
		Setup: s.setup.Name, Number: s.made, Trigger: of.tick, Forced: of.forced, Why: of.why, Before: s.before, After: s.after,
		Channels: make([]Trace, len(s.places)), Lost: s.lost,
	}
	s.lost = 0
	shown := make([][]int64, len(s.groups))
	for i, g := range s.groups {
		shown[i] = g.ticks[g.since(begin):g.since(end+1)]
	}
	c.Ticks = axis(shown)
	for number, at := range s.places {
		g, name, form := s.groups[at.group], s.setup.Channels[number].Name, s.forms[number]
		if g.Constants != nil {
			c.Channels[number] = constant(name, form, g.Constants[at.index], g.selected[at.index], len(c.Ticks))
			continue
		}
		if !g.complete(end) {
			c.Late = append(c.Late, name)
		}
		c.Channels[number] = g.trace(at.index, name, form, c.Ticks)
	}
	return c
}

// constant returns the trace of a channel that never changes.
func constant(name string, f Form, v []float64, by selection, ticks int) Trace {
	t := Trace{Name: name, Form: f, Marks: make([]Mark, ticks), Values: make([][]float64, len(f.Components))}
	var shown []float64
	if v != nil {
		shown = by.add(nil, v)
	}
	for c := range t.Values {
		t.Values[c] = make([]float64, ticks)
		for i := range ticks {
			if v != nil {
				t.Marks[i], t.Values[c][i] = Value, shown[c]
			}
		}
	}
	return t
}
