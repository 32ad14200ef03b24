package clock

// Lock keeps frames at a phase of SYNC0: it computes how much longer or shorter the master's next cycle must be. The rate of
// its clock against the reference is learnt by the integral part.
type Lock struct {
	Cycle int64 // ns
	Goal  int64 // phase that is wanted
	Most  int64 // by which a cycle is changed at most

	begun  bool  // a frame has passed
	learnt int64 // sum of errors
	error  int64
	good   int64 // cycles in a row in which the error was small
}

// The gains are 1/8 and 1/256, which together come to rest without swinging.
const (
	gain       = 8
	gainLearnt = 256
)

// smallPart of a cycle is an error that machines have which do other things as well; slaves take it.
const smallPart = 8

// Correct takes the phase at which a frame has passed the reference, and returns the correction (cycle). The first one is all of the
// error: nothing has relied on a phase before, and it saves the time in which small steps would get there.
func (l *Lock) Correct(phase int64) int64 {
	e := phase - l.Goal
	switch half := l.Cycle / 2; {
	case e > half:
		e -= l.Cycle
	case e < -half:
		e += l.Cycle
	}
	l.error = e
	if small := l.Cycle / smallPart; e > small || e < -small {
		l.good /= 2 // of one frame that is late among many the phase is not worse
	} else {
		l.good++
	}
	if !l.begun {
		l.begun = true
		return -e
	}
	c := -(e/gain + l.learnt/gainLearnt)
	if c > l.Most {
		return l.Most
	}
	if c < -l.Most {
		return -l.Most
	}
	l.learnt += e
	return c
}

// Hold returns the correction when nothing was read (cycle).
func (l *Lock) Hold() int64 { return max(-l.Most, min(l.Most, -l.learnt/gainLearnt)) }

// Error returns the distance of the newest frame behind its goal (cycle).
func (l *Lock) Error() int64 { return l.error }

// Settled returns for how many cycles the error was below an eighth of a cycle; each larger error halves the count (cycle).
func (l *Lock) Settled() int64 { return l.good }
