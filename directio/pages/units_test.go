package pages

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestUnits: every number that a page of a device shows says what it is measured in, or that there is nothing to say.
func TestUnits(t *testing.T) {
	c := withArms(t)
	seen := 0
	var look func(where string, of reflect.Type)
	look = func(where string, of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || of.Implements(reflect.TypeFor[fmt.Stringer]()) {
			return
		}
		for i := range of.NumField() {
			f := of.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.IsExported() || name == "-" {
				continue
			}
			if f.Type == reflect.TypeFor[device.Num]() {
				if seen++; f.Tag.Get("unit") == "" {
					t.Errorf("%s: %v.%s has no unit", where, of, f.Name)
				}
			}
			look(where, f.Type)
		}
	}
	for _, of := range devices.Types() {
		name := "a-" + of.Name
		if c.Devices.Create(name, of.Name, nil) != nil {
			continue // it needs something else
		}
		d, err := c.Devices.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range d.Pages {
			if _, view, err := c.Devices.Show(name, p.Path, nil); err == nil {
				look(name+" "+p.Path, reflect.TypeOf(view))
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d numbers", seen)
	}
}
