package kukafri

import (
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// TestReach: whatever set-points come to, what is answered is never farther than a joint gets in a cycle from what the controller
// commands, given its speed.
func TestReach(t *testing.T) {
	r := quiet(t)
	s := &r.session
	const joint = 3
	x := &r.limits[joint]
	most, change := x.Velocity*s.period, slack*x.Acceleration*s.period*s.period
	for _, at := range []float64{0, 1, x.Min, x.Max, x.Max + 0.1} {
		for _, speed := range []float64{-1, -0.5, 0, 0.5, 1} {
			for _, to := range []float64{0, at, at + most, at - most/2, 1e9, -1e9, math.NaN(), math.Inf(1)} {
				s.sight.pos[joint], s.sight.step[joint] = at, speed*most
				step := r.reach(joint, to, 0) - at
				if !(math.Abs(step) <= most) || !(math.Abs(step-speed*most) <= change) {
					t.Errorf("from %v with %v of the speed to %v: a step of %v after %v, allowed are %v and changes of %v", at, speed, to, step, speed*most, most, change)
				}
			}
		}
	}
}

// TestTransitions: from each phase there is a way with all signals, it is the one that is meant, and none leads to an unreachable phase.
func TestTransitions(t *testing.T) {
	reached := among(1 << offline)
	for p := phase(0); p < phases; p++ {
		for all := range rated << 1 {
			to, why := p.next(all)
			reached |= 1 << to
			moves := to == leading || to == stopping
			switch {
			case moves && !all.has(powered|commanded|sighted):
				t.Errorf("%v with %08b: %v without power, command mode, or knowledge", p, all, to)
			case to == leading && !all.has(wanted), to == leading && !inLead.has(p) && !all.has(nearby):
				t.Errorf("%v with %08b: leads", p, all)
			case all.has(powered|commanded) && to == mirroring && !all.has(left):
				t.Errorf("%v with %08b: %v in command mode", p, all, to)
			case why != wantedStill && !all.has(left):
				t.Errorf("%v with %08b: %v", p, all, why)
			case to == offline:
				t.Errorf("%v with %08b: offline with a telegram", p, all)
			}
		}
	}
	if reached != anyPhase {
		t.Errorf("reached are %08b of %08b", reached, anyPhase)
	}
	for i := range transitions {
		for j := range i {
			a, b := &transitions[j], &transitions[i]
			if a.from&b.from == b.from && b.with.has(a.with) && b.without.has(a.without) {
				t.Errorf("line %d of the table never counts, because of line %d", i, j)
			}
		}
	}
}

// quiet returns a driver without a controller.
func quiet(t *testing.T) *Robot {
	t.Helper()
	network := link.NewVirtual(time.Unix(1_700_000_000, 0))
	d, err := Over(network.Open).Open(&device.Env{Name: "lwr"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d.(*Robot)
}

// TestCalledAtOnce: a telegram may come before the device knows its wire, and has the cycle.
func TestCalledAtOnce(t *testing.T) {
	network := link.NewVirtual(time.Unix(1_700_000_000, 0))
	at := netip.MustParseAddrPort("127.0.0.1:49938")
	d, err := Over(func(o link.Options, driver link.Driver) (*link.Link, error) {
		l, err := network.Open(o, driver)
		m := wire.Measurement{Header: wire.Header{Count: 1}, Interface: wire.Interface{State: wire.Monitor, MeasurePeriod: 0.005}}
		var telegram [wire.MeasurementSize]byte
		m.Encode(telegram[:])
		network.Send(netip.MustParseAddrPort("127.0.0.1:5000"), at, telegram[:])
		return l, err
	}).Open(&device.Env{Name: "lwr"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if is := d.(*Robot).Link().Cycle(); is != 5*time.Millisecond {
		t.Errorf("a cycle of %v", is)
	}
}

// TestWishes: the status shows that the robot is being armed until a telegram comes, and does not ask for it again.
func TestWishes(t *testing.T) {
	r := quiet(t)
	r.shown.phase.Store(uint32(mirroring))
	r.shown.signals.Store(uint32(powered | nearby))
	r.shown.loss.Store(uint32(byPeople))
	for wish, want := range map[int32]string{
		0: "; arm the robot (rccctl device tell", wishArm: "; the robot was armed, which counts with the next telegram",
		wishDisarm: "; the robot is taken out of command mode with the next telegram",
	} {
		if r.wish.Store(wish); !strings.Contains(r.Status().Cause, want) {
			t.Errorf("%s, without %s", r.Status().Cause, want)
		}
	}
}

// TestUnreachable: a joint that is to go where nothing is comes to rest, however fast that would have been.
func TestUnreachable(t *testing.T) {
	r := quiet(t)
	s := &r.session
	const joint = 3
	most := r.limits[joint].Velocity * s.period
	for speed := -1.0; speed <= 1; speed += 1.0 / 64 {
		s.sight.pos[joint], s.sight.step[joint] = 0.5, speed*most
		rest := r.reach(joint, 0.5, 0)
		for _, to := range []float64{1e9, math.NaN(), math.Inf(-1)} {
			if is := r.reach(joint, to, 5); is != rest {
				t.Errorf("with %v of the speed to %v: %v, to rest %v", speed, to, is, rest)
			}
		}
	}
}

// TestShown: the page has the load that the controller knows of, and the part of answers that it missed.
func TestShown(t *testing.T) {
	r := quiet(t)
	r.Carried.Mass, r.session.now.AnswerRate, r.session.now.MissRate = 2.5, 0.75, 0.25
	r.show()
	if v := viewOf(r); v.Mass != 2.5 || v.AnswerRate != 0.75 || v.MissRate != 0.25 {
		t.Errorf("%+v", v)
	}
}

// TestSprings: the springs are the driver's from the first telegram of monitor mode on; those of command mode may be another driver's.
func TestSprings(t *testing.T) {
	r := quiet(t)
	for _, tt := range []struct {
		state wire.State
		want  springs
	}{{wire.Command, unknown}, {wire.Monitor, ours}, {wire.Command, ours}} {
		r.session.now.State = tt.state
		if r.look(); r.session.springs != tt.want {
			t.Errorf("%v: the springs are %d, want %d", tt.state, r.session.springs, tt.want)
		}
	}
}

// TestUndisturbed: a net leaves joints where they are while it moves them by no more than rounding.
func TestUndisturbed(t *testing.T) {
	r := quiet(t)
	s := &r.session
	r.axes.Values(s.time, s.values[:])
	for by, want := range map[float64]bool{0: true, 1.5 * grain: true, -1.5 * grain: true, 3 * grain: false, -3 * grain: false, 1: false} {
		s.sight.mirror = s.values
		if s.sight.mirror[2] += by; r.undisturbed() != want {
			t.Errorf("%v rad away: want %v", by, want)
		}
	}
}
