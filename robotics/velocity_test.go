package robotics_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// rates is an actuator of one's own that hears velocities of joints, and shows them.
type rates struct{ *actuator.Arm }

func (rates) Understands() []mapping.Flow { return []mapping.Flow{mapping.JointVelocities{}} }

func (rates) MapActuator(c *mapping.Context, flow mapping.Flow) (none mapping.Part) {
	for i, v := range flow.(mapping.JointVelocities).Vel {
		graph.Publish(c.Graph, fmt.Sprint("vq", i), v)
	}
	return none
}

// steered is an actuator of one's own that hears how its flange is to move, seen from the base, and shows it.
type steered struct{ *actuator.Arm }

func (steered) Understands() []mapping.Flow { return []mapping.Flow{mapping.CartesianVelocity{}} }

func (a steered) MapActuator(c *mapping.Context, flow mapping.Flow) (none mapping.Part) {
	twist := c.ExpressVelocity(flow.(mapping.CartesianVelocity), a.Flange(), a.Base())
	all := parts("flange", robotics.Derived(func(*mapping.Net) graph.Signal[geom.Twist] { return twist }))
	for _, key := range keys(all) {
		graph.Publish(c.Graph, key, robotics.Read(c.Net, all[key]))
	}
	return none
}

// parts are sensors of the numbers of a twist.
func parts(name string, of robotics.Sensor[geom.Twist]) values {
	all := values{}
	for axis, as := range map[string]robotics.Axis{"x": robotics.X, "y": robotics.Y, "z": robotics.Z} {
		all[name+axis] = robotics.Component(robotics.Linear(of), as)
		all[name+"r"+axis] = robotics.Component(robotics.Angular(of), as)
	}
	return all
}

// twistOf returns what a net says of a twist.
func twistOf(r *cells.Trace, name string) geom.Twist {
	vector := func(of string) geom.Vector {
		return geom.Vector{X: r.Number(of + "x"), Y: r.Number(of + "y"), Z: r.Number(of + "z")}
	}
	return geom.Twist{Vel: vector(name), Rot: vector(name + "r")}
}

// steer is an action that says how a frame is to move, seen from another one.
type steer struct {
	twist  geom.Twist
	of, in *world.Frame
}

func (s steer) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: mapping.CartesianVelocity{Twist: graph.Const(c.Graph, s.twist), Of: s.of, In: s.in}, Done: c.Cancelled}
}

// turn is an action that says how fast joints are to move.
type turn []float64

func (v turn) MapAction(c *mapping.Context) mapping.Part {
	return mapping.Part{Flow: mapping.JointVelocities{Vel: c.Reals(v)}, Done: c.Cancelled}
}

// goldenVelocities are sensors of velocities, and what converts them.
func goldenVelocities() goldens {
	twist := geom.Twist{Vel: geom.Vector{X: 0.1}, Rot: geom.Vector{Z: 0.2}}
	return goldens{
		"velocities of frames": func(s *scene) robotics.Command {
			tip := s.arm.Flange().Place("tip", geom.Frame{Pos: geom.Vector{Z: 0.2}})
			v := robotics.Velocity(tip, s.table)
			s.number("speed", robotics.Length(robotics.Linear(v)))
			s.number("up", robotics.Component(robotics.Linear(robotics.Along(v, s.table, s.arm.Flange())), robotics.Z))
			s.number("turns", robotics.Length(robotics.Angular(robotics.Velocity(s.arm.Base(), tip))))
			return robotics.NewCommand(s.arm, motions.PTP{To: []float64{0.32, -1.5, 1.5, 0, 1, 0}})
		},
		"velocity of a base": func(s *scene) robotics.Command {
			s.cancel(100)
			s.number("speed", robotics.Length(robotics.Linear(robotics.Velocity(s.base.Body(), s.base.Origin()))))
			return robotics.NewCommand(s.base, motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{X: 0.1}}), In: s.base.Body()})
		},
		"velocity in space to joints": func(s *scene) robotics.Command {
			s.cancel(5)
			return robotics.NewCommand(rates{s.arm}, steer{twist, s.arm.Flange(), s.table})
		},
		"velocities of joints to space": func(s *scene) robotics.Command {
			s.cancel(5)
			return robotics.NewCommand(steered{s.arm}, turn{0.1, 0, 0, 0, 0, 0})
		},
		"jog along the tool": func(s *scene) robotics.Command {
			s.cancel(150)
			return robotics.NewCommand(s.arm, motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{Z: 0.05}}), In: s.arm.Flange()})
		},
	}
}

