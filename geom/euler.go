package geom

import "math"

// Order names the axes about which three angles turn, one after the other, each about the axis that results from the turns
// before (intrinsic). About the axes of the reference, which stay, the same angles turn in the reverse order: roll, pitch
// and yaw about the fixed X, Y and Z are c, b and a of ZYX, the angles of FromABC.
type Order uint8

// The twelve orders. Controllers of robots use ZYX (KUKA), XYZ (Stäubli) and ZYZ (Adept, Kawasaki).
const (
	XYX Order = iota
	XYZ
	XZX
	XZY
	YXY
	YXZ
	YZX
	YZY
	ZXY
	ZXZ
	ZYX
	ZYZ
)

// axes returns the axes of an order, 0 for X. An unknown order counts as ZYX.
func (o Order) axes() [3]uint8 {
	known := [...][3]uint8{
		XYX: {0, 1, 0}, XYZ: {0, 1, 2}, XZX: {0, 2, 0}, XZY: {0, 2, 1},
		YXY: {1, 0, 1}, YXZ: {1, 0, 2}, YZX: {1, 2, 0}, YZY: {1, 2, 1},
		ZXY: {2, 0, 1}, ZXZ: {2, 0, 2}, ZYX: {2, 1, 0}, ZYZ: {2, 1, 2},
	}
	if int(o) < len(known) {
		return known[o]
	}
	return known[ZYX]
}

// FromEuler returns the rotation that turns by a about the first axis of an order, then by b and c about the others.
func FromEuler(order Order, a, b, c float64) Rotation {
	axes := order.axes()
	return about(axes[0], a).Mul(about(axes[1], b)).Mul(about(axes[2], c))
}

func about(axis uint8, angle float64) Rotation {
	s, c := math.Sincos(angle / 2)
	var q [4]float64
	q[axis&3] = s
	return unit(q[0], q[1], q[2], c)
}

// Euler returns the angles with r = FromEuler(order, a, b, c), a and c from -π to π, b from 0 to π if the first axis is
// the last one as well, else from -π/2 to π/2. Where b is at such a bound, a and c turn about the same axis, and c is 0.
// They are computed as those of ABC, and as exactly.
func (r Rotation) Euler(order Order) (a, b, c float64) {
	axes := order.axes()
	i, j, k := axes[2], axes[1], axes[0]
	proper := i == k
	if proper {
		k = 3 - i - j
	}
	q := [4]float64{r.x, r.y, r.z, r.real()}
	qi, qj, qk, w := q[i&3], q[j&3], q[k&3], q[3]
	left := (i+1)%3 != j
	if left {
		qk = -qk
	}
	ss, cs, sd, cd := qi, w, qk, qj // sin, cos (a+c)/2 · minus, sin, cos (a-c)/2 · plus
	if !proper {
		ss, cs, sd, cd = qi+qk, w-qj, qk-qi, w+qj
	}
	minus, plus := math.Sqrt(ss*ss+cs*cs), math.Sqrt(sd*sd+cd*cd)
	least, most := 0.0, math.Pi
	if proper {
		b = 2 * math.Atan2(plus, minus)
	} else {
		least, most = -math.Pi/2, math.Pi/2
		b = math.Atan2(2*(float64(w*qj)-float64(qi*qk)), minus*plus)
	}
	const singular = 4e-16 // as for ABC
	switch {
	case minus <= singular:
		a, b = math.Atan2(2*sd*cd, cd*cd-sd*sd), most
	case plus <= singular:
		a, b = math.Atan2(2*ss*cs, cs*cs-ss*ss), least
	default:
		a = math.Atan2(float64(ss*cd)+float64(cs*sd), float64(cs*cd)-float64(ss*sd))
		c = math.Atan2(float64(ss*cd)-float64(cs*sd), float64(cs*cd)+float64(ss*sd))
	}
	if left && !proper {
		a = -a
	}
	return a, b, c
}
