package net_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

func TestText(t *testing.T) {
	g := net.New()
	speed := net.In(g, "Speed", 1.0)
	joint := g.Add("RobotArm::JointMonitor").Set("Robot", "arm's \\ end").Set("Axis", 2)
	position := net.As[float64](joint.Out("outMeasuredPosition"))
	far := net.Greater(net.Mul(position, speed), net.Const(g, -2.5e-7))
	net.Publish(g, "Far", net.And(net.Signal[bool]{}, far, net.Pre(far)))
	net.Publish(g, "Flange", net.Const(g, geom.Frame{Pos: geom.Vector{X: 1}}))
	g.Terminate(net.Cancelled(g))
	text, err := g.Text()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{0=Core::DoubleNetcommIn(Key='Speed',Value='1'),` +
		`1=RobotArm::JointMonitor(Robot='arm\'s \\ end',Axis='2'),` +
		`2=Core::DoubleMultiply(inFirst=1.outMeasuredPosition,inSecond=0.outValue),` +
		`3=Core::DoubleValue(Value='-2.5e-07'),` +
		`4=Core::DoubleGreater(inFirst=2.outValue,inSecond=3.outValue),` +
		`5=Core::BooleanPre(inValue=4.outValue),` +
		`6=Core::BooleanAnd(inFirst=4.outValue,inSecond=5.outValue),` +
		`7=Core::BooleanNetcommOut(Key='Far',inValue=6.outValue),` +
		`8=World::FrameValue(Value='{pos:{x:1,y:0,z:0},rot:{a:0,b:0,c:0}}'),` +
		`9=World::FrameNetcommOut(Key='Flange',inValue=8.outValue),` +
		`10=Cancel(),outTerminate=10.outCancel}`
	if text != want {
		t.Errorf("%s\nnot\n%s", text, want)
	}
}

// TestWire: a signal is there before it is connected, also in a loop that a Pre guards.
func TestWire(t *testing.T) {
	g := net.New()
	stop := net.NewWire[bool](g)
	open := net.NewWire[bool](g)
	active := net.NewWire[bool](g)
	still := net.And(net.Not(stop.Signal), net.Or(open.Signal, net.Pre(active.Signal)))
	active.Connect(still)
	stop.Connect(net.In(g, "Stop", false))
	if !stop.Connected() || open.Connected() {
		t.Error("what is connected")
	}
	g.Terminate(active.Signal)
	text, err := g.Text()
	const want = `{0=Core::BooleanNot(inValue=4.outValue),1=Core::BooleanPre(inValue=3.outValue),` +
		`2=Core::BooleanOr(inSecond=1.outValue),3=Core::BooleanAnd(inFirst=0.outValue,inSecond=2.outValue),` +
		`4=Core::BooleanNetcommIn(Key='Stop',Value='false'),outTerminate=3.outValue}`
	if err != nil || text != want {
		t.Errorf("%v, %s\nnot\n%s", err, text, want)
	}
}

// TestReads: what an application writes is read if a net has an input of that name, which the optimiser leaves out if nobody needs it.
func TestReads(t *testing.T) {
	g := net.New()
	read := net.In(g, "read", false)
	net.In(g, "needless", false)
	net.Publish(g, "told", read)
	g.Terminate(read)
	small, _, err := g.Optimise()
	if err != nil || !net.Reads(g, "needless") || !net.Reads(small, "read") || net.Reads(small, "needless") || net.Reads(small, "told") {
		t.Errorf("%v", err)
	}
}

// TestMistakes: each has one message, with the place, and nothing that only follows from it.
func TestMistakes(t *testing.T) {
	for want, make := range map[string]func(g *net.Graph){
		"part: there is no primitive Core::BoleanNot, did you mean Core::BooleanNot?": func(g *net.Graph) {
			p := g.Under("part").Add("Core::BoleanNot").Set("Value", true)
			g.Add("Core::BooleanAnd").Link("inFirst", p.Out("outValue"))
			g.Terminate(net.As[bool](p.Out("outValue")))
		},
		"part/inner: Core::DoubleAdd: it has no in port inFrist, only inFirst inSecond": func(g *net.Graph) {
			g.Under("part").Under("inner").Add("Core::DoubleAdd").Link("inFrist", net.Const(g, 1.0).Port)
		},
		"Core::DoubleAdd: it has no parameter Third, only First Second": func(g *net.Graph) { g.Add("Core::DoubleAdd").Set("Third", 1) },
		"Cancel: it has no parameter Third, it has none":                func(g *net.Graph) { g.Add("Cancel").Set("Third", 1) },
		"Core::DoubleAdd: it has no out port outSum, only outValue":     func(g *net.Graph) { g.Add("Core::DoubleAdd").Out("outSum") },
		"Core::DoubleAdd: inFirst: it is of type double, but Core::IntValue.outValue of type int": func(g *net.Graph) {
			g.Add("Core::DoubleAdd").Link("inFirst", net.Const(g, int32(1)).Port)
		},
		"Core::DoubleAdd: inFirst: it is linked already, to Core::DoubleValue.outValue": func(g *net.Graph) {
			x := net.Const(g, 1.0).Port
			g.Add("Core::DoubleAdd").Link("inFirst", x).Link("inFirst", x)
		},
		"Core::DoubleAdd: inActive: it is of type bool, but Core::DoubleValue.outValue of type double": func(g *net.Graph) {
			g.Add("Core::DoubleAdd").Link("inActive", net.Const(g, 1.0).Port)
		},
		"Core::DoubleAdd: inFirst: Core::DoubleValue.outValue belongs to another net": func(g *net.Graph) {
			g.Add("Core::DoubleAdd").Link("inFirst", net.Const(net.New(), 1.0).Port)
		},
		"Core::IntAdd: First: 2147483648 is no int":               func(g *net.Graph) { g.Add("Core::IntAdd").Set("First", 1<<31) },
		"Core::IntAdd: First: a value of type double is no int":   func(g *net.Graph) { g.Add("Core::IntAdd").Set("First", 1.5) },
		"Core::IntAdd: First: a Go uint8 is no int":               func(g *net.Graph) { g.Add("Core::IntAdd").Set("First", uint8(1)) },
		"Core::DoubleValue: outValue is of type double, not bool": func(g *net.Graph) { g.Terminate(net.As[bool](net.Const(g, 1.0).Port)) },
		"Core::BooleanNetcommIn: parameter Key must be set":       func(g *net.Graph) { g.Add("Core::BooleanNetcommIn") },
		"Core::BooleanIsNull: inValue must be linked":             func(g *net.Graph) { g.Add("Core::BooleanIsNull") },
		"outTerminate is linked to nothing":                       func(g *net.Graph) { g.Terminate(net.NewWire[bool](g).Signal) },
		"the net has its outTerminate already":                    func(g *net.Graph) { g.Terminate(net.Cancelled(g)); g.Terminate(net.Cancelled(g)) },
		"the out port value of the net does not begin with out":   func(g *net.Graph) { g.Out("value", net.Cancelled(g).Port) },
		"outTerminate: it is of type bool, but Core::CycleTime.outValue of type double": func(g *net.Graph) {
			g.Out("outTerminate", g.Add("Core::CycleTime").Out("outValue"))
		},
		"wire.outValue leads to itself": func(g *net.Graph) {
			a, b := net.NewWire[bool](g), net.NewWire[bool](g)
			a.Connect(b.Signal)
			b.Connect(a.Signal)
			g.Terminate(a.Signal)
		},
		"links form a cycle without a Pre: loop: Core::BooleanAnd -> Core::BooleanNot -> loop: Core::BooleanAnd": func(g *net.Graph) {
			w := net.NewWire[bool](g)
			free := net.Not(w.Signal)
			looped := g.Under("loop").Add("Core::BooleanAnd").Link("inFirst", free.Port)
			w.Connect(net.As[bool](looped.Out("outValue")))
			net.Publish(g, "After", free)
		},
	} {
		t.Run(want, func(t *testing.T) {
			g := net.New()
			make(g)
			_, err := g.Text()
			if err == nil || err.Error() != want {
				t.Errorf("%v, not %s", err, want)
			}
			if problem := new(net.ProblemError); !errors.As(err, &problem) {
				t.Error("it has no place")
			}
		})
	}
}

// TestAll: everything that is wrong is told at once.
func TestAll(t *testing.T) {
	g := net.New()
	g.Add("Nothing")
	g.Add("Core::IntAdd").Set("First", true).Out("out")
	if _, err := g.Text(); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Error(err)
	}
}

// TestOpen: functions of open signals are open, and the others go on.
func TestOpen(t *testing.T) {
	var open net.Signal[float64]
	if !net.Pre(open).Open() || !net.Add(open, open).Open() || !net.And().Open() || !net.If(net.Signal[bool]{}, open, open).Open() {
		t.Error("there is a port")
	}
	g := net.New()
	if net.Add(open, net.Const(g, 1.0)).Open() || net.Sub(open, net.Const(g, 1.0)).Open() || !net.Sub(open, open).Open() {
		t.Error("there is none")
	}
}

// TestOnlyWhile: that a signal needs another one is seen through And and Or, and not where another way leads to it.
func TestOnlyWhile(t *testing.T) {
	g := net.New()
	a, b, c := net.In(g, "a", false), net.In(g, "b", false), net.In(g, "c", false)
	always := net.As[bool](g.Add("Core::BooleanOr").Set("Second", true).Link("inFirst", a.Port).Out("outValue"))
	for name, tt := range map[string]struct {
		of   net.Signal[bool]
		only bool
	}{
		"itself":               {a, true},
		"another":              {b, false},
		"with others":          {net.And(b, net.And(c, a)), true},
		"without it":           {net.And(b, c), false},
		"each way":             {net.Or(net.And(a, b), net.And(c, a)), true},
		"another way":          {net.Or(net.And(a, b), c), false},
		"one input":            {net.Or(a, net.Signal[bool]{}), true},
		"always":               {always, false},
		"its opposite":         {net.Not(a), false},
		"nothing":              {net.Signal[bool]{}, false},
		"through what is else": {net.Pre(a), false},
	} {
		if is := net.OnlyWhile(tt.of, a); is != tt.only {
			t.Errorf("%s: %v", name, is)
		}
	}
}
