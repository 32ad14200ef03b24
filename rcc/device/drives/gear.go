package drives

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Most is the largest number of axes.
const Most = 16

// vector has a number for each joint or axis.
type vector = [Most]float64

// Gear converts between joints and axes of drives: angles of axes are sums of those of joints, as far as axes of a wrist
// turn with others, and counts begin somewhere.
type Gear struct {
	n             int
	scale, offset vector // counts per rad or m of an axis; where it is when its counts are 0
	sums, back    [Most]vector
}

// NewGear makes one for n joints. Without a coupling each joint is an axis (load).
func NewGear(n int, scale, offset, coupling []float64) (*Gear, error) {
	if n < 1 || n > Most {
		return nil, fmt.Errorf("%d axes, there can be 1 to %d", n, Most)
	}
	g := &Gear{n: n}
	if err := take(g.scale[:n], scale, "counts_per_rad"); err != nil {
		return nil, err
	}
	for i, s := range g.scale[:n] {
		if s == 0 || math.IsInf(s, 0) || s != s {
			return nil, device.WrongParam("counts_per_rad", "axis %d has %v", i+1, s)
		}
	}
	if offset != nil {
		if err := take(g.offset[:n], offset, "offset"); err != nil {
			return nil, err
		}
	}
	if coupling == nil {
		for i := range n {
			g.sums[i][i], g.back[i][i] = 1, 1
		}
		return g, nil
	}
	if len(coupling) != n*n {
		return nil, device.WrongParam("coupling", "%d values of %d", len(coupling), n*n)
	}
	for i := range n {
		copy(g.sums[i][:n], coupling[n*i:])
	}
	var err error
	g.back, err = inverse(g.sums, n)
	return g, err
}

func take(into []float64, values []float64, name string) error {
	if len(values) != len(into) {
		return device.WrongParam(name, "%d values of %d axes", len(values), len(into))
	}
	copy(into, values)
	return nil
}

var errSingular = device.WrongParam("coupling", "angles of joints do not follow from those of axes")

// inverse returns the inverse of a matrix, by Gauss and Jordan.
func inverse(m [Most]vector, n int) (inv [Most]vector, err error) {
	for i := range n {
		inv[i][i] = 1
	}
	for c := range n {
		p := c
		for r := c; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[p][c]) {
				p = r
			}
		}
		if !(math.Abs(m[p][c]) > 1e-9) || math.IsInf(m[p][c], 0) {
			return inv, errSingular
		}
		m[c], m[p], inv[c], inv[p] = m[p], m[c], inv[p], inv[c]
		by := 1 / m[c][c]
		for k := range n {
			m[c][k], inv[c][k] = m[c][k]*by, inv[c][k]*by
		}
		for r := range n {
			if by := m[r][c]; r != c {
				for k := range n {
					m[r][k], inv[r][k] = m[r][k]-by*m[c][k], inv[r][k]-by*inv[c][k]
				}
			}
		}
	}
	return inv, nil
}

// fits returns an error if some positions of joints cannot be written as counts.
func (g *Gear) fits(joints []kinematics.Joint) error {
	for i := range g.n {
		low, high := -g.offset[i], -g.offset[i]
		for k, by := range g.sums[i][:g.n] {
			a, b := by*joints[k].Min, by*joints[k].Max
			low, high = low+min(a, b), high+max(a, b)
		}
		if most := max(-low, high) * math.Abs(g.scale[i]); !(most <= math.MaxInt32) {
			return fmt.Errorf("parameters counts_per_rad and offset: axis %d has up to %.4g counts, there is room for %d", i+1, most, math.MaxInt32)
		}
	}
	return nil
}

// counts returns those of axes for positions of joints, false when there are none (cycle).
func (g *Gear) counts(joints *vector) (counts [Most]int32, ok bool) {
	for i := 0; i < Most && i < g.n; i++ {
		angle := -g.offset[i]
		for k, by := range &g.sums[i] {
			angle += by * joints[k]
		}
		v := math.RoundToEven(angle * g.scale[i])
		if !(v >= math.MinInt32 && v <= math.MaxInt32) {
			return counts, false
		}
		counts[i] = int32(v)
	}
	return counts, true
}

// rates are counts per s of axes for velocities of joints (cycle).
func (g *Gear) rates(joints *vector) (rates vector) {
	for i := 0; i < Most && i < g.n; i++ {
		for k, by := range &g.sums[i] {
			rates[i] += by * joints[k] * g.scale[i]
		}
	}
	return rates
}

// torques returns those of axes, with the signs of their counts, for torques of joints: whatever moves, both do the same work (cycle).
func (g *Gear) torques(joints *vector) (torques vector) {
	for i := 0; i < Most && i < g.n; i++ {
		for k := range Most {
			torques[i] += g.back[k][i] * joints[k]
		}
		if g.scale[i] < 0 {
			torques[i] = -torques[i]
		}
	}
	return torques
}

// joints are their positions for counts of axes (cycle).
func (g *Gear) joints(counts *[Most]int32) (joints vector) {
	var angle vector
	for i := 0; i < Most && i < g.n; i++ {
		angle[i] = float64(counts[i])/g.scale[i] + g.offset[i]
	}
	for i := range Most {
		for k, by := range &g.back[i] {
			joints[i] += by * angle[k]
		}
	}
	return joints
}
