package simarm

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// IIWA is a lightweight robot whose tip can swing.
type IIWA struct {
	*Lightweight
	swing  *device.Latest // amplitudes, then frequencies
	phases [6]float64     // rad, of the tick
}

var _ device.Swinging = (*IIWA)(nil)

func newIIWA(l *Lightweight) *IIWA { return &IIWA{Lightweight: l, swing: device.NewLatest(12)} }

// Tick executes a cycle of the robot. Frequencies change without a jump: phases go on (cycle).
func (r *IIWA) Tick(t device.Tick) {
	is := r.Swing()
	amplitudes, frequencies := parts(is.Amplitude), parts(is.Frequency)
	var beside [6]float64
	for i := range beside {
		beside[i] = amplitudes[i] * math.Sin(r.phases[i])
		r.phases[i] = math.Mod(r.phases[i]+2*math.Pi*frequencies[i]*r.period.Seconds(), 2*math.Pi)
	}
	r.tick(t, wrenchOf(&beside))
}

// Swing returns the force and torque of the tip beside its springs (cycle).
func (r *IIWA) Swing() device.CartesianSwing {
	var words [12]uint64
	r.swing.Get(0, words[:])
	var a, f [6]float64
	for i := range a {
		a[i], f[i] = math.Float64frombits(words[i]), math.Float64frombits(words[6+i])
	}
	return device.CartesianSwing{Amplitude: wrenchOf(&a), Frequency: wrenchOf(&f)}
}

// SetSwing changes it (cycle).
func (r *IIWA) SetSwing(is device.CartesianSwing) {
	was := r.Swing()
	a, f := parts(is.Amplitude), parts(is.Frequency)
	oldA, oldF := parts(was.Amplitude), parts(was.Frequency)
	var words [12]uint64
	for i := range a {
		if a[i]-a[i] != 0 {
			a[i] = oldA[i]
		}
		if f[i]-f[i] != 0 {
			f[i] = oldF[i]
		}
		words[i], words[6+i] = math.Float64bits(a[i]), math.Float64bits(max(f[i], 0))
	}
	r.swing.Put(words[:])
}

func parts(w geom.Wrench) [6]float64 {
	return [6]float64{w.Force.X, w.Force.Y, w.Force.Z, w.Torque.X, w.Torque.Y, w.Torque.Z}
}

func wrenchOf(v *[6]float64) geom.Wrench {
	return geom.Wrench{Force: geom.Vector{X: v[0], Y: v[1], Z: v[2]}, Torque: geom.Vector{X: v[3], Y: v[4], Z: v[5]}}
}
