package univaldrive_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// watch looks at what the drive hears, byte by byte.
type watch struct {
	*cell
	t       *testing.T
	unheard int // frames that do not get there
	lost    int // answers
	heard   [6]output
	known   bool
	gone    bool
	calm    int // frames since one was lost
	arms    int // how often the drives were armed
	begins  int // how often they have begun to follow
	led     bool
	rest    int // cycles since nothing has led them
	history []string
}

type output struct {
	control uint16
	target  int32
	step    float64
}

func (w *watch) fault(_ uint64, frame []byte) (f cable.Fault) {
	cyclic := false
	r := wire.Open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		if d.Command == wire.LRW && len(d.Data) >= 48 {
			cyclic = true
			if state, _ := w.drive.State(); w.unheard == 0 && !w.gone && state == wire.Op {
				w.look(d.Data)
			}
		}
	}
	switch {
	case !cyclic:
	case w.unheard > 0:
		w.unheard--
		w.calm = 0
		f.Unheard = true
	case w.lost > 0:
		w.lost--
		w.calm = 0
		f.Lost = true
	}
	return f
}

// Limits of the joints, rad and s.
const (
	vel = 0.6
	acc = 10.0
)

// look checks outputs against those before.
func (w *watch) look(data []byte) {
	all := true
	var now [6]output
	for i := range now {
		o := &now[i]
		o.control = binary.LittleEndian.Uint16(data[8*i:])
		o.target = int32(binary.LittleEndian.Uint32(data[8*i+4:]))
		o.step = float64(o.target) - float64(w.heard[i].target)
		all = all && o.control == cia402.EnableOperation
	}
	for i, o := range now {
		a, err := w.drive.Axis(i + 1)
		if err != nil {
			w.t.Fatal(err)
		}
		before := w.heard[i]
		if o.control != now[0].control && o.control != cia402.ResetFault && now[0].control != cia402.ResetFault {
			w.fail("axis %d is told %#x, axis 1 %#x", i+1, o.control, now[0].control)
		}
		follows := cia402.StateOf(a.Status) == cia402.OperationEnabled && a.Status&cia402.Follows != 0
		// Where nothing is led, targets are where the axis is: it may have gone on for two cycles since it was asked.
		if away := math.Abs(float64(o.target) - a.Position); !(all && follows) && o.control&cia402.Shutdown == cia402.Shutdown && away > 3*vel*cycle.Seconds()*scale+2 && w.known {
			w.fail("axis %d at %v gets the target %d", i+1, a.Position, o.target)
		}
		if all && follows && w.known && before.control == cia402.EnableOperation {
			if math.Abs(o.step) > 1.01*vel*cycle.Seconds()*scale+2 {
				w.fail("axis %d: a step of %v counts", i+1, o.step)
			}
			// A target that has come only when it was repeated ends in rest: it could not be known.
			if w.calm > 2 && math.Abs(o.step-before.step) > 4*acc*cycle.Seconds()*cycle.Seconds()*scale+3 {
				w.fail("axis %d: a step of %v counts after one of %v", i+1, o.step, before.step)
			}
		}
	}
	w.heard, w.known = now, true
	w.calm++
}

func (w *watch) fail(format string, args ...any) {
	w.t.Fatalf("%s\nafter %s", fmt.Sprintf(format, args...), strings.Join(w.history, ", "))
}

// after looks at the axes once a cycle.
func (w *watch) after() {
	is := w.arm.Status()
	led := is.State == device.Operational || strings.Contains(is.Cause, "let go")
	if led && !w.led {
		if w.begins++; w.begins > w.arms+1 {
			w.fail("the drives began to follow %d times, and were armed %d times", w.begins, w.arms)
		}
	}
	w.led = led
	w.rest++
	if led {
		w.rest = 0
	}
	for n := 1; n <= 6 && !w.gone; n++ {
		a := w.axis(n)
		if math.Abs(a.Velocity) > 1.3*vel*scale {
			w.fail("axis %d moves with %v counts/s", n, a.Velocity)
		}
		if w.rest > 60 && math.Abs(a.Velocity) > 0.005*vel*scale { // a target is half a count away
			w.fail("axis %d moves with %v counts/s, and nobody leads it", n, a.Velocity)
		}
	}
}

