package pages

import (
	"encoding/xml"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/pages/legible"
	"github.com/softrobot-rcc/rccd/rcc"
)

type devicesView struct {
	XMLName xml.Name       `xml:"devices" json:"-"`
	Devices []facts.Device `xml:"device" json:"devices"`
	Types   []deviceType   `xml:"-" json:"types"` // that can be created
}

// coreView is the device that stands for the core itself, as existing clients read it. The emergency stop is that of
// nets (primitive EStop): each device shows its own circuit by its state.
type coreView struct {
	XMLName       xml.Name       `xml:"device" json:"-"`
	Name          string         `xml:"name,attr" json:"name"`
	EmergencyStop bool           `xml:"estop,attr" json:"estop"`
	Params        []tunableParam `xml:"-" json:"parameters"`
}

// coreDevice is the name of the core among the devices.
const coreDevice = "rcc"

// deviceDetails is everything about a device.
type deviceDetails struct {
	facts.Device
	Why     string         `xml:"cause,attr,omitempty" json:"-"`
	Params  []tunableParam `xml:"parameter" json:"parameters"`
	Nets    facts.Names    `xml:"net" json:"usedBy"`           // that use it
	Devices facts.Names    `xml:"dependent" json:"dependents"` // that depend on it
	Uses    facts.Names    `xml:"uses" json:"uses"`            // devices that it depends on
	Pages   []pageRef      `xml:"page" json:"pages"`           // of its interfaces, and its own
	Own     any            `xml:",omitempty" json:"own,omitempty"`
}

// pageRef leads to a page of a device.
type pageRef struct {
	URI string `xml:"uri,attr" json:"uri"`
	Doc string `xml:"desc,attr" json:"description"`
}

// tunableParam is a parameter that a device was created with, or has been given since.
type tunableParam struct {
	Name    string `xml:"name,attr" json:"name"`
	Mutable bool   `xml:"mutable,attr" json:"mutable"`
	Value   string `xml:",chardata" json:"value"`

	Field paramField `xml:"-" json:"-"`
}

type parametersView struct {
	XMLName xml.Name       `xml:"parameters" json:"-"`
	Params  []tunableParam `xml:"parameter" json:"parameters"`

	Device string `xml:"-" json:"-"`
}

// URI returns the address of the device.
func (v parametersView) URI() string { return facts.DeviceURI(v.Device) }

// Tunable reports whether any parameter can be changed.
func (v parametersView) Tunable() bool { return tunable(v.Params) }

// Tunable reports whether any parameter can be changed.
func (d deviceDetails) Tunable() bool { return tunable(d.Params) }

func tunable(params []tunableParam) bool {
	return slices.ContainsFunc(params, func(p tunableParam) bool { return p.Mutable })
}

// Sheet returns the view of the device's own page for people.
func (d deviceDetails) Sheet() *legible.Sheet { return legible.Of(d.Own) }

// Page returns the address of the page with the name of an interface, or an empty one.
func (d deviceDetails) Page(name string) string {
	uri := d.URI() + name
	if slices.ContainsFunc(d.Pages, func(p pageRef) bool { return p.URI == uri }) {
		return uri
	}
	return ""
}

func listDevices(x *exchange) error {
	view := devicesView{Devices: []facts.Device{}, Types: x.deviceTypes()}
	for _, d := range x.core.Devices.All() {
		view.Devices = append(view.Devices, facts.DeviceOf(&d))
	}
	return x.show(http.StatusOK, "devices", view)
}

// device returns everything about the device that the path names. That there is none may be a matter of how it is written.
func (x *exchange) device() (rcc.DeviceDetails, error) {
	name := x.value("device")
	if _, err := pick(x.core.Devices.All(), "device", name, func(d rcc.DeviceInfo) string { return d.Name }); err != nil {
		return rcc.DeviceDetails{}, err
	}
	return x.core.Devices.Get(name)
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
		return x.show(http.StatusOK, "core", coreView{Name: d.Name, EmergencyStop: x.core.Devices.EmergencyStop(), Params: x.paramsOf(&d)})
	}
	return x.show(http.StatusOK, "device", x.detailsOf(&d))
}

func (x *exchange) detailsOf(d *rcc.DeviceDetails) deviceDetails {
	view := deviceDetails{
		Device: facts.DeviceOf(&d.DeviceInfo), Why: d.Cause, Params: x.paramsOf(d), Nets: facts.NamesOf(d.Nets), Devices: facts.NamesOf(d.Devices),
		Uses: facts.NamesOf(d.Uses), Pages: []pageRef{}, Own: d.Own,
	}
	for _, p := range d.Pages {
		view.Pages = append(view.Pages, pageRef{URI: view.URI() + p.Path, Doc: p.Doc})
	}
	return view
}

func (x *exchange) paramsOf(d *rcc.DeviceDetails) []tunableParam {
	list := []tunableParam{}
	for _, p := range d.Params {
		f := fieldOf(&p.Parameter)
		f.Value = p.Value
		list = append(list, tunableParam{Name: p.Name, Mutable: p.Mutable, Value: p.Value, Field: f})
	}
	if d.Name == coreDevice && x.opt.Ports != nil {
		web, bare := x.opt.Ports()
		for _, port := range []tunableParam{{Name: "webport", Value: strconv.Itoa(web)}, {Name: "dioport", Value: strconv.Itoa(bare)}} {
			if port.Value != "0" {
				list = append(list, port)
			}
		}
	}
	return list
}

