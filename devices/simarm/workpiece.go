package simarm

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// workpiece is what the tip of an arm can touch: a surface, out of which the head of a screw may stand. It has no friction but that of
// the thread, and neither edges nor a back: who is below it is pushed out.
type workpiece struct {
	Contact float64    `rcc:"contact" default:"0" min:"0" max:"50000" unit:"N/m" doc:"stiffness of a surface that the tip can touch; 0: there is none"`
	Surface geom.Frame `rcc:"contact_at" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"a place on the surface, seen from the base; z points out of it"`
	Pitch   float64    `rcc:"screw_pitch" default:"0" min:"0" max:"0.01" unit:"m" doc:"how far a screw at that place goes down in one turn of the tip to the right; 0: there is none"`
	Height  float64    `rcc:"screw_height" default:"0" min:"0" max:"0.1" unit:"m" doc:"how far its head stands out of the surface at the start"`
	Thread  float64    `rcc:"screw_torque" default:"0.5" min:"0" max:"5" unit:"Nm" doc:"torque that turns it, until its head is at the surface"`

	touched bool
	last    geom.Frame // of the tip, seen from the surface
	sunk    float64    // how far the head has gone down
	tight   float64    // how far it was turned on when it could not go down any more, rad
}

// Materials of things.
const (
	headRadius = 0.004 // m, around the place
	tightening = 20    // Nm/rad, of a head that is at the surface
	creeping   = 0.05  // rad/s, at which the friction of the thread is nearly all there
	losing     = 0.005 // s: damping of the surface by its stiffness
)

// push returns what the workpiece does to the tip in a period, along the axes of the base (cycle).
func (w *workpiece) push(tip geom.Frame, period float64) (on geom.Wrench) {
	if w.Contact == 0 {
		return on
	}
	now := w.Surface.To(tip)
	screw := w.Pitch > 0 && math.Hypot(now.Pos.X, now.Pos.Y) <= headRadius
	deep := -now.Pos.Z
	if screw {
		deep += w.Height - w.sunk
	}
	if deep <= 0 {
		w.touched = false
		return on
	}
	before := w.last
	if !w.touched {
		before = now
	}
	w.touched, w.last = true, now
	on.Force.Z = max(0, w.Contact*(deep+losing*(before.Pos.Z-now.Pos.Z)/period))
	if screw {
		on.Torque.Z = w.turn(-before.Rot.Velocity(now.Rot, period).Z*period, period)
	}
	return on.Rotate(w.Surface.Rot)
}

// turn turns the screw to the right, and returns what it does against that (cycle).
func (w *workpiece) turn(angle, period float64) (torque float64) {
	room := w.Height - w.sunk
	on := angle + w.tight
	w.tight = 0
	if down := on * w.Pitch / (2 * math.Pi); down > room {
		w.sunk, w.tight = w.Height, (down-room)*2*math.Pi/w.Pitch
	} else {
		w.sunk = max(0, w.sunk+down)
	}
	return w.Thread*math.Tanh(angle/period/creeping) + tightening*w.tight
}
