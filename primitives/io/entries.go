package io

import (
	"encoding/xml"
	"fmt"
	"strconv"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// named is what the primitives of entries have in common.
type named struct {
	DeviceID spec.Param[string] `rcc:"DeviceID" any:"loading looks for a device of this name" doc:"name of the device"`
	Entry    spec.Param[string] `rcc:"Entry" any:"loading asks the device whether it has one" doc:"name of the entry, its address such as 0x6000:1, or bits of it such as status.3 or status.0-7"`

	device device.Entries
	part   device.Part
}

func (p *named) open(env *spec.Env, write bool) (err error) {
	if p.device, err = spec.Device[device.Entries](env, p.DeviceID.V); err != nil {
		return err
	}
	var of device.Entry
	if p.part, of, err = device.FindPart(p.device, p.Entry.V); err != nil {
		return fmt.Errorf("parameter Entry: device %q: %w", p.DeviceID.V, err)
	}
	if write && !of.Output {
		return fmt.Errorf("parameter Entry: %q of device %q is an input", of.Name, p.DeviceID.V)
	}
	return nil
}

// write opens an entry to which values go (load).
func (p *named) write(env *spec.Env, to *output) error {
	if err := p.open(env, true); err != nil {
		return err
	}
	to.explain(env, p.device, p.DeviceID.V, p.Entry.V)
	return nil
}

// sampled are the bits of an entry at the beginning of a cycle.
type sampled struct {
	bits uint64
	ok   bool
}

func (p *named) sense(into *sampled) { into.bits, into.ok = p.part.Get(p.device) }

type readBool struct {
	named
	Out spec.Out[bool] `rcc:"outValue" doc:"whether any bit is set at the beginning of the cycle; null without a value"`

	is sampled
}

func (p *readBool) Init(env *spec.Env) error { return p.open(env, false) }

func senseReadBool(run []readBool, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sense(&p.is)
	}
}

func tellReadBool(run []readBool, cy *spec.Cycle) {
	for i := range run {
		if p := &run[i]; p.is.ok {
			p.Out.Set(cy, p.is.bits != 0)
		}
	}
}

type readInt struct {
	named
	Out spec.Out[int32] `rcc:"outValue" doc:"number at the beginning of the cycle; null without a value, or when it has more than 32 bits with its sign"`

	is sampled
}

func (p *readInt) Init(env *spec.Env) error { return p.open(env, false) }

func senseReadInt(run []readInt, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sense(&p.is)
	}
}

func tellReadInt(run []readInt, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, fits := p.part.Kind.Int(p.is.bits, p.part.Bits); fits && p.is.ok {
			p.Out.Set(cy, v)
		}
	}
}

type readReal struct {
	named
	Out spec.Out[float64] `rcc:"outValue" doc:"number at the beginning of the cycle; null without a value"`

	is sampled
}

func (p *readReal) Init(env *spec.Env) error { return p.open(env, false) }

func senseReadReal(run []readReal, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sense(&p.is)
	}
}

func tellReadReal(run []readReal, cy *spec.Cycle) {
	for i := range run {
		if p := &run[i]; p.is.ok {
			p.Out.Set(cy, p.part.Kind.Float(p.is.bits, p.part.Bits))
		}
	}
}

type writeEntryBool struct {
	named
	output
	In spec.In[bool] `rcc:"inValue" or:"Value=false" any:"every number is one to reckon with" doc:"1 or 0; null leaves the entry as it is"`
}

func (p *writeEntryBool) Init(env *spec.Env) error { return p.write(env, &p.output) }

func actWriteBool(run []writeEntryBool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if on, ok := p.In.Get(cy); ok {
			bits := uint64(0)
			if on {
				bits = p.part.Kind.FromInt(1, p.part.Bits)
			}
			p.part.Set(p.device, bits, cy.Time)
			p.judge(cy, true)
		}
	}
}

