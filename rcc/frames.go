package rcc

import (
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
)

// CellFrame is a coordinate system of the cell that belongs to no device, such as that of a workpiece.
type CellFrame struct {
	Name  string
	Of    string     // device from whose base it is seen; the cell when empty
	Place geom.Frame // seen from there
	At    geom.Frame // seen from the cell
}

// SetFrame says where a frame is, as seen from the base of a device, or from the cell when of is empty. Nothing moves by that: it is for
// programs that ask.
func (c *Core) SetFrame(name, of string, place geom.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.devices.frames
	i := slices.IndexFunc(list, func(f CellFrame) bool { return f.Name == name })
	if i < 0 {
		i = len(list)
		list = append(list, CellFrame{})
	}
	list[i] = CellFrame{Name: name, Of: of, Place: place}
	c.devices.frames = list
}

// Frames returns all frames, in the order in which they were set first. Where a device stands that is not there any more, frames that are
// seen from it still are.
func (c *Core) Frames() []CellFrame {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.devices.frames)
	for i := range list {
		list[i].At = c.devices.places[list[i].Of].Mul(list[i].Place)
	}
	return list
}
