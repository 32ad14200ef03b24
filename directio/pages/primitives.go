package pages

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/value"
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
func (s *site) primitives() []primitiveView { return primitivesOf(s.core.Nets) }

// primitivesOf returns the views of the whole catalogue.
func primitivesOf(nets *rcc.Nets) []primitiveView {
	var list []primitiveView
	for _, p := range nets.Catalogue().All() {
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
	body, err := Catalogue(x.core.Nets)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

// Catalogue returns the catalogue of a core for programs, in JSON: per primitive its ports and parameters by name, in the
// order of their declaration, as code generators read it, with the documentation added.
func Catalogue(nets *rcc.Nets) ([]byte, error) {
	list := []object{}
	for _, p := range primitivesOf(nets) {
		list = append(list, catalogueEntry(p))
	}
	return facts.JSON(list)
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
		name, err := facts.JSON(m.name)
		if err != nil {
			return nil, err
		}
		value, err := facts.JSON(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// sampleView is a net to copy: it has one primitive, inputs that feed it and values of its outputs.
type sampleView struct {
	Text    string `xml:",chardata" json:"text"`
	Partner string `xml:"partner,attr,omitempty" json:"partner,omitempty"` // a net to be loaded before, which the primitive talks to
	Device  string `xml:"device,attr,omitempty" json:"device,omitempty"`   // a device that must exist
}

// partnerName is the name of the partner in samples: what the first net of a daemon is called.
const partnerName = "rpinet0"

// sampler makes samples of primitives of a catalogue.
type sampler struct {
	all   []primitiveView
	types []typeView
}

func (s *site) sampler() sampler { return sampler{s.primitives(), s.dataTypes()} }

// sample makes a net around a primitive, with the values of its first example.
func (s sampler) sample(p primitiveView) sampleView {
	params, in := s.exampleOf(p)
	var view sampleView
	var nodes, args, outs []string
	for _, port := range p.In {
		literal, given := in[port.Name]
		if !given && !port.Required {
			continue
		}
		if !given {
			literal = s.exampleOfType(port.Type)
		}
		if port.Type == string(value.TypeMatrix) {
			args = append(args, port.Name+"="+matrix(literal))
		} else if feed := s.feed(port, literal); feed != "" {
			node := "feed" + strings.TrimPrefix(port.Name, "in")
			nodes = append(nodes, node+"="+feed)
			args = append(args, port.Name+"="+node+".outValue")
			delete(params, port.Param)
		}
	}
	for _, param := range p.Params {
		if text, given := params[param.Name]; given {
			args = append(args, fmt.Sprintf("%s='%s'", param.Name, paramEscapes.Replace(text)))
		}
	}
	if net, talks := params["RemoteNet"]; talks && net != "" {
		view.Partner = s.partner(p, params["RemoteKey"])
	}
	view.Device = params["Device"]
	nodes = append(nodes, "sample="+p.Name+"("+strings.Join(args, ", ")+")")
	for _, port := range p.Out {
		if tell := s.typed("NetcommOut", port.Type); tell != "" {
			key := strings.TrimPrefix(port.Name, "out")
			outs = append(outs, fmt.Sprintf("tell%s=%s(inValue=sample.%s, Key='%s')", key, tell, port.Name, key))
		}
	}
	view.Text = netOf(append(nodes, outs...))
	return view
}

// netOf writes entries one below the other, with an end that never comes.
func netOf(entries []string) string {
	return "{" + strings.Join(entries, ",\n") + ",\noutTerminate=Core::BooleanValue(Value='false').outValue}"
}

var paramEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// exampleOf returns the parameters and the first values of the in ports of the first example that is not a refusal.
func (s sampler) exampleOf(p primitiveView) (params, in map[string]string) {
	params, in = map[string]string{}, map[string]string{}
	i := slices.IndexFunc(p.Examples, func(e exampleView) bool { return e.Reject == "" })
	if i >= 0 {
		for _, series := range p.Examples[i].Params {
			params[series.Name] = series.Values[0]
		}
		for _, series := range p.Examples[i].In {
			if k := slices.IndexFunc(series.Values, func(v string) bool { return v != "null" }); k >= 0 {
				in[series.Name] = series.Values[k]
			}
		}
	}
	for _, param := range p.Params {
		if _, given := params[param.Name]; !given && param.Required {
			params[param.Name] = s.exampleOfType(param.Type)
		}
	}
	if _, talks := params["RemoteNet"]; talks {
		params["RemoteNet"] = partnerName
	}
	return params, in
}

func (s sampler) exampleOfType(name string) string {
	i := slices.IndexFunc(s.types, func(t typeView) bool { return t.Name == name })
	if i < 0 {
		return ""
	}
	return s.types[i].Example
}

// typed returns the name of the primitive whose name ends so and that publishes or takes values of a type.
func (s sampler) typed(suffix, dataType string) string {
	for _, p := range s.all {
		if !strings.HasSuffix(p.Name, suffix) || strings.HasSuffix(p.Name, "Inter"+suffix) {
			continue
		}
		has := func(port portView) bool { return port.Name == "outValue" || port.Name == "inValue" }
		for _, port := range slices.Concat(p.In, p.Out) {
			if has(port) && port.Type == dataType {
				return p.Name
			}
		}
	}
	return ""
}

// feed returns what gives an in port its values: an input that people can change, or at least a constant.
func (s sampler) feed(port portView, literal string) string {
	if name := s.typed("NetcommIn", port.Type); name != "" {
		return fmt.Sprintf("%s(Key='%s', Value='%s')", name, strings.TrimPrefix(port.Name, "in"), paramEscapes.Replace(literal))
	}
	if name := s.typed("Value", port.Type); name != "" {
		return fmt.Sprintf("%s(Value='%s')", name, paramEscapes.Replace(literal))
	}
	return ""
}

// matrix makes a matrix element by element: no primitive takes one as text.
func matrix(literal string) string {
	rows := strings.Split(strings.Trim(literal, "[]"), "],[")
	text := fmt.Sprintf("Core::MatrixCreate(Rows='%d', Cols='%d').outMatrix", len(rows), 1+strings.Count(rows[0], ","))
	for i, row := range rows {
		for k, element := range strings.Split(row, ",") {
			if element == "0" {
				continue
			}
			set := fmt.Sprintf("Core::MatrixSet(inMatrix=%s, inValue=Core::DoubleValue(Value='%s').outValue, Rows='%d', Cols='%d', Row='%d', Col='%d')",
				text, paramEscapes.Replace(element), len(rows), 1+strings.Count(rows[0], ","), i, k)
			text = set + ".outMatrix"
		}
	}
	return text
}

// partner returns a net that has the key both as an input and as a value.
func (s sampler) partner(p primitiveView, key string) string {
	for _, port := range slices.Concat(p.In, p.Out) {
		if port.Name != "inValue" && port.Name != "outValue" {
			continue
		}
		in, out := s.typed("NetcommIn", port.Type), s.typed("NetcommOut", port.Type)
		return netOf([]string{
			fmt.Sprintf("given=%s(Key='%s', Value='%s')", in, key, paramEscapes.Replace(s.exampleOfType(port.Type))),
			fmt.Sprintf("told=%s(inValue=given.outValue, Key='%s')", out, key),
		})
	}
	return ""
}