// TestVelocity: velocities of frames, also of chains of arms and of what sensors see, are the differences of their poses.
func TestVelocity(t *testing.T) {
	race.Skip(t, "long motions one after another; TestJog races one")
	c, arm, other := cells.New(t), kr16(), actuator.NewArm("tx90", robots.TX90L())
	moves := drift{vel: geom.Vector{X: 0.1, Z: 0.05}, turn: 0.2}
	seen := floating(t, arm, moves)
	stands, held := geom.Frame{Pos: geom.Vector{Y: 0.1}, Rot: geom.FromABC(0.5, 0.4, 0.3)}, geom.Frame{Pos: geom.Vector{X: 0.2, Z: 0.1}, Rot: geom.FromABC(1, 0, 0)}
	if _, err := world.Relate(arm.Flange(), other.Base(), stands); err != nil { // it carries the other one
		t.Fatal(err)
	}
	tool := other.Flange().Place("tool", held)
	ways := map[string]struct {
		of, in *world.Frame
		at     func(time float64, a, b []float64) geom.Frame
	}{
		"flange": {arm.Flange(), arm.Base(), func(_ float64, a, _ []float64) geom.Frame { return poseAt(a) }},
		"back":   {arm.Base(), arm.Flange(), func(_ float64, a, _ []float64) geom.Frame { return poseAt(a).Invert() }},
		"chain": {tool, arm.Base(), func(_ float64, a, b []float64) geom.Frame {
			return poseAt(a).Mul(stands).Mul(robots.TX90L().Forward(b)).Mul(held)
		}},
		"seen": {tool, seen, func(time float64, a, b []float64) geom.Frame {
			return moves.at(time).Invert().Mul(poseAt(a)).Mul(stands).Mul(robots.TX90L().Forward(b)).Mul(held)
		}},
		"from tool": {seen, tool, func(time float64, a, b []float64) geom.Frame {
			return poseAt(a).Mul(stands).Mul(robots.TX90L().Forward(b)).Mul(held).Invert().Mul(moves.at(time))
		}},
		"none": {arm.Flange().Place("held", held), arm.Flange(), func(float64, []float64, []float64) geom.Frame { return held }},
	}
	watched := values{}
	add := func(some values) {
		for key, s := range some {
			watched[key] = s
		}
	}
	for name, w := range ways {
		add(parts(name, robotics.Velocity(w.of, w.in)))
	}
	add(parts("along", robotics.Along(robotics.Velocity(tool, seen), seen, arm.Base())))
	for i := range 6 {
		watched[fmt.Sprint("a", i)], watched[fmt.Sprint("b", i)] = last(arm, i), last(other, i)
	}
	gently := []robotics.Param{robotics.Speed(0.3), robotics.Acceleration(0.02)}
	go1, go2 := robotics.NewCommand(arm, motions.PTP{To: point}, gently...), robotics.NewCommand(other, motions.PTP{To: []float64{0.5, 0.4, 1, 0.3, 0.7, 1}}, gently...)
	r := trace(t, c, robotics.Parallel(go1, go2), nil, watched)
	type moment struct {
		a, b   []float64
		says   map[string]geom.Twist
		moving geom.Frame
	}
	var all []moment
	for r.Step() {
		m := moment{says: map[string]geom.Twist{}, moving: moves.at(float64(r.Cycle) * period.Seconds())}
		for i := range 6 {
			m.a, m.b = append(m.a, r.Number(fmt.Sprint("a", i))), append(m.b, r.Number(fmt.Sprint("b", i)))
		}
		for name := range ways {
			if r.Cycle > 1 {
				m.says[name] = twistOf(r, name)
			}
		}
		if r.Cycle > 1 {
			m.says["along"] = twistOf(r, "along")
		}
		all = append(all, m)
	}
	fastest := 0.0
	for k := 5; k < len(all)-5; k++ {
		for name, w := range ways {
			at := func(k int) geom.Frame { return w.at(float64(k+1)*period.Seconds(), all[k].a, all[k].b) }
			from, to, time := at(k-1), at(k+1), 2*period.Seconds()
			want := geom.Twist{Vel: to.Pos.Sub(from.Pos).Scale(1 / time), Rot: from.Rot.Velocity(to.Rot, time)}
			if d := all[k].says[name].Sub(want); d.Vel.Length() > 2e-3 || d.Rot.Length() > 2e-3 {
				t.Fatalf("cycle %d: %s moves with %v, not with %v", k+1, name, want, all[k].says[name])
			}
			fastest = max(fastest, want.Vel.Length())
		}
		if d := all[k].says["along"].Sub(all[k].says["seen"].Rotate(all[k].moving.Rot)); d.Vel.Length() > 1e-9 || d.Rot.Length() > 1e-9 {
			t.Fatalf("cycle %d: %v along the base, %v along the frame", k+1, all[k].says["along"], all[k].says["seen"])
		}
	}
	if fastest < 0.3 {
		t.Errorf("nothing is faster than %v m/s", fastest)
	}
}

