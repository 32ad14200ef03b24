package krl_test

import (
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

func TestNames(t *testing.T) {
	for i, name := range krl.Names {
		k, err := krl.KindOf(name)
		if err != nil || k != krl.Kind(i) || k.String() != name {
			t.Errorf("%s: %v %v", name, k, err)
		}
	}
	if _, err := krl.KindOf("value"); err == nil || !strings.Contains(err.Error(), "values, numbers, request, codes, commands") {
		t.Error(err)
	}
}

// TestLoad: KRL has mm and degrees, and angles about z, y and x.
func TestLoad(t *testing.T) {
	got := krl.Load(&device.Payload{
		Mass: 2.5, COM: geom.Frame{Pos: geom.Vector{X: 0.01, Y: 0.02, Z: 0.03}, Rot: geom.FromABC(0.1, 0.2, 0.3)},
		Inertia: geom.Vector{X: 4, Y: 5, Z: 6}, TCP: geom.Frame{Pos: geom.Vector{X: 0.1, Y: -0.2, Z: 0.3}, Rot: geom.FromABC(math.Pi/2, 0, -math.Pi/4)},
	})
	const degrees = 180 / math.Pi
	want := []float64{100, -200, 300, 90, 0, -45, 2.5, 10, 20, 30, 0.1 * degrees, 0.2 * degrees, 0.3 * degrees, 4, 5, 6}
	for i, v := range want {
		if math.Abs(float64(got[i])-v) > 1e-4 {
			t.Errorf("number %d is %v instead of %v", i, got[i], v)
		}
	}
}

// talk talks to a program that says what a function makes of what it hears, every ms.
func talk(kind krl.Kind, goal *krl.Goal, says func(n int, heard, own *wire.KRL) wire.State) (krl.Progress, int) {
	t := krl.NewTalk(krl.Options{Kind: kind, Handshake: 15, Communication: 14, Patience: 1e9})
	var in, out wire.KRL
	now := int64(1e15)
	t.Begin(goal, now)
	for n := range 10_000 {
		state := says(n, &out, &in)
		if p := t.Step(&in, &out, state, now); p != krl.Busy {
			return p, n
		}
		now += 1e6
	}
	return krl.Busy, 0
}

// TestNobodyAnswers: every hand-shake gives up after its time, and lets go of what it has asked for.
func TestNobodyAnswers(t *testing.T) {
	for i := range krl.Names {
		var last wire.KRL
		p, n := talk(krl.Kind(i), &krl.Goal{Run: true, Strategy: device.JointCompliance}, func(_ int, heard, _ *wire.KRL) wire.State {
			last = *heard
			return wire.Monitor
		})
		if p != krl.Silent || n < 1000 || n > 1002 {
			t.Errorf("%v: %v after %d ms", krl.Kind(i), p, n)
		}
		if krl.Kind(i) == krl.Values && !last.Bit(15) {
			t.Error("it has not asked")
		}
	}
}

// TestRefused: what programs say when they cannot.
func TestRefused(t *testing.T) {
	goal := &krl.Goal{Run: true, Strategy: device.JointCompliance}
	for kind, says := range map[krl.Kind]func(n int, heard, own *wire.KRL) wire.State{
		krl.Values: func(n int, heard, own *wire.KRL) wire.State {
			own.SetBit(15, heard.Bit(15) && n < 200) // dropped in the middle
			return wire.Monitor
		},
		krl.Request: func(_ int, heard, own *wire.KRL) wire.State {
			own.Bool = heard.Bool
			return wire.Monitor // done, it says, and is not
		},
		krl.Commands: func(_ int, heard, own *wire.KRL) wire.State {
			own.Bool, own.Int[14], own.Int[15] = heard.Bool, heard.Int[15], 101
			return wire.Monitor
		},
	} {
		if p, _ := talk(kind, goal, says); p != krl.Refused {
			t.Errorf("%v: %v", kind, p)
		}
	}
}

// TestStop asks for monitor mode, and is done at once where that is so.
func TestStop(t *testing.T) {
	for i := range krl.Names {
		state := wire.Command
		p, _ := talk(krl.Kind(i), &krl.Goal{}, func(_ int, heard, own *wire.KRL) wire.State {
			switch krl.Kind(i) {
			case krl.Values:
				own.SetBit(15, heard.Bit(15))
				own.Int[15] = heard.Int[15]
				if own.Int[15] == 1 && heard.Int[14] != 0 {
					t.Errorf("strategy %d instead of none", heard.Int[14])
				}
				if own.Int[15] == 18 {
					state = wire.Monitor
				}
			case krl.Numbers:
				state = wire.Monitor
			case krl.Request:
				if own.Bool = heard.Bool; heard.Bit(0) && heard.Int[0] == 2 {
					state = wire.Monitor
				}
			case krl.Codes:
				if heard.Bit(0) && heard.Int[15] == 20 {
					state, own.Int[15] = wire.Monitor, 10
				}
			case krl.Commands:
				own.Bool, own.Int[14], own.Int[15] = heard.Bool, heard.Int[15], 100
				if heard.Bit(0) && heard.Int[15] == 2 {
					state = wire.Monitor
				}
			}
			return state
		})
		if p != krl.Done {
			t.Errorf("%v: %v", krl.Kind(i), p)
		}
	}
}

func TestAllocations(t *testing.T) {
	for i := range krl.Names {
		talk := krl.NewTalk(krl.Options{Kind: krl.Kind(i), Handshake: 15, Communication: 14, Patience: 1e9})
		var in, out wire.KRL
		now := int64(0)
		if n := alloc.Least(func() {
			goal := krl.Goal{Run: true, Load: krl.Load(&device.Payload{})}
			talk.Begin(&goal, now)
			for range 100 {
				now += 1e6
				talk.Step(&in, &out, wire.Monitor, now)
			}
		}); n != 0 {
			t.Errorf("%v: %d allocations", krl.Kind(i), n)
		}
	}
}
