package multijoint

import (
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// WrongTool is the fault of an impossible tool: its mass is negative, or some value is not a number.
const WrongTool int32 = 1

// Possible reports whether a load is possible (cycle).
func Possible(is *device.Tool) bool {
	sum := is.Mass + is.COM.X + is.COM.Y + is.COM.Z + is.Inertia.X + is.Inertia.Y + is.Inertia.Z
	return is.Mass >= 0 && !math.IsInf(sum, 0) && sum == sum
}

// Tools is embedded by drivers whose actuators take no loads. They are checked, and not kept.
type Tools struct{ faults []atomic.Int32 }

// NewTools makes room for those of some joints (load).
func NewTools(joints int) *Tools { return &Tools{make([]atomic.Int32, joints)} }

// SetTool sets what is attached to a joint (cycle).
func (t *Tools) SetTool(joint int, is device.Tool) (ticket uint64) {
	faults := t.faults
	if uint(joint) >= uint(len(faults)) {
		return 0
	}
	fault := int32(0)
	if !Possible(&is) {
		fault = WrongTool
	}
	faults[joint].Store(fault)
	return 1
}

// ToolDone reports whether it is in use (cycle).
func (t *Tools) ToolDone(joint int, _ uint64) (done bool, fault int32) {
	faults := t.faults
	if uint(joint) >= uint(len(faults)) {
		return false, WrongTool
	}
	fault = faults[joint].Load()
	return fault == 0, fault
}
