package geom

import (
	"math"
	"strconv"
)

// angles returns the angles a, b, c that are printed for a rotation. If it was read from up to twelve decimals, fewer
// close to b = ±π/2, or from degrees in radians, those are its angles: what a client has written is what it gets to read.
// Otherwise they are angles that read back as the very same rotation, or, as there are more quaternions than angles, at
// least angles that are off by less than 1e-13 and are printed the same when they have been read.
func angles(r Rotation) [3]float64 {
	a, b, c := r.ABC()
	exact := [3]float64{a + 0, b + 0, c + 0} // no -0
	if math.IsNaN(a + b + c) {
		return exact
	}
	n := certain(decimals(b, mostDecimals-1)) // as near prints it
	if v, found := fewDecimals(r, exact, n); found {
		return v
	}
	if v, found := fewDigits(r, exact); found {
		return v
	}
	if v, found := degrees(r, exact); found {
		return v
	}
	if n >= mostDecimals-1 {
		if v, found := neighbours(r, exact); found {
			return v
		}
	}
	return near(r, exact, n-1)
}

// reads reports whether the angles are read as r.
func reads(r Rotation, v [3]float64) bool {
	x, y, z, w := r.Quaternion()
	vx, vy, vz, vw := FromABC(v[0], v[1], v[2]).Quaternion()
	return x == vx && y == vy && z == vz && w == vw || x == -vx && y == -vy && z == -vz && w == -vw
}

// decimals rounds to n decimals. The quotient is the number that these decimals are read as, as long as the whole number
// is exact: up to mostDecimals. There is no -0.
func decimals(v float64, n int) float64 {
	scale := math.Pow10(n)
	return math.Round(v*scale)/scale + 0
}

const mostDecimals = 15

// certain returns how many decimals of a and c rounding errors leave. The closer b is to ±π/2, the less a and c are
// distinguished from each other; what is certain is their sum or difference, to the last decimal. Below 1, b is ±π/2.
func certain(b float64) int {
	if cos := math.Cos(b); cos > 1e-14 {
		return mostDecimals + int(math.Floor(math.Log10(cos)))
	}
	return 0
}

// fewDecimals looks for angles with up to most decimals; b may have more.
func fewDecimals(r Rotation, v [3]float64, most int) ([3]float64, bool) {
	b := decimals(v[1], mostDecimals)
	for n := range most + 1 {
		few := [3]float64{decimals(v[0], n), decimals(v[1], n), decimals(v[2], n)}
		if reads(r, few) {
			return few, true
		}
		if few[1] = b; most < mostDecimals-1 && reads(r, few) {
			return few, true
		}
	}
	return v, false
}

// fewDigits looks for tiny angles, which have more decimals.
func fewDigits(r Rotation, v [3]float64) (few [3]float64, found bool) {
	if math.Abs(v[0]) > 0.1 || math.Abs(v[1]) > 0.1 || math.Abs(v[2]) > 0.1 {
		return v, false
	}
	for n := 14; n <= 17 && !found; n++ {
		for i := range v {
			few[i], _ = strconv.ParseFloat(strconv.FormatFloat(v[i], 'g', n, 64), 64)
		}
		found = reads(r, few)
	}
	return few, found
}

// degrees looks for angles that were computed from degrees, in one of the ways in which that is done.
func degrees(r Rotation, v [3]float64) ([3]float64, bool) {
	for _, radians := range [...]func(degrees float64) float64{
		func(d float64) float64 { return d / 180 * math.Pi },
		func(d float64) float64 { return d * math.Pi / 180 },
		func(d float64) float64 { return d * (math.Pi / 180) },
	} {
		var whole [3]float64
		for i := range v {
			if whole[i] = radians(decimals(v[i]*180/math.Pi, 3)); !(math.Abs(whole[i]-v[i]) < 1e-13) {
				return v, false
			}
		}
		for flips := range 4 { // π and -π are the same up to rounding
			turned := whole
			if flips&1 != 0 && math.Abs(turned[0]) == math.Pi {
				turned[0] = -turned[0]
			}
			if flips&2 != 0 && math.Abs(turned[2]) == math.Pi {
				turned[2] = -turned[2]
			}
			if reads(r, turned) {
				return turned, true
			}
		}
	}
	return v, false
}

// neighbours looks around the angles, as far as rounding is likely to have led them away.
func neighbours(r Rotation, v [3]float64) ([3]float64, bool) {
	for _, a := range around(v[0]) {
		for _, b := range around(v[1]) {
			for _, c := range around(v[2]) {
				if next := [3]float64{a, b, c}; reads(r, next) {
					return next, true
				}
			}
		}
	}
	return v, false
}

func around(v float64) [4]float64 {
	const least = 0x1p-54 // what half of it adds to a quaternion is lost
	step := max(math.Nextafter(math.Abs(v), 4)-math.Abs(v), least)
	return [...]float64{v, v + step, v - step, decimals(v, mostDecimals)}
}

// near rounds c to n decimals, and a and b to what they must be for this c.
func near(r Rotation, v [3]float64, n int) [3]float64 {
	const rounded = mostDecimals - 1
	if n < 0 {
		a, _ := aAndB(r)
		return [3]float64{within(a, rounded), math.Copysign(math.Pi/2, v[1]), 0}
	}
	c := within(v[2], n)
	a, b := aAndB(r.Mul(FromABC(0, 0, c).Invert()))
	return [3]float64{within(a, rounded), decimals(b, rounded), c}
}

// within rounds to n decimals, but not beyond π, where the angle would be another one the next time.
func within(v float64, n int) float64 {
	w := decimals(v, n)
	if math.Abs(w) > math.Pi {
		w = decimals(w-math.Copysign(math.Pow10(-n), w), n)
	}
	return w
}

// aAndB returns the angles of Rz(a)·Ry(b).
func aAndB(r Rotation) (a, b float64) {
	m := r.Matrix()
	return math.Atan2(-m[0][1], m[1][1]), math.Atan2(-m[2][0], m[2][2])
}
