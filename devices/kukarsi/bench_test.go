package kukarsi_test

import "testing"

// BenchmarkAnswer is a cycle of the driver: a telegram is read, joints are led, the answer is written. The network without wires is
// in it.
func BenchmarkAnswer(b *testing.B) {
	c := ready(b, nil, nil)
	cycle, k := c.bare(), 0
	b.ReportAllocs()
	for b.Loop() {
		c.arm.CommandPosition(k%6, c.arm.Joint(k%6).Commanded.Pos, c.now())
		cycle()
		k++
	}
}
