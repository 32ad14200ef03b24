package pages

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/testdevice"
	measured "github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

var (
	metricLine  = regexp.MustCompile(`^([a-z_]+)(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})? (\S+)$`)
	metricLabel = regexp.MustCompile(`([a-z]+)="((?:[^"\\\n]|\\[\\"n])*)"`)
)

// samples reads the text form of Prometheus, strictly enough for what we write: every line belongs to the family before
// it, and nothing is told twice.
func samples(t *testing.T, text string) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	family, kind := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			family, kind, _ = strings.Cut(name, " ")
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("no sample: %q", line)
			continue
		}
		base := m[1]
		if kind == "histogram" {
			base = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(base, "")
		}
		if base != family {
			t.Errorf("%q stands below %s", line, family)
		}
		if kind == "counter" && !strings.HasSuffix(family, "_total") {
			t.Errorf("counter %s", family)
		}
		if rest := metricLabel.ReplaceAllString(m[2], ""); strings.Trim(rest, "{},") != "" {
			t.Errorf("labels %q", m[2])
		}
		v, err := strconv.ParseFloat(strings.Replace(m[3], "+Inf", "Inf", 1), 64)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if _, twice := got[m[1]+m[2]]; twice {
			t.Errorf("%q is there twice", line)
		}
		got[m[1]+m[2]] = v
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
		if err := c.CreateDevice(name, kind.Name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.CreateDevice("plain", testdevice.Type.Name, nil); err != nil {
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
		if start := classStart(4 * (bound - 1)); start != 1<<bound {
			t.Errorf("class %d begins at %v, not at 2^%d ns", 4*(bound-1), start, bound)
		}
	}
}