// TestVelocityToJoints: joints that move as commanded move a tool as commanded, seen from a frame that moves itself; an action says
// velocities in space, an actuator hears those of joints.
func TestVelocityToJoints(t *testing.T) {
	c, arm := cells.New(t), kr16()
	moves := drift{vel: geom.Vector{X: 0.1, Z: 0.05}, turn: 0.2}
	seen, held := floating(t, arm, moves), geom.Frame{Pos: geom.Vector{X: 0.2, Z: 0.1}, Rot: geom.FromABC(1, 0, 0)}
	tool := arm.Flange().Place("tool", held)
	says := geom.Twist{Vel: geom.Vector{X: 0.05, Y: -0.1, Z: 0.02}, Rot: geom.Vector{X: 0.1, Y: 0.2}}
	to := robotics.NewCommand(rates{arm}, steer{says, tool, seen})
	to.OnEntered(robotics.Long(to.Active(), 20*period), robotics.Cancel(to))
	r := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), to), states{"to": to.Active()}, nil)
	checked := 0
	for r.Step() {
		if !r.Is("to") {
			continue
		}
		rate := make([]float64, 6)
		for i := range rate {
			rate[i] = r.Number(fmt.Sprint("vq", i))
		}
		const h = 1e-4
		at := func(h float64) geom.Frame {
			q := make([]float64, 6)
			for i := range q {
				q[i] = point[i] + h*rate[i]
			}
			return moves.at(float64(r.Cycle)*period.Seconds() + h).Invert().Mul(poseAt(q)).Mul(held)
		}
		from, to := at(-h), at(h)
		moved := geom.Twist{Vel: to.Pos.Sub(from.Pos).Scale(0.5 / h), Rot: from.Rot.Velocity(to.Rot, 2*h)}
		if d := moved.Sub(says); d.Vel.Length() > 1e-6 || d.Rot.Length() > 1e-6 {
			t.Fatalf("cycle %d: moves with %v, not with %v", r.Cycle, moved, says)
		}
		checked++
	}
	if checked < 20 || r.Is("failed") {
		t.Errorf("%d cycles: %v", checked, r.Values)
	}
}

// TestVelocityToSpace: velocities of joints are heard as that of the flange.
func TestVelocityToSpace(t *testing.T) {
	c, arm := cells.New(t), kr16()
	vel := turn{0.1, 0.2, -0.3, 0.4, -0.5, 0.6}
	to := robotics.NewCommand(steered{arm}, vel)
	to.OnEntered(robotics.Long(to.Active(), 5*period), robotics.Cancel(to))
	r := trace(t, c, to, nil, nil)
	want := robots.KR16().Twist(c.Where("kr16"), vel)
	for r.Step() {
		if d := twistOf(r, "flange").Sub(want); d.Vel.Length() > 1e-9 || d.Rot.Length() > 1e-9 {
			t.Fatalf("%v, not %v", twistOf(r, "flange"), want)
		}
	}
	if _, err := robotics.Watched(robotics.NewCommand(steered{arm}, turn{1}), nil, nil, true); !errors.Is(err, robotics.ErrJoints) {
		t.Errorf("%v", err)
	}
}

