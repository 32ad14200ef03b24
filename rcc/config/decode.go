package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// decode reads data into cfg, which has its defaults already.
func decode(r *report, data []byte, cfg any) {
	var doc yaml.Node
	if err := yaml.Load(data, &doc); err != nil {
		syntax(r, data, err)
		return
	}
	for _, n := range doc.Content {
		(&decoder{r}).section(n, "", reflect.ValueOf(cfg).Elem())
	}
}

// syntax reports what is no YAML at all. A file without any key is a cell of nothing but defaults.
func syntax(r *report, data []byte, err error) {
	var load *yaml.LoadError
	switch {
	case !errors.As(err, &load):
		r.at(0, "", "%v", err)
	case load.Mark.Line > 0:
		r.at(load.Mark.Line, "", "%s", load.Message)
	case !onlyComments(string(data)):
		r.at(0, "", "%s", strings.TrimPrefix(load.Message, "yaml: "))
	}
}

func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

type decoder struct {
	*report
}

// section reads a mapping into a struct.
func (d *decoder) section(n *yaml.Node, key string, into reflect.Value) {
	if empty(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.at(n.Line, key, "keys with values are expected")
		return
	}
	fields, rest := fieldsOf(into.Type())
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		place := join(key, name.Value)
		if first, twice := d.lines[place]; twice {
			d.at(name.Line, place, "given twice, first in line %d", first)
			continue
		}
		d.lines[place] = name.Line
		switch f, known := fields[name.Value]; {
		case known:
			d.value(value, place, into.FieldByIndex(f.Index), f)
		case rest != nil:
			d.rest(value, place, name.Value, into.FieldByIndex(rest.Index))
		default:
			d.at(name.Line, place, "unknown key%s", suggest.DidYouMean(name.Value, maps.Keys(fields)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if _, there := d.lines[join(key, name)]; !there && fields[name].Tag.Get("required") == "true" {
			d.at(n.Line, join(key, name), "is missing")
		}
	}
}

func (d *decoder) value(n *yaml.Node, key string, into reflect.Value, f reflect.StructField) {
	switch {
	case n.Kind == yaml.AliasNode:
		d.at(n.Line, key, "references to other places are not followed; write the value")
	case empty(n): // the key alone leaves the default
	case into.Kind() == reflect.Struct:
		d.section(n, key, into)
	case into.Kind() == reflect.Slice:
		d.list(n, key, into, f)
	case n.Kind != yaml.ScalarNode:
		d.at(n.Line, key, "a single value is expected")
	default:
		if err := set(into, n.Value, f.Tag); err != nil {
			d.at(n.Line, key, "%v", err)
		}
	}
}

func (d *decoder) list(n *yaml.Node, key string, into reflect.Value, f reflect.StructField) {
	if n.Kind != yaml.SequenceNode {
		d.at(n.Line, key, "a list is expected")
		return
	}
	for i, item := range n.Content {
		v := reflect.New(into.Type().Elem()).Elem()
		place := fmt.Sprintf("%s[%d]", key, i)
		d.lines[place] = item.Line
		if v.Kind() == reflect.Struct && empty(item) {
			d.at(item.Line, place, "is empty")
		}
		setDefaults(v)
		d.value(item, place, v, f)
		into.Set(reflect.Append(into, v))
	}
}

// rest reads a key that belongs to a device type, which knows what it means; or, where lists of values are wanted, a list.
func (d *decoder) rest(n *yaml.Node, key, name string, into reflect.Value) {
	if into.Type().Elem().Kind() == reflect.Slice {
		d.series(n, key, name, into)
		return
	}
	text, ok := wire(n)
	if !ok || empty(n) {
		d.at(n.Line, key, "a value is expected, or a list or structure of values")
		return
	}
	if into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	into.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(text))
}

// series reads a list of values; a single one is a list too.
func (d *decoder) series(n *yaml.Node, key, name string, into reflect.Value) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	texts := []string{}
	for _, item := range items {
		text, ok := wire(item)
		if !ok {
			d.at(item.Line, key, "a list of values is expected")
			return
		}
		texts = append(texts, text)
	}
	if into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	into.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(texts))
}

// wire writes a value as it is written in nets: lists as [a,b], structures as {x:1,y:2}.
func wire(n *yaml.Node) (text string, ok bool) {
	items := make([]string, 0, len(n.Content))
	for _, item := range n.Content {
		part, ok := wire(item)
		if !ok {
			return "", false
		}
		items = append(items, part)
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return n.Value, true
	case yaml.SequenceNode:
		return "[" + strings.Join(items, ",") + "]", true
	case yaml.MappingNode:
		for i := 0; i+1 < len(items); i += 2 {
			items[i/2] = items[i] + ":" + items[i+1]
		}
		return "{" + strings.Join(items[:len(items)/2], ",") + "}", true
	}
	return "", false
}

func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

// fieldsOf returns the fields of a section by their keys, and the one that takes all other keys, if there is one.
func fieldsOf(t reflect.Type) (fields map[string]reflect.StructField, rest *reflect.StructField) {
	fields = map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		switch tag := f.Tag.Get("yaml"); tag {
		case "-", "":
		case ",rest":
			rest = &f
		default:
			fields[tag] = f
		}
	}
	return fields, rest
}

// setDefaults gives the fields of a struct what their tags say.
func setDefaults(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if !f.IsExported() {
			continue
		}
		if text, ok := f.Tag.Lookup("default"); ok {
			if err := set(v.FieldByIndex(f.Index), text, f.Tag); err != nil {
				panic(fmt.Sprintf("default of %s: %v", f.Name, err))
			}
			continue
		}
		setDefaults(v.FieldByIndex(f.Index))
	}
}

// set reads the text of a single value.
func set(into reflect.Value, text string, tag reflect.StructTag) error {
	switch p := into.Addr().Interface().(type) {
	case *string:
		if words := strings.Fields(tag.Get("enum")); len(words) > 0 && !slices.Contains(words, text) {
			return fmt.Errorf("%q is not one of %s%s", text, strings.Join(words, ", "), suggest.DidYouMean(text, slices.Values(words)))
		}
		*p = text
	case *bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		*p = text == "true"
	case *Start:
		switch is := Start(text); is {
		case StartInOrder, StartAlways:
			*p = is
		case "false":
			*p = ""
		default:
			return fmt.Errorf("%q is not one of true, false, always", text)
		}
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		*p = n
		return inBounds(n, tag, strconv.Atoi)
	case *float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%q is not a number", text)
		}
		*p = f
	case *Speed:
		f, err := parseSpeed(text)
		if err != nil {
			return fmt.Errorf("%q is neither a number nor max", text)
		}
		*p = f
		return inBounds(f, tag, parseSpeed)
	case *time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration; write for example 2ms", text)
		}
		*p = d
		return inBounds(d, tag, time.ParseDuration)
	default:
		panic(fmt.Sprintf("no values of type %T in a configuration", p))
	}
	return nil
}

func parseSpeed(text string) (Speed, error) {
	if text == "max" {
		return Speed(math.Inf(1)), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(f) {
		return 0, strconv.ErrRange
	}
	return Speed(f), err
}

func inBounds[T int | Speed | time.Duration](v T, tag reflect.StructTag, parse func(string) (T, error)) error {
	if least, err := parse(tag.Get("min")); err == nil && v < least {
		return fmt.Errorf("%v is less than %v", v, least)
	}
	if most, err := parse(tag.Get("max")); err == nil && v > most {
		return fmt.Errorf("%v is more than %v", v, most)
	}
	return nil
}
