package instep

import (
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// stroke is the line that both flanges move along, seen from the world, and limits of the motion.
var (
	stroke = geom.Vector{Y: 0.5}
	limits = profile.Limits{Vel: 0.8, Acc: 4, Jerk: 40}
)

// pause is the time between the way there and the way back, s.
const pause = 0.4

// duration returns the time of one way.
func duration() float64 {
	var p profile.Profile
	if r := p.Plan(profile.State{}, profile.Goal{State: profile.State{Pos: stroke.Length()}}, limits); r != profile.Solved {
		panic(r.String())
	}
	return p.Duration()
}

// net returns the net: a line, and for each robot where its flange is on a line like that, joints that bring it there, and commands
// for them. Time goes there and back.
func net() string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+",\n", args...) }
	both := 2*duration() + pause
	add("time=Core::Clock()")
	add("back=Core::DoubleAdd(inFirst=Core::DoubleMultiply(inFirst=time.outValue,Second='-1').outValue,Second='%v')", both)
	add("way=Core::DoubleMin(inFirst=time.outValue,inSecond=back.outValue)")
	add("line=Motion::Line(inTime=way.outValue,To='{pos:{x:%v,y:%v,z:%v}}',MaxTransVel='%v',MaxTransAcc='%v',MaxTransJerk='%v')",
		stroke.X, stroke.Y, stroke.Z, limits.Vel, limits.Acc, limits.Jerk)
	for _, r := range []*robot{&lwr, &kr} {
		there := r.base.Invert()
		add("%s_world=World::FrameValue(Value='%s')", r.name, there)
		add("%s_start=World::FrameValue(Value='%s')", r.name, r.base.Mul(r.chain.Forward(r.start)))
		add("%[1]s_moved=World::FrameTransform(inFirst=%[1]s_world.outValue,inSecond=line.outPos)", r.name)
		add("%[1]s_flange=World::FrameTransform(inFirst=%[1]s_moved.outValue,inSecond=%[1]s_start.outValue)", r.name)
		r.joints(add)
	}
	add("over=Core::DoubleGreater(inFirst=time.outValue,Second='%v')", both+pause)
	fmt.Fprintf(&b, "outTerminate=Core::BooleanOr(inFirst=over.outValue,inSecond=Cancel().outCancel).outValue")
	return "{\n" + b.String() + "\n}"
}

// list writes an array.
func list(values []float64) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(value.Double.Append(nil, v))
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// joints adds what brings the flange of the robot somewhere.
func (r *robot) joints(add func(format string, args ...any)) {
	if r.elbow {
		var hints []string
		for i, q := range r.start {
			add("%s_hint%d=Core::DoubleValue(Value='%v')", r.name, i, q)
			hints = append(hints, fmt.Sprintf("inHintJ%d=%s_hint%d.outValue", i+1, r.name, i))
		}
		add("%[1]s_joints=KUKA::LWR::InvKin(Robot='%[1]s',inFrame=%[1]s_flange.outValue,%s)", r.name, strings.Join(hints, ","))
		for i := range r.start {
			add("%[1]s_%[2]d=RobotArm::JointPosition(Robot='%[1]s',Axis='%[2]d',inPosition=%[1]s_joints.outJ%[3]d)", r.name, i, i+1)
		}
		return
	}
	add("%[1]s_hint=Core::DoubleArrayNetcommIn(Key='%[1]s',Value='%s')", r.name, list(r.start))
	add("%[1]s_joints=ArmKinematics::InvKin(Robot='%[1]s',inFrame=%[1]s_flange.outValue,inHintJoints=%[1]s_hint.outValue)", r.name)
	for i := range r.start {
		add("%[1]s_at%[2]d=Core::DoubleArrayGet(inArray=%[1]s_joints.outJoints,Size='%[3]d',Index='%[2]d')", r.name, i, len(r.start))
		add("%[1]s_%[2]d=RobotArm::JointPosition(Robot='%[1]s',Axis='%[2]d',inPosition=%[1]s_at%[2]d.outValue)", r.name, i)
	}
}
