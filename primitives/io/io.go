package io

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

const extension = "io"

// port is what all primitives have in common: a port of a device.
type port struct {
	DeviceID spec.Param[string] `rcc:"DeviceID" any:"loading looks for a device of this name" doc:"name of the device"`
	Port     spec.Param[int32]  `rcc:"Port" default:"0" any:"loading asks the device whether it has one" doc:"number of the port among those of its kind, from 0"`

	device device.IO
	number int
}

func (p *port) open(env *spec.Env, k device.PortKind) (err error) {
	if p.device, err = spec.Device[device.IO](env, p.DeviceID.V); err != nil {
		return err
	}
	p.number = int(p.Port.V)
	if n := p.device.Ports().Of(k); p.number < 0 || p.number >= n {
		return fmt.Errorf("parameter Port: device %q has no %v %d; it has %d, counted from 0", p.DeviceID.V, k, p.number, n)
	}
	return nil
}

type inBool struct {
	port
	Out spec.Out[bool] `rcc:"outIO" doc:"state of the input at the beginning of the cycle"`

	sampled bool
}

func (p *inBool) Init(env *spec.Env) error { return p.open(env, device.DigitalIn) }

func senseInBool(run []inBool, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.DigitalIn(p.number)
	}
}

func tellInBool(run []inBool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.sampled)
	}
}

type inReal struct {
	port
	Out spec.Out[float64] `rcc:"outIO" doc:"value of the input at the beginning of the cycle"`

	sampled float64
}

func (p *inReal) Init(env *spec.Env) error { return p.open(env, device.AnalogIn) }

func senseInReal(run []inReal, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.AnalogIn(p.number)
	}
}

func tellInReal(run []inReal, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.sampled)
	}
}

type outBoolSensor struct {
	port
	Out spec.Out[bool] `rcc:"outIO" doc:"what the output was set to last, at the beginning of the cycle"`

	sampled bool
}

func (p *outBoolSensor) Init(env *spec.Env) error { return p.open(env, device.DigitalOut) }

func senseOutBool(run []outBoolSensor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.DigitalOut(p.number)
	}
}

func tellOutBool(run []outBoolSensor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.sampled)
	}
}

type outRealSensor struct {
	port
	Out spec.Out[float64] `rcc:"outIO" doc:"what the output was set to last, at the beginning of the cycle"`

	sampled float64
}

func (p *outRealSensor) Init(env *spec.Env) error { return p.open(env, device.AnalogOut) }

func senseOutReal(run []outRealSensor, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.sampled = p.device.AnalogOut(p.number)
	}
}

func tellOutReal(run []outRealSensor, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Out.Set(cy, p.sampled)
	}
}

type outBool struct {
	port
	output
	IO spec.In[bool] `rcc:"inIO" or:"IO=false" any:"the device takes what it can, and the rest as its nearest" doc:"state of the output; null leaves it as it is"`
}

func (p *outBool) Init(env *spec.Env) error {
	if err := p.open(env, device.DigitalOut); err != nil {
		return err
	}
	p.explain(env, p.device, p.DeviceID.V, fmt.Sprintf("%v %d", device.DigitalOut, p.number))
	return nil
}

func writeBool(run []outBool, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if on, ok := p.IO.Get(cy); ok {
			p.device.SetDigitalOut(p.number, on, cy.Time)
			p.judge(cy, true)
		}
	}
}

type outReal struct {
	port
	output
	IO spec.In[float64] `rcc:"inIO" or:"IO=0" should:"finite -- an output takes the nearest number that it can be, and of what is none it stays as it is" doc:"value of the output; null and NaN leave it as it is, NaN as a refusal"`
}

func (p *outReal) Init(env *spec.Env) error {
	if err := p.open(env, device.AnalogOut); err != nil {
		return err
	}
	p.explain(env, p.device, p.DeviceID.V, fmt.Sprintf("%v %d", device.AnalogOut, p.number))
	return nil
}

// writeReal hands no NaN to hardware: no converter has an answer to it.
func writeReal(run []outReal, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, ok := p.IO.Get(cy)
		if ok && v == v {
			p.device.SetAnalogOut(p.number, v, cy.Time)
		}
		if ok {
			p.judge(cy, v == v)
		}
	}
}

// Primitives returns the primitives of inputs and outputs. Their examples use a device named io.
func Primitives() []*spec.Primitive {
	known := map[string]string{"DeviceID": "io", "Port": "1"}
	beyond := func(k device.PortKind) spec.Example {
		return spec.Example{
			Doc: "no such port", Params: map[string]string{"DeviceID": "io", "Port": "2"},
			Reject: fmt.Sprintf(`device "io" has no %v 2; it has 2, counted from 0`, k),
		}
	}
	reads := func(doc, text string) spec.Example {
		return spec.Example{Doc: doc, Params: known, Out: map[string][]string{"outIO": {text}}}
	}
	declared := func(name, doc string, examples ...spec.Example) spec.Decl {
		return spec.Decl{Name: "IO::" + name, Extension: extension, Doc: doc, Examples: examples}
	}
	return append([]*spec.Primitive{
		spec.Declare(declared("InBool", "reads a digital input", reads("nothing is connected", "false"), beyond(device.DigitalIn)),
			spec.Kernels[inBool]{Sense: senseInBool, Run: tellInBool}),
		spec.Declare(declared("InReal", "reads an analog input", reads("nothing is connected", "0"), beyond(device.AnalogIn)),
			spec.Kernels[inReal]{Sense: senseInReal, Run: tellInReal}),
		spec.Declare(declared("OutBoolSensor", "reads what a digital output is set to", reads("nobody has set it", "false"), beyond(device.DigitalOut)),
			spec.Kernels[outBoolSensor]{Sense: senseOutBool, Run: tellOutBool}),
		spec.Declare(declared("OutRealSensor", "reads what an analog output is set to", reads("nobody has set it", "0"), beyond(device.AnalogOut)),
			spec.Kernels[outRealSensor]{Sense: senseOutReal, Run: tellOutReal}),
		spec.Declare(declared("OutBool", "sets a digital output; the last one of a tick decides",
			spec.Example{Doc: "on in every cycle", Params: map[string]string{"DeviceID": "io", "IO": "true"}}, beyond(device.DigitalOut)),
			spec.Kernels[outBool]{Act: writeBool}),
		spec.Declare(declared("OutReal", "sets an analog output; the last one of a tick decides",
			spec.Example{Doc: "once, then as it is", Params: known, In: map[string][]string{"inIO": {"0.5", "null", "nan"}}}, beyond(device.AnalogOut)),
			spec.Kernels[outReal]{Act: writeReal}),
	}, entryPrimitives()...)
}
