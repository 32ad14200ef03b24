package pages

import (
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// deviceView is a device with its interfaces (§9).
type deviceView struct {
	XMLName    xml.Name        `xml:"device" json:"-"`
	Name       string          `xml:"name,attr" json:"name"`
	Type       string          `xml:"type,attr" json:"type"`
	State      string          `xml:"state,attr" json:"state"`
	Cause      string          `xml:"-" json:"cause,omitempty"` // of a state that is not operational
	Interfaces []interfaceView `xml:"interface" json:"interfaces"`
}

type interfaceView struct {
	Name   string          `xml:"name,attr" json:"name"`
	Params []parameterView `xml:"parameter" json:"parameters"`
}

type parameterView struct {
	Name  string `xml:"name,attr" json:"name"`
	Value string `xml:",chardata" json:"value"`
}

type devicesView struct {
	XMLName xml.Name     `xml:"devices" json:"-"`
	Devices []deviceView `xml:"device" json:"devices"`
	Types   []deviceType `xml:"-" json:"types"` // that devices can be made of
}

// deviceType is a kind of device with its parameters.
type deviceType struct {
	Name      string            `json:"type"`
	Extension string            `json:"extension"`
	Doc       string            `json:"doc"`
	Params    []deviceParameter `json:"parameters"`
}

type deviceParameter struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Default  string   `json:"default"`
	Required bool     `json:"required,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	Min      string   `json:"min,omitempty"`
	Max      string   `json:"max,omitempty"`
	Words    []string `json:"words,omitempty"` // that are allowed
	Doc      string   `json:"doc"`
}

// Allowed says which values a parameter takes, besides its type.
func (p deviceParameter) Allowed() string {
	switch {
	case len(p.Words) > 0:
		return strings.Join(p.Words, ", ")
	case p.Min != "" && p.Max != "":
		return p.Min + " to " + p.Max
	case p.Min != "":
		return p.Min + " or more"
	case p.Max != "":
		return p.Max + " or less"
	}
	return ""
}

func (s *site) deviceTypes() []deviceType {
	list := []deviceType{}
	for _, t := range s.core.DeviceTypes() {
		d := deviceType{Name: t.Name, Extension: t.Extension, Doc: t.Doc, Params: []deviceParameter{}}
		for _, p := range t.Params {
			d.Params = append(d.Params, deviceParameter{
				Name: p.Name, Type: string(p.Type), Default: p.Default, Required: p.Required, Unit: p.Unit, Min: p.Min, Max: p.Max,
				Words: p.Enum, Doc: p.Doc,
			})
		}
		list = append(list, d)
	}
	return list
}

// URI is the address of the device.
func (d deviceView) URI() string { return "/devices/" + url.PathEscape(d.Name) + "/" }

// coreView is the device that stands for the core itself, as existing clients read it. The emergency stop is that of
// nets (primitive EStop): each device tells of its own circuit by its state.
type coreView struct {
	XMLName       xml.Name        `xml:"device" json:"-"`
	Name          string          `xml:"name,attr" json:"name"`
	EmergencyStop bool            `xml:"estop,attr" json:"estop"`
	Type          string          `xml:"-" json:"-"` // the rest is for pages
	State         string          `xml:"-" json:"-"`
	Interfaces    []interfaceView `xml:"-" json:"-"`
}

// coreDevice is the name of the core among the devices.
const coreDevice = "rcc"

func (s *site) devices() []deviceView {
	list := []deviceView{}
	for _, d := range s.core.Devices() {
		dev := deviceView{Name: d.Name, Type: d.Type, State: d.State.String(), Cause: d.Cause, Interfaces: []interfaceView{}}
		for _, i := range d.Interfaces {
			dev.Interfaces = append(dev.Interfaces, interfaceView{Name: i.Name, Params: parametersOf(i.Params)})
		}
		list = append(list, dev)
	}
	return list
}

func listDevices(x *exchange) error {
	return x.show(http.StatusOK, "devices", devicesView{Devices: x.devices(), Types: x.deviceTypes()})
}

func (x *exchange) device() (deviceView, error) {
	return pick(x.devices(), "device", x.value("device"), func(d deviceView) string { return d.Name })
}

func deviceExists(x *exchange) error {
	_, err := x.device()
	return err
}

func showDevice(x *exchange) error {
	d, err := x.device()
	switch {
	case err != nil:
		return err
	case d.Name == coreDevice:
		return x.show(http.StatusOK, "device", coreView{
			Name: d.Name, Type: d.Type, State: d.State, Interfaces: d.Interfaces, EmergencyStop: x.core.EmergencyStop(),
		})
	}
	return x.show(http.StatusOK, "device", d)
}

func parametersOf(params map[string]string) []parameterView {
	list := []parameterView{}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		list = append(list, parameterView{Name: name, Value: params[name]})
	}
	return list
}
