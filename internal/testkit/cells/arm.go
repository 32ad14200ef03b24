package cells

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Arm remembers where a simulated arm was commanded to be.
type Arm struct {
	t     T
	name  string
	model []kinematics.Joint

	mu     sync.Mutex
	joints [][]SetPoint
}

// SetPoint is where a joint is to be at the end of a cycle of its net.
type SetPoint struct {
	Time int64 // of the beginning of the cycle
	Pos  float64
}

// Arm is an arm of the cell, as long as it has commands of positions. A device that is made anew under a name begins anew.
func (c *Cell) Arm(name string) *Arm {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.arms[name]
	if a == nil {
		c.t.Fatal(fmt.Errorf("no arm %s whose set-points are remembered", name))
	}
	return a
}

// The devices that remember. All that they do they leave to the arm.
type (
	stiff struct {
		*simarm.RobotWithPorts
		seen *Arm
	}
	lightweight struct {
		*simarm.Lightweight
		seen *Arm
	}
)

var (
	_ device.ArmKinematics = stiff{}
	_ device.Yielding      = lightweight{}
)

// remembered is a type of devices whose arms remember set-points.
func (c *Cell) remembered(of device.Type) device.Type {
	open := of.Open
	of.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		d, err := open(env, params)
		if err != nil {
			return d, err
		}
		switch arm := d.(type) {
		case *simarm.RobotWithPorts:
			return stiff{arm, c.remember(env.Name, arm)}, nil
		case *simarm.Lightweight:
			return lightweight{arm, c.remember(env.Name, arm)}, nil
		}
		return d, nil
	}
	return of
}

// described are joints whose limits are known.
type described interface {
	device.MultiJoint
	device.Described
}

func (c *Cell) remember(name string, joints described) *Arm {
	a := &Arm{t: c.t, name: name, joints: make([][]SetPoint, joints.Joints())}
	for i := range a.joints {
		a.model = append(a.model, joints.JointModel(i))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arms[name] = a
	return a
}

// CommandPosition remembers (the cycle of a test may wait).
func (s stiff) CommandPosition(joint int, pos float64, at device.Instant) {
	s.seen.remember(joint, pos, at)
	s.RobotWithPorts.CommandPosition(joint, pos, at)
}

// CommandPosition remembers.
func (l lightweight) CommandPosition(joint int, pos float64, at device.Instant) {
	l.seen.remember(joint, pos, at)
	l.Lightweight.CommandPosition(joint, pos, at)
}

func (a *Arm) remember(joint int, pos float64, at device.Instant) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.joints[joint] = append(a.joints[joint], SetPoint{at.Time, pos})
}

// Way is where a joint was commanded to be, in order of time.
func (a *Arm) Way(joint int) []SetPoint {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(slices.Values(a.joints[joint]), func(a, b SetPoint) int { return cmp.Compare(a.Time, b.Time) })
}

// At is where the arm was commanded to be last.
func (a *Arm) At() []float64 {
	a.t.Helper()
	at := make([]float64, len(a.model))
	for i := range at {
		way := a.Way(i)
		if len(way) == 0 {
			a.t.Fatal(fmt.Errorf("%s was not commanded", a.name))
		}
		at[i] = way[len(way)-1].Pos
	}
	return at
}

// Rested tells whether the arm was commanded to stay where something holds.
func (a *Arm) Rested(there func(joints []float64) bool) bool {
	ways := make([][]SetPoint, len(a.model))
	for i := range ways {
		ways[i] = a.Way(i)
	}
	for k := 1; k < len(ways[0]); k++ {
		at, moved := make([]float64, len(ways)), 0.0
		for i := range ways {
			at[i] = ways[i][k].Pos
			moved = max(moved, math.Abs(at[i]-ways[i][k-1].Pos))
		}
		if moved < 1e-8 && there(at) {
			return true
		}
	}
	return false
}

// Smooth looks whether all joints were commanded without jumps, within their limits of position, velocity and acceleration, in every
// cycle in which they moved, and rest in the end.
func (a *Arm) Smooth() {
	a.t.Helper()
	for i := range a.model {
		if wrong := smooth(&a.model[i], a.Way(i)); wrong != "" {
			a.t.Fatal(fmt.Errorf("%s: joint %d: %s", a.name, i, wrong))
		}
	}
}

// smooth tells what is wrong with the way of a joint.
func smooth(model *kinematics.Joint, way []SetPoint) string {
	const slack = 1 + 1e-6
	cycle, vel := Period.Seconds(), 0.0
	slow := model.Acceleration * cycle * slack // a joint can come to rest from that at once
	for k, to := range way {
		if to.Pos < model.Min-1e-6 || to.Pos > model.Max+1e-6 {
			return fmt.Sprintf("set-point %d: at %v, but it goes from %v to %v", k, to.Pos, model.Min, model.Max)
		}
		if k == 0 {
			continue
		}
		from := way[k-1]
		v := (to.Pos - from.Pos) / cycle
		if gap := to.Time - from.Time; gap != int64(Period) && (math.Abs(vel) > slow || math.Abs(v) > slow) {
			return fmt.Sprintf("set-point %d: not commanded for %v at a velocity of %v", k, time.Duration(gap), vel)
		}
		if math.Abs(v) > model.Velocity*slack {
			return fmt.Sprintf("set-point %d: velocity %v of %v", k, v, model.Velocity)
		}
		if step := math.Abs(v - vel); k > 1 && step > slow+1e-9 {
			return fmt.Sprintf("set-point %d: velocity from %v to %v, acceleration %v of %v", k, vel, v, step/cycle, model.Acceleration)
		}
		vel = v
	}
	if math.Abs(vel) > 1e-3 {
		return fmt.Sprintf("ends at a velocity of %v", vel)
	}
	return ""
}
