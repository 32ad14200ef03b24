package net

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestNamesAreAMap defines and looks up many names, some of them often, beside a map.
func TestNamesAreAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 100, 5000} {
		table, want := newNames(n), map[name]int32{}
		for range 3 * n {
			text := fmt.Sprint("p", random.IntN(2*n))
			if random.IntN(4) == 0 {
				text = strings.Repeat("long", 10) + text
			}
			key := name{int32(random.IntN(2)), what(random.IntN(3)), text}
			is, ok := table.get(key.frag, key.what, key.text)
			if have, known := want[key]; ok != known || ok && is != have {
				t.Fatalf("%v is %v, %v, want %v, %v", key, is, ok, have, known)
			}
			if len(want) == n {
				continue
			}
			meaning := random.Int32()
			_, taken := want[key]
			if table.define(key, meaning) == taken {
				t.Fatalf("%v defined again or not at all", key)
			}
			if !taken {
				want[key] = meaning
			}
		}
		if !table.define(name{}, 1) || !table.define(name{}, 2) {
			t.Error("what has no name cannot have it twice")
		}
		if _, ok := table.get(0, aNode, ""); ok {
			t.Error("nothing is found under no name")
		}
	}
}

// TestTypesAreThoseOfTheCatalogue looks up more types than are remembered, and some that do not exist.
func TestTypesAreThoseOfTheCatalogue(t *testing.T) {
	var list []*spec.Primitive
	for i := range 200 {
		list = append(list, &spec.Primitive{Name: fmt.Sprintf("T%03d", i)})
	}
	catalogue, err := spec.NewCatalogue(list)
	if err != nil {
		t.Fatal(err)
	}
	var remembered types
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		text := fmt.Sprintf("T%03d", random.IntN(300))
		if random.IntN(50) == 0 {
			text = ""
		}
		if got, want := remembered.lookup(catalogue, text), catalogue.Lookup(text); got != want {
			t.Fatalf("%q is %v, want %v", text, got, want)
		}
	}
}
