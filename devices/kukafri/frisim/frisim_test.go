package frisim_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
)

// pc answers a controller as a test wants it.
type pc struct {
	t      *testing.T
	krc    *frisim.KRC
	now    int64
	newest wire.Measurement
	answer wire.Answer
	events []frisim.Event
	got    int // telegrams
}

func connect(t *testing.T, change func(c *frisim.Config)) *pc {
	t.Helper()
	p := &pc{t: t, now: 1e9}
	c := frisim.Usual()
	c.Tell = func(e frisim.Event) { p.events = append(p.events, e) }
	if change != nil {
		change(&c)
	}
	var err error
	if p.krc, err = frisim.New(c); err != nil {
		t.Fatal(err)
	}
	return p
}

// cycles lets time go on; each telegram is answered, by default with the mirror, after change has seen the answer.
func (p *pc) cycles(n int, change func(a *wire.Answer) bool) {
	p.t.Helper()
	var room [1000]byte
	for range n {
		p.krc.Step(p.now)
		for size, ok := p.krc.Next(p.now, room[:]); ok; size, ok = p.krc.Next(p.now, room[:]) {
			p.got++
			if r := p.newest.Decode(room[:size]); r != wire.Good {
				continue
			}
			a := &p.answer
			a.Count++
			a.Reflected, a.Flags = p.newest.Count, wire.ForPosition
			for i := range a.Joint {
				a.Joint[i] = p.newest.Commanded[i] + p.newest.Offset[i]
			}
			if change != nil && !change(a) {
				continue
			}
			var b [wire.CommandSize]byte
			a.Encode(b[:])
			p.krc.Receive(b[:], p.now)
		}
		p.now += int64(p.krc.Cycle())
	}
}

func (p *pc) do(line string) {
	p.t.Helper()
	if err := p.krc.Do(line); err != nil {
		p.t.Fatal(err)
	}
}

func never(*wire.Answer) bool { return false }

// command goes to command mode.
func (p *pc) command() *pc {
	p.t.Helper()
	p.cycles(110, nil)
	p.do("start")
	p.cycles(10, nil)
	if s := p.krc.State(); s != wire.Command {
		p.t.Fatal(s)
	}
	return p
}

func TestQuality(t *testing.T) {
	p := connect(t, nil)
	p.cycles(40, nil)
	if p.newest.Quality != wire.Unacceptable || p.krc.Do("start") == nil {
		t.Errorf("%v after 40 answers", p.newest.Quality)
	}
	for _, tt := range []struct {
		cycles int
		want   wire.Quality
	}{{20, wire.Bad}, {37, wire.Fine}, {20, wire.Perfect}} {
		p.cycles(tt.cycles, nil)
		if p.newest.Quality != tt.want {
			t.Errorf("%v instead of %v", p.newest.Quality, tt.want)
		}
	}
	p.cycles(3, never)
	if p.cycles(1, nil); p.newest.Quality != wire.Fine || p.newest.Missed == 0 {
		t.Errorf("%v after 3 are missing, %d missed", p.newest.Quality, p.newest.Missed)
	}
	p.do("quality 0")
	if p.cycles(1, nil); p.newest.Quality != wire.Unacceptable {
		t.Errorf("%v instead of 0", p.newest.Quality)
	}
	p.do("quality -1")
	p.do("off")
	p.cycles(100, nil)
	if err := p.krc.Do("start"); err == nil || !strings.Contains(err.Error(), "power false") {
		t.Errorf("without power: %v", err)
	}
}

// TestBridge: the controller goes on as before where answers are missing, and falls back when there are too many.
func TestBridge(t *testing.T) {
	p := connect(t, nil).command()
	speed := float32(0) // in a cycle
	at := p.newest.Commanded[2]
	move := func(a *wire.Answer) bool {
		if speed < 0.000595 {
			speed += 0.00001
		}
		at += speed
		a.Joint[2] = at
		return true
	}
	p.cycles(100, move)
	_, before := p.krc.Joint(2)
	p.cycles(3, never) // in the first of them the newest answer is followed
	if _, is := p.krc.Joint(2); math.Abs(is-before-3*0.0006) > 2e-6 || p.krc.State() != wire.Command {
		t.Errorf("bridged from %v to %v in %v", before, is, p.krc.State())
	}
	p.cycles(2, never)
	if p.krc.State() != wire.Monitor || !strings.Contains(p.events[len(p.events)-1].Why, "answers are missing") {
		t.Errorf("%v: %v", p.krc.State(), p.events)
	}
	if f := p.krc.Figures(); f.Violations != 0 || f.Missed < 4 {
		t.Errorf("%+v", f)
	}
}

