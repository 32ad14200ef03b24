package device

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// InterfaceType is a device interface with the pages of every device that announces it (§9.2).
type InterfaceType struct {
	Name, Extension, Doc string
	Pages                []Page
}

// Page is an address below devices (figure 9.1, listing 9.2): it shows a view, and may take parameters. DeclarePage makes
// one. The server writes the view as XML, as JSON and for people.
type Page struct {
	Path string // below the address of the device, one word; none for what the page of the device itself shows
	Doc  string
	Told []Param // what it takes

	fits func(d Device) bool
	asks func(d Device) []Param
	show func(d Device, q Question) (any, error)
	take func(d Device, params map[string]string) error
}

// Sheet declares a page. D is the interface that a device must have, C what it takes: a structure with tags as
// the configuration of a device has them.
type Sheet[D, C any] struct {
	Path, Doc string

	// Asks returns the numbers that a question may have, all of them optional; nil when there is nothing to ask (any).
	Asks func(d D) []Param
	// Show answers a question. It returns a structure, or a pointer to one, with tags for XML and JSON. Fields may
	// be numbers, words, structures, and slices of structures, which people see as tables (any).
	Show func(d D, q Question) (any, error)
	// Take receives new values, within the bounds of the tags; nil when the page is read-only (any).
	Take func(d D, told *C) error
}

// Parameters is the address of the parameters of every device, beside its pages.
const Parameters = "parameters"

// Nothing is the type for pages that take no parameters.
type Nothing struct{}

// Question has the numbers of a query, by their names.
type Question map[string]float64

// DeclarePage makes a page. The functions of the sheet are called by any number of goroutines at once, while nets run, and
// not after the device has begun to close.
func DeclarePage[D, C any](s Sheet[D, C]) Page {
	if s.Path == Parameters || strings.ContainsAny(s.Path, "/?#.") {
		panic(fmt.Sprintf("device: page %q: not a word, or already taken", s.Path))
	}
	p := Page{
		Path: s.Path, Doc: s.Doc,
		fits: func(d Device) bool { return is[D](d) },
		asks: func(Device) []Param { return nil },
		show: func(d Device, q Question) (any, error) { return s.Show(any(d).(D), q) },
	}
	if s.Asks != nil {
		p.asks = func(d Device) []Param { return s.Asks(any(d).(D)) }
	}
	if s.Take == nil {
		return p
	}
	fields := fieldsOf(reflect.TypeFor[C]())
	for _, f := range fields {
		p.Told = append(p.Told, f.param)
	}
	p.take = func(d Device, params map[string]string) error {
		told := new(C)
		if wrong := decode("the page", fields, params, told); len(wrong) > 0 {
			return joined(wrong)
		}
		return s.Take(any(d).(D), told)
	}
	return p
}

func is[D any](d Device) bool {
	_, ok := any(d).(D)
	return ok
}

// Fits reports whether a device can have the page.
func (p *Page) Fits(d Device) bool { return p.fits(d) }

// Asked returns the numbers that a question to a device may have.
func (p *Page) Asked(d Device) []Param { return p.asks(d) }

// View answers a question. A number that is not given, or empty as forms send it, is not part of it.
func (p *Page) View(d Device, texts map[string]string) (any, error) {
	params := p.asks(d)
	var names []string
	var wrong []ParamError
	q := Question{}
	for _, param := range params {
		names = append(names, param.Name)
		text := texts[param.Name]
		if text == "" {
			continue
		}
		_, set := bounded[float64](&param)
		v := reflect.New(reflect.TypeFor[float64]()).Elem()
		if err := set(v, decimal(text)); err != nil {
			wrong = append(wrong, ParamError{param.Name, err})
		}
		q[param.Name] = v.Float()
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if !slices.Contains(names, name) {
			wrong = append(wrong, ParamError{name, fmt.Errorf("unknown question%s", suggest.DidYouMean(name, slices.Values(names)))})
		}
	}
	if len(wrong) > 0 {
		return nil, joined(wrong)
	}
	return p.show(d, q)
}

// decimal returns a number that may be written in hexadecimal, as people write indexes.
func decimal(text string) string {
	if n, err := strconv.ParseUint(text, 0, 32); err == nil && strings.HasPrefix(strings.ToLower(text), "0x") {
		return strconv.FormatUint(n, 10)
	}
	return text
}

// ErrTakesNothing is returned by a page that is read-only.
var ErrTakesNothing = errors.New("page is read-only")

// Tell passes parameters to the device's page.
func (p *Page) Tell(d Device, params map[string]string) error {
	if p.take == nil {
		return ErrTakesNothing
	}
	return p.take(d, params)
}

// Num is a number of a view. It is written as on ports; where JSON has no word for it, as null.
type Num float64

// String writes the number as on ports.
func (n Num) String() string { return string(value.Double.Append(nil, float64(n))) }

// MarshalText writes the number for XML.
func (n Num) MarshalText() ([]byte, error) { return value.Double.Append(nil, float64(n)), nil }

// MarshalJSON writes the number for JSON.
func (n Num) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}
