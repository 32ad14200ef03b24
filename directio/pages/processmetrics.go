package pages

import (
	"runtime"
	"runtime/metrics"
	"strings"
	"time"
)

// Usage is what the process takes of the machine.
type Usage struct {
	Started  time.Time
	CPU      time.Duration // of all threads, in the program and in the system on its behalf
	Resident uint64        // bytes of memory that are there, shared ones included
	Virtual  uint64        // bytes of addresses
	Threads  int
	Files    int    // descriptors that are open
	MaxFiles uint64 // that may be
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
