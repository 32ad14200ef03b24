package preview

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// scene is what is commanded to all joints.
type scene struct{ arms []*arm }

// arm is a device with joints.
type arm struct {
	rcc.TwinJoints
	setPoints device.SetPoints // nil when the device tells none
	refuser   device.Refuser   // nil when it does not report refusals
	cycle     time.Duration    // of its own, 0 when it has none
	joints    []joint
	newest    int64 // set-point, 0 for none
	moved     int64 // newest time at which it was seen elsewhere than before
	breaches  []breach
}

// joint is a joint with what was commanded to it so far.
type joint struct {
	model    kinematics.Joint
	from     float64 // where it began
	at       float64 // where it is commanded to be, which comes to set-points some cycles later
	peak     Peak
	setPoint int64   // newest one that was looked at
	span     int64   // from the one before
	vel      float64 // of that
	ended    int64   // the one that was the last of a net
	refused  int64   // newest one that was refused
	cycle    uint64  // of that
	left     *left   // nil while nobody has left it in motion
}

// breach is one whose time is that of the twin.
type breach struct {
	Breach
	time   int64
	kind   kinematics.Kind
	what   device.JointFault
	excess float64 // of the worst value
}

// left is a joint that was left, in the time of the twin.
type left struct {
	Left
	time int64
}

func newScene(t *rcc.Twin) *scene {
	s := &scene{}
	for _, of := range t.Joints {
		a := &arm{TwinJoints: of, joints: make([]joint, of.Device.Joints())}
		a.setPoints, _ = of.Device.(device.SetPoints)
		a.refuser, _ = of.Device.(device.Refuser)
		if cyclic, is := of.Device.(device.Cyclic); is {
			a.cycle = cyclic.Period()
		}
		for i := range a.joints {
			j := &a.joints[i]
			j.from = of.Device.Joint(i).Commanded.Pos
			j.at = j.from
			known := false
			j.model, known = device.ModelOf(of.Device, i)
			switch {
			case !known:
				j.model = kinematics.Joint{Name: fmt.Sprint(i), Min: math.Inf(-1), Max: math.Inf(1)}
			case j.model.Kind == kinematics.Prismatic:
				j.peak.Unit = "m"
			default:
				j.peak.Unit = "rad"
			}
			j.peak.VelocityLimit, j.peak.AccelerationLimit = limit(j.model.Velocity), limit(j.model.Acceleration)
		}
		s.arms = append(s.arms, a)
	}
	return s
}

// limit returns one as it is told: 0 when there is none.
func limit(v float64) Number {
	if v > 0 && v <= math.MaxFloat64 {
		return Number(v)
	}
	return 0
}

// look looks at set-points that are new, and at where joints are.
func (s *scene) look(now int64) {
	for _, a := range s.arms {
		for i := range a.joints {
			if a.setPoints != nil {
				a.take(i)
			}
			if a.refuser != nil {
				a.refuse(i)
			}
		}
		if a.newest != 0 {
			a.follow(now)
		}
	}
}

// follow looks where joints are, which go on by themselves when there are no set-points any more.
func (a *arm) follow(now int64) {
	for i := range a.joints {
		j := &a.joints[i]
		if is := a.Device.Joint(i).Commanded.Pos; is != j.at {
			j.at, a.moved = is, now
		}
	}
}

// moves reports whether joints have moved lately, or had set-points.
func (s *scene) moves(now int64, lately time.Duration) bool {
	return slices.ContainsFunc(s.arms, func(a *arm) bool { return a.newest != 0 && now-max(a.newest, a.moved) <= int64(lately) })
}

// cycle returns the shortest one of devices that were commanded, and otherwise that of somebody else.
func (s *scene) cycle(otherwise time.Duration) (shortest time.Duration) {
	for _, a := range s.arms {
		if a.newest != 0 && a.cycle > 0 && (shortest == 0 || a.cycle < shortest) {
			shortest = a.cycle
		}
	}
	return cmp.Or(shortest, otherwise)
}

// leave looks which joints have had no set-point for some time, so that they have been left.
func (s *scene) leave(now int64, lately time.Duration) {
	for _, a := range s.arms {
		for i := range a.joints {
			if j := &a.joints[i]; j.ended != j.setPoint && now-j.setPoint > int64(lately) {
				j.ended = j.setPoint
				a.abandon(i)
			}
		}
	}
}

// abandon judges how a joint was left. One that refuses set-points, or cannot be commanded, stops for another reason. Where motions
// end, devices go on a little (equation 9.1): as far as one can stop in a cycle.
func (a *arm) abandon(i int) {
	j := &a.joints[i]
	if j.left != nil || j.refused >= j.setPoint || a.Device.Joint(i).Fault != device.JointGood {
		return
	}
	stoppable := float64(j.peak.AccelerationLimit) * seconds(max(int64(a.cycle), j.span))
	if stoppable > 0 && math.Abs(j.vel) > stoppable {
		j.left = &left{Left{Joint: i, Name: j.model.Name, Velocity: j.vel}, j.setPoint}
	}
}

// By how much a value may exceed its limit because of rounding: a share of it.
const rounding = 1e-6

