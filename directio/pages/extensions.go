package pages

import (
	"encoding/xml"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// extensionView is an extension with its primitives. Extensions are part of the program: they are there or they are not.
type extensionView struct {
	XMLName xml.Name    `xml:"extension" json:"-"`
	URI     string      `xml:"uri,attr" json:"uri"`
	Name    string      `xml:"name,attr" json:"name"`
	Modules []moduleRef `xml:"module" json:"modules"`
}

type extensionsView struct {
	XMLName    xml.Name        `xml:"extensions" json:"-"`
	Extensions []extensionView `xml:"extension" json:"extensions"`
}

// extensionsOrOne lets one extension use the page of the list.
type extensionsOrOne struct{ extensionView }

// Extensions is the list of the page.
func (e extensionsOrOne) Extensions() []extensionView { return []extensionView{e.extensionView} }

// extensionID is what an id may be, so that it is never a path.
var extensionID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func extensionURI(id string) string { return "/extensions/" + id + "/" }

// extensions are those of the catalogue, in the order of their ids.
func (s *site) extensions() []extensionView {
	list := []extensionView{}
	for _, p := range s.core.Catalogue().All() {
		i := slices.IndexFunc(list, func(e extensionView) bool { return e.Name == p.Extension })
		if i < 0 {
			i = len(list)
			list = append(list, extensionView{URI: extensionURI(p.Extension), Name: p.Extension})
		}
		list[i].Modules = append(list[i].Modules, moduleOf(p.Name))
	}
	slices.SortFunc(list, func(a, b extensionView) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func listExtensions(x *exchange) error {
	return x.show(http.StatusOK, "extensions", extensionsView{Extensions: x.extensions()})
}

func (s *site) extension(id string) (extensionView, error) {
	return pick(s.extensions(), "extension", id, func(e extensionView) string { return e.Name })
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

// loadExtension tells whether an extension is there. Existing clients ask for every one they know when they go online,
// and do without those that are refused.
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
		return refuse(codeExtension, "field extension", "%q is no id: letters, digits, _ and - only", short(id))
	}
	if _, err := x.extension(id); err != nil {
		return refuse(codeExtension, "field extension", "there is no extension %q", short(id))
	}
	x.redirect(http.StatusSeeOther, extensionURI(id))
	return nil
}