// TestVelocityAtSingularity: where a direction is lost, joints stay within their limits, and elsewhere the direction is kept.
func TestVelocityAtSingularity(t *testing.T) {
	c, arm := cells.New(t), kr16()
	straight := []float64{0.3, -1.5, 1.5, 0, 0.02, 0} // almost: the axes of the wrist are nearly the same
	var j geom.Jacobian
	robots.KR16().Jacobian(straight, &j)
	lost := j.Columns[3].Rot.Cross(j.Columns[4].Rot).Unit()
	along := robotics.NewCommand(rates{arm}, steer{geom.Twist{Rot: lost}, arm.Flange(), arm.Base()})
	along.OnEntered(robotics.Long(along.Active(), 5*period), robotics.Cancel(along))
	r := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: straight}), along), states{"along": along.Active()}, nil)
	limited := false
	for r.Step() {
		if !r.Is("along") {
			continue
		}
		rate := make([]float64, 6)
		for i := range rate {
			rate[i] = r.Number(fmt.Sprint("vq", i))
			limit := arm.Joint(i).Velocity
			limited = limited || math.Abs(rate[i]) > 0.999*limit
			if math.Abs(rate[i]) > limit*(1+1e-9) {
				t.Fatalf("joint %d with %v", i, rate[i])
			}
		}
		moves := robots.KR16().Twist(straight, rate)
		if share := moves.Rot.Dot(lost); share < 0.01 || moves.Rot.Sub(lost.Scale(share)).Length() > 1e-3*share || moves.Vel.Length() > 1e-3*share {
			t.Fatalf("moves with %v", moves)
		}
	}
	if !limited {
		t.Error("no joint is at its limit")
	}
}

// TestJogTool: a tool is jogged along its own axes.
func TestJogTool(t *testing.T) {
	c, arm := cells.New(t), kr16()
	tip := arm.Flange().Place("tip", geom.Frame{Pos: geom.Vector{Z: 0.1}, Rot: geom.FromABC(0, 0.3, 0)})
	jog := robotics.NewCommand(arm, motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{Z: 0.1}}), In: tip}, slow, robotics.MotionCenter{Frame: tip})
	jog.OnEntered(robotics.Long(jog.Active(), 500*period), robotics.Cancel(jog))
	r := trace(t, c, robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), jog), nil, nil)
	for r.Step() {
	}
	from := poseAt(point).Mul(geom.Frame{Pos: geom.Vector{Z: 0.1}, Rot: geom.FromABC(0, 0.3, 0)})
	by := from.Invert().Mul(poseAt(c.Where("kr16")).Mul(geom.Frame{Pos: geom.Vector{Z: 0.1}, Rot: geom.FromABC(0, 0.3, 0)}))
	if math.Abs(by.Pos.Z-0.1) > 0.02 || math.Hypot(by.Pos.X, by.Pos.Y) > 1e-5 || by.Rot.Angle() > 1e-5 || r.Is("failed") {
		t.Errorf("moved by %v: %v", by, r.Values)
	}
	c.Arm("kr16").Smooth()
}

// TestDriveAbout: a base turns about a place before it, which stays where it is, and goes along with a frame that moves.
func TestDriveAbout(t *testing.T) {
	c, base := cells.New(t), actuator.NewBase("base")
	ahead := base.Body().Place("ahead", geom.Frame{Pos: geom.Vector{X: 0.5}})
	belt := world.NewFrame("belt")
	if _, err := world.Couple(base.Origin(), belt, robotics.Seen{By: drift{vel: geom.Vector{Y: 0.1}}}); err != nil {
		t.Fatal(err)
	}
	jog := func(in *world.Frame, of geom.Twist) robotics.Command {
		j := robotics.NewCommand(base, motions.Jog{Velocity: robotics.Constant(of), In: in}, robotics.MotionCenter{Frame: ahead})
		j.OnEntered(robotics.Long(j.Active(), 1000*period), robotics.Cancel(j))
		return j
	}
	at := func(does robotics.Command) geom.Vector {
		r := trace(t, c, does, nil, place(ahead, base.Origin()))
		for r.Step() {
		}
		if r.Is("failed") {
			t.Fatalf("%v", r.Values)
		}
		return placed(r)
	}
	before := at(robotics.NewWait(period))
	turned := at(jog(ahead, geom.Twist{Rot: geom.Vector{Z: 0.2}}))
	if d := turned.Sub(before).Length(); d > 0.01 {
		t.Errorf("moved by %v", d)
	}
	if along := at(jog(belt, geom.Twist{})).Sub(turned); math.Abs(along.Y-0.2) > 0.03 || math.Abs(along.X) > 0.01 {
		t.Errorf("moved by %v", along)
	}
}
