package pages

import (
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

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
	Sample    *sampleView    `xml:"sample" json:"sample,omitempty"` // of one primitive only
	Close     []primitiveRef `xml:"-" json:"-"`                     // of the same family, for pages
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

	Families []familyView `xml:"-" json:"-"` // the rest is for pages
	Query    string       `xml:"-" json:"-"`
	Family   string       `xml:"-" json:"-"`
	All      int          `xml:"-" json:"-"`
}

// familyView is a family of primitives, as a choice.
type familyView struct {
	Name, URI string
	Count     int
	Chosen    bool
}

// primitiveRow is a primitive in the list.
type primitiveRow struct {
	URI       string `xml:"uri,attr" json:"uri"`
	Name      string `xml:"name,attr" json:"name"`
	Extension string `xml:"extension,attr" json:"extension"`
	Family    string `xml:"family,attr" json:"family"`
	Doc       string `xml:"description,attr" json:"doc"`

	Words string `xml:"-" json:"-"` // ports and parameters, for the search of pages
}

func primitiveURI(name string) string { return "/primitives/" + url.PathEscape(name) }

// primitives returns the views of the whole catalogue.
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

// listPrimitives lists those of a family that have all words of a query: in their names, in what they do, or in their
// ports and parameters.
func listPrimitives(x *exchange) error {
	f := x.query()
	view := primitivesView{Primitives: []primitiveRow{}, Query: f.or("q", ""), Family: f.or("family", "")}
	words := strings.Fields(strings.ToLower(view.Query))
	families := map[string]int{}
	for _, p := range x.primitives() {
		row := primitiveRow{URI: p.URI, Name: p.Name, Extension: p.Extension, Family: family(p.Name), Doc: p.Doc, Words: p.words()}
		text := strings.ToLower(row.Name + " " + row.Doc + " " + row.Extension + " " + row.Words)
		view.All++
		if !containsAll(text, words) {
			continue
		}
		families[row.Family]++
		if view.Family == "" || view.Family == row.Family {
			view.Primitives = append(view.Primitives, row)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(families)) {
		query := url.Values{"family": {name}}
		if view.Query != "" {
			query.Set("q", view.Query)
		}
		view.Families = append(view.Families, familyView{
			Name: name, URI: "/primitives/?" + query.Encode(), Count: families[name], Chosen: name == view.Family,
		})
	}
	return x.show(http.StatusOK, "primitives", view)
}

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// subjects are what the names of primitives begin with, behind their prefix, when they belong to a data type.
var subjects = []string{"Boolean", "Int", "Double", "Time", "Matrix", "Vector", "Rotation", "Frame", "Twist", "Wrench"}

// family groups primitives by prefix and data type: Core::DoubleAdd belongs to Core::Double.
func family(name string) string {
	prefix, rest, ok := strings.Cut(name, "::")
	if !ok {
		return "Core"
	}
	for _, subject := range subjects {
		behind, ok := strings.CutPrefix(rest, subject)
		if ok && strings.IndexFunc(behind, unicode.IsLower) != 0 { // Interval is not Int
			if strings.HasPrefix(behind, "Array") {
				subject += "Array"
			}
			return prefix + "::" + subject
		}
	}
	return prefix
}

// words returns the names of ports and parameters.
func (p primitiveView) words() string {
	var words []string
	for _, port := range slices.Concat(p.In, p.Out) {
		words = append(words, port.Name)
	}
	for _, param := range p.Params {
		words = append(words, param.Name)
	}
	return strings.Join(words, " ")
}

// Series returns the values of all ports in all cycles: a series that is shorter than the longest one repeats its last value.
func (e exampleView) Series() []seriesRow {
	var rows []seriesRow
	cycles := 0
	for _, s := range slices.Concat(e.In, e.Out) {
		cycles = max(cycles, len(s.Values))
	}
	add := func(list []seriesView, out bool) {
		for _, s := range list {
			row := seriesRow{Name: s.Name, Out: out}
			for i := range cycles {
				row.Values = append(row.Values, s.Values[min(i, len(s.Values)-1)])
			}
			rows = append(rows, row)
		}
	}
	add(e.In, false)
	add(e.Out, true)
	return rows
}

// CyclesOf numbers the cycles of an example.
func (primitiveView) CyclesOf(rows []seriesRow) []int {
	list := make([]int, len(rows[0].Values))
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// seriesRow is a port of an example, cycle by cycle.
type seriesRow struct {
	Name   string
	Values []string
	Out    bool
}

func showPrimitive(x *exchange) error {
	list := x.primitives()
	view, err := pick(list, "primitive", x.value("type"), func(p primitiveView) string { return p.Name })
	if err != nil {
		return err
	}
	for _, p := range list {
		if family(p.Name) == family(view.Name) {
			view.Close = append(view.Close, primitiveRef{p.Name, p.URI})
		}
	}
	sample := sampler{list, x.dataTypes()}.sample(view)
	view.Sample = &sample
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

// Catalogue returns the catalogue of a core for programs, in JSON: per primitive its ports and parameters by name, in the
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
