package pages

import (
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	measured "github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

var (
	metricLine  = regexp.MustCompile(`^([a-z_]+)(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})? (\S+)$`)
	metricLabel = regexp.MustCompile(`([a-z]+)="((?:[^"\\\n]|\\[\\"n])*)"`)
)

// samples reads the text form of Prometheus strictly: every family has one line of help and one of type, in this order, and stands
// together; every sample belongs to the family before it, and is told once; counters are named so and not below zero; what a histogram
// counts only grows with its bounds, up to its count.
func samples(t *testing.T, text string) map[string]float64 {
	t.Helper()
	if !strings.HasSuffix(text, "\n") {
		t.Error("the last line has no end")
	}
	got, families := map[string]float64{}, map[string]bool{}
	family, kind, helped := "", "", ""
	last, bounds := math.Inf(-1), ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if help, ok := strings.CutPrefix(line, "# HELP "); ok {
			name, what, _ := strings.Cut(help, " ")
			if families[name] || what == "" || !strings.HasSuffix(what, ".") {
				t.Errorf("help: %q", line)
			}
			families[name], helped, family = true, name, ""
			continue
		}
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			family, kind, _ = strings.Cut(name, " ")
			if family != helped || kind != gauge && kind != counter && kind != histogram || kind == counter != strings.HasSuffix(family, "_total") {
				t.Errorf("type: %q", line)
			}
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("no sample: %q", line)
			continue
		}
		base := m[1]
		if kind == histogram {
			base = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(base, "")
		}
		if base != family {
			t.Errorf("%q stands below %s", line, family)
		}
		if rest := metricLabel.ReplaceAllString(m[2], ""); strings.Trim(rest, "{},") != "" {
			t.Errorf("labels %q", m[2])
		}
		v, err := strconv.ParseFloat(strings.Replace(m[3], "+Inf", "Inf", 1), 64)
		if err != nil || kind != gauge && v < 0 {
			t.Errorf("%q: %v", line, err)
		}
		if _, twice := got[m[1]+m[2]]; twice {
			t.Errorf("%q is there twice", line)
		}
		got[m[1]+m[2]] = v
		if strings.HasSuffix(m[1], "_bucket") && kind == histogram {
			which := regexp.MustCompile(`,?le="[^"]*"`).ReplaceAllString(m[1]+m[2], "")
			if which == bounds && v < last {
				t.Errorf("%q after %v", line, last)
			}
			last, bounds = v, which
		}
	}
	return got
}

func TestMetrics(t *testing.T) {
	c := furnished(t)
	a := c.answer(request("GET", "/metrics", "", "Accept", browser)) // whoever asks
	if got := a.Header.Get("Content-Type"); got != typeMetrics {
		t.Errorf("type %q", got)
	}
	got := samples(t, a.text)
	for name, want := range map[string]float64{
		`rccd_info{version="1.2.3",realtime="degraded"}`: 1,
		`rccd_nets{state="RUNNING"}`:                     1, `rccd_nets{state="REJECTED"}`: 1, `rccd_nets{state="READY"}`: 1, `rccd_nets{state="SCHEDULED"}`: 0,
		`rccd_rules{state="FIRED"}`: 1, `rccd_rules{state="ACTIVE"}`: 0,
		`rccd_devices{state="operational"}`: 1, `rccd_sessions`: 1,
		`rccd_realtime_fact{fact="rights"}`: 0, `rccd_realtime_fact{fact="machine"}`: 0, `rccd_realtime_fact{fact="record"}`: 0,
		`rccd_late_ticks_total`: 0, `rccd_missed_ticks_total`: 0, `rccd_overruns_total`: 0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (%v), not %v", name, v, ok, want)
		}
	}
	const labels = `period="2ms",class="realtime",cpu="any",number="0"`
	if got["rccd_executor_ticks_total{"+labels+"}"] < 4 {
		t.Errorf("ticks: %v", got)
	}
	for _, h := range []string{"rccd_executor_wakeup_seconds", "rccd_executor_busy_seconds"} {
		last, count := 0.0, got[h+"_count{"+labels+"}"]
		for bound := firstBound; bound <= lastBound; bound++ {
			v, ok := got[h+"_bucket{"+labels+`,le="`+number(float64(int64(1)<<bound)/1e9)+`"}`]
			if !ok || v < last || v > count {
				t.Errorf("%s: class 2^%d ns has %v of %v", h, bound, v, count)
			}
			last = v
		}
		if v := got[h+"_bucket{"+labels+`,le="+Inf"}`]; v != count || count == 0 {
			t.Errorf("%s: %v of %v", h, v, count)
		}
	}
	if strings.Contains(a.text, "rccd_connections") {
		t.Error("nobody knows about connections here")
	}
}

