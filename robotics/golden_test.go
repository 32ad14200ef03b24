package robotics_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/robotics"
)

var update = flag.Bool("update", false, "write golden files anew")

// goldens are commands by name, made anew for each scene.
type goldens = map[string]func(s *scene) robotics.Command

// allGoldens are those of all concepts.
func allGoldens() goldens {
	all := goldens{}
	for _, some := range []goldens{
		goldenCommands(), goldenStates(), goldenSensors(), goldenFaults(), goldenJoints(), goldenWays(), goldenFrames(), goldenTools(), goldenBases(),
	} {
		for name, make := range some {
			if all[name] != nil {
				panic(name + " is there twice")
			}
			all[name] = make
		}
	}
	return all
}

// TestGolden: what each concept becomes, and what it does. In testdata/NAME.dio is the net as it is mapped, a primitive in each line; in
// NAME.trace what happens in which cycle when the optimised net is executed. The daemon takes the net before the optimiser as well,
// and in each cycle it says and commands the same.
func TestGolden(t *testing.T) {
	for name, make := range allGoldens() {
		t.Run(name, func(t *testing.T) {
			plain, optimised, mapped := newScene(t), newScene(t), newScene(t)
			text, err := robotics.Watched(make(plain), nil, nil, false)
			if err != nil {
				t.Fatal(err)
			}
			plain.cell.Load(text)
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-"))
			golden(t, file+".dio", strings.ReplaceAll(text, "),", "),\n")+"\n")
			is, was := optimised.perform(make(optimised), true), mapped.perform(make(mapped), false)
			golden(t, file+".trace", is.text)
			if wrong := sameCycles(is, was); wrong != "" {
				t.Errorf("the optimised net differs: %s", wrong)
			}
		})
	}
}

// golden compares a text with that in a file.
func golden(t *testing.T, file, have string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), have); d != "" {
		t.Errorf("%s:\n%s", file, d)
	}
}

// TestNoFileIsLeft: each file in testdata belongs to a golden command.
func TestNoFileIsLeft(t *testing.T) {
	var want, have []string
	for name := range allGoldens() {
		for _, kind := range []string{".dio", ".trace"} {
			want = append(want, strings.ReplaceAll(name, " ", "-")+kind)
		}
	}
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		have = append(have, f.Name())
	}
	slices.Sort(want)
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}
