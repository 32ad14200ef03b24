package net

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// allocate makes the instances, in memory in the order of execution.
func (c *compiler) allocate() {
	for i := range c.kinds {
		kind := &c.kinds[i]
		kind.block = kind.prim.New(int(kind.n))
		kind.n = 0
	}
	for _, i := range c.sequence {
		inst := &c.instances[i]
		kind := &c.kinds[inst.kind]
		inst.index = kind.n
		kind.n++
	}
	for i := range c.instances {
		if inst := &c.instances[i]; inst.prim != nil {
			c.link(inst)
		}
	}
}

func (c *compiler) link(inst *instance) {
	block := c.kinds[inst.kind].block
	for k, l := range c.inPorts(inst) {
		switch {
		case l.connected() && inst.unwaiting && k == inst.prim.InPort(inReset):
			late := lateCell{from: c.cell(l).(*spec.Out[bool]), to: block.Source(int(inst.index), k).(*spec.Out[bool])}
			c.late = append(c.late, late)
			block.Link(int(inst.index), k, late.to)
		case l.connected():
			block.Link(int(inst.index), k, c.cell(l))
		case l == broken: // the net is refused, but not because this port is open
			block.Link(int(inst.index), k, block.Source(int(inst.index), k))
		}
	}
}

func (c *compiler) cell(l link) any {
	from := &c.instances[l.from]
	return c.kinds[from.kind].block.Cell(int(from.index), int(l.port))
}

// build initializes all instances and, if the net is faultless, makes the program.
func (c *compiler) build() *Program {
	env := &spec.Env{
		Period: c.opt.Period, Host: c.opt.Host, Stop: c.opt.Stop, Here: c.opt.Here, Memory: c.opt.Memory,
		Inbox: spec.NewInbox(c.opt.Memory), Board: spec.NewBoard(c.opt.Memory),
	}
	if !c.opt.Once {
		env.Refusals = &spec.Refusals{End: c.opt.EndRefused}
	}
	for _, i := range c.sequence {
		if c.short != nil {
			return nil
		}
		if c.opt.Once {
			c.initializeOnce(ref(i), env)
		} else {
			c.initialize(ref(i), env)
		}
	}
	if c.short != nil {
		return nil
	}
	c.checkUnique()
	c.checkOnce()
	c.checkAgree()
	c.checkUnfed()
	c.checkUnread()
	if len(c.list) > 0 {
		return nil
	}
	if env.Refusals != nil {
		if err := env.Refusals.Publish(env.Board); err != nil {
			if !c.shortOf(err) {
				c.problem(NotConfigured, root, "", "%v", err)
			}
			return nil
		}
	}
	env.Inbox.Seal()
	env.Board.Seal()
	p := &Program{
		Refusals: env.Refusals,
		Period:   c.opt.Period, Primitives: len(c.instances), Resources: env.Resources, Buttons: env.Buttons, Inbox: env.Inbox, Board: env.Board,
	}
	p.Types, p.Shape = c.usedTypes(), c.shape()
	p.Warnings = c.warnings.sorted("warnings")
	c.takeWarnings(p.Warnings)
	if recorder := c.recorder(); recorder != nil {
		p.Markers = &Probe{Recorder: recorder}
	}
	c.phases(p)
	c.share(env)
	p.terminate = rootPort[bool](c, outTerminate)
	p.fail = rootPort[int32](c, outFail)
	if c.opt.Once {
		p.Outs = c.rootPorts()
	} else {
		p.places = c.places()
	}
	return p
}

func rootPort[T any](c *compiler, port string) *spec.Out[T] {
	k, ok := c.names.get(0, anOutPort, port)
	if !ok || !c.ports[k].link.connected() {
		return nil
	}
	return c.cell(c.ports[k].link).(*spec.Out[T])
}

