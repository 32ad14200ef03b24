package pages

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
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

// modules are the details of the whole catalogue.
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

// Sources of Java for generators of clients. What the original writes there is not on record; these have the names of
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
