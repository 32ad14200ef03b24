package robotics_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestOptimisedAlike: commands of everything that arms can do, with sensors, events and take-overs at random, say and command in every cycle
// the same whether their nets are optimised (§10.2.7) or not. For more of them:
//
//	GOGC=400 go test -run 'OptimisedAlike$' -timeout 0 ./robotics -rapid.checks=10000 -rapid.seed=1000000
func TestOptimisedAlike(t *testing.T) {
	race.Skip(t, "random nets one after another; TestOptimisedAlikeFound races one")
	drawn := rapid.Map(rapid.SliceOfN(rapid.Byte(), 100, 100), func(b []byte) lots { return b })
	s := &stages{t: t}
	rapid.Check(t, func(t *rapid.T) { s.alike(t, drawn.Draw(t, "lots")) })
}

// TestOptimisedAlikeFound: commands that once were not alike.
func TestOptimisedAlikeFound(t *testing.T) {
	for name, hexadecimal := range map[string]string{
		"a LIN of length 0 whose rotation was rounded by its text": "000000000000032600000002200301020011ad5a88601d101c0913063e6f03b80c00e720022e0d3301050e0800018101" +
			"020f009718ff0300ff1b885005c97502013d02ffc910223501006019031e1608bb300788ed00603f4204773bce0252aa07ff0116",
	} {
		t.Run(name, func(t *testing.T) {
			found, err := hex.DecodeString(hexadecimal)
			if err != nil {
				t.Fatal(err)
			}
			(&stages{t: t}).alike(t, found)
		})
	}
}

// tester is a test or a check of rapid.
type tester interface {
	cells.T
	Logf(format string, args ...any)
}

// stage is a cell in which commands are performed one after the other, as a new cell for each would take longer than the command.
type stage struct {
	cell    *cells.Cell
	runtime *robotics.Runtime
}

func newStage(t cells.T) *stage {
	cell := newCell(t, cells.Only("kr16", "tx90", "io"))
	return &stage{cell, cell.Connect()}
}

func (s *stage) drama(t cells.T, lots lots) *drama {
	return &drama{scene: sceneIn(t, s.cell.For(t)), runtime: s.runtime, lots: lots}
}

// stages are one for the optimised net and one for the mapped net, whose cycles are executed in turn and compared.
type stages struct {
	t    *testing.T
	both []*stage // nil before the first command, and after one that has failed
}

// alike performs a command in both. It fails on the first difference.
func (s *stages) alike(t tester, lots lots) {
	t.Helper()
	both := s.both
	if s.both = nil; both == nil {
		both = []*stage{newStage(s.t), newStage(s.t)}
	}
	optimised, mapped := both[0].drama(t, lots).begun(true), both[1].drama(t, lots).begun(false)
	if wrong := optimised.differsFrom(mapped); wrong != "" {
		tellApart(t, lots)
		t.Fatal("the optimised net is not like the mapped one, but in new cells it is: " + wrong)
	}
	optimised.leave()
	mapped.leave()
	s.both = both
}

// playing is a command that is being performed.
type playing struct {
	*drama
	net    *cells.Trace
	before *rcc.Values
}

func (d *drama) begun(optimise bool) *playing {
	r, _ := d.begin(d.command(), optimise)
	return &playing{drama: d, net: r}
}

// differsFrom executes both to their ends and returns where they differ first, be it by a bit; "" if nowhere.
func (s *playing) differsFrom(want *playing) string {
	s.t.Helper()
	for {
		goes, should := s.step(), want.step()
		cycle := fmt.Sprintf("cycle %d: ", s.net.Cycle)
		if goes != should {
			return cycle + "one ends before the other"
		}
		if is, was := s.cell.Clock.Now(), want.cell.Clock.Now(); is != was {
			return cycle + fmt.Sprintf("at %v, not at %v", is, was)
		}
		if is, was := s.cell.Told(), want.cell.Told(); !slices.Equal(is, was) {
			return cycle + fmt.Sprintf("devices were told %v, not %v", is, was)
		}
		for _, arm := range []string{"kr16", "tx90"} {
			if is, was := s.commanded(arm), want.commanded(arm); is != was {
				return cycle + fmt.Sprintf("%s at %v, not %v", arm, is, was)
			}
		}
		if is, was := s.changes(), want.changes(); !slices.Equal(is, was) {
			return cycle + fmt.Sprintf("it says %v, not %v", is, was)
		}
		if !goes {
			return ""
		}
		if s.net.Cycle > 5000 {
			s.t.Fatal("it does not end")
		}
	}
}

