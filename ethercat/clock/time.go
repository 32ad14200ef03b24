package clock

// MostApart is how long a clock of 32 bits may go unread before the number of its revolutions becomes uncertain, ns.
const MostApart = 1<<31 - 1

// Reading is a clock that has been read, made 64 bits long. It is right as long as it is read, or given the approximate time by Seed,
// within MostApart.
type Reading struct{ now int64 }

// Seed sets the approximate time, from another clock (cycle).
func (r *Reading) Seed(now int64) { r.now = now }

// Take reads a register of 64 bits, or of 32 bits of which only the lower ones are real, and returns the time (cycle).
func (r *Reading) Take(raw uint64, wide bool) int64 {
	if wide {
		r.now = int64(raw)
	} else {
		r.now += int64(int32(uint32(raw) - uint32(r.now)))
	}
	return r.now
}

// Now returns the time of the newest reading (cycle).
func (r *Reading) Now() int64 { return r.now }

// Offset returns what has to be added to a local clock to get the system time. That of small parts is cut to 32 bits, without
// a sign that would go on above them.
func Offset(system int64, local uint64, wide bool) uint64 {
	if wide {
		return uint64(system) - local
	}
	return uint64(uint32(system) - uint32(local))
}

// Grid is the instants of SYNC0.
type Grid struct{ Start, Cycle int64 }

// NewGrid begins at the first multiple of the cycle that is far enough ahead, plus a shift. All slaves get the same.
func NewGrid(now, ahead, cycle, shift int64) Grid {
	if cycle <= 0 {
		return Grid{}
	}
	start := now + ahead
	if rest := start % cycle; rest != 0 {
		start += cycle - rest
	}
	return Grid{start + shift, cycle}
}

// Phase returns how long SYNC0 has been past at a time, 0 to less than a cycle, also before the first (cycle).
func (g *Grid) Phase(t int64) int64 {
	if g.Cycle <= 0 {
		return 0
	}
	p := (t - g.Start) % g.Cycle
	if p < 0 {
		p += g.Cycle
	}
	return p
}

// Next returns the first SYNC0 after a time (cycle).
func (g *Grid) Next(t int64) int64 { return t - g.Phase(t) + g.Cycle }
