package rcc_test

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestEmergencyStop: one primitive of one net that runs is enough.
func TestEmergencyStop(t *testing.T) {
	c := newCell(t)
	n := c.load(`{a=Core::BooleanNetcommIn(Key='a'), b=Core::BooleanNetcommIn(Key='b'),
		stopA=EStop(inEStop=a.outValue), stopB=EStop(inEStop=b.outValue), outTerminate=Core::BooleanValue().outValue}`)
	if c.Devices.EmergencyStop() {
		t.Error("a net that does not run asks")
	}
	c.must(n.Start(t.Context()))
	for _, step := range []struct {
		a, b string
		want bool
	}{{"false", "false", false}, {"true", "false", true}, {"false", "true", true}, {"false", "false", false}, {"true", "true", true}} {
		c.must(n.Set([]rcc.KeyValue{{Key: "ina", Value: step.a}, {Key: "inb", Value: step.b}}))
		c.advance(30 * time.Millisecond)
		if got := c.Devices.EmergencyStop(); got != step.want {
			t.Errorf("%s, %s: %t", step.a, step.b, got)
		}
	}
	c.must(n.Abort(t.Context()))
	c.advance(30 * time.Millisecond)
	if c.Devices.EmergencyStop() {
		t.Error("a net that has ended asks")
	}
}

// TestLenientBools: in bools of applications all is false that is not true, in arrays too, whose length must be right.
func TestLenientBools(t *testing.T) {
	c := newCell(t)
	n := c.load(`{a=Core::BooleanNetcommIn(Key='a',Value='true'), l=Core::BooleanArrayNetcommIn(Key='l',Value='[true,true]'),
		outTerminate=a.outValue}`)
	for _, step := range []struct{ value, want string }{
		{"[true, false]", "[true,false]"}, {"[yes,true]", "[false,true]"}, {"[,]", "[false,false]"}, {" [ true , 1 ] ", "[true,false]"},
	} {
		c.must(n.Set([]rcc.KeyValue{{Key: "ina", Value: "1"}, {Key: "inl", Value: step.value}}))
		if got := n.Inputs(); got[0].Value != "false" || got[1].Value != step.want {
			t.Errorf("%s: %v", step.value, got)
		}
	}
	for _, value := range []string{"", "true", "[]", "[true]", "[true,true", "[[true],true,true]"} {
		if err := n.Set([]rcc.KeyValue{{Key: "inl", Value: value}}); err == nil {
			t.Errorf("%q is taken", value)
		}
	}
}
