package pages

import (
	"encoding/xml"
	"net/http"
	"net/url"
)

// The catalogue as existing clients read it: they call primitives modules, and the older generation does not go online
// without the list. People are sent to the pages of the primitives.

// moduleRef names a module in a list.
type moduleRef struct {
	URI  string `xml:"uri,attr" json:"uri"`
	Name string `xml:"name,attr" json:"name"`
}

func moduleOf(name string) moduleRef {
	return moduleRef{URI: "/modules/" + url.PathEscape(name) + "/", Name: name}
}

type modulesView struct {
	XMLName xml.Name    `xml:"modules" json:"-"`
	Modules []moduleRef `xml:"module" json:"modules"`
}

// moduleView is all that a generator of client code needs of a primitive.
type moduleView struct {
	XMLName xml.Name          `xml:"module" json:"-"`
	Name    string            `xml:"name,attr" json:"name"`
	Doc     string            `xml:"description,attr" json:"description"`
	Params  []moduleParameter `xml:"parameter" json:"parameters"`
	In      []modulePort      `xml:"inport" json:"in"`
	Out     []modulePort      `xml:"outport" json:"out"`
}

type moduleParameter struct {
	Name  string `xml:"name,attr" json:"name"`
	Type  string `xml:"type,attr" json:"type"`
	Value string `xml:"value,attr" json:"value"`
	Doc   string `xml:"description,attr" json:"description"`
}

type modulePort struct {
	Name string `xml:"name,attr" json:"name"`
	Type string `xml:"type,attr" json:"type"`
	Doc  string `xml:"description,attr" json:"description"`
}

type moduleDetailsView struct {
	XMLName xml.Name     `xml:"modules" json:"-"`
	Modules []moduleView `xml:"module" json:"modules"`
}

// modules returns the details of the whole catalogue.
func (s *site) modules() []moduleView {
	list := []moduleView{}
	for _, p := range s.primitives() {
		v := moduleView{Name: p.Name, Doc: p.Doc, Params: []moduleParameter{}, In: modulePorts(p.In), Out: modulePorts(p.Out)}
		for _, param := range p.Params {
			v.Params = append(v.Params, moduleParameter{Name: param.Name, Type: param.Type, Value: param.Default, Doc: param.Doc})
		}
		list = append(list, v)
	}
	return list
}

func modulePorts(ports []portView) []modulePort {
	list := []modulePort{}
	for _, p := range ports {
		list = append(list, modulePort{Name: p.Name, Type: p.Type, Doc: p.Doc})
	}
	return list
}

func listModules(x *exchange) error {
	view := modulesView{Modules: []moduleRef{}}
	for _, p := range x.core.Catalogue().All() {
		view.Modules = append(view.Modules, moduleOf(p.Name))
	}
	return x.showPrograms(view, "/primitives/")
}

func detailModules(x *exchange) error {
	return x.showPrograms(moduleDetailsView{Modules: x.modules()}, "/primitives/")
}

func (x *exchange) module() (moduleView, error) {
	return pick(x.modules(), "primitive", x.value("type"), func(m moduleView) string { return m.Name })
}

func moduleExists(x *exchange) error {
	_, err := x.module()
	return err
}

func showModule(x *exchange) error {
	m, err := x.module()
	if err != nil {
		return err
	}
	return x.showPrograms(m, primitiveURI(m.Name))
}

// showPrograms answers programs with a view, and sends people to the page that says the same.
func (x *exchange) showPrograms(view any, page string) error {
	if x.form() == asHTML {
		x.w.Header().Set("Vary", "Accept")
		x.redirect(http.StatusSeeOther, page)
		return nil
	}
	return x.show(http.StatusOK, "", view)
}