// TestMetricsOfTheProcess: each number grows by what it is about.
func TestMetricsOfTheProcess(t *testing.T) {
	lost, panics, away := uint64(0), uint64(0), map[string]uint64{"full": 0, "closing": 0}
	c := newCell(t, Options{
		Usage: func() (Usage, error) {
			u, err := rt.ReadUsage()
			return Usage(u), err
		},
		LogLost: func() uint64 { return lost }, Panics: func() uint64 { return panics }, TurnedAway: func() map[string]uint64 { return away },
	})
	read := func() map[string]float64 { return samples(t, c.answer(request("GET", "/metrics", "")).text) }
	before := read()
	grows := func(name string, least float64, do func()) {
		t.Helper()
		was, ok := read()[name]
		do()
		if is := read()[name]; !ok || is < was+least {
			t.Errorf("%s: from %v (%v) to %v, not by %v", name, was, ok, is, least)
		}
	}
	grows("rccd_log_lines_lost_total", 3, func() { lost += 3 })
	grows("rccd_panics_total", 1, func() { panics++ })
	grows(`rccd_connections_turned_away_total{reason="full"}`, 2, func() { away["full"] += 2 })
	if v, ok := read()[`rccd_connections_turned_away_total{reason="closing"}`]; !ok || v != 0 {
		t.Errorf("closing: %v, %v", v, ok)
	}
	end := make(chan bool)
	defer close(end)
	const goroutines = 1000
	grows("go_goroutines", 0.9*goroutines, func() { // others may end at the same time
		for range goroutines {
			go func() { <-end }()
		}
	})
	grows("go_memory_classes_heap_stacks_bytes", goroutines*32<<10, func() {
		deep := make(chan bool)
		for range goroutines {
			go deepStack(200, func() {
				deep <- true
				<-end // while the stack is deep, as it may shrink afterwards
			})
		}
		for range goroutines {
			<-deep
		}
	})
	var kept []byte
	grows("go_memory_classes_heap_objects_bytes", 48<<20, func() { kept = make([]byte, 64<<20) })
	grows("go_gc_heap_allocs_bytes_total", 64<<20, func() { kept = make([]byte, 64<<20) })
	runtime.KeepAlive(kept)
	grows("go_gc_cycles_total_gc_cycles_total", 1, runtime.GC)
	if runtime.GOOS == "linux" {
		grows("process_open_fds", 10, func() {
			for range 20 {
				f, err := os.Open(os.DevNull)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = f.Close() })
			}
		})
		for read()["process_cpu_seconds_total"] < before["process_cpu_seconds_total"]+0.01 { // comes by itself
		}
		if age := time.Since(time.Unix(0, int64(before["process_start_time_seconds"]*1e9))); age < 0 || age > 24*time.Hour {
			t.Errorf("started %v ago", age)
		}
		for _, name := range []string{"process_resident_memory_bytes", "process_virtual_memory_bytes", "process_max_fds", "go_threads"} {
			if before[name] <= 0 {
				t.Errorf("%s is %v", name, before[name])
			}
		}
	}
	sum := 0.0
	for name, v := range before {
		if strings.HasPrefix(name, "go_memory_classes_") && name != "go_memory_classes_total_bytes" {
			sum += v
		}
	}
	if total := before["go_memory_classes_total_bytes"]; sum != total || total == 0 {
		t.Errorf("kinds of memory are %v bytes, all is %v", sum, total)
	}
}

// deepStack calls what it is given below so many frames of 128 bytes and more.
func deepStack(frames int, below func()) byte {
	var room [128]byte
	if room[frames%len(room)] = byte(frames); frames == 0 {
		below()
		return 0
	}
	return deepStack(frames-1, below) + room[frames%len(room)]
}

// metered is a device with figures.
type metered struct{ times measured.Distribution }

func (m *metered) Status() device.Status { return device.Status{State: device.Operational} }

func (m *metered) Interfaces() []device.Interface { return nil }

func (m *metered) Close() error { return nil }

