package arch

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

//go:generate go test -run ^TestDrawing$ . -update

// A floor is a group of rows of layers, for the drawing in README and docs/architecture.md: which rows are on it is said by patterns.
type floor struct {
	name  string
	rooms string // patterns, separated by blanks; the most precise one of all floors counts
	doc   string
}

// From the roof down.
var floors = []floor{
	{"programs", "cmd/... configs internal/story", "flags, signals, lists of plug-ins; the command-line client"},
	{"clients", "robotics/... examples/... directio/client", "programs in Go that talk to a daemon"},
	{"outside", "directio/... web", "DirectIO, HTTP, pages; sees the facade only"},
	{"facade", "rcc rcc/preview rcc/config rcc/extension rcc/number rcc/scope", "nets, sessions, rules, devices, for every front end"},
	{"cycle", "rcc/sched", "executors, slots, the turn, rules at run time"},
	{"compile", "rcc/net rcc/rule", "syntax tree to program, condition to program"},
	{"plug-ins", "primitives/... devices/...", "see contracts and leaves, never each other"},
	{"contracts", "rcc/spec rcc/device/...", "what a primitive and a device are, what they may use"},
	{"EtherCAT", "ethercat/...", "a master that works without the daemon, and simulated slaves"},
	{"leaves", "rcc/value grammar/... geom/... motion/... ethercat/wire ethercat/sii ethercat/coe ethercat/cia402 ethercat/esi ethercat/image " +
		"internal/rt internal/figures internal/triple internal/fields internal/suggest internal/guard internal/budget internal/arena internal/xmlread mcap", "import nothing from above"},
	{"machine", "internal/realtime internal/latency internal/doctor internal/cli internal/content", "for programs only"},
	{"tests", "internal/...", "support and oracles: nothing above imports them"},
	{"tools", "tools/...", "for developers"},
}

// floorOf returns the floor of a row of layers, nil for none.
func floorOf(row string) *floor {
	var best *floor
	most := -1
	room := strings.TrimSuffix(strings.TrimSuffix(row, "/..."), "/*")
	for i := range floors {
		for _, p := range strings.Fields(floors[i].rooms) {
			if (match(p, room) || match(p, room+"/x")) && reach(p) > most {
				best, most = &floors[i], reach(p)
			}
		}
	}
	return best
}

// drawing shows every row of layers that has a folder, on its floor; those of x/... stand for rows below x as well.
func drawing(files fs.FS, rows []layer) (string, error) {
	rooms := map[string][]string{}
	for _, l := range rows {
		folder := strings.TrimSuffix(strings.TrimSuffix(l.of, "/..."), "/*")
		if _, err := fs.Stat(files, folder); err != nil {
			continue // a place that is kept
		}
		f := floorOf(l.of)
		if f == nil {
			return "", fmt.Errorf("%s is on no floor", l.of)
		}
		rooms[f.name] = append(rooms[f.name], l.of)
	}
	var b strings.Builder
	for _, f := range floors {
		slices.Sort(rooms[f.name])
		line := fmt.Sprintf(" %-10s", f.name)
		for _, room := range rooms[f.name] {
			if slices.ContainsFunc(rooms[f.name], func(other string) bool { return other != room && within(room, other) }) {
				continue
			}
			if utf8.RuneCountInString(line)+2+len(room) > drawingWidth {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", 11)
			}
			line += "  " + room
		}
		b.WriteString(line + "\n")
	}
	return b.String(), nil
}

// within reports whether a row stands for a part of what another one stands for.
func within(row, other string) bool {
	return strings.HasSuffix(other, "...") && match(other, strings.TrimSuffix(strings.TrimSuffix(row, "/..."), "/*"))
}

// drawingWidth is how many characters a line of the drawing has at most.
const drawingWidth = 118

var update = flag.Bool("update", false, "write the drawing of the layers")

// The drawing stands between these lines.
const (
	drawingBegins = "<!-- layers, from internal/arch: make generate -->\n```\n"
	drawingEnds   = "```\n<!-- end of layers -->\n"
)

// TestDrawing: README and docs/architecture.md show the layers as the table of imports has them.
func TestDrawing(t *testing.T) {
	top := filepath.Join("..", "..")
	want, err := drawing(os.DirFS(top), layers)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "docs/architecture.md"} {
		name := filepath.Join(top, filepath.FromSlash(page))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, begins := strings.Cut(string(text), drawingBegins)
		got, after, ends := strings.Cut(rest, drawingEnds)
		switch {
		case !begins || !ends:
			t.Errorf("%s has no place for the layers", page)
		case got == want:
		case *update:
			if err := os.WriteFile(name, []byte(before+drawingBegins+want+drawingEnds+after), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("the layers in %s are not current: make generate", page)
		}
	}
}

// TestFloors: docs/architecture.md explains every floor, and no floor is empty.
func TestFloors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range floors {
		if row := "| " + f.name + " | " + f.doc + " |"; !strings.Contains(string(text), row) {
			t.Errorf("docs/architecture.md has no row %s", row)
		}
		if !slices.ContainsFunc(layers, func(l layer) bool { return floorOf(l.of).name == f.name }) {
			t.Errorf("nothing is on the floor %s", f.name)
		}
	}
}
