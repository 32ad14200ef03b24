package multijoint

import "github.com/softrobot-rcc/rccd/rcc/device"

// smoothing is the time constant of velocities that are derived from positions, s: these have few digits.
const smoothing = 0.02

// Meter derives the motion of a joint from measured positions.
type Meter struct {
	Is   device.JointMotion
	seen bool
}

// Take takes a position, and the time since the one before, s (cycle).
func (m *Meter) Take(pos, span float64) {
	if !m.seen || !(span > 0) {
		m.Is, m.seen = device.JointMotion{Pos: pos}, true
		return
	}
	before := m.Is
	share := span / (smoothing + span)
	vel := before.Vel + share*((pos-before.Pos)/span-before.Vel)
	m.Is = device.JointMotion{Pos: pos, Vel: vel, Acc: before.Acc + share*((vel-before.Vel)/span-before.Acc)}
}

// Forget makes the next position the first one (cycle).
func (m *Meter) Forget() { m.seen = false }