// step executes a cycle, if there is one.
func (s *playing) step() bool {
	for _, h := range s.happens[s.net.Cycle+1] {
		h.do(s.net)
	}
	return s.net.Next()
}

// setPoint is where an arm was commanded to be last, and when.
type setPoint struct {
	joints [6]uint64 // bits
	time   int64
}

func (s *playing) commanded(arm string) (p setPoint) {
	at, time := s.cell.Track(arm).Last()
	for i, v := range at {
		p.joints[i] = math.Float64bits(v)
	}
	p.time = time
	return p
}

// changes returns the values that the net has published in the cycle for the first time, or of which any bit has changed.
func (s *playing) changes() []rcc.KeyValue {
	now := s.net.Net.Values()
	list := now.Reported(s.before)
	s.before = now
	slices.SortFunc(list, func(a, b rcc.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// leave unloads the nets and replaces the devices.
func (s *playing) leave() {
	s.t.Helper()
	ctx := s.t.Context()
	must := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	must(s.cell.Core.Changes.Settle(ctx))
	for _, n := range s.cell.Core.Nets.All() { // a command that has not been relieved, as it has ended before
		if n.Goes() {
			must(n.Abort(ctx))
		}
	}
	s.cell.Pass(1)
	if s.first != nil {
		<-s.first.Ended() // and is forgotten
	}
	must(s.net.Net.Unload(ctx))
	must(s.cell.Core.Changes.Settle(ctx))
	s.cell.Renew()
}

// tellApart performs a command again, in new cells, and reports on few lines what has happened before the first difference.
func tellApart(t tester, lots lots) {
	t.Helper()
	var command string
	perform := func(optimise bool) performed {
		d := newStage(t).drama(t, lots)
		c := d.command()
		command = outline(c)
		return d.perform(c, optimise)
	}
	got, want := perform(true), perform(false)
	if cycle, wrong := differ(got, want); wrong != "" {
		t.Logf("%s\ngot, optimised:\n%swant, as mapped:\n%s", command, got.until(cycle), want.until(cycle))
		t.Fatal("the optimised net is not like the mapped one: " + wrong)
	}
}

// outline returns a command with all that it consists of, on a line.
func outline(c robotics.Command) string {
	var parts []string
	for _, child := range robotics.Children(c) {
		parts = append(parts, outline(child))
	}
	if len(parts) == 0 {
		return c.String()
	}
	return fmt.Sprintf("%v(%s)", c, strings.Join(parts, ", "))
}

// lots decide what a command is made of. Failures print them as TestOptimisedAlikeFound reads them.
type lots []byte

func (l lots) GoString() string { return hex.EncodeToString(l) }

// drama is a command that is made as lots fall, twice the same.
type drama struct {
	*scene
	runtime  *robotics.Runtime
	first    *robotics.Handle // of the command that is relieved, if any
	lots     lots
	commands []robotics.Command
	raised   *robotics.Raised
	input    *robotics.Input[float64]
}

func (d *drama) pick(n int) int {
	if len(d.lots) == 0 {
		return 0
	}
	v := int(d.lots[0])
	d.lots = d.lots[1:]
	return v % n
}

// by returns a number around 0.
func (d *drama) by(most float64) float64 { return most * float64(d.pick(21)-10) / 10 }

// command returns what two arms and outputs do at the same time, at most until it is cancelled.
func (d *drama) command() robotics.Command {
	d.raised, d.input = robotics.NewRaised("raised"), robotics.NewInput("level", 0.1)
	d.cancel(40 + 3*d.pick(40))
	d.tell(10+d.pick(40), "override", []string{"1", "0.5", "0.2"}[d.pick(3)])
	d.tell(5+d.pick(50), "xlevel", fmt.Sprint(d.by(1)))
	if d.pick(8) == 7 {
		d.happen(20+d.pick(60), "tx90", "off")
	}
	d.watch("state", d.state(3))
	d.number("sensor", d.sensor(3))
	if d.pick(4) == 3 {
		return d.takesOver()
	}
	tc := robotics.Parallel(d.motions(d.arm), d.motions(d.other), d.outputs())
	d.react(tc)
	return tc
}

// tell sets an input that the net may not use.
func (d *drama) tell(cycle int, key, value string) {
	d.at(cycle, key+" = "+value, func(r *cells.Trace) {
		if r.Net.HasInput("in" + key) {
			r.Set(key, value)
		}
	})
}

// takesOver returns a motion that relieves another one half way.
func (d *drama) takesOver() robotics.Command {
	var action robotics.Action = motions.PTP{To: corner}
	end := robotics.End{Joints: corner}
	if d.pick(2) == 1 {
		action, end = motions.LIN{To: poseAt(corner), In: d.arm.Base()}, robotics.End{Pose: poseAt(corner), Of: d.arm.Flange(), In: d.arm.Base()}
	}
	half := robotics.NewToken("half")
	first := robotics.NewCommand(d.arm, action, robotics.HandOver(true))
	first.OnFirstEntered(first.State(motions.Progress(0.2+0.1*float64(d.pick(7)))), robotics.Give(half))
	h, err := d.runtime.Start(d.t.Context(), first)
	if err != nil {
		d.t.Fatal(err)
	}
	d.first = h
	d.relieve = func(n *rcc.Net) { d.relieved(h, h.Given(half), n) }
	var next robotics.Action = motions.PTP{To: point}
	if d.pick(2) == 1 {
		next = motions.LIN{To: moved(d.start, geom.Vector{Y: d.by(0.02)}, 0, 0, 0), In: d.table}
	}
	c := robotics.NewCommand(d.arm, next, robotics.TakeOver{Of: h, End: end}, robotics.HandOver(d.pick(2) == 1))
	d.react(c)
	return c
}

// motions are some of an arm, one after the other.
func (d *drama) motions(arm *actuator.Arm) robotics.Command {
	var list []robotics.Command
	for range 1 + d.pick(3) {
		var params []robotics.Param
		if d.pick(3) == 2 {
			params = append(params, robotics.Speed(0.5), robotics.Acceleration(0.7))
		}
		action, endless := d.motion(arm)
		c := robotics.NewCommand(arm, action, params...)
		if after := time.Duration(5+d.pick(60)) * period; endless || d.pick(3) == 2 {
			c.OnEntered(robotics.Long(c.Active(), after), robotics.Cancel(c))
		}
		d.react(c)
		list = append(list, c)
	}
	return robotics.Sequence(list...)
}

// motion is some motion, and whether it has no end of its own.
func (d *drama) motion(arm *actuator.Arm) (a robotics.Action, endless bool) {
	joints, at := point, d.start
	if arm == d.other {
		joints = d.cell.Where("tx90")
		at = robots.TX90L().Forward(joints)
	}
	near := func() geom.Frame {
		return moved(at, geom.Vector{X: d.by(0.03), Y: d.by(0.03), Z: d.by(0.03)}, d.by(0.05), d.by(0.05), 0)
	}
	all := func(of func(i int) robotics.Sensor[float64]) (list []robotics.Sensor[float64]) {
		for i := range joints {
			list = append(list, of(i))
		}
		return list
	}
	kind := d.pick(11)
	switch kind {
	case 1:
		return motions.LIN{To: near(), In: arm.Base()}, false
	case 2:
		return motions.LINBy{By: geom.Frame{Pos: geom.Vector{Z: d.by(0.03)}}, In: arm.Flange()}, false
	case 3:
		return motions.CIRC{From: at, Via: at.Pos.Add(geom.Vector{X: 0.01, Y: 0.01}), To: moved(at, geom.Vector{Y: 0.02}, d.by(0.1), 0, 0), In: arm.Base()}, false
	case 4:
		end := near()
		end.Pos = end.Pos.Add(geom.Vector{X: 0.05}) // or it might lie where the curve would turn back
		return motions.Spline{Through: []geom.Frame{at, moved(at, geom.Vector{X: 0.01, Z: 0.01}, 0, 0, 0), end}, In: arm.Base()}, false
	case 5:
		return motions.JointHold{}, true
	case 6:
		return motions.CartesianHold{In: arm.Base()}, true
	case 7:
		return motions.Jog{Velocity: d.twist(), In: arm.Base()}, true
	case 8:
		return motions.Follow{Goal: robotics.Constant(near()), In: arm.Base(), Smooth: d.pick(2) == 1}, true
	case 9:
		slowly := d.sensor(1)
		return motions.FollowJoints{Goals: all(func(i int) robotics.Sensor[float64] {
			return robotics.Add(robotics.Constant(joints[i]), robotics.Mul(d.bounded(slowly), robotics.Constant(0.05)))
		})}, true
	case 10:
		return motions.JogJoints{Velocities: all(func(int) robotics.Sensor[float64] { return robotics.Constant(d.by(0.3)) })}, true
	}
	to := make([]float64, len(joints))
	for i, v := range joints {
		to[i] = v + d.by(0.05)
	}
	return motions.PTP{To: to, Sync: []robotics.Sync{robotics.Synchronous, robotics.Asynchronous, robotics.FullySynchronous}[d.pick(3)]}, false
}

// bounded returns a sensor that says something between -1 and 1, also when another one says nothing.
func (d *drama) bounded(of robotics.Sensor[float64]) robotics.Sensor[float64] {
	limited := robotics.Max(robotics.Constant(-1.0), robotics.Min(robotics.Constant(1.0), of))
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		v := robotics.Read(m, limited)
		return graph.If(graph.IsNull(v), m.Real(0), v)
	})
}

func (d *drama) twist() robotics.Sensor[geom.Twist] {
	speed := d.bounded(d.sensor(2))
	return robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Twist] {
		p := m.Add("World::TwistFromXYZ").Link("inZ", graph.Mul(robotics.Read(m, speed), m.Real(0.05)).Port)
		return mapping.Link[geom.Twist](p, "outValue")
	})
}

