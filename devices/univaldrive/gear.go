package univaldrive

import (
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// six is how many axes these arms have.
const six = 6

// six numbers, one for each joint or axis.
type sextet = [six]float64

// gear is how joints and axes of the drive belong together: angles of axes are sums of those of joints, as far as axes of the wrist
// turn with others, and counts begin somewhere.
type gear struct {
	scale, offset sextet // counts per rad of an axis; where it is when its counts are 0, rad
	sums, back    [six]sextet
}

// newGear makes one. Without a coupling each joint is an axis.
func newGear(scale, offset, coupling []float64) (*gear, error) {
	g := &gear{}
	if err := take(&g.scale, scale, "counts_per_rad"); err != nil {
		return nil, err
	}
	for i, s := range g.scale {
		if s == 0 || math.IsInf(s, 0) || s != s {
			return nil, fmt.Errorf("parameter counts_per_rad: axis %d has %v", i+1, s)
		}
	}
	if offset != nil {
		if err := take(&g.offset, offset, "offset"); err != nil {
			return nil, err
		}
	}
	if coupling == nil {
		for i := range six {
			g.sums[i][i], g.back[i][i] = 1, 1
		}
		return g, nil
	}
	if len(coupling) != six*six {
		return nil, fmt.Errorf("parameter coupling: %d values of %d", len(coupling), six*six)
	}
	for i := range six {
		copy(g.sums[i][:], coupling[six*i:])
	}
	var err error
	g.back, err = inverse(g.sums)
	return g, err
}

func take(into *sextet, values []float64, name string) error {
	if len(values) != six {
		return fmt.Errorf("parameter %s: %d values of %d axes", name, len(values), six)
	}
	copy(into[:], values)
	return nil
}

var errSingular = errors.New("parameter coupling: angles of joints do not follow from those of axes")

// inverse is that of a matrix, by Gauss and Jordan.
func inverse(m [six]sextet) (inv [six]sextet, err error) {
	for i := range six {
		inv[i][i] = 1
	}
	for c := range six {
		p := c
		for r := c; r < six; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[p][c]) {
				p = r
			}
		}
		if !(math.Abs(m[p][c]) > 1e-9) || math.IsInf(m[p][c], 0) {
			return inv, errSingular
		}
		m[c], m[p], inv[c], inv[p] = m[p], m[c], inv[p], inv[c]
		by := 1 / m[c][c]
		for k := range six {
			m[c][k], inv[c][k] = m[c][k]*by, inv[c][k]*by
		}
		for r := range six {
			if by := m[r][c]; r != c {
				for k := range six {
					m[r][k], inv[r][k] = m[r][k]-by*m[c][k], inv[r][k]-by*inv[c][k]
				}
			}
		}
	}
	return inv, nil
}

// fits tells whether all positions of joints can be written as counts.
func (g *gear) fits(joints []kinematics.Joint) error {
	for i := range six {
		low, high := -g.offset[i], -g.offset[i]
		for k, by := range g.sums[i] {
			a, b := by*joints[k].Min, by*joints[k].Max
			low, high = low+min(a, b), high+max(a, b)
		}
		if most := max(-low, high) * math.Abs(g.scale[i]); !(most <= math.MaxInt32) {
			return fmt.Errorf("parameters counts_per_rad and offset: axis %d has up to %.4g counts, there is room for %d", i+1, most, math.MaxInt32)
		}
	}
	return nil
}

// counts are those of axes for positions of joints, false when there are none (cycle).
func (g *gear) counts(joints *sextet) (counts [six]int32, ok bool) {
	for i := range six {
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

// joints are their positions for counts of axes (cycle).
func (g *gear) joints(counts *[six]int32) (joints sextet) {
	var angle sextet
	for i, c := range counts {
		angle[i] = float64(c)/g.scale[i] + g.offset[i]
	}
	for i := range six {
		for k, by := range &g.back[i] {
			joints[i] += by * angle[k]
		}
	}
	return joints
}
