package simarm

import (
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// tool is the load of a joint.
type tool struct {
	given *device.Latest // newest one, with its ticket
	asked atomic.Uint64  // tickets
	done  atomic.Uint64
	fault atomic.Int32

	loading uint64 // ticket that is being loaded (tick)
	since   int64
}

const (
	toolTicket = iota
	toolMass
	toolCOM
	toolInertia = toolCOM + 3
	toolWords   = toolInertia + 3
)

// wrongTool is the fault of a tool that cannot be: its mass is negative, or something is not a number.
const wrongTool = 1

func (t *tool) open() { t.given = device.NewLatest(toolWords) }

// begin attaches a tool from the start on (load).
func (t *tool) begin(is device.Tool) { t.done.Store(t.set(is)) }

// set asks for a tool (cycle).
func (t *tool) set(is device.Tool) (ticket uint64) {
	fault := int32(0)
	sum := is.Mass + is.COM.X + is.COM.Y + is.COM.Z + is.Inertia.X + is.Inertia.Y + is.Inertia.Z
	if !(is.Mass >= 0) || math.IsInf(sum, 0) || math.IsNaN(sum) {
		fault = wrongTool
	}
	ticket = t.asked.Add(1)
	words := [toolWords]uint64{ticket, math.Float64bits(is.Mass)}
	for i, v := range [...]float64{is.COM.X, is.COM.Y, is.COM.Z, is.Inertia.X, is.Inertia.Y, is.Inertia.Z} {
		words[toolCOM+i] = math.Float64bits(v)
	}
	t.fault.Store(fault)
	if fault == 0 {
		t.given.Put(words[:])
	}
	return ticket
}

// load completes a tool that has been asked for long enough ago (cycle).
func (t *tool) load(now, takes int64) {
	var words [toolWords]uint64
	if !t.given.Get(0, words[:]) || words[toolTicket] <= t.done.Load() {
		return
	}
	if t.loading != words[toolTicket] {
		t.loading, t.since = words[toolTicket], now
	}
	if now-t.since >= takes {
		t.done.Store(words[toolTicket])
	}
}

// SetTool sets what is attached to a joint (cycle).
func (d *Drives) SetTool(joint int, is device.Tool) (ticket uint64) {
	if tools := d.tools; uint(joint) < uint(len(tools)) {
		return tools[joint].set(is)
	}
	return 0
}

// ToolDone reports whether the tool is in use (cycle).
func (d *Drives) ToolDone(joint int, ticket uint64) (done bool, fault int32) {
	if tools := d.tools; uint(joint) < uint(len(tools)) {
		return tools[joint].done.Load() >= ticket, tools[joint].fault.Load()
	}
	return false, wrongTool
}

// Tool returns the newest tool of a joint (any).
func (d *Drives) Tool(joint int) device.Tool {
	var w [toolWords]uint64
	if tools := d.tools; uint(joint) >= uint(len(tools)) || !tools[joint].given.Get(0, w[:]) {
		return device.Tool{}
	}
	v := func(i int) float64 { return math.Float64frombits(w[i]) }
	return device.Tool{
		Mass: v(toolMass), COM: geom.Vector{X: v(toolCOM), Y: v(toolCOM + 1), Z: v(toolCOM + 2)},
		Inertia: geom.Vector{X: v(toolInertia), Y: v(toolInertia + 1), Z: v(toolInertia + 2)},
	}
}
