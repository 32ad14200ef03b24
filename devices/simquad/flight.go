package simquad

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// flight is how a quadcopter flies. Its own controller of attitude is what its sensors of acceleration, its compass and its propellers
// make of it: each angle follows its command as a system of second order.
type flight struct {
	pos, vel    geom.Vector
	roll, pitch float64
	rolls, tips float64 // velocities of roll and pitch
	yaw         float64
	thrust      float64
}

const (
	gravity = 9.81 // m/s²
	sinking = 0.96 * gravity

	quick   = 18.0 // rad/s, natural frequency of the attitude
	damping = 0.9
	turning = 3.0  // rad/s, limit of yawing
	spin    = 0.03 // s, by which propellers are behind

	longest = 1e-3 // s, step of the integration
)

// fly lets some time pass (cycle).
func (f *flight) fly(want device.Attitude, air geom.Vector, drag, period float64) {
	steps := max(1, int(math.Ceil(period/longest)))
	for range steps {
		f.step(want, air, drag, period/float64(steps))
	}
}

func (f *flight) step(want device.Attitude, air geom.Vector, drag, dt float64) {
	f.rolls += (quick*quick*(want.Roll-f.roll) - 2*damping*quick*f.rolls) * dt
	f.tips += (quick*quick*(want.Pitch-f.pitch) - 2*damping*quick*f.tips) * dt
	f.roll += f.rolls * dt
	f.pitch += f.tips * dt
	most := turning * dt
	f.yaw = math.Remainder(f.yaw+min(max(math.Remainder(want.Yaw-f.yaw, 2*math.Pi), -most), most), 2*math.Pi)
	f.thrust += (want.Thrust - f.thrust) * (1 - math.Exp(-dt/spin))

	acc := geom.FromABC(f.yaw, f.pitch, f.roll).Rotate(geom.Vector{Z: f.thrust})
	acc.Z -= gravity
	acc = acc.Add(air.Sub(f.vel).Scale(drag))
	if f.pos.Z <= 0 && acc.Z <= 0 { // it stands
		f.pos.Z, f.vel = 0, geom.Vector{}
		f.roll, f.pitch, f.rolls, f.tips = 0, 0, 0, 0
		return
	}
	f.vel = f.vel.Add(acc.Scale(dt))
	f.pos = f.pos.Add(f.vel.Scale(dt))
	if f.pos.Z < 0 {
		f.pos.Z, f.vel = 0, geom.Vector{}
	}
}
