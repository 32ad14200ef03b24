package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// allAxes are those of the arm and the external ones: how the driver counts them.
const allAxes = 2 * channels.Axes

// group is the joints of one device: those of the arm, or some external axes.
type group struct {
	*multijoint.Group
	*multijoint.Tools
	models []kinematics.Joint
	first  int // of its joints among all axes
	axes   *setpoint.Axes
	joints []joint
	target []float64

	apart float64 // by how much joints may stay behind what nets command, where they are led by measured positions
	armed bool    // what nets command counts
	began bool    // the start of corrections is known
}

// joint is what the driver knows about one joint. Positions are in rad or m.
type joint struct {
	unit     float64 // degrees or mm for one of these
	bounds   setpoint.Bounds
	start    float64 // of the session
	told     float64 // newest position
	vel      float64 // from the one before to that
	kept     float64 // position that the controller has for certain
	past     past
	measured multijoint.Meter
}

func newGroup(joints []kinematics.Joint, home []float64, first int, cfg *wireConfig) (*group, error) {
	g := &group{
		models: joints, first: first, apart: cfg.Apart, joints: make([]joint, len(joints)), target: make([]float64, len(joints)),
	}
	var err error
	g.axes, err = setpoint.New(joints, home, setpoint.Options{
		Cycle: cfg.Cycle, Ahead: cfg.Ahead, Lapse: cfg.Lapse, Margin: cfg.Margin, Slack: cfg.Slack,
	})
	if err != nil {
		return nil, err
	}
	g.Group, g.Tools = multijoint.New(g.axes), multijoint.NewTools(len(joints))
	for i := range joints {
		j := &g.joints[i]
		j.unit = 180 / math.Pi
		if joints[i].Kind == kinematics.Prismatic {
			j.unit = 1000
		}
		j.bounds = setpoint.Bounds{
			Vel: joints[i].Velocity, Acc: joints[i].Acceleration * cfg.Slack, Span: cfg.Cycle.Seconds(),
		}
		j.start, j.told, j.kept, j.measured.Is.Pos = home[i], home[i], home[i], home[i]
	}
	g.block(offline)
	g.publish(offline)
	return g, nil
}

// block keeps nets from commanding, and joints where they were last commanded to be (cycle).
func (g *group) block(p phase) {
	g.armed = false
	joints := g.joints
	for i := range joints {
		j := &joints[i]
		j.vel = 0
		g.axes.Block(i, p.fault(), j.told)
	}
}

// measure takes a position of the robot, which was sent some time after the one before (cycle).
func (j *joint) measure(at, span float64) { j.measured.Take(at/j.unit, span) }

// begin makes where the joints are the start of corrections, or as far before it as axes have been corrected already: by a device
// that was there before (cycle).
func (g *group) begin(axes *[allAxes]axis) {
	g.began = true
	joints := g.joints
	for i := range joints {
		j := &joints[i]
		at, by := j.measured.Is.Pos, 0.0
		if a := g.first + i; uint(a) < allAxes {
			by = axes[a].sum / j.unit
		}
		j.start, j.told, j.kept, j.vel = at-by, at, at, 0
		j.past.begin(at)
	}
}

// correct makes the sums of corrections those of the newest positions (cycle).
func (g *group) correct(axes *[allAxes]axis) {
	joints := g.joints
	for i := range joints {
		if a, j := g.first+i, &joints[i]; uint(a) < allAxes {
			axes[a].sum = j.unit * (j.told - j.start)
		}
	}
}

// forget ends a session: neither the start of corrections nor an earlier position is known any more (cycle).
func (g *group) forget() {
	joints := g.joints
	g.began = false
	for i := range joints {
		joints[i].measured.Forget()
	}
}

// arrived takes up whether the newest position reached the controller, and whether the robot has stood still since (cycle).
func (g *group) arrived(reached, still bool) {
	joints := g.joints
	for i := range joints {
		j := &joints[i]
		if reached {
			j.kept = j.told
		} else {
			j.told = j.kept
		}
		if still || !reached {
			j.vel = 0
		}
	}
}

// reach is by how much joints may be led in a cycle of the controller.
type reach struct {
	span      float64 // of the cycle, or of that of the configuration if that is shorter, s
	blindfold bool    // what became of an answer is known by measured positions only
	coarse    float64 // unit of the last digit of these, degrees or mm
}

// ahead returns how far from its measured position a joint may be commanded if nothing else is known (cycle).
func (r *reach) ahead(j *joint) float64 { return r.once(j)/2 - r.coarse/j.unit }

