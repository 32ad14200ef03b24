package generic

// Users counts the primitives of a net that have a value for an actuator in a cycle: only one may (§9.2). They share it
// under the resource of the actuator.
type Users struct {
	cycle  uint64
	count  int
	shared bool // in the cycle before there were several
}

// Enter tells a primitive with a value whether it is not alone. The first one of a cycle cannot see those that come after
// it, and hears of them one cycle later (cycle).
func (u *Users) Enter(n uint64) (concurrent bool) {
	if u.cycle != n {
		u.shared = u.count > 1 && u.cycle+1 == n
		u.cycle, u.count = n, 0
	}
	u.count++
	return u.count > 1 || u.shared
}

// Alone tells, when all have entered, whether there was one only (cycle).
func (u *Users) Alone(n uint64) bool { return u.cycle == n && u.count == 1 }

// ConcurrentAccess is the error of primitives that are not alone.
const ConcurrentAccess = -1
