package net_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const period = 10 * time.Millisecond

func options(tb testing.TB) net.Options {
	return net.Options{Name: "test", Period: period, Catalogue: catalogue(tb), Host: &host{}}
}

func parse(tb interface{ Fatalf(string, ...any) }, text string) *grammar.Node {
	tree, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return tree
}

func compile(tb testing.TB, text string) (*net.Program, []net.Probed) {
	tb.Helper()
	p, probes, err := net.CompileProbed(parse(tb, text), options(tb))
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return p, probes
}

func cycle(p *net.Program, cy *spec.Cycle) {
	cy.N++
	cy.Period = p.Period.Seconds()
	p.Sense(cy)
	p.Run(cy)
	p.Act(cy)
}

func TestTerminates(t *testing.T) {
	p, _ := compile(t, `{clock=Test::Clock(),late=Core::DoubleGreater(inFirst=clock.outValue,Second='0.0349'),outTerminate=late.outValue}`)
	var cy spec.Cycle
	for range 4 {
		cycle(p, &cy)
		if end, failure := p.Terminates(&cy); end != (cy.N == 4) || failure != 0 {
			t.Errorf("cycle %d: terminates %t with failure %d", cy.N, end, failure)
		}
	}
}

func TestFailure(t *testing.T) {
	p, _ := compile(t, `{yes=Core::BooleanValue(Value='true'),code=Core::IntValue(Value='7'),outTerminate=yes.outValue,outFail=code.outValue}`)
	var cy spec.Cycle
	cycle(p, &cy)
	if end, failure := p.Terminates(&cy); !end || failure != 7 {
		t.Errorf("terminates %t with failure %d", end, failure)
	}
}

// TestSteps looks at how nets are cut into runs and guarded blocks.
func TestSteps(t *testing.T) {
	const end = `g=Core::BooleanNetcommIn(Key='g'),h=Core::BooleanNetcommIn(Key='h'),outTerminate=g.outValue}`
	tests := []struct {
		name, net    string
		runs, guards int
	}{
		{"equal primitives are a run", `{a=Core::BooleanNot(inValue=g.outValue),b=Core::BooleanNot(inValue=h.outValue),c=Core::BooleanNot(inValue=g.outValue),`, 2, 0},
		{"also when they feed each other", `{a=Core::BooleanNot(inValue=b.outValue),b=Core::BooleanNot(inValue=c.outValue),c=Core::BooleanNot(inValue=g.outValue),`, 2, 0},
		{"unless another one is in between", `{a=Core::BooleanNot(inValue=b.outValue),b=Core::BooleanAnd(inFirst=c.outValue),c=Core::BooleanNot(inValue=g.outValue),`, 4, 0},
		{"what waits for more goes together", `{a=Core::BooleanNot(inValue=g.outValue),b=Core::BooleanAnd(inFirst=g.outValue),c=Core::BooleanAnd(inFirst=a.outValue),d=Core::BooleanNot(inValue=h.outValue),`, 3, 0},
		{"a fragment without guard is dissolved", `{f={a=Core::BooleanNot(inValue=parent.inG)}(inG=g.outValue),b=Core::BooleanNot(inValue=g.outValue),`, 2, 0},
		{"a fragment with guard is a block", `{f={a=Core::BooleanNot(inValue=parent.inH),i=Core::BooleanAnd(inFirst=parent.inH)}(inActive=g.outValue,inH=h.outValue),b=Core::BooleanNot(inValue=h.outValue),`, 4, 1},
		{"blocks of one guard are one", `{f={a=Core::BooleanNot(inValue=parent.inH)}(inActive=g.outValue,inH=h.outValue),e={b=Core::BooleanNot(inValue=parent.inH)}(inActive=g.outValue,inH=h.outValue),`, 2, 1},
		{"the guard of the fragment does not count twice", `{f={a=Core::BooleanNot(inActive=parent.inActive,inValue=parent.inH)}(inActive=g.outValue,inH=h.outValue),`, 2, 1},
		{"primitives of one guard are a run", `{a=Core::BooleanNot(inActive=g.outValue,inValue=h.outValue),b=Core::BooleanNot(inActive=g.outValue,inValue=h.outValue),c=Core::BooleanNot(inActive=h.outValue,inValue=h.outValue),`, 3, 2},
		{"blocks in blocks", `{f={e={a=Core::BooleanNot(inValue=parent.inH)}(inActive=parent.inH,inH=parent.inH)}(inActive=g.outValue,inH=h.outValue),`, 2, 2},
		{"an open guard is none", `{f={e={a=Core::BooleanNot(inValue=parent.inH)}(inActive=parent.inOpen,inH=parent.inH)}(inH=h.outValue),`, 2, 0},
		{"constants run once", `{a=Core::BooleanValue(),b=Core::IntValue(),`, 1, 0},
		{"what depends on constants only, too", `{a=Core::BooleanValue(),b=Core::BooleanNot(inValue=a.outValue),c=Core::BooleanOr(inFirst=a.outValue,inSecond=b.outValue),`, 1, 0},
		{"but not what has a memory", `{a=Core::BooleanPre(inValue=b.outValue),b=Core::BooleanNot(),`, 3, 0},
		{"nor what depends on more", `{a=Core::BooleanValue(),b=Core::BooleanOr(inFirst=a.outValue,inSecond=g.outValue),`, 2, 0},
		{"constants that a guard takes away do not", `{f={a=Core::BooleanValue(),outA=a.outValue}(inActive=g.outValue),b=Core::BooleanNot(inValue=f.outA),`, 3, 1},
		{"other constants in a block do", `{f={a=Core::BooleanValue(),b=Core::BooleanOr(inFirst=a.outValue,inSecond=parent.inH)}(inActive=g.outValue,inH=h.outValue),`, 2, 1},
		{"actuators run in phase 3 only", `{a=Core::IntNetcommOut(Key='a',inActive=g.outValue),`, 1, 0},
		{"a value that comes back", `{f={a=Core::BooleanNot(inValue=parent.inG),b=Core::BooleanNot(inValue=parent.inX),outA=a.outValue}(inActive=g.outValue,inX=x.outValue,inG=h.outValue),x=Core::BooleanNot(inValue=f.outA),`, 4, 2},
		{"a Pre has two parts", `{p=Core::BooleanPre(inValue=n.outValue),n=Core::BooleanNot(inValue=p.outValue),`, 4, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, _ := compile(t, test.net+end)
			if runs, guards := p.Steps(); runs != test.runs || guards != test.guards {
				t.Errorf("%d runs and %d guards, want %d and %d", runs, guards, test.runs, test.guards)
			}
		})
	}
}

