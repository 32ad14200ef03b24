package scope_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// folder is one in memory, of which the disk may fail.
type folder struct {
	texts map[string][]byte
	fails error
}

func (f *folder) All() (map[string][]byte, error) { return f.texts, f.fails }

func (f *folder) Replace(name string, text []byte) error {
	if f.fails == nil {
		f.texts[name] = text
	}
	return f.fails
}

func (f *folder) Remove(name string) error {
	if f.fails == nil {
		delete(f.texts, name)
	}
	return f.fails
}

func TestStore(t *testing.T) {
	f := &folder{texts: map[string][]byte{}}
	s, err := scope.OpenStore(f)
	must(t, err)
	first := two(scope.Auto, 1, 2)
	must(t, s.Put(first))
	first.Before = 7
	if got, _ := s.Get("two"); got.Before != 1 {
		t.Error("a setup of the store has changed")
	}
	first.Before = 1
	second := two(scope.Single, 0, 1)
	second.Name = "Größe (2)"
	must(t, s.Put(second))
	f.texts["broken"] = []byte("{")
	f.texts["other name"] = f.texts["two"]
	f.texts["../etc"] = f.texts["two"]

	again, err := scope.OpenStore(f)
	must(t, err)
	if got, want := again.Names(), []string{"Größe (2)", "broken", "other name", "two"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	got, err := again.Get("two")
	must(t, err)
	if diff := cmp.Diff(first, got); diff != "" {
		t.Error(diff)
	}
	got.Channels[0].Name = "changed by who asked"
	if got, _ := again.Get("two"); got.Channels[0].Name != "fast" {
		t.Error("a setup of the store has changed")
	}
	for name, want := range map[string]error{"three": scope.ErrNoSetup, "broken": scope.ErrBadSetup, "other name": scope.ErrBadSetup} {
		if _, err := again.Get(name); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, again.Delete("broken"))
	must(t, again.Delete("two"))
	if err := again.Delete("two"); !errors.Is(err, scope.ErrNoSetup) {
		t.Error(err)
	}
	if _, ok := f.texts["two"]; ok {
		t.Error("it is still in the folder")
	}
}

// TestStoreWithoutDisk: what could not be written is refused, and what was there stays.
func TestStoreWithoutDisk(t *testing.T) {
	f := &folder{texts: map[string][]byte{}}
	s, err := scope.OpenStore(f)
	must(t, err)
	must(t, s.Put(two(scope.Auto, 1, 2)))
	f.fails = errors.New("the disk is full")
	other := two(scope.Auto, 3, 4)
	if err := s.Put(other); err == nil || err.Error() != `setup "two" is not saved: the disk is full` {
		t.Error(err)
	}
	if got, err := s.Get("two"); err != nil || got.Before != 1 {
		t.Error(got, err)
	}
	if err := s.Delete("two"); !errors.Is(err, f.fails) {
		t.Error(err)
	}
	if len(s.Names()) != 1 {
		t.Error("it is gone although it could not be deleted")
	}
	if _, err := scope.OpenStore(f); !errors.Is(err, f.fails) {
		t.Error(err)
	}
}

func TestStoreIsBounded(t *testing.T) {
	s, err := scope.OpenStore(nil)
	must(t, err)
	for i := range scope.MostSetups {
		setup := two(scope.Auto, 1, 1)
		setup.Name = fmt.Sprint(i)
		must(t, s.Put(setup))
	}
	setup := two(scope.Auto, 1, 1)
	if err := s.Put(setup); !errors.Is(err, scope.ErrTooMany) {
		t.Error(err)
	}
	setup.Name = "7"
	must(t, s.Put(setup))
	setup.Name = ""
	var is *scope.SetupError
	if err := s.Put(setup); !errors.As(err, &is) || is.Where != "/name" {
		t.Error(err)
	}
	if n := len(s.Names()); n != scope.MostSetups {
		t.Errorf("%d names", n)
	}
}
