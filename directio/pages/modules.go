package pages

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/value"
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
	for _, p := range x.core.Nets.Catalogue().All() {
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

// Sources of Java for generators of clients. The output of the original is not on record; these have the names of
// types, ports and parameters as constants, so that a misspelt one is an error of the compiler.

// javaSource writes a class.
type javaSource struct{ strings.Builder }

func (s *javaSource) comment(indent, text string) {
	fmt.Fprintf(s, "%s/** %s */\n", indent, commentEscapes.Replace(text))
}

// commentEscapes keep a comment open; Java reads escapes of characters in comments, too.
var commentEscapes = strings.NewReplacer("*/", "* /", `\`, `\\`)

// constants writes an inner class with the names of ports or parameters.
func (s *javaSource) constants(class string, list []portView) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(s, "\n    public static final class %s {\n", class)
	for _, p := range list {
		s.comment("        ", p.Type+": "+p.Doc)
		fmt.Fprintf(s, "        public static final String %s = %s;\n", javaName(p.Name), strconv.QuoteToASCII(p.Name))
	}
	s.WriteString("    }\n")
}

var notJava = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// javaName makes an identifier of what stands behind the prefix of a name.
func javaName(name string) string {
	name = notJava.ReplaceAllString(name[strings.LastIndexByte(name, ':')+1:], "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

func moduleSource(x *exchange) error {
	p, err := pick(x.primitives(), "primitive", x.value("type"), func(p primitiveView) string { return p.Name })
	if err != nil {
		return err
	}
	var params []portView
	for _, param := range p.Params {
		params = append(params, portView{Name: param.Name, Type: param.Type, Doc: param.Doc})
	}
	var s javaSource
	s.comment("", p.Name+" "+p.Doc+".")
	fmt.Fprintf(&s, "public final class %s {\n", javaName(p.Name))
	s.comment("    ", "Type of the primitive in nets.")
	fmt.Fprintf(&s, "    public static final String TYPE = %s;\n", strconv.QuoteToASCII(p.Name))
	s.constants("In", p.In)
	s.constants("Out", p.Out)
	s.constants("Parameter", params)
	s.WriteString("}\n")
	x.write(http.StatusOK, typeText, []byte(s.String()))
	return nil
}

// javaTypes are the basic data types in Java.
var javaTypes = map[string]string{
	string(value.TypeBool): "boolean", string(value.TypeInt): "int", string(value.TypeDouble): "double",
	string(value.TypeTime): "long", string(value.TypeString): "String",
}

func javaType(name string) string {
	if basic, ok := javaTypes[name]; ok {
		return basic
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func typeSource(x *exchange) error {
	t, err := x.dataType()
	if err != nil {
		return err
	}
	if len(t.Members) == 0 {
		return refuse(codeNoThing, "data type "+t.Name, "it has no members, and needs no class")
	}
	var s javaSource
	s.comment("", t.Doc+", as "+t.Example+".")
	fmt.Fprintf(&s, "public final class %s {\n", javaType(t.Name))
	for _, m := range t.Members {
		fmt.Fprintf(&s, "    public %s %s;\n", javaType(m.Type), m.Name)
	}
	s.WriteString("}\n")
	x.write(http.StatusOK, typeText, []byte(s.String()))
	return nil
}

// typeView is a data type of ports and parameters.
type typeView struct {
	XMLName xml.Name `xml:"type" json:"-"`
	URI     string   `xml:"uri,attr" json:"uri"`
	Name    string   `xml:"name,attr" json:"name"`
	Kind    string   `xml:"kind,attr" json:"kind"`
	Doc     string   `xml:"description,attr" json:"description"`
	Example string   `xml:"example,attr,omitempty" json:"example,omitempty"`
	Element string   `xml:"element,attr,omitempty" json:"element,omitempty"` // of arrays

	Members []memberView `xml:"member" json:"members,omitempty"`
}

type memberView struct {
	Name string `xml:"name,attr" json:"name"`
	Type string `xml:"type,attr" json:"type"`
}

type typesView struct {
	XMLName xml.Name   `xml:"types" json:"-"`
	Types   []typeView `xml:"type" json:"types"`
}

// typesOrOne lets one type use the page of the list.
type typesOrOne struct{ typeView }

// Types returns the list of the page.
func (t typesOrOne) Types() []typeView { return []typeView{t.typeView} }

// Kinds of data types.
const (
	kindBasic   = "basic"
	kindComplex = "complex"
	kindArray   = "array"
)

// knownTypes are the data types but arrays.
var knownTypes = []typeView{
	{Name: string(value.TypeBool), Kind: kindBasic, Doc: "true or false", Example: "true"},
	{Name: string(value.TypeInt), Kind: kindBasic, Doc: "whole number of 32 bits, two's complement", Example: "-7"},
	{Name: string(value.TypeDouble), Kind: kindBasic, Doc: "floating-point number of 64 bits; nan, +inf and -inf are values too", Example: "2.5e-3"},
	{Name: string(value.TypeTime), Kind: kindBasic, Doc: "point in time, in whole nanoseconds since 1970 (UTC)", Example: "1600000000000000000"},
	{Name: string(value.TypeString), Kind: kindBasic, Doc: "text, of parameters only", Example: "Speed"},
	{
		Name: string(value.TypeVector), Kind: kindComplex, Doc: "vector in space", Example: "{x:1,y:2,z:3}",
		Members: membersOf(value.TypeDouble, "x", "y", "z"),
	},
	{
		Name: string(value.TypeRotation), Kind: kindComplex, Doc: "rotation by a about Z, then b about the new Y, then c about the new X, in rad",
		Example: "{a:0,b:1.5,c:0}", Members: membersOf(value.TypeDouble, "a", "b", "c"),
	},
	{
		Name: string(value.TypeFrame), Kind: kindComplex, Doc: "position and orientation", Example: "{pos:{x:1,y:0,z:0},rot:{a:0,b:0,c:0}}",
		Members: []memberView{{"pos", string(value.TypeVector)}, {"rot", string(value.TypeRotation)}},
	},
	{
		Name: string(value.TypeTwist), Kind: kindComplex, Doc: "velocity: linear in m/s, angular in rad/s", Example: "{vel:{x:1,y:0,z:0},rot:{x:0,y:0,z:0}}",
		Members: membersOf(value.TypeVector, "vel", "rot"),
	},
	{
		Name: string(value.TypeWrench), Kind: kindComplex, Doc: "force in N and torque in Nm", Example: "{force:{x:1,y:0,z:0},torque:{x:0,y:0,z:0}}",
		Members: membersOf(value.TypeVector, "force", "torque"),
	},
	{Name: string(value.TypeMatrix), Kind: kindComplex, Doc: "matrix of doubles, of fixed size, row by row", Example: "[[1,0],[0,1]]"},
}

func membersOf(t value.Type, names ...string) (list []memberView) {
	for _, name := range names {
		list = append(list, memberView{name, string(t)})
	}
	return list
}

// dataTypes returns the known data types, and the arrays that primitives have.
func (s *site) dataTypes() []typeView {
	list := slices.Clone(knownTypes)
	arrays := map[string]typeView{}
	note := func(t value.Type) {
		if element, ok := t.Element(); ok {
			i := slices.IndexFunc(knownTypes, func(k typeView) bool { return k.Name == string(element) })
			example := ""
			if i >= 0 {
				example = "[" + knownTypes[i].Example + "," + knownTypes[i].Example + "]"
			}
			arrays[string(t)] = typeView{
				Name: string(t), Kind: kindArray, Element: string(element), Example: example,
				Doc: "array of " + string(element) + ", of fixed length",
			}
		}
	}
	for _, p := range s.core.Nets.Catalogue().All() {
		for _, port := range slices.Concat(p.In, p.Out) {
			note(port.Type)
		}
		for _, param := range p.Params {
			note(param.Type)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		list = append(list, arrays[name])
	}
	for i := range list {
		list[i].URI = "/types/" + url.PathEscape(list[i].Name) + "/"
	}
	return list
}

func listTypes(x *exchange) error {
	return x.show(http.StatusOK, "types", typesView{Types: x.dataTypes()})
}

func (x *exchange) dataType() (typeView, error) {
	return pick(x.dataTypes(), "data type", x.value("type"), func(t typeView) string { return t.Name })
}

func typeExists(x *exchange) error {
	_, err := x.dataType()
	return err
}

func showType(x *exchange) error {
	t, err := x.dataType()
	if err != nil {
		return err
	}
	return x.show(http.StatusOK, "types", typesOrOne{t})
}
