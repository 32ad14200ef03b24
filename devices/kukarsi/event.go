package kukarsi

import (
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// turning is how many cycles a robot may rest at a point where it turns.
const turning = 25

// event returns what a telegram means (cycle).
func (d *driver) event(found finding, now int64) event {
	d.tools.ask(now, d.steps.two.Load())
	if d.rested++; !d.rests() {
		d.rested = 0
	}
	e := d.meaning(found)
	switch {
	case e == emergencyStop, e == powerOff, e == rearmed, d.stop.Pressed():
		d.rearm.Store(false)
	case found != resumed && d.now() != disarmed: // not asked for, and it must not count for a stop that is to come
		d.rearm.Store(false)
	}
	return e
}

// rearming is how long the operator's consent that the robot may move again counts. It does over another pause, but not much later.
const rearming = 5 * time.Second

// ask checks whether the robot was re-armed, at each telegram (cycle).
func (d *driver) ask(at link.Stamp) {
	if !d.rearm.Load() {
		d.rearmAt = 0
		return
	}
	if d.rearmAt == 0 {
		d.rearmAt = at.Time
	}
	if at.Quiet > int64(rearming) || at.Time-d.rearmAt > int64(rearming) {
		d.rearm.Store(false)
	}
}

// meaning returns what a telegram means, the first of all that is true (cycle).
func (d *driver) meaning(found finding) event {
	status := d.status()
	switch {
	case status&channels.EmergencyStop != 0:
		return emergencyStop
	case status&channels.DrivesOn == 0:
		return powerOff
	case found == resumed && d.steps.two.Load():
		return gapInSteps
	case found == resumed:
		return gap
	case !d.complete():
		return noPositions
	case status&channels.ReadOnly != 0:
		d.readPositions()
		return readOnly
	case !d.took():
		return d.startMoving()
	case d.rearm.Load() && d.now() == disarmed && !d.stop.Pressed() && d.together(asTold):
		return rearmed
	}
	return d.wish()
}

// wish returns what the operator wants (cycle).
func (d *driver) wish() event {
	switch p := d.now(); {
	case d.stop.Pressed() && d.rests():
		return cellStop
	case d.tools.wanted() && (p == changing || d.rested > turning):
		return toolChange
	case d.closing.Load() && d.rests():
		return closing
	}
	return usual
}

// complete reports whether the telegram has the positions of all joints there are. A controller that does not count missing answers is
// known by measured positions only, of digits that are fine enough (cycle).
func (d *driver) complete() bool {
	measure := d.session.counting == uncounted
	axes, r := &d.axes, d.reach()
	for i := range d.groups {
		g := d.groups[i].Load()
		if g == nil {
			continue
		}
		joints := g.joints
		for k := range joints {
			a := g.first + k
			if uint(a) >= allAxes || !axes[a].there || measure && !axes[a].measured {
				d.axis.Store(int32(a))
				d.rough.Store(false)
				return false
			}
			if measure && !(r.ahead(&joints[k]) > 0) {
				d.axis.Store(int32(a))
				d.rough.Store(true)
				return false
			}
		}
	}
	return true
}

// took reports whether the start of corrections has been taken in this session (cycle).
func (d *driver) took() bool {
	g := d.groups[0].Load()
	return g == nil || g.began
}

// readPositions is the first step of figure 11.11 (cycle).
func (d *driver) readPositions() {
	d.steps.two.Store(true)
	d.steps.known = true
	axes := &d.axes
	for i := range axes {
		axes[i].read = axes[i].where
	}
	d.beginGroups()
}

// beginGroups takes where the joints are as the start of corrections (cycle).
func (d *driver) beginGroups() {
	for i := range d.groups {
		if g := d.groups[i].Load(); g != nil {
			g.begin(&d.axes)
		}
	}
}

// startMoving takes where the robot is as the start of corrections, if it is where it should be (cycle).
func (d *driver) startMoving() event {
	right := d.together(asRead) && d.together(asCommanded)
	d.steps.known = false
	d.beginGroups()
	if !right {
		if d.session.counting == uncounted { // it may be another session than it seems to be
			d.doubt.Store(uint64(misplaced))
			return mystery
		}
		return elsewhere
	}
	d.tools.loaded()
	return beginning
}

// should is where joints should be.
type should uint8

const (
	asRead      should = iota // in the first step of the program
	asCommanded               // by the controller
	asTold                    // by this driver
)

// place returns where an axis should be, if that is known (cycle).
func (d *driver) place(s should, a int, j *joint) (float64, bool) {
	if uint(a) >= allAxes {
		return 0, false
	}
	switch is := &d.axes[a]; s {
	case asRead:
		return is.read, d.steps.known
	case asCommanded:
		return is.commanded, is.ordered
	default:
		return j.told * j.unit, true
	}
}

// together reports whether all joints are where they should be, and keeps which one is not (cycle).
func (d *driver) together(s should) bool {
	axes := &d.axes
	for i := range d.groups {
		g := d.groups[i].Load()
		if g == nil {
			continue
		}
		joints := g.joints
		for k := range joints {
			a := g.first + k
			at, known := d.place(s, a, &joints[k])
			if !known || uint(a) >= allAxes {
				continue
			}
			if away := math.Abs(axes[a].where-at) / joints[k].unit; !(away <= d.cfg.Apart) {
				d.axis.Store(int32(a))
				d.apart.Store(math.Float64bits(away))
				return false
			}
		}
	}
	return true
}

// rests reports whether nothing moves (cycle).
func (d *driver) rests() bool {
	for i := range d.groups {
		if g := d.groups[i].Load(); g != nil && !g.rests() {
			return false
		}
	}
	return true
}
