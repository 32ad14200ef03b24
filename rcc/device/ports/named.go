package ports

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Named keeps the values of entries: what a driver embeds to be device.Entries and device.IO. Single bits are digital ports, all other
// numbers analog ones, in the order of the entries. Which entries there are may become known later than the device is opened.
type Named struct {
	name   string
	table  atomic.Pointer[table]
	valid  atomic.Bool // inputs have values
	shared atomic.Bool
}

// table is what is known of the entries.
type table struct {
	entries []device.Entry
	cells   []output
	ports   [device.AnalogOut + 1][]int // entries, by kind of port
}

// NewNamed makes room for the entries of a device (load).
func NewNamed(name string) *Named {
	n := &Named{name: name}
	n.table.Store(&table{})
	return n
}

// Know sets the entries, once. Later ones have to be the same (load).
func (n *Named) Know(entries []device.Entry) error {
	if old := n.table.Load().entries; len(old) > 0 {
		return same(old, entries)
	}
	t := &table{entries: entries, cells: make([]output, len(entries))}
	for i := range entries {
		k := kindOf(&entries[i])
		t.ports[k] = append(t.ports[k], i)
	}
	n.table.Store(t)
	return nil
}

func same(old, now []device.Entry) error {
	if len(old) != len(now) {
		return fmt.Errorf("there are %d entries, there were %d: remove the device and create it again", len(now), len(old))
	}
	for i := range old {
		if old[i] != now[i] {
			return fmt.Errorf("entry %q (%s) is in the place of %q (%s): remove the device and create it again", now[i].Name, now[i].Type, old[i].Name, old[i].Type)
		}
	}
	return nil
}

func kindOf(e *device.Entry) device.PortKind {
	switch {
	case e.Output && e.Bits == 1:
		return device.DigitalOut
	case e.Output:
		return device.AnalogOut
	case e.Bits == 1:
		return device.DigitalIn
	}
	return device.AnalogIn
}

// Entries returns all that are known (any).
func (n *Named) Entries() []device.Entry { return n.table.Load().entries }

// Ports returns the numbers of ports (any).
func (n *Named) Ports() device.Ports {
	p := &n.table.Load().ports
	return device.Ports{
		Device: n.name, DigitalIn: len(p[device.DigitalIn]), DigitalOut: len(p[device.DigitalOut]),
		AnalogIn: len(p[device.AnalogIn]), AnalogOut: len(p[device.AnalogOut]),
	}
}

// Valid sets whether inputs have values (cycle).
func (n *Named) Valid(are bool) { n.valid.Store(are) }

// cell returns an entry with its value (cycle).
func (n *Named) cell(i int) (*device.Entry, *output) {
	t := n.table.Load()
	entries, cells := t.entries, t.cells
	if uint(i) < uint(len(entries)) && uint(i) < uint(len(cells)) {
		return &entries[i], &cells[i]
	}
	return nil, nil
}

// EntryBits returns the bits of an entry (cycle).
func (n *Named) EntryBits(i int) (bits uint64, ok bool) {
	e, c := n.cell(i)
	if c == nil || !e.Output && !n.valid.Load() {
		return 0, false
	}
	return c.value.Load(), true
}

// Feed takes the bits of an input (cycle).
func (n *Named) Feed(i int, bits uint64) {
	if e, c := n.cell(i); c != nil && !e.Output {
		c.value.Store(bits)
	}
}

// tries are enough: each failed one takes another writer that has written.
const tries = 16

// SetEntryBits sets bits of an output (cycle). Writers of different bits do not share it.
func (n *Named) SetEntryBits(i int, mask, bits uint64, time int64) {
	e, c := n.cell(i)
	if c == nil || !e.Output {
		return
	}
	mask &= e.Mask()
	for range tries {
		old := c.value.Load()
		if c.value.CompareAndSwap(old, old&^mask|bits&mask) {
			break
		}
	}
	if time != 0 && mask == e.Mask() && c.time.Swap(time) == time {
		c.shared.Add(1)
		n.shared.Store(true)
	}
}

// Drop sets all outputs to zero (cycle).
func (n *Named) Drop() {
	t := n.table.Load()
	entries, cells := t.entries, t.cells
	for i := range cells {
		if i < len(entries) && entries[i].Output {
			cells[i].value.Store(0)
		}
	}
}

// On reports whether any output is other than zero (any).
func (n *Named) On() bool {
	t := n.table.Load()
	for i := range t.cells {
		if t.entries[i].Output && t.cells[i].value.Load() != 0 {
			return true
		}
	}
	return false
}

