package pages

import (
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc"
)

// primitiveView is a line of the catalogue.
type primitiveView struct {
	XMLName   xml.Name       `xml:"primitive" json:"-"`
	Name      string         `xml:"name,attr" json:"name"`
	URI       string         `xml:"uri,attr" json:"uri"`
	Extension string         `xml:"extension,attr" json:"extension"`
	Doc       string         `xml:"description,attr" json:"doc"`
	Params    []paramView    `xml:"parameter" json:"parameters"`
	In        []portView     `xml:"inport" json:"in"`
	Out       []portView     `xml:"outport" json:"out"`
	Examples  []exampleView  `xml:"example" json:"examples"`
	Close     []primitiveRef `xml:"-" json:"-"` // of the same extension, for pages
}

type primitiveRef struct{ Name, URI string }

type paramView struct {
	Name     string `xml:"name,attr" json:"name"`
	Type     string `xml:"type,attr" json:"type"`
	Default  string `xml:"value,attr" json:"default"`
	Required bool   `xml:"required,attr,omitempty" json:"required,omitempty"`
	Doc      string `xml:"description,attr" json:"doc"`
}

type portView struct {
	Name     string `xml:"name,attr" json:"name"`
	Type     string `xml:"type,attr" json:"type"`
	Param    string `xml:"parameter,attr,omitempty" json:"parameter,omitempty"` // stands in while the port is open
	Required bool   `xml:"required,attr,omitempty" json:"required,omitempty"`
	Doc      string `xml:"description,attr" json:"doc"`
}

// exampleView is an example cycle by cycle.
type exampleView struct {
	Doc    string       `xml:"description,attr" json:"doc"`
	Cycle  string       `xml:"cycle,attr,omitempty" json:"cycle,omitempty"`
	Params []seriesView `xml:"parameter" json:"parameters,omitempty"`
	In     []seriesView `xml:"in" json:"in,omitempty"`
	Out    []seriesView `xml:"out" json:"out,omitempty"`
	Reject string       `xml:"reject,attr,omitempty" json:"reject,omitempty"`
}

type seriesView struct {
	Name   string   `xml:"name,attr" json:"name"`
	Values []string `xml:"value" json:"values"`
}

type primitivesView struct {
	XMLName    xml.Name       `xml:"primitives" json:"-"`
	Primitives []primitiveRow `xml:"primitive" json:"primitives"`
}

// primitiveRow is a primitive in the list.
type primitiveRow struct {
	URI       string `xml:"uri,attr" json:"uri"`
	Name      string `xml:"name,attr" json:"name"`
	Extension string `xml:"extension,attr" json:"extension"`
	Doc       string `xml:"description,attr" json:"doc"`
}

func primitiveURI(name string) string { return "/primitives/" + url.PathEscape(name) }

// primitives are the views of the whole catalogue.
func (s *site) primitives() []primitiveView {
	var list []primitiveView
	for _, p := range s.core.Catalogue().All() {
		v := primitiveView{Name: p.Name, URI: primitiveURI(p.Name), Extension: p.Extension, Doc: p.Doc}
		for _, param := range p.Params {
			v.Params = append(v.Params, paramView{
				Name: param.Name, Type: string(param.Type), Default: param.Default,
				Required: param.Required, Doc: param.Doc,
			})
		}
		for _, in := range p.In {
			v.In = append(v.In, portView{Name: in.Name, Type: string(in.Type), Param: in.Param, Required: in.Required, Doc: in.Doc})
		}
		for _, out := range p.Out {
			v.Out = append(v.Out, portView{Name: out.Name, Type: string(out.Type), Doc: out.Doc})
		}
		for _, e := range p.Examples {
			example := exampleView{Doc: e.Doc, Cycle: e.Cycle, In: seriesOf(e.In), Out: seriesOf(e.Out), Reject: e.Reject}
			for _, name := range slices.Sorted(maps.Keys(e.Params)) {
				example.Params = append(example.Params, seriesView{Name: name, Values: []string{e.Params[name]}})
			}
			v.Examples = append(v.Examples, example)
		}
		list = append(list, v)
	}
	return list
}

func seriesOf(ports map[string][]string) []seriesView {
	var list []seriesView
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		list = append(list, seriesView{Name: name, Values: ports[name]})
	}
	return list
}

func listPrimitives(x *exchange) error {
	view := primitivesView{Primitives: []primitiveRow{}}
	for _, p := range x.primitives() {
		view.Primitives = append(view.Primitives, primitiveRow{URI: p.URI, Name: p.Name, Extension: p.Extension, Doc: p.Doc})
	}
	return x.show(http.StatusOK, "primitives", view)
}

func showPrimitive(x *exchange) error {
	list := x.primitives()
	view, err := pick(list, "primitive", x.value("type"), func(p primitiveView) string { return p.Name })
	if err != nil {
		return err
	}
	for _, p := range list {
		if p.Extension == view.Extension {
			view.Close = append(view.Close, primitiveRef{p.Name, p.URI})
		}
	}
	return x.show(http.StatusOK, "primitive", view)
}

func catalogueJSON(x *exchange) error {
	body, err := Catalogue(x.core)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

// Catalogue is the catalogue of a core for programs, in JSON: per primitive its ports and parameters by name, in the
// order of their declaration, as code generators read it, with the documentation added.
func Catalogue(core *rcc.Core) ([]byte, error) {
	list := []object{}
	for _, p := range (&site{core: core}).primitives() {
		list = append(list, catalogueEntry(p))
	}
	return marshalJSON(list)
}

func catalogueEntry(p primitiveView) object {
	in, out, params, docs := object{}, object{}, object{}, object{}
	for _, port := range p.In {
		in = append(in, member{port.Name, port.Type})
		docs = append(docs, member{port.Name, port.Doc})
	}
	for _, port := range p.Out {
		out = append(out, member{port.Name, port.Type})
		docs = append(docs, member{port.Name, port.Doc})
	}
	for _, param := range p.Params {
		described := object{{"type", param.Type}, {"default", param.Default}}
		if param.Required {
			described = object{{"type", param.Type}, {"required", true}}
		}
		params = append(params, member{param.Name, described})
		docs = append(docs, member{param.Name, param.Doc})
	}
	return object{
		{"type", p.Name},
		{"in", in},
		{"out", out},
		{"param", params},
		{"extension", p.Extension},
		{"doc", p.Doc},
		{"docs", docs},
	}
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := marshalJSON(m.name)
		if err != nil {
			return nil, err
		}
		value, err := marshalJSON(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
