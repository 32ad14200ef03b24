// Package typescript writes structures of Go as interfaces of TypeScript, so that both ends of a wire have the same types.
package typescript

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Check compares a file with the interfaces of structures and of all that they refer to, or writes it. The file begins with head; named are types
// that have a name in TypeScript.
func Check(t *testing.T, path string, update bool, head string, named map[reflect.Type]string, structures ...any) {
	t.Helper()
	w := typeWriter{done: map[reflect.Type]bool{}, named: named}
	for _, s := range structures {
		w.wanted = append(w.wanted, reflect.TypeOf(s))
	}
	for len(w.wanted) > 0 {
		next := w.wanted[0]
		w.wanted = w.wanted[1:]
		w.write(next)
	}
	got := head + w.text.String()
	if update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%s is not what the daemon sends (%v): run this test with -update", path, err)
	}
}

// typeWriter writes structures of Go as interfaces of TypeScript.
type typeWriter struct {
	text   strings.Builder
	named  map[reflect.Type]string
	wanted []reflect.Type
	done   map[reflect.Type]bool
}

func (w *typeWriter) write(of reflect.Type) {
	if w.done[of] {
		return
	}
	w.done[of] = true
	fmt.Fprintf(&w.text, "\nexport interface %s {\n", interfaceName(of))
	w.fields(of)
	w.text.WriteString("}\n")
}

// fields writes the members of a structure; those of one that it embeds are its own.
func (w *typeWriter) fields(of reflect.Type) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			w.fields(f.Type)
			continue
		case name == "-", !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		if slices.Contains(strings.Split(options, ","), "omitempty") {
			name += "?"
		}
		fmt.Fprintf(&w.text, "  %s: %s;\n", name, w.typeOf(f.Type))
	}
}

// typeOf is the type of a member.
func (w *typeWriter) typeOf(of reflect.Type) string {
	if name, ok := w.named[of]; ok {
		return name
	}
	if of.Implements(reflect.TypeFor[json.Marshaler]()) {
		return "unknown"
	}
	switch of.Kind() {
	case reflect.Pointer:
		return w.typeOf(of.Elem()) + " | null"
	case reflect.Slice:
		return w.typeOf(of.Elem()) + "[]"
	case reflect.Map:
		return "Record<string, " + w.typeOf(of.Elem()) + ">"
	case reflect.Struct:
		w.wanted = append(w.wanted, of)
		return interfaceName(of)
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "unknown"
	default:
		return "number"
	}
}

// interfaceName is the name of a view without the word.
func interfaceName(of reflect.Type) string {
	name := strings.TrimSuffix(of.Name(), "View")
	return strings.ToUpper(name[:1]) + name[1:]
}
