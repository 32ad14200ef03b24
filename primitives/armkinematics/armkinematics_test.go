package armkinematics_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/armkinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// still is an arm that does nothing but to know where it is.
type still struct{ arm *kinematics.Arm }

func (s still) Status() device.Status { return device.Status{State: device.Operational} }
func (s still) Close() error          { return nil }
func (s still) Arm() *kinematics.Arm  { return s.arm }

func (s still) Interfaces() []device.Interface {
	return []device.Interface{device.AnnounceKinematics()}
}

// slide returns an arm of one joint.
func slide() map[string]device.Device {
	arm, err := robots.LinearUnit(geom.Vector{X: 1}, kinematics.Joint{Min: -1, Max: 1, Velocity: 1, Acceleration: 1})
	if err != nil {
		panic(err)
	}
	return map[string]device.Device{"arm": still{arm}}
}

var kit = testkit.Kit{Primitives: armkinematics.Primitives(), Devices: func() map[string]device.Device {
	return map[string]device.Device{"arm": still{robots.TX90L()}}
}}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }
