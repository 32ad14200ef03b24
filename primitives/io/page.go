package io

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Interface returns what every device with inputs and outputs gets.
func Interface() device.InterfaceType {
	return device.InterfaceType{
		Name: device.IOName, Extension: extension, Doc: "digital and analog inputs and outputs",
		Pages: []device.Page{page()},
	}
}

func page() device.Page {
	return device.DeclarePage(device.Sheet[device.IO, setting]{
		Path: device.IOName, Doc: "inputs, and what outputs are set to",
		Show: func(d device.IO, _ device.Question) (any, error) { return viewOf(d), nil },
		Take: take,
	})
}

// view is what the page shows.
type view struct {
	XMLName    xml.Name   `xml:"iointerface" json:"-"`
	Name       string     `xml:"name,attr" json:"name"`
	DigitalIn  int        `xml:"numdigin,attr" json:"numdigin"`
	DigitalOut int        `xml:"numdigout,attr" json:"numdigout"`
	AnalogIn   int        `xml:"numanin,attr" json:"numanin"`
	AnalogOut  int        `xml:"numanout,attr" json:"numanout"`
	Ports      []portView `xml:"io" json:"io"`
}

// portView is a port. Several nets that write it in one tick are not a mistake, but the order is not defined.
type portView struct {
	Number int    `xml:"id,attr" json:"id"`
	Kind   string `xml:"type,attr" json:"type"`
	Value  string `xml:"value,attr" json:"value"`
	Shared uint64 `xml:"shared,attr,omitempty" json:"shared,omitempty"` // ticks in which it was written more than once
}

func viewOf(d device.IO) *view {
	p := d.Ports()
	v := &view{Name: p.Device, DigitalIn: p.DigitalIn, DigitalOut: p.DigitalOut, AnalogIn: p.AnalogIn, AnalogOut: p.AnalogOut, Ports: []portView{}}
	for k := device.DigitalIn; k <= device.AnalogOut; k++ {
		for port := range p.Of(k) {
			v.Ports = append(v.Ports, portView{Number: port, Kind: k.String(), Value: textOf(d, k, port), Shared: d.Shared(k, port)})
		}
	}
	return v
}

func textOf(d device.IO, k device.PortKind, port int) string {
	switch k {
	case device.DigitalIn:
		return strconv.FormatBool(d.DigitalIn(port))
	case device.DigitalOut:
		return strconv.FormatBool(d.DigitalOut(port))
	case device.AnalogIn:
		return device.Num(d.AnalogIn(port)).String()
	case device.AnalogOut:
		return device.Num(d.AnalogOut(port)).String()
	}
	return ""
}

// setting is what the page takes.
type setting struct {
	ID    int    `rcc:"id" required:"true" min:"0" doc:"number of the port among those of its kind"`
	Type  string `rcc:"type" required:"true" enum:"digout anout digin anin" doc:"kind of the port; inputs only where they are simulated"`
	Value string `rcc:"value" doc:"what it is set to; a digital port without value changes to the other state"`
}

var (
	errNotFed  = errors.New("inputs can only be set where they are simulated")
	errNoValue = errors.New("is missing")
)

func take(d device.IO, told *setting) error {
	kinds := map[string]device.PortKind{"digin": device.DigitalIn, "digout": device.DigitalOut, "anin": device.AnalogIn, "anout": device.AnalogOut}
	k := kinds[told.Type]
	if n := d.Ports().Of(k); told.ID >= n {
		return device.ParamError{Name: "id", Err: fmt.Errorf("the device has %d ports of type %v, counted from 0", n, k)}
	}
	fed, _ := d.(device.FedIO)
	if fed == nil && (k == device.DigitalIn || k == device.AnalogIn) {
		return device.ParamError{Name: "type", Err: errNotFed}
	}
	switch k {
	case device.DigitalIn, device.DigitalOut:
		return takeDigital(d, fed, k, told)
	default:
		return takeAnalog(d, fed, k, told)
	}
}

func takeDigital(d device.IO, fed device.FedIO, k device.PortKind, told *setting) error {
	on := textOf(d, k, told.ID) == "false"
	if told.Value != "" {
		var err error
		if on, err = strconv.ParseBool(told.Value); err != nil {
			return device.ParamError{Name: "value", Err: fmt.Errorf("%q is neither true nor false", told.Value)}
		}
	}
	if k == device.DigitalIn {
		fed.SetDigitalIn(told.ID, on)
	} else {
		d.SetDigitalOut(told.ID, on, 0)
	}
	return nil
}

func takeAnalog(d device.IO, fed device.FedIO, k device.PortKind, told *setting) error {
	if told.Value == "" {
		return device.ParamError{Name: "value", Err: errNoValue}
	}
	v, err := value.Double.Parse(told.Value)
	if err == nil && v-v != 0 {
		err = fmt.Errorf("%q is not a finite number", told.Value)
	}
	if err != nil {
		return device.ParamError{Name: "value", Err: err}
	}
	if k == device.AnalogIn {
		fed.SetAnalogIn(told.ID, v)
	} else {
		d.SetAnalogOut(told.ID, v, 0)
	}
	return nil
}
