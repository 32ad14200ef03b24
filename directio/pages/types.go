package pages

import (
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

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
	for _, p := range s.core.Catalogue().All() {
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
