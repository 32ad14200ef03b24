// Package legible makes for people what was made for programs: views of devices as sheets with tables, trees and charts, numbers with as
// many digits as somebody reads, and texts of nets line by line.
package legible

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
)

// Sheet is any view as people see it: what it has in numbers and words, lists of equal things as tables, and parts. The
// names are those of JSON, units those of the tag unit; unit:"1" is a number without one.
type Sheet struct {
	Title  string
	Facts  []fact
	Trees  []tree
	Charts []chart
	Tables []sheetTable
	Parts  []*Sheet
}

type fact struct{ Name, Unit, Value string }

type sheetTable struct {
	Title string
	Head  []heading
	Rows  [][]string
}

// heading is that of a column.
type heading struct{ Name, Unit string }

// Of makes a sheet of a structure with tags for JSON, nil of nothing.
func Of(view any) *Sheet {
	v := underneath(reflect.ValueOf(view))
	if !v.IsValid() || v.Kind() != reflect.Struct {
		return nil
	}
	s := &Sheet{}
	s.take(v)
	return s
}

// underneath follows pointers and interfaces. Of nothing the result is not valid.
func underneath(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

func (s *Sheet) take(view reflect.Value) {
	for i := range view.NumField() {
		name, v := nameOf(view.Type().Field(i)), underneath(view.Field(i))
		unit := unitOf(view.Type().Field(i))
		switch {
		case name == "" || !v.IsValid():
		case s.draw(name, v.Interface()):
		case view.Type().Field(i).Anonymous:
			s.take(v)
		case isText(v) || v.Kind() != reflect.Struct && v.Kind() != reflect.Slice:
			s.Facts = append(s.Facts, fact{name, unit, inUnits(v, view.Type().Field(i))})
		case v.Kind() == reflect.Struct:
			part := &Sheet{Title: name}
			part.take(v)
			s.Parts = append(s.Parts, part)
		case elementOf(v.Type()).Kind() == reflect.Struct && !textual(elementOf(v.Type())):
			s.Tables = append(s.Tables, tableOf(name, v))
		default:
			s.Facts = append(s.Facts, fact{name, unit, inUnits(v, view.Type().Field(i))})
		}
	}
}

// nameOf returns the name of a field in JSON, empty when it has none there.
func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case !f.IsExported() || name == "-":
		return ""
	case name == "":
		return f.Name
	}
	return name
}

// unitOf returns the unit of a field, empty when it has none.
func unitOf(f reflect.StructField) string {
	if unit := f.Tag.Get("unit"); unit != "1" {
		return unit
	}
	return ""
}

// elementOf returns what a slice has, also behind pointers.
func elementOf(t reflect.Type) reflect.Type {
	e := t.Elem()
	if e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	return e
}

// tableOf has a row for each structure of a slice.
func tableOf(title string, list reflect.Value) sheetTable {
	table := sheetTable{Title: title}
	t := elementOf(list.Type())
	var columns []int
	for i := range t.NumField() {
		if name := nameOf(t.Field(i)); name != "" {
			table.Head = append(table.Head, heading{name, unitOf(t.Field(i))})
			columns = append(columns, i)
		}
	}
	for i := range list.Len() {
		e := underneath(list.Index(i))
		row := make([]string, len(columns))
		for k, column := range columns {
			if e.IsValid() {
				row[k] = inUnits(underneath(e.Field(column)), t.Field(column))
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// inUnits returns a value in words, of a quantity that is measured in millionths of its unit: smaller parts are noise. Times may be short.
func inUnits(v reflect.Value, f reflect.StructField) string {
	unit := f.Tag.Get("unit")
	if !v.IsValid() || v.Kind() != reflect.Float64 || unit == "" || unit == "s" {
		return inWords(v)
	}
	return millionths(v.Float())
}

// inWords returns a value in words.
func inWords(v reflect.Value) string {
	if !v.IsValid() {
		return ""
	}
	if v.Kind() == reflect.Slice && !isText(v) {
		var parts []string
		for i := range v.Len() {
			parts = append(parts, inWords(underneath(v.Index(i))))
		}
		return strings.Join(parts, ", ")
	}
	return Sensible(fmt.Sprint(v.Interface()))
}

var textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()

// textual reports whether values of a type write themselves.
func textual(t reflect.Type) bool { return t.Implements(textMarshaler) }

func isText(v reflect.Value) bool { return textual(v.Type()) }
