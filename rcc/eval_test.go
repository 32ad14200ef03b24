package rcc_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

func evalText(values []rcc.KeyValue) string {
	var b strings.Builder
	for _, kv := range values {
		b.WriteString(kv.Key + "=" + kv.Value + " ")
	}
	return strings.TrimSuffix(b.String(), " ")
}

func TestEval(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("test", "test", nil))
	other := c.load(`{v=Core::DoubleValue(Value='2.5'),o=Core::DoubleNetcommOut(inValue=v.outValue,Key='V'),` +
		`in=Core::DoubleNetcommIn(Key='W',Value='1'),p=Core::DoubleNetcommOut(inValue=in.outValue,Key='W'),` +
		`outTerminate=Core::BooleanValue(Value='false').outValue}`)
	c.must(other.Start(t.Context()))
	c.advance(30 * time.Millisecond)
	read := `i=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='` + other.Name() + `',RemoteKey='V')`
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", `{}`, ""},
		{"a constant", `{outA=Core::DoubleValue(Value='1.5').outValue}`, "outA=1.5"},
		{"no outTerminate is needed, and one is a value like others", `{outTerminate=Core::BooleanValue(Value='true').outValue}`, "outTerminate=true"},
		{"in the order of the text", `{outB=a.outValue,a=Core::DoubleAdd(First='1',Second='2'),outA=a.outValue}`, "outB=3 outA=3"},
		{"null is not told", `{n=Core::DoublePre(inValue=a.outValue),a=Core::DoubleValue(Value='1'),outN=n.outValue,outA=a.outValue}`, "outA=1"},
		{"a fragment that is off", `{f=Core::BooleanValue(Value='false'),g={outX=Core::DoubleValue(Value='1').outValue}(inActive=f.outValue),outX=g.outX,outF=f.outValue}`, "outF=false"},
		{"another net", `{` + read + `,outV=i.outValue}`, "outV=2.5"},
		{"published values", `{a=Core::DoubleNetcommOut(inValue=Core::DoubleValue(Value='4').outValue,Key='A'),` +
			`b=Core::DoubleNetcommOut(inValue=a2.outValue,Key='B',Report='false'),a2=Core::DoubleValue(Value='5'),c=Core::DoubleNetcommOut(Key='C'),outP=a2.outValue}`, "outP=5 outA=4"},
		{"published and a port", `{v=Core::DoubleValue(Value='4'),w=Core::DoubleValue(Value='5'),a=Core::DoubleNetcommOut(inValue=v.outValue,Key='A'),outA=w.outValue}`, "outA=5"},
		{"an input has its initial value", `{i=Core::DoubleNetcommIn(Key='I',Value='7'),outI=i.outValue}`, "outI=7"},
		{"the cycle time", `{c=Core::CycleTime(),outC=c.outValue}`, "outC=0.001"},
		{"a sensor", `{s=Test::Sensor(Device='test',Channel='3'),outS=s.outValue}`, "outS=0"},
		{"an actuator commands nothing", `{s=Test::Actuator(inValue=Core::DoubleValue(Value='9').outValue,Device='test',Channel='3'),outE=s.outError}`, "outE=0"},
		{"other nets are not written to", `{w=Core::DoubleInterNetcommOut(inValue=Core::DoubleValue(Value='9').outValue,RemoteRCC='',RemoteNet='` + other.Name() + `',RemoteKey='W')}`, ""},
	} {
		got, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: tt.text})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if text := evalText(got.Values); text != tt.want {
			t.Errorf("%s: %q, not %q", tt.name, text, tt.want)
		}
	}
	c.advance(30 * time.Millisecond)
	if got := evalText(other.Values().All()); got != "outV=2.5 outW=1" {
		t.Errorf("the other net has %q", got)
	}
	if left := len(c.Nets.All()); left != 1 {
		t.Errorf("%d nets, not 1", left)
	}
	c.must(c.Devices.Remove("test"))
}