// TestRefusedCommands: each of them ends command mode, counts, and moves nothing.
func TestRefusedCommands(t *testing.T) {
	for name, change := range map[string]func(a *wire.Answer) bool{
		"times as fast as it may be": func(a *wire.Answer) bool { a.Joint[1] += 0.01; return true },
		"to change its speed":        func(a *wire.Answer) bool { a.Joint[1] += 0.0005; return true },
		"joint 3 is commanded NaN":   func(a *wire.Answer) bool { a.Joint[3] = float32(math.NaN()); return true },
		"joint 0 is commanded +Inf":  func(a *wire.Answer) bool { a.Joint[0] = float32(math.Inf(1)); return true },
		"flags 0x0000 do not fit":    func(a *wire.Answer) bool { a.Flags = 0; return true },
		"flags 0x0100 do not fit":    func(a *wire.Answer) bool { a.Flags = wire.CartesianFrame; return true },
	} {
		p := connect(t, nil).command()
		_, before := p.krc.Joint(1)
		p.cycles(2, change)
		why := p.events[len(p.events)-1].Why
		if _, is := p.krc.Joint(1); p.krc.State() != wire.Monitor || p.krc.Figures().Violations != 1 || math.Abs(is-before) > 1e-6 || !strings.Contains(why, name) {
			t.Errorf("%s: %s, %v, from %v to %v, %+v", name, why, p.krc.State(), before, is, p.krc.Figures())
		}
	}
	// friStart(0.3) allows less velocity, and as much acceleration.
	slow := connect(t, func(c *frisim.Config) { c.Limits = 0.3 }).command()
	if slow.cycles(2, func(a *wire.Answer) bool { a.Joint[1] += 0.00007; return true }); slow.krc.Figures().Violations != 0 {
		t.Errorf("%+v", slow.events)
	}
	p := connect(t, nil).command()
	p.do("off")
	p.cycles(50, nil)
	if p.krc.State() != wire.Command {
		t.Error("power ends command mode")
	}
	if p.cycles(2, func(a *wire.Answer) bool { a.Joint[4] += 0.001; return true }); p.krc.Figures().Violations != 1 {
		t.Error("it can be commanded without power")
	}
}

// TestNetwork loses, doubles and holds up datagrams of both directions.
func TestNetwork(t *testing.T) {
	p := connect(t, func(c *frisim.Config) { c.Loss, c.Duplicate = 0.1, 0.2 })
	p.cycles(5000, nil)
	f := p.krc.Figures()
	if f.Sent != 5000 || p.got < 5100 || p.got > 5700 || f.Missed < 700 || f.Missed > 1300 || f.Outdated < 500 {
		t.Errorf("%d telegrams have come; %+v", p.got, f)
	}
	p = connect(t, func(c *frisim.Config) { c.Delay = 3 * time.Millisecond })
	p.cycles(1000, nil)
	if f := p.krc.Figures(); f.Taken != 0 || f.Late < 900 || p.newest.Quality != wire.Unacceptable {
		t.Errorf("late: %+v", f)
	}
	for line, want := range map[string]int{"lose 7": 93, "close": 0, "restart 100": 50, "version 0x2005": 100, "length 900": 100} {
		p = connect(t, nil)
		p.cycles(10, nil)
		p.got = 0
		p.do(line)
		if p.cycles(100, nil); p.got < want-1 || p.got > want+1 {
			t.Errorf("%s: %d telegrams of 100", line, p.got)
		}
	}
	p = connect(t, nil)
	p.krc.Step(p.now)
	p.krc.Receive([]byte("garbage"), p.now)
	p.krc.Receive(make([]byte, 4000), p.now)
	if f := p.krc.Figures(); f.Garbage != 2 {
		t.Errorf("%+v", f)
	}
}

