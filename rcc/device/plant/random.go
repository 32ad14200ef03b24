package plant

import "math"

// random is a generator of pseudo random numbers that needs one word: a Weyl sequence whose terms are mixed (G. L. Steele, D.
// Lea and C. H. Flood, "Fast splittable pseudorandom number generators", 2014).
type random uint64

func (r *random) uint64() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniform returns a number above 0 and up to 1.
func (r *random) uniform() float64 { return float64(r.uint64()>>11+1) / (1 << 53) }

// normal returns a number of the normal distribution of deviation 1 (Box and Muller, 1958).
func (r *random) normal() float64 {
	return math.Sqrt(-2*math.Log(r.uniform())) * math.Cos(2*math.Pi*r.uniform())
}
