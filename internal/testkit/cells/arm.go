package cells

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Arm is the track of an arm, whose limits are known.
type Arm struct {
	*Track
	t     T
	name  string
	model []kinematics.Joint
	start []float64 // where it stood when it was made
}

// Arm returns an arm of the cell. A device that is replaced under its name starts from the beginning.
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

// described are joints whose limits are known.
type described interface {
	device.MultiJoint
	device.Described
}

func (c *Cell) arm(name string, joints described) *Arm {
	a := &Arm{Track: newTrack(joints.Joints()), t: c.t, name: name}
	for i := range joints.Joints() {
		a.model = append(a.model, joints.JointModel(i))
		a.start = append(a.start, joints.Joint(i).Commanded.Pos)
	}
	c.keep(name, a.Track)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arms[name] = a
	return a
}

// At returns where the arm was commanded to be last.
func (a *Arm) At() []float64 {
	a.t.Helper()
	at, time := a.Last()
	if time == 0 {
		a.t.Fatal(fmt.Errorf("%s was not commanded", a.name))
	}
	return at
}

// Rested reports whether the arm was commanded to stay, or was left alone, where something holds.
func (a *Arm) Rested(there func(joints []float64) bool) bool {
	ways := make([][]SetPoint, len(a.model))
	for i := range ways {
		ways[i] = a.Way(i)
	}
	const none = 1e-7 // in a cycle; what begins with a limited jerk moves less in its first one
	for k := range ways[0] {
		at, moved := make([]float64, len(ways)), 0.0
		left := k == len(ways[0])-1 || ways[0][k+1].Time-ways[0][k].Time > int64(Period)
		for i := range ways {
			at[i] = ways[i][k].Pos
			moved = max(moved, math.Abs(at[i]-ways[i][max(0, k-1)].Pos))
		}
		if (k > 0 && moved < none || left) && there(at) {
			return true
		}
	}
	return false
}

// Smooth checks whether all joints were commanded without jumps, within their limits of position, velocity and acceleration, in every
// cycle in which they moved, and rest in the end.
func (a *Arm) Smooth() {
	a.t.Helper()
	if wrong := a.Jumps(true); wrong != "" {
		a.t.Fatal(fmt.Errorf("%s: %s", a.name, wrong))
	}
}

// Jumps returns what is wrong with the way that the arm was commanded, if it is not smooth. Whether it has to rest in the end is up to the
// test: not when nobody commands it any more.
func (a *Arm) Jumps(rests bool) string {
	for i := range a.model {
		if wrong := jumps(&a.model[i], a.start[i], a.Way(i), rests); wrong != "" {
			return fmt.Sprintf("joint %d: %s", i, wrong)
		}
	}
	return ""
}

// jumps returns what is wrong with the way of a joint.
func jumps(model *kinematics.Joint, start float64, way []SetPoint, rests bool) string {
	const slack = 1 + 1e-6
	cycle, vel := Period.Seconds(), 0.0
	slow := model.Acceleration * cycle * slack // a joint can come to rest from that at once
	for k, to := range way {
		if to.Pos < model.Min-1e-6 || to.Pos > model.Max+1e-6 {
			return fmt.Sprintf("set-point %d: at %v, but it goes from %v to %v", k, to.Pos, model.Min, model.Max)
		}
		from := SetPoint{to.Time - int64(Period), start}
		if k > 0 {
			from = way[k-1]
		}
		v := (to.Pos - from.Pos) / cycle
		if gap := to.Time - from.Time; gap != int64(Period) && (math.Abs(vel) > slow || math.Abs(v) > slow) {
			return fmt.Sprintf("set-point %d: not commanded for %v at a velocity of %v", k, time.Duration(gap), vel)
		}
		if math.Abs(v) > model.Velocity*slack {
			return fmt.Sprintf("set-point %d: velocity %v of %v", k, v, model.Velocity)
		}
		if step := math.Abs(v - vel); step > slow+1e-9 {
			return fmt.Sprintf("set-point %d: velocity from %v to %v, acceleration %v of %v", k, vel, v, step/cycle, model.Acceleration)
		}
		vel = v
	}
	if rests && math.Abs(vel) > 1e-3 {
		return fmt.Sprintf("ends at a velocity of %v", vel)
	}
	return ""
}
