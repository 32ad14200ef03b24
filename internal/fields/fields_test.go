package fields

import (
	"reflect"
	"slices"
	"testing"
)

type inner struct{ A, B int }

type other struct{ B, C int }

type nested struct {
	inner

	D int
}

type outer struct {
	nested
	other

	A int
	E *inner
}

// TestOf compares with the visible fields, which lack those that Go hides.
func TestOf(t *testing.T) {
	var names []string
	for _, f := range Of(reflect.TypeFor[outer]()) {
		names = append(names, f.Name)
		if got := reflect.TypeFor[outer]().FieldByIndex(f.Index); got.Name != f.Name || got.Type != f.Type {
			t.Errorf("the index of %s leads to %s", f.Name, got.Name)
		}
	}
	if want := []string{"nested", "inner", "A", "B", "D", "other", "B", "C", "A", "E"}; !slices.Equal(names, want) {
		t.Errorf("got  %v\nwant %v", names, want)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[outer]()) {
		if !slices.Contains(names, f.Name) {
			t.Errorf("%s is missing", f.Name)
		}
	}
}