type writeEntryInt struct {
	named
	output
	In spec.In[int32] `rcc:"inValue" or:"Value=0" any:"every number is one to reckon with" doc:"number, of which the nearest is written that the entry can be; null leaves it as it is"`
}

func (p *writeEntryInt) Init(env *spec.Env) error { return p.write(env, &p.output) }

func actWriteInt(run []writeEntryInt, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.In.Get(cy); ok {
			p.part.Set(p.device, p.part.Kind.FromInt(v, p.part.Bits), cy.Time)
			p.judge(cy, true)
		}
	}
}

type writeEntryReal struct {
	named
	output
	In spec.In[float64] `rcc:"inValue" or:"Value=0" any:"every number is one to reckon with" doc:"number, of which the nearest is written that the entry can be; null and NaN leave it as it is, NaN as a refusal"`
}

func (p *writeEntryReal) Init(env *spec.Env) error { return p.write(env, &p.output) }

func actWriteReal(run []writeEntryReal, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.In.Get(cy); ok {
			bits, is := p.part.Kind.FromFloat(v, p.part.Bits)
			if is {
				p.part.Set(p.device, bits, cy.Time)
			}
			p.judge(cy, is)
		}
	}
}

// entryPrimitives returns those of entries. Their examples use a device named io with some entries.
func entryPrimitives() []*spec.Primitive {
	of := func(entry string) map[string]string { return map[string]string{"DeviceID": "io", "Entry": entry} }
	with := func(entry, value string) map[string]string {
		m := of(entry)
		m["Value"] = value
		return m
	}
	missing := spec.Example{Doc: "no such entry", Params: of("spead"), Reject: `no entry "spead", did you mean speed?`}
	input := spec.Example{Doc: "inputs are not written", Params: of("status"), Reject: `"status" of device "io" is an input`}
	reads := func(doc, entry, text string) spec.Example {
		return spec.Example{Doc: doc, Params: of(entry), Out: map[string][]string{"outValue": {text}}}
	}
	declared := func(name, doc string, examples ...spec.Example) spec.Decl {
		return spec.Decl{Name: "IO::" + name, Extension: extension, Doc: doc, Examples: examples}
	}
	return []*spec.Primitive{
		spec.Declare(declared("ReadBool", "reads an entry of process data as a bool", reads("nobody has set it", "lamp", "false"), missing),
			spec.Kernels[readBool]{Sense: senseReadBool, Run: tellReadBool}),
		spec.Declare(declared("ReadInt", "reads an entry of process data as an integer", reads("bits of it", "status.0-7", "0"), missing),
			spec.Kernels[readInt]{Sense: senseReadInt, Run: tellReadInt}),
		spec.Declare(declared("ReadReal", "reads an entry of process data as a number", reads("by its address", "0x7010:1", "0"), missing),
			spec.Kernels[readReal]{Sense: senseReadReal, Run: tellReadReal}),
		spec.Declare(declared("WriteBool", "writes an entry of process data, or one bit of it; the last one of a tick decides",
			spec.Example{Doc: "on in every cycle", Params: with("lamp", "true")}, missing, input),
			spec.Kernels[writeEntryBool]{Act: actWriteBool}),
		spec.Declare(declared("WriteInt", "writes an entry of process data; the last one of a tick decides",
			spec.Example{Doc: "once, then as it is", Params: of("speed"), In: map[string][]string{"inValue": {"5", "null"}}}, missing, input),
			spec.Kernels[writeEntryInt]{Act: actWriteInt}),
		spec.Declare(declared("WriteReal", "writes an entry of process data; the last one of a tick decides",
			spec.Example{Doc: "once, then as it is", Params: of("speed"), In: map[string][]string{"inValue": {"0.5", "null", "nan"}}}, missing, input),
			spec.Kernels[writeEntryReal]{Act: actWriteReal}),
	}
}

