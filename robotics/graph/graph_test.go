package graph_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

func TestText(t *testing.T) {
	g := graph.New()
	speed := graph.In(g, "Speed", 1.0)
	joint := g.Add("RobotArm::JointMonitor").Set("Robot", "arm's \\ end").Set("Axis", 2)
	position := graph.As[float64](joint.Out("outMeasuredPosition"))
	far := graph.Greater(graph.Mul(position, speed), graph.Const(g, -2.5e-7))
	graph.Publish(g, "Far", graph.And(graph.Signal[bool]{}, far, graph.Pre(far)))
	graph.Publish(g, "Flange", graph.Const(g, geom.Frame{Pos: geom.Vector{X: 1}}))
	g.Terminate(graph.Cancelled(g))
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

// TestWire: a signal exists before it is connected, also in a loop that a Pre guards.
func TestWire(t *testing.T) {
	g := graph.New()
	stop := graph.NewWire[bool](g)
	open := graph.NewWire[bool](g)
	active := graph.NewWire[bool](g)
	still := graph.And(graph.Not(stop.Signal), graph.Or(open.Signal, graph.Pre(active.Signal)))
	active.Connect(still)
	stop.Connect(graph.In(g, "Stop", false))
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

// TestReads: what an application writes is read if a net has an input of that name, which the optimiser leaves out if it is not needed.
func TestReads(t *testing.T) {
	g := graph.New()
	read := graph.In(g, "read", false)
	graph.In(g, "needless", false)
	graph.Publish(g, "told", read)
	g.Terminate(read)
	small, _, err := g.Optimise()
	if err != nil || !graph.Reads(g, "needless") || !graph.Reads(small, "read") || graph.Reads(small, "needless") || graph.Reads(small, "told") {
		t.Errorf("%v", err)
	}
}

// TestMistakes: each has one message, with the place, and nothing that only follows from it.
func TestMistakes(t *testing.T) {
	for want, make := range map[string]func(g *graph.Graph){
		"part: no primitive Core::BoleanNot, did you mean Core::BooleanNot?": func(g *graph.Graph) {
			p := g.Under("part").Add("Core::BoleanNot").Set("Value", true)
			g.Add("Core::BooleanAnd").Link("inFirst", p.Out("outValue"))
			g.Terminate(graph.As[bool](p.Out("outValue")))
		},
		"part/inner: Core::DoubleAdd: it has no in port inFrist, only inFirst inSecond": func(g *graph.Graph) {
			g.Under("part").Under("inner").Add("Core::DoubleAdd").Link("inFrist", graph.Const(g, 1.0).Port)
		},
		"Core::DoubleAdd: it has no parameter Third, only First Second": func(g *graph.Graph) { g.Add("Core::DoubleAdd").Set("Third", 1) },
		"Cancel: it has no parameter Third, it has none":                func(g *graph.Graph) { g.Add("Cancel").Set("Third", 1) },
		"Core::DoubleAdd: it has no out port outSum, only outValue":     func(g *graph.Graph) { g.Add("Core::DoubleAdd").Out("outSum") },
		"Core::DoubleAdd: inFirst: it is of type double, but Core::IntValue.outValue of type int": func(g *graph.Graph) {
			g.Add("Core::DoubleAdd").Link("inFirst", graph.Const(g, int32(1)).Port)
		},
		"Core::DoubleAdd: inFirst: already linked to Core::DoubleValue.outValue": func(g *graph.Graph) {
			x := graph.Const(g, 1.0).Port
			g.Add("Core::DoubleAdd").Link("inFirst", x).Link("inFirst", x)
		},
		"Core::DoubleAdd: inActive: it is of type bool, but Core::DoubleValue.outValue of type double": func(g *graph.Graph) {
			g.Add("Core::DoubleAdd").Link("inActive", graph.Const(g, 1.0).Port)
		},
		"Core::DoubleAdd: inFirst: Core::DoubleValue.outValue belongs to another net": func(g *graph.Graph) {
			g.Add("Core::DoubleAdd").Link("inFirst", graph.Const(graph.New(), 1.0).Port)
		},
		"Core::IntAdd: First: 2147483648 is not an int":                  func(g *graph.Graph) { g.Add("Core::IntAdd").Set("First", 1<<31) },
		"Core::IntAdd: First: a value of type double is not of type int": func(g *graph.Graph) { g.Add("Core::IntAdd").Set("First", 1.5) },
		"Core::IntAdd: First: a Go uint8 is not of type int":             func(g *graph.Graph) { g.Add("Core::IntAdd").Set("First", uint8(1)) },
		"Core::DoubleValue: outValue is of type double, not bool":        func(g *graph.Graph) { g.Terminate(graph.As[bool](graph.Const(g, 1.0).Port)) },
		"Core::BooleanNetcommIn: parameter Key must be set":              func(g *graph.Graph) { g.Add("Core::BooleanNetcommIn") },
		"Core::BooleanIsNull: inValue must be linked":                    func(g *graph.Graph) { g.Add("Core::BooleanIsNull") },
		"outTerminate is linked to nothing":                              func(g *graph.Graph) { g.Terminate(graph.NewWire[bool](g).Signal) },
		"the net has its outTerminate already":                           func(g *graph.Graph) { g.Terminate(graph.Cancelled(g)); g.Terminate(graph.Cancelled(g)) },
		"the out port value of the net does not begin with out":          func(g *graph.Graph) { g.Out("value", graph.Cancelled(g).Port) },
		"outTerminate: it is of type bool, but Core::CycleTime.outValue of type double": func(g *graph.Graph) {
			g.Out("outTerminate", g.Add("Core::CycleTime").Out("outValue"))
		},
		"wire.outValue is connected to itself": func(g *graph.Graph) {
			a, b := graph.NewWire[bool](g), graph.NewWire[bool](g)
			a.Connect(b.Signal)
			b.Connect(a.Signal)
			g.Terminate(a.Signal)
		},
		"links form a cycle without a Pre: loop: Core::BooleanAnd -> Core::BooleanNot -> loop: Core::BooleanAnd": func(g *graph.Graph) {
			w := graph.NewWire[bool](g)
			free := graph.Not(w.Signal)
			looped := g.Under("loop").Add("Core::BooleanAnd").Link("inFirst", free.Port)
			w.Connect(graph.As[bool](looped.Out("outValue")))
			graph.Publish(g, "After", free)
		},
	} {
		t.Run(want, func(t *testing.T) {
			g := graph.New()
			make(g)
			_, err := g.Text()
			if err == nil || err.Error() != want {
				t.Errorf("%v, not %s", err, want)
			}
			if problem := new(graph.ProblemError); !errors.As(err, &problem) {
				t.Error("it has no place")
			}
		})
	}
}

// TestAll: everything that is wrong is reported at once.
func TestAll(t *testing.T) {
	g := graph.New()
	g.Add("Nothing")
	g.Add("Core::IntAdd").Set("First", true).Out("out")
	if _, err := g.Text(); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Error(err)
	}
}

// TestOpen: functions of open signals are open, and the others go on.
func TestOpen(t *testing.T) {
	var open graph.Signal[float64]
	if !graph.Pre(open).Open() || !graph.Add(open, open).Open() || !graph.And().Open() || !graph.If(graph.Signal[bool]{}, open, open).Open() {
		t.Error("there is a port")
	}
	g := graph.New()
	if graph.Add(open, graph.Const(g, 1.0)).Open() || graph.Sub(open, graph.Const(g, 1.0)).Open() || !graph.Sub(open, open).Open() {
		t.Error("there is none")
	}
}

// TestOnlyWhile: that a signal needs another one is seen through And and Or, and not where another way leads to it.
func TestOnlyWhile(t *testing.T) {
	g := graph.New()
	a, b, c := graph.In(g, "a", false), graph.In(g, "b", false), graph.In(g, "c", false)
	always := graph.As[bool](g.Add("Core::BooleanOr").Set("Second", true).Link("inFirst", a.Port).Out("outValue"))
	for name, tt := range map[string]struct {
		of   graph.Signal[bool]
		only bool
	}{
		"itself":               {a, true},
		"another":              {b, false},
		"with others":          {graph.And(b, graph.And(c, a)), true},
		"without it":           {graph.And(b, c), false},
		"each way":             {graph.Or(graph.And(a, b), graph.And(c, a)), true},
		"another way":          {graph.Or(graph.And(a, b), c), false},
		"one input":            {graph.Or(a, graph.Signal[bool]{}), true},
		"always":               {always, false},
		"its opposite":         {graph.Not(a), false},
		"nothing":              {graph.Signal[bool]{}, false},
		"through what is else": {graph.Pre(a), false},
	} {
		if is := graph.OnlyWhile(tt.of, a); is != tt.only {
			t.Errorf("%s: %v", name, is)
		}
	}
}
