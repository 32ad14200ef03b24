package simarm_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// down is a posture in which the tip points down, above the place of contact.
const down = "[0,0.6,0,-1.5,0,1.0415926535897932,0]"

// tip returns where that of an arm without tool is.
func (l led) tip() geom.Frame { return robots.LWR4().Forward(l.positions()) }

// TestSurface: the tip is held up by as much as it is below the surface, at rest, whatever holds the arm; above it nothing is felt.
func TestSurface(t *testing.T) {
	for _, s := range []device.Strategy{device.PositionControl, device.CartesianCompliance} {
		for _, tt := range []struct {
			at    string
			force bool
		}{{"{pos:{x:0,y:0,z:0.3667},rot:{a:0,b:0,c:0}}", true}, {"{pos:{x:0,y:0,z:0.36},rot:{a:0,b:0,c:0}}", false}} {
			l := openLed(t, params{"home_joint": down, "contact": "10000", "contact_at": tt.at})
			l.become(t, s)
			l.cycles(5000)
			force := l.TipWrench().Rotate(l.tip().Rot).Force
			if want := 10000 * max(0, 0.3667-l.tip().Pos.Z); tt.force && !(force.Z > 1 && math.Abs(force.Z-want) < 0.2) || !tt.force && force.Length() > 1e-6 {
				t.Errorf("%v: %v, not %v", s, force, want)
			}
		}
	}
}

// TestScrew: a screw goes down while it is turned to the right, resists that, is tight when its head is at the surface, and comes up
// again to the left.
func TestScrew(t *testing.T) {
	l := openLed(t, params{
		"home_joint": down, "contact": "20000", "contact_at": "{pos:{x:-0.562508069,y:0,z:0.365545},rot:{a:0,b:0,c:0}}",
		"screw_pitch": "0.00125", "screw_height": "0.0002", "screw_torque": "0.5",
	})
	l.become(t, device.CartesianCompliance)
	is := l.CartesianImpedance()
	is.Stiffness.Force.Z, is.Add.Force.Z = 100, 15
	l.SetCartesianImpedance(is)
	l.cycles(1500)
	top := l.tip()
	turn := func(moment float64, cycles int) (angle, height float64) {
		is.Stiffness.Torque.Z, is.Add.Torque.Z = 0.01, moment
		l.SetCartesianImpedance(is)
		before := l.tip().Rot
		l.cycles(cycles)
		return before.To(l.tip().Rot).Log().Z, l.tip().Pos.Z - top.Pos.Z
	}
	if angle, height := turn(0.3, 500); math.Abs(height) > 1e-4 || angle > 0.1 {
		t.Errorf("with too little torque it turns by %v, and goes down by %v", angle, height)
	}
	angle, height := turn(1.5, 2000)
	if want := 0.0002 * 2 * math.Pi / 0.00125; math.Abs(angle-want) > 0.15 || math.Abs(height+0.0002) > 2e-5 {
		t.Errorf("tight after %v, not %v, and down by %v", angle, want, height)
	}
	if angle, height := turn(-1.5, 500); angle > -0.5 || height < -0.00015 {
		t.Errorf("to the left by %v, then %v high", angle, height)
	}
}