// EntriesInterface returns what every device with named inputs and outputs gets.
func EntriesInterface() device.InterfaceType {
	return device.InterfaceType{
		Name: device.EntriesName, Extension: extension, Doc: "inputs and outputs with names and types",
		Pages: []device.Page{device.DeclarePage(device.Sheet[device.Entries, entrySetting]{
			Path: device.EntriesName, Doc: "process data by name: inputs, and what outputs are set to",
			Show: func(d device.Entries, _ device.Question) (any, error) { return entriesOf(d), nil },
			Take: takeEntry,
		})},
	}
}

// entriesView is what the page shows.
type entriesView struct {
	XMLName xml.Name    `xml:"entries" json:"-"`
	Entries []entryView `xml:"entry" json:"entries"`
}

type entryView struct {
	Name      string     `xml:"name,attr" json:"name"`
	Address   string     `xml:"address,attr" json:"address"`
	Type      string     `xml:"type,attr" json:"type"`
	Direction string     `xml:"direction,attr" json:"direction"`
	Value     device.Num `xml:"value,attr" json:"value"`
	Raw       string     `xml:"raw,attr" json:"raw"`
}

func entriesOf(d device.Entries) *entriesView {
	v := &entriesView{Entries: []entryView{}}
	for i, e := range d.Entries() {
		line := entryView{Name: e.Name, Address: e.Address, Type: e.Type, Direction: "in", Raw: "none"}
		if e.Output {
			line.Direction = "out"
		}
		if bits, ok := d.EntryBits(i); ok {
			line.Value, line.Raw = device.Num(e.Kind.Float(bits, e.Bits)), fmt.Sprintf("0x%0*x", (e.Bits+3)/4, bits)
		} else {
			line.Value = device.Num(noValue())
		}
		v.Entries = append(v.Entries, line)
	}
	return v
}

func noValue() float64 {
	v, _ := value.Double.Parse("nan")
	return v
}

// entrySetting is what the page takes.
type entrySetting struct {
	Name  string `rcc:"name" required:"true" doc:"name of the entry, its address, or bits of it; inputs only where they are simulated"`
	Value string `rcc:"value" required:"true" doc:"number, or all bits as in 0x1f"`
}

func takeEntry(d device.Entries, told *entrySetting) error {
	p, of, err := device.FindPart(d, told.Name)
	if err != nil {
		return device.ParamError{Name: "name", Err: err}
	}
	bits, err := bitsFor(told.Value, &p)
	if err != nil {
		return device.ParamError{Name: "value", Err: err}
	}
	if of.Output {
		p.Set(d, bits, 0)
		return nil
	}
	fed, ok := d.(device.FedEntries)
	if !ok {
		return device.ParamError{Name: "name", Err: errNotFed}
	}
	old, _ := d.EntryBits(p.Entry)
	mask := (&device.Entry{Bits: p.Bits}).Mask() << p.From
	fed.FeedEntryBits(p.Entry, old&^mask|bits<<p.From&mask)
	return nil
}

// bitsFor reads a number for an entry, or its bits.
func bitsFor(text string, p *device.Part) (uint64, error) {
	if on, err := strconv.ParseBool(text); err == nil && p.Bits == 1 {
		if on {
			return 1, nil
		}
		return 0, nil
	}
	if bits, err := strconv.ParseUint(text, 0, p.Bits); err == nil && p.Kind != device.EntryReal {
		return bits, nil
	}
	if v, err := strconv.ParseInt(text, 0, p.Bits); err == nil && p.Kind == device.EntrySigned {
		return uint64(v), nil
	}
	v, err := value.Double.Parse(text)
	if err != nil {
		return 0, err
	}
	bits, ok := p.Kind.FromFloat(v, p.Bits)
	if !ok || p.Kind.Float(bits, p.Bits) != v && p.Kind != device.EntryReal {
		return 0, fmt.Errorf("%s does not fit into %d bits", text, p.Bits)
	}
	return bits, nil
}
