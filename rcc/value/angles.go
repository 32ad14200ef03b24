package value

import (
	"math"
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
)

// angles returns the angles a, b, c that are printed for a rotation: the shortest decimals that read back as the very
// same rotation, so that what a client has written is what it gets to read. A rotation that was computed may have no such
// angles, as there are more quaternions than angles; those that are printed then are off by less than 1e-13, and have as
// few digits as it takes for the next text to be the same.
func angles(r geom.Rotation) [3]float64 {
	a, b, c := r.ABC()
	exact := [3]float64{a, b, c}
	for _, look := range [...]func(r geom.Rotation, exact [3]float64) ([3]float64, bool){fewDecimals, fewDigits, neighbours} {
		if v, found := look(r, exact); found {
			return v
		}
	}
	return near(r, exact)
}

// reads tells whether the angles are read as r.
func reads(r geom.Rotation, v [3]float64) bool {
	x, y, z, w := r.Quaternion()
	vx, vy, vz, vw := geom.FromABC(v[0], v[1], v[2]).Quaternion()
	return x == vx && y == vy && z == vz && w == vw || x == -vx && y == -vy && z == -vz && w == -vw
}

// decimals rounds to n decimals; the quotient is the number that these decimals are read as, as long as the whole number
// is exact: up to 15 decimals of an angle. There is no -0.
func decimals(v float64, n int) float64 {
	scale := math.Pow10(n)
	return math.Round(v*scale)/scale + 0
}

const mostDecimals = 15

func fewDecimals(r geom.Rotation, v [3]float64) (few [3]float64, found bool) {
	for n := 0; n <= mostDecimals && !found; n++ {
		few = [3]float64{decimals(v[0], n), decimals(v[1], n), decimals(v[2], n)}
		found = reads(r, few)
	}
	return few, found
}

// fewDigits is for tiny angles.
func fewDigits(r geom.Rotation, v [3]float64) (few [3]float64, found bool) {
	for n := 14; n <= 17 && !found; n++ {
		for i := range v {
			few[i], _ = strconv.ParseFloat(strconv.FormatFloat(v[i], 'g', n, 64), 64)
		}
		found = reads(r, few)
	}
	return few, found
}

// neighbours looks around the angles as far as rounding may have led them away.
func neighbours(r geom.Rotation, v [3]float64) ([3]float64, bool) {
	if math.Cos(v[1]) < 0.05 {
		return v, false // there it leads a and c too far away
	}
	as, bs, cs := around(v[0]), around(v[1]), around(v[2])
	for _, a := range as {
		for _, b := range bs {
			for _, c := range cs {
				if next := [3]float64{a, b, c}; reads(r, next) {
					return next, true
				}
			}
		}
	}
	return v, false
}

func around(v float64) [8]float64 {
	const least = 0x1p-54 // what half of it adds to a quaternion is lost
	step := max(math.Nextafter(math.Abs(v), 4)-math.Abs(v), least)
	return [...]float64{decimals(v, mostDecimals), v, v + step, v - step, v + 2*step, v - 2*step, v + 3*step, v - 3*step}
}

// near rounds c to the decimals that rounding errors leave, which are few where b is close to ±π/2, and a and b to what
// they must be for this c.
func near(r geom.Rotation, v [3]float64) [3]float64 {
	const n = mostDecimals - 1
	c := v[2]
	if lost := math.Log10(math.Cos(v[1])); lost > -n {
		c = decimals(c, n+int(math.Floor(lost)))
	}
	m := r.Mul(geom.FromABC(0, 0, c).Invert()).Matrix() // Rz(a)·Ry(b)
	a, b := math.Atan2(-m[0][1], m[1][1]), math.Atan2(-m[2][0], m[2][2])
	if math.Abs(v[1]) == math.Pi/2 {
		b = v[1]
	} else {
		b = decimals(b, n)
	}
	return [3]float64{decimals(a, n), b, c}
}
