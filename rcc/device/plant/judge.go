package plant

import (
	"fmt"
	"math"
)

// Judge watches the positions that a controller is commanded, cycle by cycle, and counts what no axis can do: this is the
// invariant of drivers of robots that call. Every answer may move an axis by no more than its limits of velocity and
// acceleration allow in one cycle, given the speed that it had in the cycle before.
//
// An answer may always leave an axis where it is, however fast it was: a missing answer does that too, and it must be safe to
// be silent. So only motions are violations. Stops that are harder than the limit are counted apart (Brakes).
type Judge struct {
	options JudgeOptions
	pos     []float64
	speed   []float64
	cycle   uint64
	count   uint64
	brakes  uint64
	first   []Violation
	newest  Violation
}

// JudgeOptions are the limits of axes. Units are those of the positions.
type JudgeOptions struct {
	Cycle    float64   // s
	Vel, Acc []float64 // of each axis, 1/s and 1/s²
	// Slack is how many times the limit of acceleration an axis bears from one cycle to the next; 2 if left out. The limits
	// that are configured are the lower end of what axes do (accelerations of arms are not published; five to ten times the
	// velocity per second is usual), and the interpolator of the servo drives spreads each step over a cycle.
	Slack    float64
	Rounding float64 // of a commanded position: half a unit of its last digit
}

// usualSlack is JudgeOptions.Slack if it is left out.
const usualSlack = 2

// kept is how many violations are kept with what was asked.
const kept = 16

// Violation is a motion of an axis in one cycle that it cannot make.
type Violation struct {
	Cycle uint64  `json:"cycle"` // since the Judge began
	Axis  int     `json:"axis"`  // from 0
	Held  float64 `json:"held"`  // position at the end of the cycle before
	Asked float64 `json:"asked"`
	Speed float64 `json:"speed"` // in the cycle before, 1/s
	Least float64 `json:"least"` // change of position in this cycle that is allowed
	Most  float64 `json:"most"`
	Why   string  `json:"why"`
}

func (v Violation) String() string {
	return fmt.Sprintf("cycle %d, axis %d: %s: from %.5g to %.5g is %+.4g, allowed are %+.4g to %+.4g (speed %.4g/s)",
		v.Cycle, v.Axis+1, v.Why, v.Held, v.Asked, v.Asked-v.Held, v.Least, v.Most, v.Speed)
}

// NewJudge makes one of axes that rest at positions.
func NewJudge(o JudgeOptions, at []float64) (*Judge, error) {
	if !(o.Cycle > 0) || len(o.Vel) != len(at) || len(o.Acc) != len(at) {
		return nil, fmt.Errorf("judge: a cycle of %v s, %d positions, %d velocities, %d accelerations", o.Cycle, len(at), len(o.Vel), len(o.Acc))
	}
	if o.Slack == 0 {
		o.Slack = usualSlack
	}
	j := &Judge{options: o, pos: make([]float64, len(at)), speed: make([]float64, len(at))}
	j.Place(at)
	return j, nil
}

// Place sets positions at which the axes rest, as when control begins.
func (j *Judge) Place(at []float64) {
	copy(j.pos, at)
	clear(j.speed)
}

// Stop says that the controller keeps an axis at a position, whatever is commanded.
func (j *Judge) Stop(axis int, at float64) { j.pos[axis], j.speed[axis] = at, 0 }

// Ask judges a cycle in which an answer commands positions. It returns how many axes cannot do it.
func (j *Judge) Ask(to []float64) (violations int) {
	j.cycle++
	for i := range j.pos {
		least, most, why := j.allowed(i)
		switch by := to[i] - j.pos[i]; {
		case !(by >= least && by <= most): // NaN also
			if limit := j.options.Vel[i] * j.options.Cycle; !(math.Abs(by) <= limit+2*j.options.Rounding) {
				why = "faster than its limit of velocity"
			}
			j.violate(Violation{Cycle: j.cycle, Axis: i, Held: j.pos[i], Asked: to[i], Speed: j.speed[i], Least: least, Most: most, Why: why})
			violations++
		case j.brakesHard(i, by):
			j.brakes++
		}
		j.follow(i, to[i])
	}
	return violations
}

// allowed returns the change of position that an axis can make in a cycle.
func (j *Judge) allowed(i int) (least, most float64, why string) {
	o := &j.options
	before := j.speed[i] * o.Cycle
	change := o.Slack*o.Acc[i]*o.Cycle*o.Cycle + 4*o.Rounding // two differences of rounded positions
	limit := o.Vel[i]*o.Cycle + 2*o.Rounding
	stay := 2 * o.Rounding
	least, most = min(-stay, before-change), max(stay, before+change)
	return max(least, -limit), min(most, limit), "changes its speed faster than its limit of acceleration"
}

func (j *Judge) brakesHard(i int, by float64) bool {
	o := &j.options
	lost := math.Abs(j.speed[i])*o.Cycle - math.Abs(by)
	return lost > o.Slack*o.Acc[i]*o.Cycle*o.Cycle+4*o.Rounding
}

func (j *Judge) violate(v Violation) {
	j.newest = v
	if j.count++; len(j.first) < kept {
		j.first = append(j.first, v)
	}
}

// follow takes over a position. The speed after an impossible step is not more than an axis has, so that one step is one violation.
func (j *Judge) follow(i int, to float64) {
	if !(math.Abs(to) < math.MaxFloat64) {
		j.speed[i] = 0
		return
	}
	speed, most := (to-j.pos[i])/j.options.Cycle, j.options.Vel[i]
	j.pos[i], j.speed[i] = to, min(max(speed, -most), most)
}

// Hold counts a cycle without an answer in which the axes stay where they are commanded.
func (j *Judge) Hold() {
	j.cycle++
	clear(j.speed)
}

// Carry counts a cycle in which the controller goes on by itself: no answer is to blame.
func (j *Judge) Carry(to []float64) {
	j.cycle++
	for i := range j.pos {
		j.follow(i, to[i])
	}
}

// Position and Speed are those of the newest cycle.
func (j *Judge) Position(axis int) float64 { return j.pos[axis] }

// Speed returns the speed of the newest cycle.
func (j *Judge) Speed(axis int) float64 { return j.speed[axis] }

// Count returns how many violations there were.
func (j *Judge) Count() uint64 { return j.count }

// Brakes returns how often an answer stopped an axis harder than its limit of acceleration.
func (j *Judge) Brakes() uint64 { return j.brakes }

// Newest returns the newest violation, once there has been one.
func (j *Judge) Newest() Violation { return j.newest }

// Violations returns the first ones.
func (j *Judge) Violations() []Violation { return append([]Violation(nil), j.first...) }
