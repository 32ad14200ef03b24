package activity_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// planned is a motion, and what is known of it beforehand.
type planned struct {
	*activity.Motion
	path *path.Path // nil of joints
	to   geom.Frame // where the flange ends
}

// planner thinks of motions of a robot, each from where the one before ends.
type planner struct {
	robot  *activity.Robot
	random *rand.Rand
	wide   float64               // how far they go, m
	turn   float64               // and joints, rad
	joints []robotics.JointParam // parameters of those of joints
	at     geom.Frame
}

// wanders returns a planner for a robot at home.
func (c *cell) wanders(robot *activity.Robot) *planner {
	random := rand.New(rand.NewPCG(uint64(setting(c.t, "RCCD_SEED", 1)), 0))
	return &planner{robot: robot, random: random, wide: 0.15, turn: 0.15, at: place(0, 0, 0)}
}

func (p *planner) by(most float64) float64 { return (2*p.random.Float64() - 1) * most }

// next returns a motion of any kind, which blends into the next one.
func (p *planner) next() (m planned) {
	base := p.robot.Arm().Base()
	from := p.at
	m.to = place(p.by(p.wide), p.by(p.wide), p.by(p.wide))
	m.to.Rot = m.to.Rot.Mul(geom.FromABC(p.by(0.1), p.by(0.1), p.by(0.1)))
	between := from.Lerp(m.to, 0.5)
	aside := m.to.Pos.Sub(from.Pos).Length() / 4 // what bends more is gone as slowly as that wants it
	between.Pos = between.Pos.Add(geom.Vector{X: p.by(aside), Y: p.by(aside), Z: aside})
	var err error
	switch p.random.IntN(4) {
	case 0:
		joints := slices.Clone(home)
		for i := range joints {
			joints[i] += p.by(p.turn)
		}
		m.Motion, m.to = p.robot.PTP(joints, p.joints...), model().Forward(joints)
	case 1:
		m.Motion = p.robot.Circ(between.Pos, m.to, base, slow)
		m.path, err = path.Arc(from, between.Pos, m.to, path.Turning)
	case 2:
		m.Motion = p.robot.Spline([]geom.Frame{between, m.to}, base, slow)
		m.path, err = path.Spline([]geom.Frame{from, between, m.to}, path.Ends{})
	default:
		m.Motion = p.robot.Lin(m.to, base, slow)
		m.path, err = path.Line(from, m.to)
	}
	if err != nil {
		panic(err) // no numbers of a generator are on one line
	}
	if m.path != nil && p.random.IntN(2) == 0 {
		m.BlendBefore(0.01 + 0.5*p.wide*p.random.Float64())
	} else {
		m.Blend(0.3 + 0.6*p.random.Float64())
	}
	p.at = m.to
	return m
}

// along follows a path.
type along struct {
	path *path.Path
	s    float64
}

// off returns how far something is from the path, m and rad.
func (a *along) off(at geom.Frame) float64 {
	const near = 1e-6
	if off := a.search(at, a.s); off < near {
		return off
	}
	best, steps := 0.0, 200
	for i := range steps + 1 {
		s := a.path.Length() * float64(i) / float64(steps)
		if a.path.At(s).Frame.Pos.Sub(at.Pos).Length() < a.path.At(best).Frame.Pos.Sub(at.Pos).Length() {
			best = s
		}
	}
	return a.search(at, best)
}

// search finds the nearest place on the path around another one.
func (a *along) search(at geom.Frame, s float64) float64 {
	const rounds = 8
	for range rounds {
		p := a.path.At(s)
		gap := p.Frame.Pos.Sub(at.Pos)
		slope := p.First.Vel.Dot(p.First.Vel) + gap.Dot(p.Second.Vel)
		s = min(max(s-gap.Dot(p.First.Vel)/max(slope, 0.1), 0), a.path.Length())
	}
	a.s = s
	there := a.path.At(s).Frame
	return max(there.Pos.Sub(at.Pos).Length(), math.Abs(there.Rot.To(at.Rot).Angle()))
}
