package net_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestOnceCommandsNothing: a net that is evaluated once reads devices, but does not command them.
func TestOnceCommandsNothing(t *testing.T) {
	const text = `{to=Test::Joint(inPosition=Core::DoubleValue(Value='0.5').outValue,Robot='arm',Axis='2'),
		never=Core::BooleanValue(),outTerminate=never.outValue}`
	for once, want := range map[bool]float64{true: 0, false: 0.5} {
		opt := options(t)
		opt.Once = once
		p, err := net.Compile(parse(t, text), opt)
		if err != nil {
			t.Fatal(err)
		}
		p.Evaluate(&spec.Cycle{N: 1})
		if is := opt.Host.(*host).arm.position[2]; is != want {
			t.Errorf("evaluated once: %v, the joint is at %v, want %v", once, is, want)
		}
	}
}
