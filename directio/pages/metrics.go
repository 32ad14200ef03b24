package pages

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// typeMetrics is the text form of Prometheus. Its few rules are written down here, as nothing is measured for it that the
// core does not know anyway: a library would want to count by itself.
const typeMetrics = "text/plain; version=0.0.4; charset=utf-8"

// metricsText collects families of samples.
type metricsText struct{ strings.Builder }

// family begins a metric: all samples of it follow.
func (m *metricsText) family(name, kind, help string) {
	fmt.Fprintf(m, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes a line; labels are pairs of name and value.
func (m *metricsText) sample(name string, value float64, labels ...string) {
	m.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		m.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(m, `%s="%s"`, labels[i], labelEscapes.Replace(labels[i+1]))
	}
	if len(labels) > 0 {
		m.WriteByte('}')
	}
	m.WriteByte(' ')
	m.WriteString(number(value))
	m.WriteByte('\n')
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// one is a family of a single sample without labels.
func (m *metricsText) one(name, kind, help string, value float64) {
	m.family(name, kind, help)
	m.sample(name, value)
}

const (
	gauge     = "gauge"
	counter   = "counter"
	histogram = "histogram"
)

func showMetrics(x *exchange) error {
	var m metricsText
	state := x.opt.Realtime()
	m.family("rccd_info", gauge, "The daemon: its version and how far it is real-time (full, checking, degraded, off).")
	m.sample("rccd_info", 1, "version", x.opt.Version, "realtime", state.Word)
	if len(state.Facts) > 0 {
		m.family("rccd_realtime_fact", gauge, "Whether rights, machine and the record of the last minute are as real time needs them (1), or not (0).")
	}
	for _, f := range state.Facts {
		m.sample("rccd_realtime_fact", map[bool]float64{true: 1}[f.OK], "fact", f.Name)
	}
	tally := x.core.Executors.Tally()
	m.one("rccd_late_ticks_total", counter, "Ticks of all executors, also of those that have gone, that began late or after missed ones.", float64(tally.Late))
	m.one("rccd_missed_ticks_total", counter, "Ticks of all executors, also of those that have gone, that were left out.", float64(tally.Missed))
	m.one("rccd_overruns_total", counter, "Cycles of nets that took longer than their period.", float64(tally.Overruns))
	x.netMetrics(&m)
	x.executorMetrics(&m)
	incidents, _ := x.core.Executors.Incidents()
	x.cpuMetrics(&m)
	m.one("rccd_incidents_total", counter, "Late ticks, overruns and overloads, see /realtime/.", float64(incidents))
	x.memoryMetrics(&m)
	if x.opt.Connections != nil {
		m.one("rccd_connections", gauge, "Connections that speak DirectIO.", float64(x.opt.Connections()))
	}
	if x.opt.TurnedAway != nil {
		m.family("rccd_connections_turned_away_total", counter, "Connections that wanted to speak DirectIO and were refused, by reason.")
		reasons := x.opt.TurnedAway()
		for _, reason := range slices.Sorted(maps.Keys(reasons)) {
			m.sample("rccd_connections_turned_away_total", float64(reasons[reason]), "reason", reason)
		}
	}
	if x.opt.LogLost != nil {
		m.one("rccd_log_lines_lost_total", counter, "Lines of the log that nobody took from standard error; the newest lines are at /log/.", float64(x.opt.LogLost()))
	}
	if x.opt.Panics != nil {
		m.one("rccd_panics_total", counter, "Panics of goroutines that were caught.", float64(x.opt.Panics()))
	}
	x.deviceMetrics(&m)
	if x.opt.Usage != nil {
		if u, err := x.opt.Usage(); err == nil { // unknown except on Linux
			u.metrics(&m)
		}
	}
	runtimeMetrics(&m)
	x.write(http.StatusOK, typeMetrics, []byte(m.String()))
	return nil
}

// memoryMetrics count the memory that clients use, and its limit.
func (x *exchange) memoryMetrics(m *metricsText) {
	u := x.core.Memory.Usage()
	m.family("rccd_client_memory_bytes", gauge, "Memory that clients have caused, by what it is used for.")
	for _, kind := range slices.Sorted(maps.Keys(u.Of)) {
		m.sample("rccd_client_memory_bytes", float64(u.Of[kind]), "kind", kind)
	}
	m.one("rccd_client_memory_used_bytes", gauge, "Memory that clients have caused, the sum of all kinds.", float64(u.Used))
	m.one("rccd_client_memory_limit_bytes", gauge, "Memory that clients may cause (limits.memory).", float64(u.Most))
}

// netMetrics have all states, also those in which there is nothing, so that a line does not begin in the middle.
func (x *exchange) netMetrics(m *metricsText) {
	nets := map[rcc.State]float64{}
	for _, n := range x.core.Nets.All() {
		nets[n.State()]++
	}
	m.family("rccd_nets", gauge, "Nets by state.")
	for s := rcc.Loading; s <= rcc.Unloaded; s++ {
		m.sample("rccd_nets", nets[s], "state", s.String())
	}
	rules := map[rcc.RuleState]float64{}
	for _, r := range x.core.Rules.All() {
		state, _ := r.State()
		rules[state]++
	}
	m.family("rccd_rules", gauge, "Synchronization rules by state.")
	for s := rcc.RuleActive; s <= rcc.RuleInactive; s++ {
		m.sample("rccd_rules", rules[s], "state", s.String())
	}
	devices := map[string]float64{"operational": 0, "safe-operational": 0, "offline": 0}
	for _, d := range x.core.Devices.All() {
		devices[d.State.String()]++
	}
	m.family("rccd_devices", gauge, "Devices by state.")
	for _, s := range []string{"operational", "safe-operational", "offline"} {
		m.sample("rccd_devices", devices[s], "state", s)
	}
	m.one("rccd_sessions", gauge, "Sessions of applications.", float64(len(x.core.Sessions.All())))
}

// executorLine is an executor with the labels that identify it.
type executorLine struct {
	labels []string
	facts.Executor
	wakeup, busy distribution
}

// distribution is what a histogram is made of.
type distribution struct {
	classes []uint64
	count   uint64
	mean    time.Duration
}

func (x *exchange) executorLines() []executorLine {
	var list []executorLine
	seen := map[string]int{}
	for _, e := range x.core.Executors.All() {
		class, cpu := "other", "any"
		if e.Realtime {
			class = "realtime"
		}
		if e.CPU >= 0 {
			cpu = strconv.Itoa(e.CPU)
		}
		key := e.Period.String() + class + cpu
		line := executorLine{
			labels:   []string{"period", e.Period.String(), "class", class, "cpu", cpu, "number", strconv.Itoa(seen[key])},
			Executor: facts.Executor{Nets: e.Nets, Ticks: e.Ticks, Late: e.Late, Missed: e.Missed, Share: e.Share.Percent()},
			wakeup:   distribution{e.Wakeup.Histogram[:], e.Wakeup.Count, e.Wakeup.Mean},
			busy:     distribution{e.Busy.Histogram[:], e.Busy.Count, e.Busy.Mean},
		}
		seen[key]++
		list = append(list, line)
	}
	return list
}

func (x *exchange) executorMetrics(m *metricsText) {
	list := x.executorLines()
	for _, f := range []struct {
		name, kind, help string
		of               func(*executorLine) float64
	}{
		{"rccd_executor_nets", gauge, "Nets that an executor runs.", func(e *executorLine) float64 { return float64(e.Nets) }},
		{"rccd_executor_share", gauge, "Part of a CPU that the running nets of an executor take.", func(e *executorLine) float64 { return e.Share / 100 }},
		{"rccd_executor_ticks_total", counter, "Ticks of an executor.", func(e *executorLine) float64 { return float64(e.Ticks) }},
		{"rccd_executor_late_total", counter, "Ticks that began more than half a period late.", func(e *executorLine) float64 { return float64(e.Late) }},
		{"rccd_executor_missed_total", counter, "Ticks that were left out because of late ones.", func(e *executorLine) float64 { return float64(e.Missed) }},
	} {
		m.family(f.name, f.kind, f.help)
		for i := range list {
			m.sample(f.name, f.of(&list[i]), list[i].labels...)
		}
	}
	m.histograms("rccd_executor_wakeup_seconds", "How long after its instant a tick began.", list, func(e *executorLine) distribution { return e.wakeup })
	m.histograms("rccd_executor_busy_seconds", "How long the nets of an executor took in a tick.", list, func(e *executorLine) distribution { return e.busy })
}

// cpuMetrics show how much of the CPUs nets take, and may take.
func (x *exchange) cpuMetrics(m *metricsText) {
	list := x.core.Executors.CPUs()
	for _, f := range []struct {
		name, help string
		of         func(*rcc.CPU) float64
	}{
		{"rccd_cpu_share", "Part of a CPU that the nets take that run on it.", func(c *rcc.CPU) float64 { return c.Taken.Percent() }},
		{"rccd_cpu_limit", "Part of a CPU that nets may take; 0 for no limit.", func(c *rcc.CPU) float64 { return c.Limit.Percent() }},
	} {
		m.family(f.name, gauge, f.help)
		for i := range list {
			cpu := "any"
			if list[i].Number >= 0 {
				cpu = strconv.Itoa(list[i].Number)
			}
			m.sample(f.name, f.of(&list[i])/100, "cpu", cpu)
		}
	}
}

// The bounds of histograms are powers of two of nanoseconds, about 1 µs to 1 s. The core has four classes to a doubling.
const (
	firstBound = 10
	lastBound  = 30
)

func (m *metricsText) histograms(name, help string, list []executorLine, of func(*executorLine) distribution) {
	m.family(name, histogram, help)
	for i := range list {
		m.histogram(name, of(&list[i]), list[i].labels...)
	}
}

// histogram writes the lines of a distribution of times.
func (m *metricsText) histogram(name string, d distribution, labels ...string) {
	var below uint64
	class := 0
	for bound := firstBound; bound <= lastBound; bound++ {
		for ; class < min(4*(bound-1), len(d.classes)); class++ {
			below += d.classes[class]
		}
		le := number(time.Duration(1 << bound).Seconds())
		m.sample(name+"_bucket", float64(below), append(labels[:len(labels):len(labels)], "le", le)...)
	}
	count := max(d.count, below) // something may have been counted in between
	m.sample(name+"_bucket", float64(count), append(labels[:len(labels):len(labels)], "le", "+Inf")...)
	m.sample(name+"_sum", d.mean.Seconds()*float64(count), labels...)
	m.sample(name+"_count", float64(count), labels...)
}

// deviceMetrics are the metrics of devices. A family has to stand together, whatever devices it is from.
func (x *exchange) deviceMetrics(m *metricsText) {
	list := x.core.Devices.Metrics()
	seen := map[string]bool{}
	for i := range list {
		if !seen[list[i].Name] {
			seen[list[i].Name] = true
			m.deviceFamily(list[i:])
		}
	}
}

// deviceFamily writes the family of the first figure.
func (m *metricsText) deviceFamily(list []rcc.DeviceMetric) {
	name, kind := "rccd_device_"+list[0].Name, gauge
	switch {
	case list[0].Times != nil:
		kind = histogram
	case strings.HasSuffix(name, "_total"):
		kind = counter
	}
	m.family(name, kind, list[0].Help)
	for i := range list {
		d := &list[i]
		if d.Name != list[0].Name {
			continue
		}
		labels := []string{"device", d.Device}
		if d.Which != "" {
			labels = append(labels, "which", d.Which)
		}
		if t := d.Times; t != nil {
			m.histogram(name, distribution{t.Histogram[:], t.Count, t.Mean}, labels...)
		} else {
			m.sample(name, d.Value, labels...)
		}
	}
}

// Usage is the use of the machine by the process.
type Usage struct {
	Started  time.Time
	CPU      time.Duration // of all threads, in the program and in the system on its behalf
	Resident uint64        // bytes of memory in RAM, including shared ones
	Virtual  uint64        // bytes of addresses
	Threads  int
	Files    int    // open descriptors
	MaxFiles uint64 // limit of open descriptors
}

// metrics have the names that every exporter of Prometheus gives them.
func (u *Usage) metrics(m *metricsText) {
	m.one("process_start_time_seconds", gauge, "Start of the process, Unix time.", float64(u.Started.UnixNano())/1e9)
	m.one("process_cpu_seconds_total", counter, "CPU time of the process, of the user and of the system.", u.CPU.Seconds())
	m.one("process_resident_memory_bytes", gauge, "Memory of the process that is in RAM.", float64(u.Resident))
	m.one("process_virtual_memory_bytes", gauge, "Addresses of the process.", float64(u.Virtual))
	m.one("process_open_fds", gauge, "Open file descriptors.", float64(u.Files))
	m.one("process_max_fds", gauge, "File descriptors that may be open.", float64(u.MaxFiles))
	m.one("go_threads", gauge, "Threads of the operating system, executors among them.", float64(u.Threads))
}

// memoryClasses are the kinds of memory of the runtime, which together are all that it has: what it calls them below
// /memory/classes/, and what they are.
var memoryClasses = []struct{ name, help string }{
	{"heap/objects", "Memory of objects in use and of those not collected yet."},
	{"heap/unused", "Memory of the heap that is reserved for objects of a size."},
	{"heap/free", "Memory of the heap without objects that could be given back to the system."},
	{"heap/released", "Addresses of the heap whose memory has been given back to the system."},
	{"heap/stacks", "Memory of the stacks of goroutines."},
	{"os-stacks", "Memory of the stacks that the system has given threads."},
	{"metadata/mcache/free", "Memory for caches of threads that is reserved."},
	{"metadata/mcache/inuse", "Memory for caches of threads."},
	{"metadata/mspan/free", "Memory for what describes the heap that is reserved."},
	{"metadata/mspan/inuse", "Memory for what describes the heap."},
	{"metadata/other", "Memory of the runtime for its own use."},
	{"profiling/buckets", "Memory for profiles."},
	{"other", "Memory of the runtime for timers, finalizers and the like."},
	{"total", "Memory that the runtime has of the system, the sum of all kinds."},
}

// runtimeMetrics come from the runtime, which does not stop anything to tell them. Those of memory have the names that the client library
// of Prometheus makes for them.
func runtimeMetrics(m *metricsText) {
	m.family("go_info", gauge, "The version of Go.")
	m.sample("go_info", 1, "version", runtime.Version())
	type figure struct{ sample, name, kind, help string }
	wanted := []figure{
		{"/sched/goroutines:goroutines", "go_goroutines", gauge, "Goroutines."},
		{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total_gc_cycles_total", counter, "Collections of garbage."},
		{"/gc/heap/goal:bytes", "go_gc_heap_goal_bytes", gauge, "Size of the heap at which the next collection is to be over."},
		{"/gc/heap/allocs:bytes", "go_gc_heap_allocs_bytes_total", counter, "Bytes of the heap that were ever given out."},
		{"/cpu/classes/gc/total:cpu-seconds", "go_cpu_classes_gc_total_cpu_seconds_total", counter, "CPU time that collecting garbage has taken, an estimate."},
	}
	for _, c := range memoryClasses {
		name := "go_memory_classes_" + strings.NewReplacer("/", "_", "-", "_").Replace(c.name) + "_bytes"
		wanted = append(wanted, figure{"/memory/classes/" + c.name + ":bytes", name, gauge, c.help})
	}
	samples := make([]metrics.Sample, len(wanted))
	for i := range wanted {
		samples[i].Name = wanted[i].sample
	}
	metrics.Read(samples)
	for i, w := range wanted {
		switch v := samples[i].Value; v.Kind() {
		case metrics.KindUint64:
			m.one(w.name, w.kind, w.help, float64(v.Uint64()))
		case metrics.KindFloat64:
			m.one(w.name, w.kind, w.help, v.Float64())
		}
	}
}
