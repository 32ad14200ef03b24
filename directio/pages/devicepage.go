package pages

import (
	"net/http"
	"net/url"
)

// devicePage is a page of a device or of one of its interfaces as people see it. Programs get the view alone.
type devicePage struct {
	Device, Path, Doc string
	Asked, Told       []paramField
	Sheet             *sheet
}

// URI is the address of the page.
func (p devicePage) URI() string { return p.DeviceURI() + url.PathEscape(p.Path) }

// DeviceURI is the address of the device.
func (p devicePage) DeviceURI() string { return deviceURI(p.Device) }

// question are the numbers that an address asks with.
func (x *exchange) question() map[string]string {
	return parseFields(x.r.URL.RawQuery).without()
}

// showDevicePage answers with a page that a device has brought (figure 9.1).
func showDevicePage(x *exchange) error {
	d, err := x.device()
	if err != nil {
		return err
	}
	question, path := x.question(), x.value("page")
	page, view, err := x.core.ShowDevice(d.Name, path, question)
	if err != nil {
		return refusedPage(d.Name, path, err)
	}
	if x.form() != asHTML {
		return x.show(http.StatusOK, "", view)
	}
	shown := devicePage{
		Device: d.Name, Path: page.Path, Doc: page.Doc, Asked: fieldsOf(page.Asked), Told: fieldsOf(page.Told), Sheet: sheetOf(view),
	}
	for i := range shown.Asked {
		shown.Asked[i].Value = question[shown.Asked[i].Name]
	}
	return x.show(http.StatusOK, "devicepage", shown)
}

// tellDevice tells a device something at one of its pages.
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
	if err := x.core.TellDevice(d.Name, path, f.without()); err != nil {
		return refusedPage(d.Name, path, err)
	}
	return x.showAgain(showDevicePage, deviceURI(d.Name)+url.PathEscape(path))
}
