package facts

import (
	"encoding/xml"
	"maps"
	"net/url"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc"
)

// DeviceURI returns the address of a device. A name of dots is escaped, as it would be a path.
func DeviceURI(name string) string { return "/devices/" + url.PathEscape(name) + "/" }

// Device is a device with its interfaces (§9).
type Device struct {
	XMLName    xml.Name    `xml:"device" json:"-"`
	Name       string      `xml:"name,attr" json:"name"`
	Type       string      `xml:"type,attr" json:"type"`
	State      string      `xml:"state,attr" json:"state"`
	Cause      string      `xml:"-" json:"cause,omitempty"` // of a state that is not operational
	Interfaces []Interface `xml:"interface" json:"interfaces"`
}

// URI returns the address of the device.
func (d Device) URI() string { return DeviceURI(d.Name) }

// Interface is an interface of a device.
type Interface struct {
	Name   string      `xml:"name,attr" json:"name"`
	Params []Parameter `xml:"parameter" json:"parameters"`
}

// Parameter is a parameter of an interface.
type Parameter struct {
	Name  string `xml:"name,attr" json:"name"`
	Value string `xml:",chardata" json:"value"`
}

// DeviceOf describes a device.
func DeviceOf(d *rcc.DeviceInfo) Device {
	view := Device{Name: d.Name, Type: d.Type, State: d.State.String(), Cause: d.Cause, Interfaces: []Interface{}}
	for _, i := range d.Interfaces {
		view.Interfaces = append(view.Interfaces, Interface{Name: i.Name, Params: parametersOf(i.Params)})
	}
	return view
}

func parametersOf(params map[string]string) []Parameter {
	list := []Parameter{}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		list = append(list, Parameter{Name: name, Value: params[name]})
	}
	return list
}
