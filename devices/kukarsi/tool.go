package kukarsi

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/yielding"
)

// Faults of tools.
const (
	wrongTool         = multijoint.WrongTool
	noWay       int32 = 2 // the controller's program has no step that loads tools
	noAnswer    int32 = 3 // it has not been loaded in time
	mostNumbers       = 1 << 30
)

// Words of a tool behind the ticket.
const (
	toolMass = iota + 1
	toolCOM
	toolInertia = toolCOM + 3
	toolWords   = toolInertia + 3
)

// tools are loads on their way to the program, which takes them between two sessions (figure 11.11).
type tools struct {
	request yielding.Request
	there   bool // a channel for them
	newest  [toolWords]uint64
	offered bool // while positions were read
	waited  int  // cycles
	most    int  // of them
}

func (t *tools) open(there bool, most int) {
	t.there, t.most = there, most
	t.request.Open(toolWords - 1)
}

func wordsOf(is *device.Tool) (w [toolWords]uint64) {
	w[toolMass] = math.Float64bits(is.Mass)
	for i, v := range [...]float64{is.COM.X, is.COM.Y, is.COM.Z, is.Inertia.X, is.Inertia.Y, is.Inertia.Z} {
		w[toolCOM+i] = math.Float64bits(v)
	}
	return w
}

func (t *tools) tool() device.Tool {
	v := func(i int) float64 {
		if w := &t.newest; uint(i) < uint(len(w)) {
			return math.Float64frombits(w[i])
		}
		return 0
	}
	return device.Tool{
		Mass: v(toolMass), COM: geom.Vector{X: v(toolCOM), Y: v(toolCOM + 1), Z: v(toolCOM + 2)},
		Inertia: geom.Vector{X: v(toolInertia), Y: v(toolInertia + 1), Z: v(toolInertia + 2)},
	}
}

// ask takes up what nets want, and gives up what takes too long (cycle).
func (t *tools) ask(now int64, twoSteps bool) {
	if t.request.Next(t.newest[:], now) {
		t.offered, t.waited = false, 0
		is := t.tool()
		switch {
		case !multijoint.Possible(&is):
			t.request.End(wrongTool)
		case !t.there || !twoSteps:
			t.request.End(noWay)
		}
	}
	if !t.request.Pending() {
		return
	}
	if t.waited++; t.waited > t.most {
		t.request.End(noAnswer)
	}
}

// wanted reports whether the program has to load something (cycle).
func (t *tools) wanted() bool { return t.request.Pending() }

// offer writes the load into the answer while positions are read, even one that was loaded before: a program that was started
// again no longer knows it (cycle).
func (t *tools) offer(into []float64) {
	if len(into) < channels.ToolValues {
		return
	}
	is := t.tool()
	v := (*[channels.ToolValues]float64)(into)
	v[channels.ToolX], v[channels.ToolY], v[channels.ToolZ] = 1000*is.COM.X, 1000*is.COM.Y, 1000*is.COM.Z
	v[channels.ToolMass] = is.Mass
	v[channels.ToolIX], v[channels.ToolIY], v[channels.ToolIZ] = is.Inertia.X, is.Inertia.Y, is.Inertia.Z
	v[channels.ToolNumber] = float64(t.newest[0] % mostNumbers)
	t.offered = t.request.Pending()
}

// loaded notes that a session began after positions were read, in which the tool is loaded (cycle).
func (t *tools) loaded() {
	if t.offered {
		t.request.End(0)
	}
	t.offered = false
}

// SetTool sets what is attached to a joint (cycle). The controller learns the load of the flange; the others it must know by itself.
func (a *Arm) SetTool(joint int, is device.Tool) (ticket uint64) {
	if joint != a.Joints()-1 {
		return a.group.SetTool(joint, is)
	}
	words := wordsOf(&is)
	return a.driver.tools.request.Ask(words[:])
}

// ToolDone reports whether the tool is in use (cycle).
func (a *Arm) ToolDone(joint int, ticket uint64) (done bool, fault int32) {
	if joint != a.Joints()-1 {
		return a.group.ToolDone(joint, ticket)
	}
	return a.driver.tools.request.Done(ticket)
}
