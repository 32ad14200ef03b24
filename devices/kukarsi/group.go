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

// group are the joints of one device: those of the arm, or some external axes.
type group struct {
	*multijoint.Group
	*multijoint.Tools
	models []kinematics.Joint
	first  int // of its joints among all axes
	axes   *setpoint.Axes
	joints []joint
	target []float64

	armed bool // what nets command counts
	began bool // the start of corrections is known
}

// joint is what the driver knows of one. Positions are in rad or m.
type joint struct {
	unit     float64 // degrees or mm for one of these
	bounds   setpoint.Bounds
	start    float64 // of the session
	told     float64 // newest position
	vel      float64 // from the one before to that
	kept     float64 // position that the controller has for certain
	measured multijoint.Meter
}

func newGroup(joints []kinematics.Joint, home []float64, first int, cfg *wireConfig) (*group, error) {
	g := &group{
		models: joints, first: first, joints: make([]joint, len(joints)), target: make([]float64, len(joints)),
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
			Vel: joints[i].Velocity * (1 + cfg.Margin), Acc: joints[i].Acceleration * cfg.Slack, Span: cfg.Cycle.Seconds(),
		}
		j.start, j.told, j.kept, j.measured.Is.Pos = home[i], home[i], home[i], home[i]
	}
	g.block(offline)
	g.publish(offline)
	return g, nil
}

// block lets no net command, and lets joints stay where they were told to be (cycle).
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
func (g *group) begin(corrections *[allAxes]float64) {
	g.began = true
	joints := g.joints
	for i := range joints {
		j := &joints[i]
		at, by := j.measured.Is.Pos, 0.0
		if a := g.first + i; uint(a) < allAxes {
			by = corrections[a] / j.unit
		}
		j.start, j.told, j.kept, j.vel = at-by, at, at, 0
	}
}

// forget makes the next position the first one (cycle).
func (g *group) forget() {
	joints := g.joints
	for i := range joints {
		joints[i].measured.Forget()
	}
}

// arrived is told whether the newest position has reached the controller, and whether the robot has stood still since (cycle).
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

// move goes on to the set-points of nets (cycle).
func (g *group) move(now int64) {
	g.axes.Values(now, g.target)
	joints, target := g.joints, g.target
	for i := range joints {
		if i >= len(target) {
			return
		}
		j := &joints[i]
		j.told, j.vel = j.bounds.Towards(j.told, j.vel, target[i], g.axes.Commanded(i).Vel)
	}
}

// hold takes time as it passes while nothing is moved (cycle).
func (g *group) hold(p phase, now int64) {
	g.block(p)
	g.axes.Values(now, g.target)
}

// step brings the joints to their values for a telegram (cycle). Nets that commanded them before control began have to let go
// first.
func (g *group) step(p phase, now int64) {
	if p != ready {
		g.hold(p, now)
		return
	}
	if !g.armed {
		g.block(offline) // or joints would go to where they were taken to be before the robot called
		g.armed = true
		for i := range g.joints {
			g.axes.Unblock(i)
			g.axes.Expel(i, faultHeld)
		}
	}
	g.move(now)
}

// expel takes joints from nets (cycle).
func (g *group) expel() {
	for i := range g.joints {
		g.axes.Expel(i, device.JointDrivesOff)
	}
}

// rests tells whether no joint moves (cycle).
func (g *group) rests() bool {
	joints := g.joints
	for i := range joints {
		if joints[i].vel != 0 {
			return false
		}
	}
	return true
}

// publish shows everybody what the joints do (cycle).
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

// held tells whether nets have to let go of joints (any).
func (g *group) held() bool {
	for i := range g.joints {
		if g.axes.Fault(i) == faultHeld {
			return true
		}
	}
	return false
}
