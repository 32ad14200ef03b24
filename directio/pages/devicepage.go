package pages

import (
	"mime"
	"net/http"
	"net/url"

	"github.com/softrobot-rcc/rccd/rcc"
)

// devicePage is a page of a device or of one of its interfaces as people see it. Programs get the view alone.
type devicePage struct {
	Device, Path, Doc string
	Asked, Told       []paramField
	Sheet             *sheet
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
func (p devicePage) DeviceURI() string { return deviceURI(p.Device) }

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
	page, view, err := x.core.ShowDevice(d.Name, path, question)
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
		shown.Sheet = sheetOf(view)
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
	_, view, err := x.core.ShowDevice(d.Name, path, nil)
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