func TestEvalDoesNotCommand(t *testing.T) {
	var opened *testdevice.Device
	c := newCell(t, func(cfg *rcc.Config) {
		kind := testdevice.Type
		kind.Open = func(*device.Env, map[string]string) (device.Device, error) {
			opened = testdevice.New(8, 4096)
			return opened, nil
		}
		cfg.DeviceTypes = []device.Type{kind}
	})
	c.must(c.Devices.Create("test", "test", nil))
	opened.Set(0, 0.25)
	net := `{s=Test::Sensor(Device='test'),a=Test::Actuator(inValue=s.outValue,Device='test'),outS=s.outValue}`
	owner := c.load(`{s=Test::Sensor(Device='test'),a=Test::Actuator(inValue=s.outValue,Device='test'),outTerminate=Core::BooleanValue(Value='false').outValue}`)
	c.must(owner.Start(t.Context())) // it has the resource, which an evaluation does not need
	got, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: net})
	if err != nil || evalText(got.Values) != "outS=0.25" {
		t.Errorf("%v %v", got, err)
	}
	if records := opened.Records(0); len(records) != 0 {
		t.Errorf("commanded %v", records)
	}
}

func TestEvalIsRefused(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("test", "test", nil))
	for _, tt := range []struct {
		text  string
		stage rcc.EvalStage
		say   string
	}{
		{`{`, rcc.EvalParse, "line 1, column 2"},
		{`{a=Core::NoSuch()}`, rcc.EvalBuild, "unknown type Core::NoSuch"},
		{`{outA=a.outValue}`, rcc.EvalBuild, "no primitive a"},
		{`{a=Core::DoubleValue(Value='x')}`, rcc.EvalConfigure, "Value"},
		{`{a=Test::Sensor(Device='none')}`, rcc.EvalConfigure, "no such device"},
		{`{a=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='rpinet9',RemoteKey='V')}`, rcc.EvalConfigure, "no such net"},
		{`{a=Core::DoubleValue(Value='x'),b=Core::NoSuch()}`, rcc.EvalBuild, "unknown type"},
		{`{a=Test::Sensor(Device='test'),b=Test::Sensor(Device='none')}`, rcc.EvalConfigure, "no such device"},
	} {
		_, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: tt.text})
		if stage, ok := rcc.StageOf(err); !ok || stage != tt.stage || !strings.Contains(err.Error(), tt.say) {
			t.Errorf("%s: stage %d %v, %v", tt.text, stage, ok, err)
		}
	}
	c.must(c.Devices.Remove("test")) // refused nets have given it back
}

// TestEvalBeside evaluates from many clients at once while a net that they read is running and comes to its end.
func TestEvalBeside(t *testing.T) {
	c := newCell(t)
	c.clock.SetSpeed(math.Inf(1))
	other := c.load(`{v=Core::DoubleValue(Value='2.5'),o=Core::DoubleNetcommOut(inValue=v.outValue,Key='V'),outTerminate=Core::BooleanValue(Value='false').outValue}`)
	c.must(other.Start(t.Context()))
	text := `{i=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='` + other.Name() + `',RemoteKey='V'),outV=i.outValue,outA=Core::DoubleAdd(First='1',Second='2').outValue}`
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for range 200 {
				got, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: text})
				if errors.Is(err, rcc.ErrBusy) {
					continue
				}
				if err != nil || got.Values[len(got.Values)-1] != (rcc.KeyValue{Key: "outA", Value: "3"}) {
					t.Errorf("%v %v", got, err)
					return
				}
			}
		})
	}
	clients.Wait()
	c.must(other.Abort(t.Context()))
}

func TestEvalAfterClose(t *testing.T) {
	c := newCell(t)
	c.must(c.Close(closed()))
	if _, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: "{}"}); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestEvalLeavesNothing compares what the core has to itself before and after.
func TestEvalLeavesNothing(t *testing.T) {
	c := newCell(t)
	before := []int{len(c.Nets.All()), len(c.Sessions.All()), len(c.Executors.All()), len(c.Executors.Slots())}
	for range 100 {
		if _, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: `{outA=Core::DoubleValue(Value='1').outValue}`}); err != nil {
			t.Fatal(err)
		}
	}
	after := []int{len(c.Nets.All()), len(c.Sessions.All()), len(c.Executors.All()), len(c.Executors.Slots())}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if n := c.load(`{outTerminate=Core::BooleanValue(Value='false').outValue}`); n.Name() != "rpinet0" {
		t.Errorf("evaluations have used up names: %s", n.Name())
	}
}