// take looks at the newest set-point of a joint.
func (a *arm) take(i int) {
	p, there := a.setPoints.SetPoint(i)
	j := &a.joints[i]
	if !there || p.Time == j.setPoint {
		return
	}
	if j.span = 0; j.ended != j.setPoint {
		j.span = p.Time - j.setPoint
	}
	j.setPoint, j.vel, a.newest = p.Time, p.Vel, max(a.newest, p.Time)
	j.peak.Velocity = max(j.peak.Velocity, Number(math.Abs(p.Vel)))
	j.peak.Acceleration = max(j.peak.Acceleration, Number(math.Abs(p.Acc)))
	for _, of := range [...]struct {
		what  device.JointFault
		value float64
		limit Number
	}{
		{device.JointLimitVelocity, p.Vel, j.peak.VelocityLimit},
		{device.JointLimitAcceleration, p.Acc, j.peak.AccelerationLimit},
	} {
		if most := float64(of.limit); most > 0 && math.Abs(of.value) > most*(1+rounding) {
			a.note(i, &device.Refusal{Fault: of.what, Value: of.value, Limit: most, Time: p.Time}, false)
		}
	}
}

// refuse checks whether a joint has refused a set-point.
func (a *arm) refuse(i int) {
	r, there := a.refuser.JointRefusal(i)
	j := &a.joints[i]
	if !there || r.Time == j.refused && r.Cycle == j.cycle {
		return
	}
	j.refused, j.cycle = r.Time, r.Cycle
	a.newest = max(a.newest, r.Time)
	a.note(i, &r, true)
}

// note keeps a set-point beyond a limit: of all those of a joint and a limit that were taken, or were not, the first one, and the worst
// value.
func (a *arm) note(i int, r *device.Refusal, refused bool) {
	excess := excessOf(r)
	for k := range a.breaches {
		if b := &a.breaches[k]; b.Joint == i && b.what == r.Fault && b.Refused == refused {
			if excess > b.excess {
				b.Worst, b.excess = Number(r.Value), excess
			}
			return
		}
	}
	b := breach{time: r.Time, what: r.Fault, kind: a.joints[i].model.Kind, excess: excess, Breach: Breach{
		Device: a.Name, Joint: i, Name: a.joints[i].model.Name, What: word(r.Fault),
		Value: Number(r.Value), Limit: Number(r.Limit), Worst: Number(r.Value), Refused: refused,
	}}
	for k := range a.joints {
		b.Joints = append(b.Joints, Number(a.Device.Joint(k).Commanded.Pos))
	}
	a.breaches = append(a.breaches, b)
}

// excessOf returns how far a value is beyond its limit, which holds in both directions except for positions. NaN is worst.
func excessOf(r *device.Refusal) float64 {
	excess := math.Abs(r.Value) - r.Limit
	if r.Fault == device.JointLimitPosition || r.Fault == device.JointElsewhere {
		excess = math.Abs(r.Value - r.Limit)
	}
	if math.IsNaN(excess) {
		return math.Inf(1)
	}
	return excess
}

// word returns a limit as clients know it.
func word(f device.JointFault) string {
	switch f {
	case device.JointLimitPosition:
		return "position"
	case device.JointLimitVelocity:
		return "velocity"
	case device.JointLimitAcceleration:
		return "acceleration"
	case device.JointLimitJerk:
		return "jerk"
	case device.JointElsewhere:
		return "start"
	}
	return f.String()
}

// devices returns those that were commanded.
func (s *scene) devices(since int64) (list []Device) {
	for _, a := range s.arms {
		if a.newest != 0 {
			list = append(list, a.device(since))
		}
	}
	return list
}

func (a *arm) device(since int64) Device {
	d := Device{Name: a.Name, By: a.By, End: seconds(a.newest - since), Rest: Number(seconds(max(a.newest, a.moved) - since))}
	for i := range a.joints {
		j := &a.joints[i]
		d.From, d.Joints, d.Peaks = append(d.From, Number(j.from)), append(d.Joints, Number(j.at)), append(d.Peaks, j.peak)
		if j.left != nil {
			j.left.At = seconds(j.left.time - since)
			d.Left = append(d.Left, j.left.Left)
		}
		if a.Device.Joint(i).Commanded.Vel != 0 {
			d.Rest = Number(math.Inf(1))
		}
	}
	return d
}

// breaches returns those of all devices, in the order of their times.
func (s *scene) breaches(since int64) (list []Breach) {
	var all []breach
	for _, a := range s.arms {
		all = append(all, a.breaches...)
	}
	slices.SortStableFunc(all, func(a, b breach) int { return cmp.Compare(a.time, b.time) })
	for i := range all {
		b := &all[i]
		b.At = seconds(b.time - since)
		r := device.Refusal{Fault: b.what, Value: float64(b.Value), Limit: float64(b.Limit)}
		b.Text = fmt.Sprintf("%s, joint %s, at %.6g s: %s", b.Device, b.Name, b.At, r.Reason(b.kind))
		if !b.Refused {
			b.Text += "; the device would still take it"
		}
		list = append(list, b.Breach)
	}
	return list
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
