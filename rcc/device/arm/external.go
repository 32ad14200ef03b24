package arm

import (
	"fmt"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// External are the parameters of axes that the controller of an arm moves beside it: linear units, turning tables (§11.3).
// These are all the parameters that applications send.
type External struct {
	Arm   string `rcc:"kr_arm" required:"true" doc:"name of the arm whose controller moves the axes"`
	Count int    `rcc:"axiscount" default:"1" min:"1" max:"6" doc:"number of axes"`
	First int    `rcc:"first_axis" default:"6" min:"6" max:"11" doc:"number of the first of them at the controller, where those of the arm are 0 to 5"`
	Limits
}

// Axes are joints that slide if nothing else is said, and where they are at the start.
func (e *External) Axes() (joints []kinematics.Joint, start []float64, err error) {
	models := make([]kinematics.Joint, e.Count)
	for i := range models {
		models[i] = robots.Linear().Joint(0)
		models[i].Name = fmt.Sprintf("E%d", e.First-ownAxes+1+i)
	}
	if joints, err = e.Overlay(models); err != nil {
		return nil, nil, err
	}
	start, err = e.Start(joints, nil)
	return joints, start, err
}

// Numbers of axes of a controller, counted from 0 as by applications: its arm has the first ones.
const (
	ownAxes   = 6
	endOfAxes = 12 // behind the last one
)

// Beside keeps which external axes of a controller belong to devices.
type Beside struct {
	taken atomic.Uint64 // by bits
}

// Take reserves axes for a device until it gives them back. Of two devices that want the same, one gets them (load).
func (b *Beside) Take(first, count int) (give func(), err error) {
	if first+count > endOfAxes {
		return nil, device.WrongParam("axiscount", "a controller has axes up to %d, not %d", endOfAxes-1, first+count-1)
	}
	want := (uint64(1)<<count - 1) << first
	for {
		old := b.taken.Load()
		if old&want != 0 {
			return nil, device.WrongParam("first_axis", "another device has some of the axes %d to %d", first, first+count-1)
		}
		if b.taken.CompareAndSwap(old, old|want) {
			return func() { b.taken.And(^want) }, nil
		}
	}
}
