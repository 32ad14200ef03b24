package oldclient

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Frame is a message that has arrived.
type Frame struct {
	At   time.Duration
	Text string
}

// Command is what the application waits for: a result that its net gives, and the end of the net.
type Command struct {
	Net    string        // tag of its gne
	Result string        // key that becomes true with the result
	Rule   string        // tag of the gsy of the rule that starts it; empty for none
	Asked  time.Duration // when that gsy was sent
}

// Bounds are how long the threads of a client take at most.
type Bounds struct {
	Read     time.Duration // until the reader takes the next frame
	State    time.Duration // that a listener of a state takes, from when its turn comes
	Value    time.Duration // the same of values and rules
	Listener time.Duration // between the question for a rule and its listener
}

// Quiet returns the bounds on a quiet machine.
func Quiet() Bounds {
	return Bounds{Read: time.Millisecond, State: 12 * time.Millisecond, Value: 200 * time.Microsecond, Listener: time.Millisecond}
}

// Session is what a client is told over one connection, and what it wants. It can be played as often as there are seeds.
type Session struct {
	commands []Command
	frames   []frame
}

// frame is one as it is read.
type frame struct {
	Frame
	command int // that it is about
	kind    kind
	state   string // of the net, or of the rule
	result  bool   // the values have the result of the command
}

type kind uint8

const (
	aState kind = iota
	someValues
	aRule
)

// NewSession reads what has arrived, in its order. Frames that the commands are not about are left out.
func NewSession(frames []Frame, commands []Command) (*Session, error) {
	s := &Session{commands: commands}
	for _, f := range frames {
		st, err := grammar.ParseStatement(f.Text, grammar.Limits{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Text, err)
		}
		read, ok := s.read(f, st)
		if ok {
			s.frames = append(s.frames, read)
		}
	}
	return s, nil
}

func (s *Session) read(f Frame, st *grammar.Statement) (frame, bool) {
	of := func(tag func(Command) string) int {
		return slices.IndexFunc(s.commands, func(c Command) bool { return tag(c) == st.Tag })
	}
	r := frame{Frame: f}
	switch st.Command {
	case "ns":
		r.kind, r.command, r.state = aState, of(func(c Command) string { return c.Net }), st.Params[0].Text
	case "rs":
		r.kind, r.command, r.state = aRule, of(func(c Command) string { return c.Rule }), st.Params[0].Text
	case "nc":
		r.kind, r.command = someValues, of(func(c Command) string { return c.Net })
		for i, key := range st.Params[0].Keys {
			if r.command >= 0 && key == s.commands[r.command].Result {
				r.result = st.Params[0].Items[i].Text == "true"
			}
		}
	default:
		return r, false
	}
	return r, r.command >= 0
}

// Hung is a command that waits for ever, and what the client has done until then.
type Hung struct {
	Command int
	Reason  string
	play    *play
}

// String tells the story.
func (h *Hung) String() string {
	return fmt.Sprintf("command %d waits for ever: %s\n%s", h.Command, h.Reason, strings.Join(h.play.tell(h.Command), "\n"))
}

// Play runs the threads of the client. It returns the first command that waits for ever, nil when there is none.
func (s *Session) Play(b Bounds, seed uint64) *Hung {
	p := &play{Session: s, chance: rand.New(rand.NewPCG(seed, 1)), told: make([]fate, len(s.commands))}
	p.readAll(b)
	p.listen(b)
	for i := range p.told {
		if reason := p.told[i].hangs(); reason != "" {
			return &Hung{Command: i, Reason: reason, play: p}
		}
	}
	return nil
}

// play is one schedule of the threads.
type play struct {
	*Session
	chance *rand.Rand
	taken  []time.Duration // by the reader, of each frame
	heard  []bool          // somebody listened
	looked []time.Duration // by the listener, of each frame that was heard
	told   []fate          // of each command
}

// fate is what the listeners of a command know.
type fate struct {
	active bool // the result
	ended  bool // the net was seen to have ended
	lost   bool // it was so before there was a result
	failed bool // the net could not be started
}

func (f *fate) hangs() string {
	switch {
	case f.lost:
		return "its net was seen to have ended before the result was"
	case !f.ended && !f.failed:
		return "it heard neither of an end nor of a start that failed"
	}
	return ""
}

// takes draws how long something takes. The ends of what is possible matter most.
func (p *play) takes(most time.Duration) time.Duration {
	switch p.chance.IntN(3) {
	case 0:
		return 0
	case 1:
		return most
	}
	return time.Duration(p.chance.Int64N(int64(most) + 1))
}

// readAll is the thread that takes frames.
func (p *play) readAll(b Bounds) {
	p.taken, p.heard, p.looked = make([]time.Duration, len(p.frames)), make([]bool, len(p.frames)), make([]time.Duration, len(p.frames))
	listens := make([]time.Duration, len(p.commands))
	for i, c := range p.commands {
		listens[i] = c.Asked + p.takes(b.Listener)
	}
	known := make([]bool, len(p.commands))
	var now time.Duration
	for i, f := range p.frames {
		now = max(now, f.At) + p.takes(b.Read)
		p.taken[i] = now
		switch f.kind {
		case aRule:
			p.heard[i] = now >= listens[f.command]
		case aState:
			p.heard[i], known[f.command] = known[f.command], true
		default:
			p.heard[i] = true
		}
	}
}

// listen is the thread of the listeners, which takes from the queue in order.
func (p *play) listen(b Bounds) {
	var now time.Duration
	for i, f := range p.frames {
		if !p.heard[i] {
			continue
		}
		now = max(now, p.taken[i])
		most := b.Value
		if f.kind == aState {
			most = b.State
		}
		before := p.takes(most)
		p.looked[i] = now + before
		p.hear(&f, p.looked[i])
		now += before + p.takes(most-before)
	}
}

// hear is a listener.
func (p *play) hear(f *frame, now time.Duration) {
	of := &p.told[f.command]
	switch f.kind {
	case someValues:
		of.active = of.active || f.result
	case aRule:
		of.failed = of.failed || f.state == "FIREFAILED"
	case aState:
		if p.newest(f.command, now) == "TERMINATED" {
			of.ended = true
			of.lost = of.lost || !of.active
		}
	}
}

// newest returns the state of a net that the reader has stored last.
func (p *play) newest(command int, now time.Duration) (state string) {
	for i, f := range p.frames {
		if p.taken[i] > now {
			break
		}
		if f.kind == aState && f.command == command {
			state = f.state
		}
	}
	return state
}

// tell returns the story of a command.
func (p *play) tell(command int) (lines []string) {
	for i, f := range p.frames {
		line := fmt.Sprintf("%10v  %s  taken %v", f.At, f.Text, p.taken[i])
		if p.heard[i] {
			line += fmt.Sprintf(", heard %v", p.looked[i])
		} else {
			line += ", nobody listened"
		}
		if f.command != command {
			line += "  (another command)"
		}
		lines = append(lines, line)
	}
	return lines
}
