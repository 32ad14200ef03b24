package main

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// A figure is a row of the table: what a benchmark reports in a unit, and beside it a reference of the same package.
type figure struct {
	what      string
	pkg, name string // of the benchmark
	unit      string
	reference string // benchmark of the reference; empty for none, or for another unit of the same benchmark
	refUnit   string // unit of the reference, empty for that of the figure
	refWhat   string
}

// list is what is measured, in the order of the table.
var list = []figure{
	{"cycle of a motion of 1,379 primitives, cycle after cycle, a primitive", "rcc/net", "BenchmarkCycle/flat/warm", "ns/primitive", "", "reference-ns/primitive", "interpreter"},
	{"the same with cold caches", "rcc/net", "BenchmarkCycle/flat/cold", "ns/primitive", "", "reference-ns/primitive", "interpreter"},
	{"cycle of a motion of 1,451 primitives in fragments, a primitive", "rcc/net", "BenchmarkCycle/SYNC-LIN/warm", "ns/primitive", "", "reference-ns/primitive", "interpreter"},
	{"the same with cold caches", "rcc/net", "BenchmarkCycle/SYNC-LIN/cold", "ns/primitive", "", "reference-ns/primitive", "interpreter"},
	{"compiling 1,300 primitives from the tree", "rcc/net", "BenchmarkCompile/flat", "ns/op", "", "", ""},
	{"a net of 1,350 primitives over a WebSocket, until it is ready", "directio", "BenchmarkLoad", "ns/op", "", "", ""},
	{"parsing such a net", "grammar/explain", "BenchmarkParseNet/hand-written", "ns/op", "BenchmarkParseNet/generated", "", "generated parser"},
	{"50,000 primitives over a WebSocket, until they are ready", "directio", "BenchmarkLoadLarge", "ns/op", "", "", ""},
	{"1,350 primitives in XML over HTTP, until they are ready", "directio", "BenchmarkLoadXML", "ns/op", "BenchmarkLoad", "", "as text over a WebSocket"},
	{"the pieces of a net of 1,350 primitives in XML", "internal/xmlread", "BenchmarkRead/here", "ns/op", "BenchmarkRead/encoding-xml", "", "`encoding/xml`"},
	{"start of a net of 1 ms to its first value at a client that asks for 1 ms", "directio", "BenchmarkFirstValue/0.001", "p50-ns", "BenchmarkFirstValue/0.01", "", "asks for 10 ms"},
	{"parsing a statement of 80 bytes", "grammar/explain", "BenchmarkParseStatement/hand-written", "ns/op", "BenchmarkParseStatement/generated", "", "generated parser"},
	{"a tick with 100 small nets", "rcc/sched", "BenchmarkTick/100", "ns/tick", "BenchmarkTick/1", "", "one net"},
	{"a tick with 500 small nets", "rcc/sched", "BenchmarkTick/500", "ns/tick", "", "measured-ns/tick", "each of them measured"},
	{"recording a double for debugging", "rcc/spec", "BenchmarkRecorder/double", "ns/port", "BenchmarkRecorder/unchanged", "", "one that does not change"},
	{"a telegram of RSI, read and answered", "devices/kukarsi/telegram", "BenchmarkTelegram/here", "ns/op", "BenchmarkTelegram/encoding-xml", "", "`encoding/xml`, two elements"},
	{"a command over a connection with 4,000 subscriptions", "directio/protocol", "BenchmarkSubscriptions/4000", "ns/op", "BenchmarkSubscriptions/4", "", "4 subscriptions"},
	{"start of the daemon until its first answer over HTTP", "cmd/rccd", "BenchmarkStart/beside-bare", "ns/start", "", "reference-ns/start", "a bare server in Go"},
	{"the same", "cmd/rccd", "BenchmarkStart/beside-without-self-test", "ns/start", "", "reference-ns/start", "`--realtime off`"},
	{"time of a CPU in a second, five simulated devices and no net", "cmd/rccd", "BenchmarkIdle/five-devices", "ns-of-a-cpu/s", "", "", ""},
	{"time of a CPU in a second, the demonstration", "cmd/rccd", "BenchmarkIdle/demo", "ns-of-a-cpu/s", "", "", ""},
	{"wake-up of a net of 1 ms at which ten clients look, 99 %", "cmd/rccd", "BenchmarkLookedAt", "looked-p99-ns", "", "alone-p99-ns", "nobody looks"},
	{"product of two frames", "geom", "BenchmarkGeometry/Mul", "ns/op", "", "", ""},
	{"pose of the flange of six axes", "geom/kinematics", "BenchmarkForward/6R", "ns/op", "", "", ""},
	{"all eight branches of a KR16-2", "geom/kinematics", "BenchmarkInverse/KR16-2/branches", "ns/op", "", "", ""},
	{"the same, not yet unwound within limits", "geom/kinematics", "BenchmarkClosedForm/branches", "ns/op", "", "", ""},
	{"all eight branches of an LWR for one alpha", "geom/kinematics", "BenchmarkSRS/BranchesAt", "ns/op", "", "", ""},
	{"double S for six joints from rest to rest", "motion", "BenchmarkRest/asynchronous", "ns/op", "", "", ""},
	{"the same, in their least common time", "motion", "BenchmarkRest/synchronous", "ns/op", "", "", ""},
	{"double S for six joints from and to any states, in their least common time", "motion", "BenchmarkPlan/synchronous", "ns/op", "", "", ""},
	{"online step of six joints, with a new goal in every cycle", "motion", "BenchmarkOnline/asynchronous", "ns/op", "", "", ""},
	{"online step of six joints that arrive together", "motion", "BenchmarkOnline/synchronous", "ns/op", "", "", ""},
	{"point of a spline by arc length, with derivatives", "motion/path", "BenchmarkAt/spline", "ns/op", "", "", ""},
}

func (f figure) key() string { return f.pkg + " " + f.name }

// row takes the figures from what go test has printed.
func (f figure) row(output string) (r row, err error) {
	if r.figure, err = value(output, f.name, f.unit); err != nil {
		return row{}, err
	}
	unit := f.refUnit
	if unit == "" {
		unit = f.unit
	}
	switch {
	case f.reference != "":
		r.reference, err = value(output, f.reference, unit)
	case f.refUnit != "":
		r.reference, err = value(output, f.name, unit)
	}
	return r, err
}

// value returns what a benchmark has reported in a unit, for people.
func value(output, name, unit string) (string, error) {
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != name && !regexp.MustCompile("^"+regexp.QuoteMeta(name)+`-\d+$`).MatchString(fields[0]) {
			continue
		}
		for i := 3; i < len(fields); i += 2 {
			if fields[i] != unit {
				continue
			}
			v, err := strconv.ParseFloat(fields[i-1], 64)
			if err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			return nanoseconds(v), nil
		}
		return "", fmt.Errorf("%s reports nothing in %s", name, unit)
	}
	return "", fmt.Errorf("%s has not been run: %s", name, strings.TrimSpace(output))
}

// nanoseconds prints a time with three digits.
func nanoseconds(v float64) string {
	unit := "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if v < 1000 {
			break
		}
		v, unit = v/1000, larger
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + " " + unit
}

func cpus() int { return runtime.NumCPU() }

func goVersion() string { return strings.Replace(runtime.Version(), "go", "Go ", 1) }