// TestOrders: each one is known, has its numbers, and what is none is refused.
func TestOrders(t *testing.T) {
	orders := frisim.Orders()
	if len(orders) < 20 {
		t.Fatal(orders)
	}
	for _, order := range orders {
		p := connect(t, nil)
		p.cycles(110, nil)
		words := strings.Fields(order[0])
		line := words[0] + strings.Repeat(" 1", len(words)-1)
		p.do(line)
		p.cycles(10, nil)
		if err := p.krc.Do(line + " 1"); err == nil {
			t.Errorf("%q has too many numbers", line+" 1")
		}
		if len(words) > 1 {
			if err := p.krc.Do(words[0] + strings.Repeat(" x", len(words)-1)); err == nil {
				t.Errorf("%s takes what is no number", words[0])
			}
		}
	}
	p := connect(t, nil)
	for line, want := range map[string]string{
		"ofn": "unknown command ofn", "loss 2": "2 is not a share from 0 to 1", "duplicate -1": "-1 is not a share from 0 to 1", "length 2000": "telegrams of 2000 bytes are not possible", "quality 4": "quality 4 is out of range",
		"push 1": "push needs 2 numbers: joint torque", "lose nan": "nan is not a number", "start": "no friStart",
	} {
		if err := p.krc.Do(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v instead of %s", line, err, want)
		}
	}
	if err := p.krc.Do("  "); err != nil {
		t.Error(err)
	}
}

func TestConfig(t *testing.T) {
	for want, change := range map[string]func(c *frisim.Config){
		"cycle 500µs":   func(c *frisim.Config) { c.Cycle = 500 * time.Microsecond },
		"cycle 101ms":   func(c *frisim.Config) { c.Cycle = 101 * time.Millisecond },
		"cycle 1.5ms":   func(c *frisim.Config) { c.Cycle = 1500 * time.Microsecond },
		"3 positions":   func(c *frisim.Config) { c.Home = []float64{1, 2, 3} },
		"limits of 0":   func(c *frisim.Config) { c.Limits = 0 },
		"loss 2":        func(c *frisim.Config) { c.Loss = 2 },
		"delay -1ns":    func(c *frisim.Config) { c.Delay = -1 },
		"hand-shake 14": func(c *frisim.Config) { c.Handshake = 14 },
		"hand-shake 16": func(c *frisim.Config) { c.Handshake = 16 },
	} {
		c := frisim.Usual()
		change(&c)
		if _, err := frisim.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}

// TestJumps: what a command asks of a joint that it cannot do is counted, and so is control that ends in motion.
func TestJumps(t *testing.T) {
	p := connect(t, nil).command()
	p.cycles(1, func(a *wire.Answer) bool { a.Joint[1] += 0.1; return true })
	p.cycles(1, nil)
	if f := p.krc.Figures(); f.Jumps != 1 || f.Interruptions != 0 || len(p.krc.Jumps()) != 1 {
		t.Errorf("%+v", f)
	}
	if e := p.events[len(p.events)-2]; e.What != "jump" || !strings.Contains(e.Why, "axis 2") {
		t.Errorf("%+v", p.events)
	}

	p = connect(t, nil).command()
	speed, at := float32(0), p.newest.Commanded[2]
	p.cycles(150, func(a *wire.Answer) bool {
		speed += 0.00001
		at += speed
		a.Joint[2] = at
		return true
	})
	p.cycles(6, never)
	if f := p.krc.Figures(); p.krc.State() != wire.Monitor || f.Jumps != 0 || f.Interruptions != 1 || f.Interrupted < 0.5 {
		t.Errorf("%v, %+v", p.krc.State(), f)
	}
}

// TestCodes: the program starts and stops on two integers alone, as the public client sets them.
func TestCodes(t *testing.T) {
	p := connect(t, func(c *frisim.Config) { c.Program = krl.Codes })
	ask := func(code int32) func(a *wire.Answer) bool {
		return func(a *wire.Answer) bool {
			a.KRL.Int[15], a.KRL.Int[14], a.KRL.Bool = code, 10, 0
			return true
		}
	}
	if p.cycles(300, ask(10)); p.krc.State() != wire.Command || p.newest.KRL.Int[15] != 20 {
		t.Fatalf("%v, int 15 is %d", p.krc.State(), p.newest.KRL.Int[15])
	}
	if p.cycles(50, ask(20)); p.krc.State() != wire.Monitor || p.newest.KRL.Int[15] != 10 {
		t.Errorf("%v, int 15 is %d", p.krc.State(), p.newest.KRL.Int[15])
	}
}
