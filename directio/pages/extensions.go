package pages

import (
	"encoding/xml"
	"errors"
	"net/http"
	"regexp"

	"github.com/softrobot-rcc/rccd/rcc"
)

// extensionView is an extension that is loaded, with its primitives. Existing clients read name and modules only.
type extensionView struct {
	XMLName     xml.Name    `xml:"extension" json:"-"`
	URI         string      `xml:"uri,attr" json:"uri"`
	Name        string      `xml:"name,attr" json:"name"`
	Modules     []moduleRef `xml:"module" json:"modules"`
	Version     string      `xml:"-" json:"version,omitempty"`
	Doc         string      `xml:"-" json:"doc,omitempty"`
	BuiltIn     bool        `xml:"-" json:"builtIn"`
	DeviceTypes []string    `xml:"-" json:"deviceTypes,omitempty"`
	Devices     []string    `xml:"-" json:"devices,omitempty"` // that a user's extension has created
	Pages       []fileRef   `xml:"page" json:"pages,omitempty"`
	Problem     string      `xml:"problem,attr,omitempty" json:"problem,omitempty"` // of the version that its folder has now
}

// fileRef leads to a page of an extension.
type fileRef struct {
	URI  string `xml:"uri,attr" json:"uri"`
	Name string `xml:"name,attr" json:"name"`
}

type extensionsView struct {
	XMLName    xml.Name        `xml:"extensions" json:"-"`
	Extensions []extensionView `xml:"extension" json:"extensions"`
	Others     []string        `xml:"-" json:"others,omitempty"` // that could be loaded
}

// extensionsOrOne lets one extension use the page of the list.
type extensionsOrOne struct{ extensionView }

// Extensions returns the list of the page.
func (e extensionsOrOne) Extensions() []extensionView { return []extensionView{e.extensionView} }

// Others are not shown on the page of one.
func (e extensionsOrOne) Others() []string { return nil }

// extensionID is what an id may be, so that it is never a path.
var extensionID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func extensionURI(id string) string { return "/extensions/" + id + "/" }

// extensions returns those that are loaded, in the order of their ids, and the ids of those that are not.
func (s *site) extensions() (list []extensionView, others []string) {
	list = []extensionView{}
	for _, e := range s.core.Extensions.All() {
		if !e.Loaded {
			others = append(others, e.ID)
			continue
		}
		v := extensionView{
			URI: extensionURI(e.ID), Name: e.ID, Version: e.Version, Doc: e.Doc, BuiltIn: e.BuiltIn,
			DeviceTypes: e.DeviceTypes, Devices: e.Devices, Problem: e.Problem, Modules: []moduleRef{},
		}
		for _, name := range e.Pages {
			v.Pages = append(v.Pages, fileRef{URI: v.URI + name, Name: name})
		}
		for _, name := range e.Primitives {
			v.Modules = append(v.Modules, moduleOf(name))
		}
		list = append(list, v)
	}
	return list, others
}

func listExtensions(x *exchange) error {
	list, others := x.extensions()
	return x.show(http.StatusOK, "extensions", extensionsView{Extensions: list, Others: others})
}

func (s *site) extension(id string) (extensionView, error) {
	list, _ := s.extensions()
	return pick(list, "extension", id, func(e extensionView) string { return e.Name })
}

func extensionExists(x *exchange) error {
	_, err := x.extension(x.value("extension"))
	return err
}

func showExtension(x *exchange) error {
	e, err := x.extension(x.value("extension"))
	if err != nil {
		return err
	}
	return x.show(http.StatusOK, "extensions", extensionsOrOne{e})
}

// showExtensionPage answers with a file that an extension has brought. Each version has its own.
func showExtensionPage(x *exchange) error {
	e, err := x.extension(x.value("extension"))
	if err != nil {
		return err
	}
	media, text, err := x.core.Extensions.Page(e.Name, x.value("page"))
	if err == nil {
		x.send(assetOf(media, text))
	}
	return err
}

// loadExtension loads an extension, or does with it what the field action says. Existing clients ask for every one they
// know when they go online, and do without those that are refused.
func loadExtension(x *exchange) error {
	f, err := x.fields()
	if err != nil {
		return err
	}
	id, ok := f.get("extension")
	switch {
	case !ok:
		return refuse(codeExtension, "field extension", "it is missing")
	case !extensionID.MatchString(id):
		return refuse(codeExtension, "field extension", "%q is not an id: use letters, digits, _ and - only", short(id))
	}
	to := extensionURI(id)
	switch action, _ := f.get("action"); action {
	case "", "load":
		err = x.core.Extensions.Load(id)
	case "replace":
		err = x.core.Extensions.Replace(id)
	case "unload":
		err = x.core.Extensions.Unload(id)
		to = "/extensions/"
	default:
		return refuse(codeExtension, "field action", "%q is not one of load, replace, unload", short(action))
	}
	var refused *rcc.Error
	if errors.Is(err, rcc.ErrExtension) && errors.As(err, &refused) {
		return refuse(codeExtension, refused.Place, "%s", refused.Reason)
	}
	if err != nil {
		return err
	}
	x.redirect(http.StatusSeeOther, to)
	return nil
}