func showParameters(x *exchange) error {
	d, err := x.device()
	if err != nil {
		return err
	}
	return x.show(http.StatusOK, "parameters", parametersView{Params: x.paramsOf(&d), Device: d.Name})
}

// deviceType is a kind of device with its parameters.
type deviceType struct {
	Name      string       `json:"type"`
	Extension string       `json:"extension"`
	Doc       string       `json:"doc"`
	Params    []paramField `json:"parameters"`
}

// paramField is a parameter as it is declared, and a field of a form.
type paramField struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Default  string   `json:"default"`
	Required bool     `json:"required,omitempty"`
	Mutable  bool     `json:"mutable,omitempty"` // while the device exists
	Unit     string   `json:"unit,omitempty"`
	Min      string   `json:"min,omitempty"`
	Max      string   `json:"max,omitempty"`
	Words    []string `json:"words,omitempty"` // that are allowed
	Doc      string   `json:"doc"`

	Value string `json:"-"` // in a form
}

// Allowed returns which values a parameter takes, besides its type.
func (p paramField) Allowed() string {
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

// Choices returns the values that a form offers, none when there are too many.
func (p paramField) Choices() []string {
	if p.Type == "bool" {
		return []string{"true", "false"}
	}
	return p.Words
}

func (s *site) deviceTypes() []deviceType {
	list := []deviceType{}
	for _, t := range s.core.Devices.Types() {
		list = append(list, deviceType{Name: t.Name, Extension: t.Extension, Doc: t.Doc, Params: fieldsOf(t.Params)})
	}
	return list
}

func fieldsOf(params []rcc.Parameter) []paramField {
	list := []paramField{}
	for i := range params {
		list = append(list, fieldOf(&params[i]))
	}
	return list
}

func fieldOf(p *rcc.Parameter) paramField {
	return paramField{
		Name: p.Name, Type: string(p.Type), Default: p.Default, Required: p.Required, Mutable: p.Mutable, Unit: p.Unit,
		Min: p.Min, Max: p.Max, Words: p.Enum, Doc: p.Doc, Value: p.Default,
	}
}

// devicePage is a page of a device or of one of its interfaces as people see it. Programs get the view alone.
type devicePage struct {
	Device, Path, Doc string
	Asked, Told       []paramField
	Sheet             *legible.Sheet
	Files             []fileView // of a page that has some
}

// fileView is a file of a device as people see it.
type fileView struct {
	Name, Doc, URI, Text string
	Bytes                int
}

// URI returns the address of the page.
func (p devicePage) URI() string { return p.DeviceURI() + url.PathEscape(p.Path) }

// DeviceURI returns the address of the device.
func (p devicePage) DeviceURI() string { return facts.DeviceURI(p.Device) }

// question returns the numbers that an address asks with.
func (x *exchange) question() map[string]string {
	return x.query().without()
}

// showDevicePage answers with a page that a device has brought (figure 9.1).
func showDevicePage(x *exchange) error {
	d, err := x.device()
	if err != nil {
		return err
	}
	question, path := x.question(), x.value("page")
	page, view, err := x.core.Devices.Show(d.Name, path, question)
	if err != nil {
		return refusedPage(d.Name, path, err)
	}
	if x.form() != asHTML {
		return x.show(http.StatusOK, "", view)
	}
	shown := devicePage{Device: d.Name, Path: page.Path, Doc: page.Doc, Asked: fieldsOf(page.Asked), Told: fieldsOf(page.Told)}
	if files, ok := view.(rcc.Files); ok {
		shown.Files = filesOf(&shown, &files)
	} else {
		shown.Sheet = legible.Of(view)
	}
	for i := range shown.Asked {
		shown.Asked[i].Value = question[shown.Asked[i].Name]
	}
	return x.show(http.StatusOK, "devicepage", shown)
}

func filesOf(p *devicePage, files *rcc.Files) (list []fileView) {
	for i := range files.Files {
		f := &files.Files[i]
		list = append(list, fileView{f.Name, f.Doc, p.URI() + "/" + url.PathEscape(f.Name), f.Text, len(f.Contents())})
	}
	return list
}

// showDeviceFile answers with a file of a device as it is.
func showDeviceFile(x *exchange) error {
	d, err := x.device()
	if err != nil {
		return err
	}
	path := x.value("page")
	_, view, err := x.core.Devices.Show(d.Name, path, nil)
	if err != nil {
		return refusedPage(d.Name, path, err)
	}
	files, _ := view.(rcc.Files)
	for i := range files.Files {
		if f := &files.Files[i]; f.Name == x.value("file") {
			media := typeText
			if f.Data != nil {
				media = "application/octet-stream"
			}
			x.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
			x.write(http.StatusOK, media, f.Contents())
			return nil
		}
	}
	return refuse(codeNoThing, x.r.URL.EscapedPath(), "page %s of device %q has no such file", path, d.Name)
}

// tellDevice posts parameters to a page of a device.
func tellDevice(x *exchange) error {
	d, err := x.device()
	if err != nil {
		return err
	}
	f, err := x.deviceFields()
	if err != nil {
		return err
	}
	path := x.value("page")
	if err := x.core.Devices.Tell(d.Name, path, f.without()); err != nil {
		return refusedPage(d.Name, path, err)
	}
	return x.showAgain(showDevicePage, facts.DeviceURI(d.Name)+url.PathEscape(path))
}