func (m *metered) Metrics() []device.Metric {
	return []device.Metric{
		{Name: "level", Help: "A level.", Value: 3},
		{Name: "parts_total", Help: "Parts.", Which: "good", Value: 5},
		{Name: "parts_total", Help: "Parts.", Which: "bad", Value: 1},
		{Name: "answer_seconds", Help: "Times.", Times: &m.times},
	}
}

// TestMetricsOfDevices: families of several devices stand together.
func TestMetricsOfDevices(t *testing.T) {
	var times measured.Times
	times.Add(2000, 2000)
	times.Add(4000, 4000)
	d := &metered{times.Read()}
	kind := device.Type{Name: "metered", Open: func(*device.Env, map[string]string) (device.Device, error) { return d, nil }}
	c := newCell(t, Options{}, func(cfg *rcc.Config) { cfg.DeviceTypes = append(cfg.DeviceTypes, kind) })
	for _, name := range []string{"a", "b"} {
		if err := c.Devices.Create(name, kind.Name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Devices.Create("plain", testdevice.Type.Name, nil); err != nil {
		t.Fatal(err)
	}
	text := c.answer(request("GET", "/metrics", "")).text
	got := samples(t, text)
	for name, want := range map[string]float64{
		`rccd_device_level{device="a"}`: 3, `rccd_device_level{device="b"}`: 3,
		`rccd_device_parts_total{device="a",which="good"}`: 5, `rccd_device_parts_total{device="b",which="bad"}`: 1,
		`rccd_device_answer_seconds_count{device="b"}`: 2, `rccd_device_answer_seconds_sum{device="b"}`: 6e-6,
		`rccd_device_answer_seconds_bucket{device="a",le="2.048e-06"}`: 1,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (%v), not %v", name, v, ok, want)
		}
	}
	if n := strings.Count(text, "# TYPE rccd_device_level gauge"); n != 1 {
		t.Errorf("%d families of levels", n)
	}
}

// TestMetricLabels has text from outside in labels.
func TestMetricLabels(t *testing.T) {
	c := newCell(t, Options{Version: "1\"} 5\nforged 1\\", Connections: func() int { return 7 }})
	got := samples(t, c.answer(request("GET", "/metrics", "")).text)
	if got[`rccd_info{version="1\"} 5\nforged 1\\",realtime=""}`] != 1 {
		t.Errorf("%v", got)
	}
	if got["rccd_connections"] != 7 {
		t.Errorf("%v", got)
	}
}

// TestHistogramOfMetrics compares the bounds of histograms with the classes of the core.
func TestHistogramOfMetrics(t *testing.T) {
	for bound := firstBound; bound <= lastBound; bound++ {
		if start := facts.ClassStart(4 * (bound - 1)); start != 1<<bound {
			t.Errorf("class %d begins at %v, not at 2^%d ns", 4*(bound-1), start, bound)
		}
	}
}

// TestMetricsOfClientMemory: what clients use is told by kind, as a sum and beside its limit, and grows and shrinks with their nets.
func TestMetricsOfClientMemory(t *testing.T) {
	c := newCell(t, Options{})
	read := func() (texts, used float64) {
		t.Helper()
		got, kinds, sum := samples(t, c.answer(request("GET", "/metrics", "")).text), 0, 0.0
		for name, v := range got {
			if strings.HasPrefix(name, "rccd_client_memory_bytes{kind=") {
				kinds++
				sum += v
			}
		}
		u := c.Memory.Usage()
		used = got["rccd_client_memory_used_bytes"]
		if kinds != len(u.Of) || kinds == 0 || sum != used || used != float64(u.Used) || got["rccd_client_memory_limit_bytes"] != float64(u.Most) {
			t.Errorf("%d kinds of %v bytes, used %v of %v: %+v", kinds, sum, used, got["rccd_client_memory_limit_bytes"], u)
		}
		return got[`rccd_client_memory_bytes{kind="texts"}`], used
	}
	textsBefore, before := read()
	if a := c.answer(request("POST", "/nets/", "{outTerminate=Core::BooleanValue().outValue}", "Content-Type", "text/plain")); a.StatusCode != 201 {
		t.Fatal(a.Status, a.text)
	}
	if texts, used := read(); texts <= textsBefore || used <= before {
		t.Errorf("with a net %v of %v bytes, without %v of %v", texts, used, textsBefore, before)
	}
}