func (c *compiler) initialize(r ref, env *spec.Env) {
	inst := &c.instances[r]
	broken := c.checkLimits(r)
	if err := c.kinds[inst.kind].block.Init(int(inst.index), c.texts(inst), env); err != nil && !c.shortOf(err) && !c.unconfigured(r) && !broken {
		minor := NotConfigured
		if errors.Is(err, spec.ErrNoDevice) {
			minor = UnknownDevice
		}
		c.problem(minor, r, "", "%v", err)
	}
}

// texts are the values that the text of the net has for the parameters of an instance, nil for what it does not have.
func (c *compiler) texts(inst *instance) []*string {
	return c.given[inst.params:][:len(inst.prim.Params)]
}

// unconfigured reports every parameter and in port that keeps an instance from being initialized.
func (c *compiler) unconfigured(r ref) (found bool) {
	inst := &c.instances[r]
	texts := c.texts(inst)
	for k := range inst.prim.Params {
		param := &inst.prim.Params[k]
		if texts[k] == nil {
			if param.Required {
				found = true
				c.problem(NotConfigured, r, param.Name, "the parameter is missing")
			}
		} else if err := param.Check(*texts[k]); err != nil {
			found = true
			c.problem(NotConfigured, r, param.Name, "%v", err)
		}
	}
	for k, l := range c.inPorts(inst) {
		if port := &inst.prim.In[k]; port.Required && l == open {
			found = true
			c.problem(NotConfigured, r, port.Name, "the in port must be connected")
		}
	}
	return found
}

// phases writes what the program does, all of it into two pieces of memory: when a cycle begins, they have left the
// caches, and each piece more is waited for.
func (c *compiler) phases(p *Program) {
	constants, order := make([]placed, 0, len(c.constants)), make([]placed, 0, len(c.sequence)-len(c.constants))
	for _, i := range c.sequence {
		switch inst := &c.instances[i]; {
		case inst.folded:
			constants = append(constants, placed{always, inst.kind, inst.index})
		case inst.prim.Has(spec.Run):
			order = append(order, placed{inst.runs, inst.kind, inst.index})
		}
	}
	once := builder{compiler: c}
	once.write(spec.Run, constants)
	execute(once.finish(), &spec.Cycle{N: everyCycle, Period: c.opt.Period.Seconds()})

	b := builder{compiler: c}
	b.writeSensors()
	sense := len(b.list)
	b.write(spec.Run, order)
	if len(c.late) > 0 {
		b.unguarded(c.copyLate())
	}
	b.write(spec.Keep, c.grouped(spec.Keep))
	run := len(b.list)
	b.write(spec.Act, c.grouped(spec.Act))
	act := len(b.list)
	if p.Markers != nil {
		b.writeRecords(p.Markers.Recorder)
	}
	if b.full() {
		c.problem(NotInstantiated, root, "", "more than %d steps in a cycle, because primitives and guards alternate", c.opt.Limits.Steps)
	}
	c.takeSteps(len(b.runs), len(b.list))
	list := b.finish()
	p.sense, p.run, p.act = list[:sense], list[sense:run], list[run:act]
	if p.Markers != nil {
		p.Markers.list = list[act:]
	}
}

// share links what reads constants to few cells that lie together, instead of to the instances that made them: in the
// cycle nothing costs more than memory that has left the caches.
func (c *compiler) share(env *spec.Env) {
	if len(c.constants) == 0 {
		return
	}
	for _, i := range c.sequence[len(c.constants):] {
		inst := &c.instances[i]
		for k, l := range c.inPorts(inst) {
			if l.connected() && c.instances[l.from].folded {
				c.kinds[inst.kind].block.Link(int(inst.index), k, env.Constant(c.cell(l)))
			}
		}
	}
}

// everyCycle stamps values that are current in every cycle.
const everyCycle = math.MaxUint64

// lateCell is what a Pre sees of an inReset for which it cannot wait: nothing before it keeps values, whether the source
// happens to run earlier or not.
type lateCell struct{ from, to *spec.Out[bool] }