// TestAnything: whatever goes wrong, in whatever order: targets never change by more than the joints may do, nothing is led unless all axes
// follow, and after everything that stops the drives they rest until they are armed.
func TestAnything(t *testing.T) {
	runs := 16
	if testing.Short() {
		runs = 4
	}
	begins := 0
	for seed := range runs {
		begins += anything(t, uint64(seed))
	}
	if begins < 2*runs {
		t.Errorf("the drives were ready only %d times in %d runs", begins, runs)
	}
}

func anything(t *testing.T, seed uint64) int {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 402))
	p := params{"max_vel": "[0.6,0.6,0.6,0.6,0.6,0.6]", "max_acc": "[10,10,10,10,10,10]", "lost_frames": "4", "resets": "2", "backoff": "20ms", "patience": "1s"}
	w := &watch{cell: started(t, options{params: p}), t: t}
	w.bus.Cable.Faults = w.fault
	w.check = w.after
	running := true
	act := []struct {
		name string
		do   func()
	}{
		{"frames unheard", func() { w.unheard = 1 + rnd.IntN(7) }},
		{"answers lost", func() { w.lost = 1 + rnd.IntN(7) }},
		{"one frame unheard", func() { w.unheard = 1 }},
		{"one answer lost", func() { w.lost = 1 }},
		{"safety open", func() { w.bus.Do("slave arm safety open") }},
		{"safety closed", func() { w.bus.Do("slave arm safety closed") }},
		{"fault", func() { w.bus.Do(fmt.Sprintf("slave arm fault %d 0x7305", 1+rnd.IntN(6))) }},
		{"fault that stays", func() { w.bus.Do(fmt.Sprintf("slave arm fault %d 0x3210 stays", 1+rnd.IntN(6))) }},
		{"causes of faults gone", func() {
			for n := range 6 {
				w.bus.Do(fmt.Sprintf("slave arm fault %d 0", n+1), fmt.Sprintf("slave arm ignore %d off", n+1), fmt.Sprintf("slave arm mode %d 0", n+1))
			}
		}},
		{"ignored", func() { w.bus.Do(fmt.Sprintf("slave arm ignore %d on", 1+rnd.IntN(6))) }},
		{"mode", func() { w.bus.Do(fmt.Sprintf("slave arm mode %d 1", 1+rnd.IntN(6))) }},
		{"late", func() {
			w.bus.Cable.Advance(w.bus.Cable.Now() + int64(1+rnd.IntN(30))*int64(time.Millisecond))
		}},
		{"gone", func() {
			if !w.gone && running {
				w.gone = true
				w.bus.Do("slave arm vanish")
				w.known = false
			}
		}},
		{"back", func() {
			if w.gone {
				w.gone = false
				w.bus.Do("slave arm return")
			}
			if running {
				w.bus.Tend(30 * time.Second)
			}
		}},
		{"bus stopped", func() {
			if !w.gone && running {
				running = false
				w.bus.Stop()
				w.known = false
			}
		}},
		{"bus started", func() {
			if !running {
				running = true
				w.bus.Start()
			}
		}},
		{"emergency stop", func() { w.button.Press(true) }},
		{"released", func() { w.button.Press(false) }},
		{"off", func() { _ = w.tell(params{"arm": "false"}) }},
	}
	for range 40 {
		a := act[rnd.IntN(len(act))]
		w.history = append(w.history, a.name)
		a.do()
		w.k = 0
		w.from = w.arm.Joint(0).Commanded.Pos
		w.goOn(rnd.IntN(100))
		if rnd.IntN(2) == 0 {
			w.run(10)
		}
		if rnd.IntN(3) == 0 { // an operator puts everything right
			for _, name := range []string{"bus started", "back", "safety closed", "causes of faults gone", "released"} {
				for _, a := range act {
					if a.name == name {
						a.do()
					}
				}
			}
			w.history = append(w.history, "armed")
			if w.tell(params{"arm": "true"}) == nil {
				w.arms++
			}
			w.run(100)
			w.move(60)
		}
	}
	return w.begins
}