// outputs are set, and follow sensors.
func (d *drama) outputs() robotics.Command {
	lamp, level := robotics.DigitalOutput{Device: "io", Port: d.pick(8)}, robotics.AnalogOutput{Device: "io", Port: d.pick(8)}
	follow := robotics.NewCommand(level, robotics.FollowAnalog{Value: d.bounded(d.sensor(2))})
	d.react(follow)
	return robotics.Sequence(
		robotics.NewCommand(lamp, robotics.SetDigital{Value: true}), robotics.NewWait(time.Duration(1+d.pick(20))*period),
		robotics.NewCommand(level, robotics.SetAnalog{Value: d.by(5)}), follow,
	)
}

func (d *drama) sensor(depth int) robotics.Sensor[float64] {
	kind := d.pick(14)
	if depth == 0 {
		kind %= 6
	}
	inner := func() robotics.Sensor[float64] { return d.sensor(depth - 1) }
	switch kind {
	case 1:
		return d.arm.Measured(d.pick(6))
	case 2:
		return d.other.Commanded(d.pick(6))
	case 3:
		return robotics.AnalogInput{Device: "io", Port: d.pick(8)}
	case 4:
		return d.input
	case 5:
		return robotics.Constant(d.by(1))
	case 6:
		return robotics.Component(robotics.Position(robotics.Pose(d.arm.Flange(), d.table)), robotics.Z)
	case 7:
		return robotics.Add(inner(), inner())
	case 8:
		return robotics.Sub(inner(), inner())
	case 9:
		return robotics.Mul(inner(), inner())
	case 10:
		return robotics.Abs(inner())
	case 11:
		return robotics.Average(inner(), time.Duration(1+d.pick(5))*period)
	case 12:
		return robotics.Ago(inner(), time.Duration(1+d.pick(5))*period)
	case 13:
		return robotics.Change(inner())
	}
	return robotics.Mul(clock(), robotics.Constant(float64(d.pick(5))))
}