// port returns the entry of a port, -1 for none (cycle).
func (n *Named) port(k device.PortKind, port int) int {
	all := &n.table.Load().ports
	if uint(k) >= uint(len(all)) {
		return -1
	}
	if list := all[k]; uint(port) < uint(len(list)) {
		return list[port]
	}
	return -1
}

// DigitalIn is the newest value of an input (cycle).
func (n *Named) DigitalIn(port int) bool {
	bits, ok := n.EntryBits(n.port(device.DigitalIn, port))
	return ok && bits != 0
}

// AnalogIn returns the newest value of an input, NaN where there is none (cycle).
func (n *Named) AnalogIn(port int) float64 {
	i := n.port(device.AnalogIn, port)
	if i < 0 {
		return 0
	}
	return n.float(i)
}

// DigitalOut returns the last value of an output (cycle).
func (n *Named) DigitalOut(port int) bool {
	bits, _ := n.EntryBits(n.port(device.DigitalOut, port))
	return bits != 0
}

// AnalogOut returns the last value of an output (cycle).
func (n *Named) AnalogOut(port int) float64 {
	i := n.port(device.AnalogOut, port)
	if i < 0 {
		return 0
	}
	return n.float(i)
}

func (n *Named) float(i int) float64 {
	e, _ := n.cell(i)
	bits, ok := n.EntryBits(i)
	if e == nil || !ok {
		return math.NaN()
	}
	return e.Kind.Float(bits, e.Bits)
}

// SetDigitalOut sets an output, at the time of a tick or 0 from outside of nets (cycle).
func (n *Named) SetDigitalOut(port int, on bool, time int64) {
	n.SetEntryBits(n.port(device.DigitalOut, port), 1, bit(on), time)
}

// SetAnalogOut sets an output to the nearest number that it can be; NaN changes nothing (cycle).
func (n *Named) SetAnalogOut(port int, v float64, time int64) {
	i := n.port(device.AnalogOut, port)
	e, _ := n.cell(i)
	if e == nil {
		return
	}
	if bits, ok := e.Kind.FromFloat(v, e.Bits); ok {
		n.SetEntryBits(i, ^uint64(0), bits, time)
	}
}

// Shared returns how many times an output has been written more than once in a tick (any).
func (n *Named) Shared(k device.PortKind, port int) uint64 {
	if _, c := n.cell(n.port(k, port)); c != nil {
		return c.shared.Load()
	}
	return 0
}

// Trouble returns a line that names outputs that were written more than once in a tick; it is empty if there are none (any).
func (n *Named) Trouble() string {
	if !n.shared.Load() {
		return ""
	}
	var which []string
	t := n.table.Load()
	for i := range t.cells {
		switch {
		case t.cells[i].shared.Load() == 0:
		case len(which) == mostNamed:
			return shared + strings.Join(append(which, "and others"), ", ")
		default:
			which = append(which, t.entries[i].Name)
		}
	}
	return shared + strings.Join(which, ", ")
}

// Fed are entries of a simulation, whose inputs come from outside and always have a value.
type Fed struct{ *Named }

// NewFed makes room for the entries of a device (load).
func NewFed(name string, entries []device.Entry) (Fed, error) {
	f := Fed{NewNamed(name)}
	f.Valid(true)
	return f, f.Know(entries)
}

// Begin copies all of them from another device, if that has the same (load).
func (f Fed) Begin(as device.Device) {
	from, is := as.(device.Entries)
	if !is || same(f.Entries(), from.Entries()) != nil {
		return
	}
	for i := range f.Entries() {
		if bits, ok := from.EntryBits(i); ok {
			f.SetEntryBits(i, ^uint64(0), bits, 0)
			f.Feed(i, bits)
		}
	}
}

// FeedEntryBits sets an input (any).
func (f Fed) FeedEntryBits(i int, bits uint64) { f.Feed(i, bits) }

// SetDigitalIn sets an input (any).
func (f Fed) SetDigitalIn(port int, on bool) { f.Feed(f.port(device.DigitalIn, port), bit(on)) }

// SetAnalogIn sets an input to the nearest number that it can be (any).
func (f Fed) SetAnalogIn(port int, v float64) {
	i := f.port(device.AnalogIn, port)
	if e, _ := f.cell(i); e != nil {
		if bits, ok := e.Kind.FromFloat(v, e.Bits); ok {
			f.Feed(i, bits)
		}
	}
}