// TestStepsAreLimited counts runs and blocks: of the sensor, of the value that is the guard, and of what it guards.
func TestStepsAreLimited(t *testing.T) {
	const text = `{a=Core::BooleanNot(inActive=g.outValue,inValue=g.outValue),g=Core::BooleanNetcommIn(Key='g'),outTerminate=g.outValue}`
	opt := options(t)
	for limit, refused := range map[int]bool{5: true, 6: false} {
		opt.Limits = net.Limits{Steps: limit}
		if _, err := net.Compile(parse(t, text), opt); err != nil != refused || refused && !strings.Contains(err.Error(), "more than 5 steps") {
			t.Errorf("with %d steps: %v", limit, err)
		}
	}
}

// TestPhases follows a value from the application through all phases and out again.
func TestPhases(t *testing.T) {
	opt := options(t)
	arm := &opt.Host.(*host).arm
	p, err := net.Compile(parse(t, `{f={to=Test::Joint(inPosition=parent.inTo,Robot='arm',Axis='2'),outAt=to.outMeasured}(inActive=on.outValue,inTo=in.outValue),
		again=Test::Joint(inPosition=in.outValue,Robot='arm',Axis='2',inActive=off.outValue),
		in=Core::DoubleNetcommIn(Key='to',Value='0.5'),on=Core::BooleanNetcommIn(Key='on'),off=Core::BooleanNot(Value='true'),
		at=Core::DoubleNetcommOut(inValue=f.outAt,Key='at'),never=Core::BooleanValue(),outTerminate=never.outValue}`), opt)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]device.Resource{{Device: "arm", Channel: "joint 2"}}, p.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	on, _ := p.Inbox.Find("inon")
	to, _ := p.Inbox.Find("into")
	put := func(v *spec.Var, text string) {
		words, err := v.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Inbox.Put(1, spec.Update{Var: v, Words: words})
	}
	var cy spec.Cycle
	check := func(position float64, at string) {
		t.Helper()
		cycle(p, &cy)
		words := make([]uint64, p.Board.Size())
		if n := p.Board.Snapshot(words); n != cy.N {
			t.Fatalf("snapshot of cycle %d", n)
		}
		out, _ := p.Board.Find("outat")
		if got := string(out.Text(nil, words[1:])); arm.position[2] != position || got != at {
			t.Errorf("cycle %d: arm at %v, application reads %s; want %v and %s", cy.N, arm.position[2], got, position, at)
		}
	}
	arm.position[2] = 3
	check(3, "0") // inactive
	put(on, "true")
	check(0.5, "3") // measured first, moved afterwards
	put(to, "0.75")
	check(0.75, "0.5")
	put(on, "false")
	put(to, "1")
	check(0.75, "0.5")
}

// TestNamedParent reads links to the surrounding fragment by its name (§7.4.1).
func TestNamedParent(t *testing.T) {
	p, _ := compile(t, `{f={n=Core::BooleanNot(inValue=f.inX),outN=n.outValue}(inX=x.outValue),x=Core::BooleanValue(),outTerminate=f.outN}`)
	var cy spec.Cycle
	cycle(p, &cy)
	if end, _ := p.Terminates(&cy); !end {
		t.Error("not of false is not true")
	}
}

// TestPortsWithColons reads fragments whose ports begin as they must and have colons behind.
func TestPortsWithColons(t *testing.T) {
	p, _ := compile(t, `{f={n=Core::BooleanNot(inValue=parent.inX::1),outN::1=n.outValue}(inX::1=x.outValue),x=Core::BooleanValue(),outTerminate=f.outN::1}`)
	var cy spec.Cycle
	cycle(p, &cy)
	if end, _ := p.Terminates(&cy); !end {
		t.Error("not of false is not true")
	}
}

// TestPortsNamedAfterPrimitives reads fragments of the older generation, whose ports carry the primitive's name.
func TestPortsNamedAfterPrimitives(t *testing.T) {
	p, _ := compile(t, `{x=Core::BooleanValue(Value='true'),f={n=Core::BooleanNot(inActive=parent.Core::Not1:inActive,inValue=parent.7:inValue),`+
		`Core::Not1:outValue=n.outValue}(Core::Not1:inActive=x.outValue,7:inValue=y.outValue),y=Core::BooleanValue(),outTerminate=f.Core::Not1:outValue}`)
	var cy spec.Cycle
	cycle(p, &cy)
	if end, _ := p.Terminates(&cy); !end {
		t.Error("not of false is not true")
	}
}