func (d *drama) state(depth int) robotics.State {
	kind := d.pick(10)
	if depth == 0 {
		kind %= 5
	}
	inner := func() robotics.State { return d.state(depth - 1) }
	switch kind {
	case 1:
		return robotics.Below(d.sensor(2), d.by(1))
	case 2:
		return robotics.Near(d.sensor(1), d.sensor(1), 0.05)
	case 3:
		return d.raised
	case 4:
		if len(d.commands) > 0 {
			c := d.commands[d.pick(len(d.commands))]
			return []func() robotics.State{c.Active, c.Started, c.Completed, c.Cancelled, c.Failed}[d.pick(5)]()
		}
	case 5:
		return robotics.And(inner(), inner())
	case 6:
		return robotics.Or(inner(), inner())
	case 7:
		return robotics.Not(inner())
	case 8:
		return robotics.Ever(inner())
	case 9:
		return robotics.Long(inner(), time.Duration(1+d.pick(10))*period)
	}
	return robotics.Above(d.sensor(2), d.by(1))
}

// react gives a command handlers. States of commands before it may be what they are about.
func (d *drama) react(c robotics.Command) {
	for range d.pick(3) {
		on := []func(robotics.State, ...robotics.Effect){c.OnEntered, c.OnLeft, c.OnFirstEntered, c.OnFirstLeft}[d.pick(4)]
		on(d.state(2), []robotics.Effect{d.called("a function"), robotics.Raise(d.raised), robotics.Cancel(c), robotics.Give(robotics.NewToken(fmt.Sprint("t", len(d.lots))))}[d.pick(4)])
	}
	d.commands = append(d.commands, c)
}
