// Package fields lists what declarations by structures consist of.
package fields

import (
	"reflect"
	"slices"
)

// Of returns the fields of a structure in their order, each embedded structure followed by its own fields.
//
// Other than in reflect.VisibleFields, fields that Go hides are there too: those whose name stands for another field further out, or for one
// in each of two embedded structures. A declaration means all its fields, whatever they are called.
func Of(t reflect.Type) (list []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		list = append(list, f)
		if !f.Anonymous || f.Type.Kind() != reflect.Struct {
			continue
		}
		for _, inner := range Of(f.Type) {
			inner.Index = slices.Concat(f.Index, inner.Index)
			list = append(list, inner)
		}
	}
	return list
}