func (c *compiler) copyLate() func(cy *spec.Cycle) {
	cells := c.late
	return func(cy *spec.Cycle) {
		for i := range cells {
			if l := &cells[i]; l.from.Current(cy) {
				l.to.Set(cy, l.from.V)
			}
		}
	}
}

// placed is an instance by its place in memory, under a condition.
type placed struct{ condition, kind, index int32 }

// grouped lists the instances with a kernel that need no order among each other, in the fewest runs.
func (c *compiler) grouped(phase spec.Phase) []placed {
	var list []placed
	for i := range c.instances {
		inst := &c.instances[i]
		if !inst.prim.Has(phase) || phase == spec.Act && c.opt.Once && c.acts[i] {
			continue
		}
		condition := inst.runs
		if phase == spec.Keep {
			condition = inst.keeps
		}
		list = append(list, placed{condition, inst.kind, inst.index})
	}
	slices.SortFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.condition, b.condition), cmp.Compare(a.kind, b.kind), cmp.Compare(a.index, b.index))
	})
	return list
}

// builder writes blocks, the runs of all of them into one piece of memory.
type builder struct {
	*compiler
	runs   []func(cy *spec.Cycle)
	list   []block
	first  []int  // by block: its first run
	heads  []head // of open blocks, outer ones first
	closed bool   // no run can join the last block
}

type head struct {
	condition int32
	block     int
}

// write makes runs of neighbours and puts them into the blocks of their guards.
func (b *builder) write(phase spec.Phase, order []placed) {
	b.closed = true
	for at := 0; at < len(order) && !b.full(); {
		first, end := order[at], at+1
		for end < len(order) && order[end] == (placed{first.condition, first.kind, first.index + int32(end-at)}) {
			end++
		}
		b.enter(first.condition)
		lo := int(first.index)
		b.runs = append(b.runs, b.kinds[first.kind].block.Kernel(phase, lo, lo+end-at))
		at = end
	}
	b.leave(always)
}

func (b *builder) full() bool { return len(b.runs)+len(b.list) > b.opt.Limits.Steps }

// writeSensors writes phase 1, in which nothing is guarded: every sensor reads in every cycle.
func (b *builder) writeSensors() {
	for i := range b.kinds {
		if kind := &b.kinds[i]; kind.prim.Has(spec.Sense) {
			b.unguarded(kind.block.Kernel(spec.Sense, 0, int(kind.n)))
		}
	}
}

func (b *builder) unguarded(run func(cy *spec.Cycle)) {
	b.add(nil)
	b.runs = append(b.runs, run)
}

// enter makes sure that the last block is one for runs of a condition. Behind an inner block that is one without guard:
// those around it have been asked.
func (b *builder) enter(condition int32) {
	b.leave(condition)
	b.begin(condition)
	if b.closed {
		b.add(nil)
	}
}

// leave ends the blocks of other conditions.
func (b *builder) leave(condition int32) {
	for n := len(b.heads); n > 0 && !b.includes(condition, b.heads[n-1].condition); n-- {
		h := b.heads[n-1]
		b.list[h.block].inner = len(b.list) - h.block - 1
		b.heads = b.heads[:n-1]
		b.closed = true
	}
}

// begin begins the blocks of a condition that are missing.
func (b *builder) begin(condition int32) {
	if condition == always || len(b.heads) > 0 && b.heads[len(b.heads)-1].condition == condition {
		return
	}
	b.begin(b.conditions[condition].up)
	b.heads = append(b.heads, head{condition, len(b.list)})
	b.add(b.cell(b.conditions[condition].from).(*spec.Out[bool]))
}

func (b *builder) add(guard *spec.Out[bool]) {
	b.list = append(b.list, block{guard: guard})
	b.first = append(b.first, len(b.runs))
	b.closed = false
}

// finish gives every block its runs.
func (b *builder) finish() []block {
	runs := b.runs
	for i := len(b.list) - 1; i >= 0; i-- {
		b.list[i].runs = runs[b.first[i]:]
		runs = runs[:b.first[i]:b.first[i]]
	}
	return b.list
}
