package yielding

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// TestRestIsNotStale: a body that keeps what has not changed feels and does the same as one that computes everything in each step,
// whatever changes after a rest.
func TestRestIsNotStale(t *testing.T) {
	for name, change := range map[string]func(*Act, *Body){
		"a push":              func(a *Act, _ *Body) { a.Push.Force.X = 20 },
		"a mass":              func(a *Act, _ *Body) { a.Load.Mass = 3 },
		"another tool":        func(a *Act, _ *Body) { a.Load.TCP.Pos.Z = 0.2 },
		"a centre of mass":    func(a *Act, _ *Body) { a.Load.COM.Pos.Y = 0.1 },
		"a torque on a joint": func(_ *Act, b *Body) { b.joints.Push(3, 5) },
		"a command":           func(a *Act, _ *Body) { a.Commands[2] += 0.001 },
	} {
		kept, fresh := atRest(t), atRest(t)
		for step := range 100 {
			if step == 50 {
				if before := kept.Body.cause; kept.Step(&kept.Act) != kept.feeling || kept.cause != before {
					t.Errorf("%s: it does not rest", name)
				}
				fresh.Step(&fresh.Act)
				change(&kept.Act, kept.Body)
				change(&fresh.Act, fresh.Body)
			}
			fresh.seen, fresh.cause = sight{}, cause{}
			want, got := fresh.Step(&fresh.Act), kept.Step(&kept.Act)
			if got != want || kept.Tip() != fresh.Tip() || *kept.Jacobian() != *fresh.Jacobian() || kept.Weight() != fresh.Weight() {
				t.Fatalf("%s, step %d: feels %+v, not %+v", name, step, got, want)
			}
		}
	}
}

// acting is a body with its inputs.
type acting struct {
	*Body
	Act
}

// atRest returns a body that has rested for so long that nothing changes any more, not even by rounding.
func atRest(t *testing.T) acting {
	t.Helper()
	home, brakes := make([]float64, Joints), make([]float64, Joints)
	for i := range home {
		home[i], brakes[i] = 0.1*float64(i+1), 1
	}
	joints, err := plant.New(plant.Options{Bandwidth: 25, Damping: 1, Stiffness: 1e4}, time.Millisecond, home, brakes)
	if err != nil {
		t.Fatal(err)
	}
	load := &device.Payload{Mass: 1}
	a := acting{NewBody(robots.LWR4().Chain, joints, load), Act{Commands: home, Springs: NewSprings(), Load: load, Period: 0.001}}
	for range 4000 {
		a.Step(&a.Act)
	}
	return a
}
