package robotics_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
)

var update = flag.Bool("update", false, "rewrite golden files")

// goldens are commands by name, made for each scene.
type goldens = map[string]func(s *scene) robotics.Command

// allGoldens returns those of all concepts.
func allGoldens() goldens {
	all := goldens{}
	for _, some := range []goldens{
		goldenCommands(), goldenStates(), goldenSensors(), goldenFaults(), goldenJoints(), goldenWays(), goldenFrames(), goldenTools(), goldenBases(), goldenCompliance(),
		goldenVelocities(),
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

// texts are the commands whose nets are kept as text, one of each kind; of the others it is enough what their nets do.
var texts = []string{
	"drive to", "fault", "lin", "listener", "listing 10.1", "nested", "ptp", "sequence", "take over", "under springs",
}

// TestGolden: what each concept becomes, and what it does. In testdata/NAME.dio is the net of some as mapped, a primitive in each line;
// in NAME.trace what happens in which cycle when the optimised net is executed. The daemon takes the net before the optimiser as well,
// and in each cycle it says and commands the same.
func TestGolden(t *testing.T) {
	race.Skip(t, "executes all golden commands, before and after the optimiser")
	for name, make := range allGoldens() {
		t.Run(name, func(t *testing.T) {
			optimised, mapped := newScene(t), newScene(t)
			command := make(mapped)
			text, err := robotics.Watched(command, nil, nil, false)
			if err != nil {
				t.Fatal(err)
			}
			goldenText(t, name, text)
			is, was := optimised.perform(make(optimised), true), mapped.perform(command, false)
			golden(t, name, ".trace", is.text)
			if _, wrong := differ(is, was); wrong != "" {
				t.Errorf("the optimised net differs: %s", wrong)
			}
		})
	}
}

// goldenReadings are what asks, or listens to, a sensor outside of commands.
var goldenReadings = map[string]func(robotics.Sensor[float64]) (string, error){"one time read": robotics.Asks, "listener": robotics.Listens}

// TestGoldenReadings: sensors are read once, or until the listener is stopped.
func TestGoldenReadings(t *testing.T) {
	for name, net := range goldenReadings {
		t.Run(name, func(t *testing.T) {
			text, err := net(robotics.Change(clock()))
			if err != nil {
				t.Fatal(err)
			}
			goldenText(t, name, text)
			s := newScene(t)
			s.words["value"], s.numbers["value"], s.order = [2]string{"value"}, nil, []string{"value"}
			s.cancel(4)
			golden(t, name, ".trace", s.record(s.cell.Trace(text), nil).text)
		})
	}
}

// lines returns the text of a net with a primitive in each line.
func lines(text string) string { return strings.ReplaceAll(text, "),", "),\n") + "\n" }

// goldenText compares the text of a net with that in a file, if it is one of those that are kept.
func goldenText(t *testing.T, name, text string) {
	t.Helper()
	if slices.Contains(texts, name) {
		golden(t, name, ".dio", lines(text))
	}
}

// golden compares a text with that in a file.
func golden(t *testing.T, name, kind, have string) {
	t.Helper()
	file := goldenFile(name, kind)
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

func goldenFile(name, kind string) string {
	return filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+kind)
}

// TestNoFileIsLeft: each file in testdata belongs to a golden command.
func TestNoFileIsLeft(t *testing.T) {
	var want []string
	for _, name := range slices.Concat(keys(allGoldens()), keys(goldenReadings)) {
		want = append(want, goldenFile(name, ".trace"))
	}
	for _, name := range texts {
		want = append(want, goldenFile(name, ".dio"))
	}
	slices.Sort(want)
	have, err := filepath.Glob(filepath.Join("testdata", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}

// TestConceptsAreDocumented: docs/concepts.md shows every golden command, and no other; and how to read a trace, by an existing one.
func TestConceptsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "concepts.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for row := range strings.Lines(string(page)) {
		cells := strings.Split(row, "|")
		if len(cells) < 4 {
			continue
		}
		for i, name := range strings.Split(cells[3], "`") {
			if i%2 == 1 {
				shown[name] = true
			}
		}
	}
	want := map[string]bool{}
	for _, name := range slices.Concat(keys(allGoldens()), keys(goldenReadings)) {
		want[strings.ReplaceAll(name, " ", "-")] = true
	}
	if d := cmp.Diff(want, shown); d != "" {
		t.Error(d)
	}
	example, err := os.ReadFile(goldenFile("listing 10.1", ".trace"))
	if err != nil || !strings.Contains(string(page), "```text\n"+string(example)+"```\n") {
		t.Errorf("the page does not show the trace of listing 10.1: %v", err)
	}
}