// once returns how far a joint can be moved in one cycle from rest (cycle).
func (r *reach) once(j *joint) float64 { return min(j.bounds.Acc*r.span, j.bounds.Vel) * r.span }

// grope returns a step of a joint when it is unknown which answer the controller took last: an older one shows in where the joint is
// measured, and newer ones are within past. The next one may be no farther from any of them than half of what a joint can move in
// one cycle from rest: the controller may have gone as far the other way in the cycle before (cycle).
func (r *reach) grope(j *joint, target float64) float64 {
	at, ahead, half := j.measured.Is.Pos, r.ahead(j), r.once(j)/2
	least, most := j.past.ends()
	low, high := max(at-ahead, most-half), min(at+ahead, least+half)
	if low > high {
		return j.told
	}
	return min(max(target, low), high)
}

// past is the range of positions that a joint was commanded for a while: longer than measured ones lag behind.
type past struct {
	since     int64 // of the newest part, ns
	low, high [3]float64
}

// part is the length of a part of past, which always covers at least two whole ones.
const part = int64(300e6)

// begin starts with a single position (cycle).
func (p *past) begin(at float64) {
	for i := range p.low {
		p.low[i], p.high[i] = at, at
	}
}

// add takes up a position that the joint is commanded (cycle).
func (p *past) add(at float64, now int64) {
	if now-p.since >= part || now < p.since {
		p.since = now
		p.low[2], p.low[1], p.low[0] = p.low[1], p.low[0], at
		p.high[2], p.high[1], p.high[0] = p.high[1], p.high[0], at
	}
	p.low[0], p.high[0] = min(p.low[0], at), max(p.high[0], at)
}

// ends returns the least and the greatest position (cycle).
func (p *past) ends() (low, high float64) {
	return min(p.low[0], p.low[1], p.low[2]), max(p.high[0], p.high[1], p.high[2])
}

// move goes on to the set-points of nets (cycle).
func (g *group) move(now int64, r reach) {
	g.axes.Values(now, g.target)
	joints, target := g.joints, g.target
	for i := range joints {
		if i >= len(target) {
			return
		}
		j := &joints[i]
		j.vel *= j.bounds.Span / r.span // or the step would be another one
		j.bounds.Span = r.span
		if !r.blindfold {
			j.told, j.vel = j.bounds.Towards(j.told, j.vel, target[i], g.axes.Commanded(i).Vel)
			continue
		}
		before := j.told
		j.told = r.grope(j, target[i])
		j.vel = (j.told - before) / r.span
		j.past.add(j.told, now)
		if math.Abs(target[i]-j.told) > g.apart { // it would be nowhere near where its net takes it to be
			g.axes.Block(i, faultSlow, j.told)
			g.axes.Unblock(i)
			g.axes.Revoke(i, faultSlow)
		}
	}
}

// hold lets time pass while nothing moves (cycle).
func (g *group) hold(p phase, now int64) {
	g.block(p)
	g.axes.Values(now, g.target)
}

// step brings the joints to their values for a telegram (cycle). Nets that commanded them before control began must let go first.
func (g *group) step(p phase, now int64, r reach) {
	if p != ready {
		g.hold(p, now)
		return
	}
	if !g.armed {
		g.block(offline) // or joints would go to where they were taken to be before the robot called
		g.armed = true
		for i := range g.joints {
			g.axes.Unblock(i)
			g.axes.Revoke(i, faultHeld)
		}
	}
	g.move(now, r)
}

// revoke takes joints from nets (cycle).
func (g *group) revoke() {
	for i := range g.joints {
		g.axes.Revoke(i, device.JointDrivesOff)
	}
}

// rests reports whether no joint moves (cycle).
func (g *group) rests() bool {
	joints := g.joints
	for i := range joints {
		if joints[i].vel != 0 {
			return false
		}
	}
	return true
}

// publish makes the state of the joints visible to all threads (cycle).
func (g *group) publish(p phase) {
	joints := g.joints
	for i := range joints {
		j := &joints[i]
		fault, acc := p.fault(), 0.0
		if p == ready {
			fault = g.axes.Fault(i)
			acc = g.axes.Commanded(i).Acc
		}
		g.Report(i, device.JointState{
			Commanded: device.JointMotion{Pos: j.told, Vel: j.vel, Acc: acc}, Measured: j.measured.Is, Fault: fault,
		})
	}
}

// held reports whether nets have to let go of joints (any).
func (g *group) held() bool {
	for i := range g.joints {
		if g.axes.Fault(i) == faultHeld {
			return true
		}
	}
	return false
}
