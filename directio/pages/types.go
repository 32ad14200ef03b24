package pages

import (
	"encoding/xml"
	"net/http"
	"net/url"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// typeView is a data type of ports and parameters.
type typeView struct {
	XMLName xml.Name `xml:"type" json:"-"`
	URI     string   `xml:"uri,attr" json:"uri"`
	Name    string   `xml:"name,attr" json:"name"`
	Kind    string   `xml:"kind,attr" json:"kind"`
	Doc     string   `xml:"description,attr" json:"description"`
}

type typesView struct {
	XMLName xml.Name   `xml:"types" json:"-"`
	Types   []typeView `xml:"type" json:"types"`
}

// typesOrOne lets one type use the page of the list.
type typesOrOne struct{ typeView }

// Types is the list of the page.
func (t typesOrOne) Types() []typeView { return []typeView{t.typeView} }

// dataTypes are the data types that exist, all of kind basic so far.
func dataTypes() []typeView {
	return []typeView{
		basic(value.TypeBool, "true or false"),
		basic(value.TypeInt, "whole number of 32 bits, two's complement"),
		basic(value.TypeDouble, "floating-point number of 64 bits; nan, +inf and -inf are values too"),
		basic(value.TypeTime, "point in time, in whole nanoseconds since 1970 (UTC)"),
		basic(value.TypeString, "text, of parameters only"),
	}
}

func basic(t value.Type, doc string) typeView {
	return typeView{URI: "/types/" + url.PathEscape(string(t)) + "/", Name: string(t), Kind: "basic", Doc: doc}
}

func listTypes(x *exchange) error {
	return x.show(http.StatusOK, "types", typesView{Types: dataTypes()})
}

func (x *exchange) dataType() (typeView, error) {
	return pick(dataTypes(), "data type", x.value("type"), func(t typeView) string { return t.Name })
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
