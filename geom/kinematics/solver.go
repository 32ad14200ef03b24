package kinematics

import "github.com/softrobot-rcc/rccd/geom"

// Status says whether values of joints were found for a pose, and otherwise why not.
type Status uint8

// Answers of a solver.
const (
	Solved      Status = iota
	Unreachable        // the pose is outside of the space that the arm reaches, whatever the limits of its joints are
	OutOfLimits        // joints would have to be beyond their limits
	Singular           // solved, but joints are not determined by the pose, and were taken from the hint
	Invalid            // the pose or the hint is not a number, or there are not enough values
)

func (s Status) String() string {
	switch s {
	case Solved:
		return "solved"
	case Unreachable:
		return "unreachable"
	case OutOfLimits:
		return "out of limits"
	case Singular:
		return "singular"
	case Invalid:
		return "invalid"
	}
	return "unknown status"
}

// Good reports whether values of joints reach the pose.
func (s Status) Good() bool { return s == Solved || s == Singular }

// MaxBranches is the largest number of branches.
const MaxBranches = 8

// Branch is one of several solutions.
type Branch struct {
	Joints        [MaxJoints]float64
	Configuration uint8 // which one: bits, named by the solver
	Status        Status
}

// Branches are solutions for one pose.
type Branches struct {
	N  int
	Of [MaxBranches]Branch
}

// Solver finds values of joints for a pose of the tip. It does not change, may be used by several goroutines at the same time, and
// is fit for the cycle.
type Solver interface {
	// Nearest writes the joints of the branch that is nearest to hint, unwound within the limits. If the answer is not
	// Good, joints are what comes nearest, or stay unchanged.
	Nearest(to *geom.Frame, hint, joints []float64) Status
	// Branches writes all branches, each unwound towards hint, also those that are out of limits. It returns the best
	// status of them, or why there is none.
	Branches(to *geom.Frame, hint []float64, into *Branches) Status
	// Name returns the name of a configuration. It is not for the cycle.
	Name(configuration uint8) string
}

// Arm is a chain, and the solver that suits it. In the cycle, ask arm.Solver: an Arm is a solver itself, and to those who
// check the rules of the cycle it could contain another one.
type Arm struct {
	*Chain
	Solver
}
