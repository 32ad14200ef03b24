package net

import (
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Probe keeps values of ports of a program while it is executed at the end of each cycle: always for ports with markers, which
// belong to the program, otherwise while a client watches.
type Probe struct {
	Recorder *spec.Recorder
	list     []block
}

// Keep keeps the values of a cycle; it is called after Act (cycle).
func (p *Probe) Keep(cy *spec.Cycle) { execute(p.list, cy) }

// NewProbe makes a probe of a plain function, which may be nil: see NewProgram.
func NewProbe(keep func(*spec.Cycle)) *Probe { return &Probe{list: function(keep)} }

// PortName names a port of a net: by the path of its node, empty for the net itself, and its own name.
type PortName struct{ Path, Port string }

// String returns the name for messages.
func (n PortName) String() string {
	if n.Path == "" {
		return n.Port
	}
	return n.Path + "." + n.Port
}

// Found are ports of a program that have been looked up in the text of its net. A Found belongs to one goroutine.
type Found struct {
	Ports []FoundPort // in the order of their names
	c     *compiler
}

// FoundPort describes a port; for an in port or a port of a fragment, it describes the out port that the value comes from.
type FoundPort struct {
	Name      string
	Type      value.Type // empty for a port that is connected to nothing
	Words     int        // of its value
	Constant  bool       // it was written once, while the net was loaded
	Value     string     // of a constant, empty when it is null
	Constants []uint64   // the words of that
}

// places are where the instances of a program are. With the text of the net that is enough to find everything.
type places struct {
	blocks []*spec.Block // by kind
	at     []int32       // by instance: its place in the block of its kind; complemented for one that was executed while the net was loaded
}

// places notes where the instances are.
func (c *compiler) places() places {
	const pointer, number = 8, 4
	if !c.take(budget.Primitives, budget.Object(pointer*int64(len(c.kinds)))+budget.Object(number*int64(len(c.instances)))) {
		return places{}
	}
	p := places{make([]*spec.Block, len(c.kinds)), make([]int32, len(c.instances))}
	for i := range c.kinds {
		p.blocks[i] = c.kinds[i].block
	}
	for i := range c.instances {
		if p.at[i] = c.instances[i].index; c.instances[i].folded {
			p.at[i] = ^p.at[i]
		}
	}
	return p
}

// restore gives the instances of a compiler the places that they have in a program. It is false when the program is another one.
func (c *compiler) restore(p *places) bool {
	if len(p.at) != len(c.instances) || len(p.blocks) != len(c.kinds) {
		return false
	}
	for i := range c.kinds {
		if c.kinds[i].block = p.blocks[i]; c.kinds[i].block.Primitive != c.kinds[i].prim {
			return false
		}
	}
	for i := range c.instances {
		at := p.at[i]
		if c.instances[i].folded = at < 0; at < 0 {
			at = ^at
		}
		c.instances[i].index = at
	}
	return true
}

// OtherError is returned when a text is not that of the program.
type OtherError struct{}

// Error says so.
func (OtherError) Error() string { return "its text is that of another net" }

// MissingError is a port that a net does not have.
type MissingError struct {
	PortName
	Hint string // names that exist
}

// Error names the port.
func (e *MissingError) Error() string {
	return fmt.Sprintf("it has no port %s%s", short(e.String()), e.Hint)
}

// Find looks up ports of the program, which may be running. The tree is that of the text from which it was compiled. Types are those of the
// catalogue at that time. The memory of a probe is taken from account.
func (p *Program) Find(tree *grammar.Node, account *budget.Account, ports []PortName) (*Found, error) {
	catalogue, err := spec.NewCatalogue(p.Types)
	if err != nil {
		return nil, err
	}
	c := newCompiler(Options{Period: p.Period, Catalogue: catalogue, Memory: account})
	if !c.flatten(tree) {
		return nil, OtherError{}
	}
	c.resolve()
	c.guard()
	if len(c.list) > 0 || !c.restore(&p.places) {
		return nil, OtherError{}
	}
	f := &Found{c: c}
	for _, name := range ports {
		r, ok := c.locate(name)
		if !ok {
			return nil, &MissingError{name, c.neighbours(name)}
		}
		c.recorded = append(c.recorded, r)
		f.Ports = append(f.Ports, c.found(name, &r))
	}
	return f, nil
}

// locate finds a port.
func (c *compiler) locate(name PortName) (found recorded, ok bool) {
	at, ok := c.nodeAt(name.Path)
	if !ok {
		return found, false
	}
	found = recorded{at: at, port: name.Port, index: int32(at), frag: 0}
	if at < 0 {
		return c.locateOfFragment(found)
	}
	inst := &c.instances[at]
	found.frag = inst.frag
	switch k := inst.prim.OutPort(name.Port); {
	case k >= 0:
		found.what, found.out = anOutPortOf, int32(k)
	case name.Port == inActive:
		found.what = anInstanceGuard
	default:
		if k = inst.prim.InPort(name.Port); k < 0 {
			return found, false
		}
		found.what, found.index = anInstancePort, inst.ports+int32(k)
	}
	return found, true
}

func (c *compiler) locateOfFragment(found recorded) (recorded, bool) {
	frag := int32(^found.at)
	k, ok := c.names.get(frag, anOutPort, found.port)
	if found.frag = frag; !ok {
		k, ok = c.names.get(frag, anInPort, found.port)
		found.frag = c.fragments[frag].up
	}
	found.what, found.index = aFragmentPort, k
	return found, ok
}

// nodeAt finds the node with a path.
func (c *compiler) nodeAt(path string) (r ref, ok bool) {
	if path == "" {
		return root, true
	}
	for i := range c.instances {
		if c.has(ref(i), path) {
			return ref(i), true
		}
	}
	for i := range c.fragments[1:] {
		if c.has(^ref(i+1), path) {
			return ^ref(i + 1), true
		}
	}
	return root, false
}

// has reports whether a node has a path, which is not written out: those of deeply nested nodes can be very long.
func (c *compiler) has(r ref, path string) bool {
	for {
		l, up := c.labelOf(r)
		rest, ok := strings.CutSuffix(path, l.name)
		if !ok {
			return false
		}
		if r = up; l.host != root {
			r = l.host
		}
		if r == root {
			return rest == ""
		}
		if path, ok = strings.CutSuffix(rest, "."); !ok {
			return false
		}
	}
}

// neighbours says which ports the node of a port has.
func (c *compiler) neighbours(name PortName) string {
	at, ok := c.nodeAt(name.Path)
	var names []string
	switch {
	case !ok:
		return ""
	case at < 0:
		for i := range c.ports {
			if c.ports[i].at == at {
				names = append(names, c.ports[i].name)
			}
		}
	default:
		prim := c.instances[at].prim
		names = slices.Concat(slices.Collect(portNames(prim.Out)), slices.Collect(portNames(prim.In)))
	}
	if there := enumerate(slices.Values(names)); there != "" {
		return "; " + c.nameOf(at) + " has " + there
	}
	return ""
}

func (c *compiler) nameOf(at ref) string {
	if at == root {
		return "the net"
	}
	return short(c.path(at))
}

// found describes a port.
func (c *compiler) found(name PortName, r *recorded) FoundPort {
	port := FoundPort{Name: name.String()}
	l := c.recordedLink(r)
	if !l.connected() {
		return port
	}
	cell := c.cell(l).(spec.Cell)
	port.Type, port.Words = cell.Type(), cell.Words()
	if port.Constant = c.instances[l.from].folded; port.Constant && cell.Current(&spec.Cycle{N: 1}) {
		port.Value, port.Constants = string(cell.Text(nil)), make([]uint64, port.Words)
		cell.PutWords(port.Constants)
	}
	return port
}

// Keeps returns how many words of the port are kept in a cycle: those of its value unless it is constant.
func (p *FoundPort) Keeps() int {
	if p.Constant {
		return 0
	}
	return p.Words
}

// Words returns how many words a probe of the ports keeps in a cycle.
func (f *Found) Words() int {
	sum := 0
	for i := range f.Ports {
		sum += f.Ports[i].Keeps()
	}
	return sum
}

// probeBytes is what a probe takes besides its ports and their values.
const probeBytes = 4 << 10

// Probe makes a probe of the ports, in their order. It keeps a number of cycles, or fewer when grant allows fewer bytes. Ports that are
// constant or not connected have no values in it.
func (f *Found) Probe(cycles int, grant func(bytes int64) int64) (*Probe, error) {
	c, recorder := f.c, &spec.Recorder{Samples: true}
	for i := range f.Ports {
		var cell any
		if f.Ports[i].Keeps() > 0 {
			cell = c.cell(c.recordedLink(&c.recorded[i]))
		}
		recorder.Record("", cell, cycles)
	}
	recorder.Shorten(grant(recorder.Bytes()))
	b := builder{compiler: c}
	if c.take(budget.Recordings, probeBytes+recorder.Overhead()+recorder.Bytes()); c.short == nil {
		recorder.Seal()
		b.writeRecords(recorder)
		c.takeSteps(len(b.runs), len(b.list))
	}
	if c.short != nil {
		return nil, c.short
	}
	return &Probe{recorder, b.finish()}, nil
}
