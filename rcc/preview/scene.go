package preview

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	refuser   device.Refuser   // nil when it does not tell what it refuses
	joints    []joint
	newest    int64 // set-point, 0 for none
	breaches  []breach
}

// joint is a joint with what was commanded to it so far.
type joint struct {
	model    kinematics.Joint
	peak     Peak
	setPoint int64   // newest one that was looked at
	at       float64 // where that is, which the device comes to some cycles later
	refused  int64   // newest one that was refused
	cycle    uint64  // of that
}

// breach is one whose time is that of the twin.
type breach struct {
	Breach
	time int64
	kind kinematics.Kind
	what device.JointFault
}

func newScene(t *rcc.Twin) *scene {
	s := &scene{}
	for _, of := range t.Joints {
		a := &arm{TwinJoints: of, joints: make([]joint, of.Device.Joints())}
		a.setPoints, _ = of.Device.(device.SetPoints)
		a.refuser, _ = of.Device.(device.Refuser)
		for i := range a.joints {
			j := &a.joints[i]
			known := false
			if j.model, known = device.ModelOf(of.Device, i); !known {
				j.model = kinematics.Joint{Name: fmt.Sprint(i), Min: math.Inf(-1), Max: math.Inf(1)}
			}
			j.peak.VelocityLimit, j.peak.AccelerationLimit = limit(j.model.Velocity), limit(j.model.Acceleration)
		}
		s.arms = append(s.arms, a)
	}
	return s
}

// limit is one as it is told: 0 when there is none.
func limit(v float64) float64 {
	if v > 0 && v <= math.MaxFloat64 {
		return v
	}
	return 0
}

// look looks at set-points that are new.
func (s *scene) look() {
	for _, a := range s.arms {
		for i := range a.joints {
			if a.setPoints != nil {
				a.take(i)
			}
			if a.refuser != nil {
				a.refuse(i)
			}
		}
	}
}

// What a value may be beyond its limit by rounding: a share of it.
const rounding = 1e-6

// take looks at the newest set-point of a joint.
func (a *arm) take(i int) {
	p, there := a.setPoints.SetPoint(i)
	j := &a.joints[i]
	if !there || p.Time == j.setPoint {
		return
	}
	j.setPoint, j.at, a.newest = p.Time, p.Pos, max(a.newest, p.Time)
	j.peak.Velocity = max(j.peak.Velocity, math.Abs(p.Vel))
	j.peak.Acceleration = max(j.peak.Acceleration, math.Abs(p.Acc))
	for _, of := range [...]struct {
		what         device.JointFault
		value, limit float64
	}{
		{device.JointLimitVelocity, p.Vel, j.peak.VelocityLimit},
		{device.JointLimitAcceleration, p.Acc, j.peak.AccelerationLimit},
	} {
		if of.limit > 0 && math.Abs(of.value) > of.limit*(1+rounding) {
			a.note(i, &device.Refusal{Fault: of.what, Value: of.value, Limit: of.limit, Time: p.Time}, false)
		}
	}
}

// refuse looks whether a joint has refused a set-point.
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

// note keeps a set-point beyond a limit: of all those of a joint and a limit the first one, and the worst value.
func (a *arm) note(i int, r *device.Refusal, refused bool) {
	for k := range a.breaches {
		if b := &a.breaches[k]; b.Joint == i && b.what == r.Fault {
			b.Refused = b.Refused || refused
			if math.Abs(r.Value-r.Limit) > math.Abs(b.Value-b.Limit) && math.Abs(r.Value) > math.Abs(b.Value) {
				b.Value, b.Limit = r.Value, r.Limit
			}
			return
		}
	}
	b := breach{time: r.Time, what: r.Fault, kind: a.joints[i].model.Kind, Breach: Breach{
		Device: a.Name, Joint: i, Name: a.joints[i].model.Name, What: word(r.Fault), Value: r.Value, Limit: r.Limit, Refused: refused,
	}}
	for k := range a.joints {
		b.Joints = append(b.Joints, a.Device.Joint(k).Commanded.Pos)
	}
	a.breaches = append(a.breaches, b)
}

// word is a limit as clients know it.
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

// devices are those that were commanded.
func (s *scene) devices(since int64) (list []Device) {
	for _, a := range s.arms {
		if a.newest == 0 {
			continue
		}
		d := Device{Name: a.Name, End: seconds(a.newest - since)}
		for i := range a.joints {
			j := &a.joints[i]
			if j.setPoint == 0 {
				j.at = a.Device.Joint(i).Commanded.Pos
			}
			d.Joints, d.Peaks = append(d.Joints, j.at), append(d.Peaks, j.peak)
		}
		list = append(list, d)
	}
	return list
}

// breaches are those of all devices, in the order of their times.
func (s *scene) breaches(since int64) (list []Breach) {
	var all []breach
	for _, a := range s.arms {
		all = append(all, a.breaches...)
	}
	slices.SortStableFunc(all, func(a, b breach) int { return cmp.Compare(a.time, b.time) })
	for i := range all {
		b := &all[i]
		b.At = seconds(b.time - since)
		r := device.Refusal{Fault: b.what, Value: b.Value, Limit: b.Limit}
		b.Text = fmt.Sprintf("%s, joint %s, at %.6g s: %s", b.Device, b.Name, b.At, r.Reason(b.kind))
		if !b.Refused {
			b.Text += "; the device would still take it"
		}
		list = append(list, b.Breach)
	}
	return list
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
