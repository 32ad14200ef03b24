package facts

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// JSON encodes a view without escaping < and &: answers are never part of a page. An empty list is [], never null, so that
// clients can iterate over it.
func JSON(view any) ([]byte, error) {
	emptyLists(reflect.ValueOf(view))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(view)
	return b.Bytes(), err
}

// emptyLists makes lists of a view that have never had an element empty ones, except those that are left out then: what several views
// share has only such.
func emptyLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			emptyLists(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !strings.HasSuffix(v.Type().Field(i).Tag.Get("json"), ",omitempty") {
				emptyLists(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			emptyLists(v.Index(i))
		}
	}
}
