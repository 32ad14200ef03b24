package motion

// looks is how many times of a motion are looked at for a place; what is shorter than the rest of them may be missed.
const looks = 1000

// Arriving returns the time from which on a motion stays within a distance of where it ends: the time to leave it at for a
// blend of this radius. It is for loading.
func Arriving(m InSpace, distance float64) float64 {
	length, end := m.Duration(), m.At(m.Duration()).Frame.Pos
	far := func(t float64) bool { return m.At(t).Frame.Pos.Sub(end).Length() > distance }
	for i := looks; i > 0; i-- {
		if t := length * float64(i-1) / looks; far(t) {
			return change(t, length*float64(i)/looks, far)
		}
	}
	return 0
}

// Departed returns the time up to which a motion stays within a distance of where it begins. It is for loading.
func Departed(m InSpace, distance float64) float64 {
	length, start := m.Duration(), m.At(0).Frame.Pos
	near := func(t float64) bool { return m.At(t).Frame.Pos.Sub(start).Length() <= distance }
	for i := range looks {
		if t := length * float64(i+1) / looks; !near(t) {
			return change(length*float64(i)/looks, t, near)
		}
	}
	return length
}

// change returns the time until which something holds that holds at one time and not at the other.
func change(yes, no float64, holds func(float64) bool) float64 {
	const halves = 36 // 1e-11 of what is between
	for range halves {
		if t := (yes + no) / 2; holds(t) {
			yes = t
		} else {
			no = t
		}
	}
	return yes
}
