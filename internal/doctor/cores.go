package doctor

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// cpuFile returns a file of a CPU in /sys.
func cpuFile(n int, name string) string { return fmt.Sprintf("%s/cpu%d/%s", sysCPU, n, name) }

func cpuCount(m *machine) Finding {
	const wanted = "at least 2, one for executors"
	missing := m.executors.without(m.online)
	f := Finding{Found: fmt.Sprintf("%d, CPU %v for executors", len(m.online), m.executors), Wanted: wanted}
	switch {
	case len(m.online) == 0:
		return unreadable(sysCPU+"/online", wanted)
	case len(missing) > 0:
		f.Found, f.Verdict = fmt.Sprintf("CPU %v is not online", missing), Needed
		f.Command = fmt.Sprintf("rccctl doctor --cpus %d # or another one of %v", m.online[len(m.online)-1], m.online)
	case len(m.others) == 0 && len(m.online) > 1:
		f.Verdict, f.Command = Needed, fmt.Sprintf("rccctl doctor --cpus %v # leaves one", m.online[1:])
	case len(m.others) == 0:
		f.Verdict = Needed // another machine
	case m.executors.has(0):
		f.Verdict = Better // CPU 0 does work of the kernel that no other one can do
		f.Wanted = "not CPU 0"
		f.Command = fmt.Sprintf("rccctl doctor --cpus %d", m.online[len(m.online)-1])
	}
	return f
}

// cpuset looks which CPUs the control group has, of either version.
func cpuset(m *machine) Finding {
	wanted := fmt.Sprintf("CPU %v", m.executors)
	groups, err := m.groups()
	if err != nil {
		return unreadable(m.process+"/cgroup", wanted)
	}
	for _, g := range groups {
		if g.has("cpuset") {
			for _, folder := range g.folders("cpuset") {
				for _, name := range []string{"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"} {
					if set, err := m.cpus(path.Join(folder, name)); err == nil && len(set) > 0 {
						return allowed(m, set, path.Join(folder, "cpuset.cpus"), wanted)
					}
				}
			}
		}
	}
	if !m.exists("sys/fs/cgroup") {
		return unreadable("sys/fs/cgroup", wanted)
	}
	return Finding{Found: "no limits", Wanted: wanted}
}

func allowed(m *machine, set CPUs, file, wanted string) Finding {
	f := Finding{Found: fmt.Sprintf("CPU %v", set), Wanted: wanted}
	if len(m.executors.without(set)) > 0 {
		f.Verdict, f.Command = Needed, write(m.online.String(), file)
		if m.container() {
			f.Command = fmt.Sprintf("docker run --cpuset-cpus %v IMAGE", m.online)
		}
	}
	return f
}

func isolcpus(m *machine) Finding {
	if !m.exists(sysCPU + "/online") {
		return unreadable(sysCPU+"/isolated", m.executors.String())
	}
	return onBoot(m, m.isolated, "isolcpus=managed_irq,domain,")
}

// onBoot returns the finding on a list of CPUs that is set on the command line of the kernel.
func onBoot(m *machine, got CPUs, parameter string) Finding {
	f := Finding{Found: "CPU " + got.String(), Wanted: "CPU " + m.executors.String()}
	if len(got) == 0 {
		f.Found = "none"
	}
	if len(m.executors.without(got)) > 0 {
		f.Verdict, f.Boot = Better, parameter+m.executors.String()
	}
	return f
}

func nohzFull(m *machine) Finding {
	got, err := m.cpus(sysCPU + "/nohz_full")
	switch {
	case err != nil && m.lacks(sysCPU+"/nohz_full", sysCPU+"/online"):
		return Finding{
			Found: "not in this kernel", Wanted: "CPU " + m.executors.String(), Verdict: Better, Command: installKernel(m),
		}
	case err != nil:
		return unreadable(sysCPU+"/nohz_full", "CPU "+m.executors.String())
	}
	return onBoot(m, got, "nohz_full=")
}

// rcuNocbs is on for the CPUs of nohz_full too, whatever else is said.
func rcuNocbs(m *machine) Finding {
	if _, err := m.read("proc/cmdline"); err != nil {
		return unreadable("proc/cmdline", "CPU "+m.executors.String())
	}
	got, _ := m.cpus(sysCPU + "/nohz_full")
	value, given := m.line["rcu_nocbs"]
	switch {
	case given && (value == "" || value == "all"):
		got = m.online
	case given:
		last := strconv.Itoa(mostCPUs - 1)
		if n := len(m.online); n > 0 {
			last = strconv.Itoa(m.online[n-1])
		}
		if listed, err := ParseCPUs(strings.ReplaceAll(value, "N", last)); err == nil {
			got = append(slices.Clone(got), listed...)
			slices.Sort(got)
			got = slices.Compact(got)
		}
	}
	return onBoot(m, got, "rcu_nocbs=")
}

func siblings(m *machine) Finding {
	const wanted = "one thread of a core"
	var awake, files []string
	for _, n := range m.executors {
		all, err := m.cpus(cpuFile(n, "topology/thread_siblings_list"))
		if err != nil {
			return unreadable(cpuFile(n, "topology/thread_siblings_list"), wanted)
		}
		for _, s := range all.both(m.online) {
			// Of two executors on a core, the first one stays.
			if s != n && (!m.executors.has(s) || s > n) {
				awake, files = append(awake, strconv.Itoa(s)), append(files, cpuFile(s, "online"))
			}
		}
	}
	if len(awake) == 0 {
		return Finding{Found: "no siblings", Wanted: wanted}
	}
	f := Finding{
		Found: "CPU " + strings.Join(awake, ",") + " shares a core", Wanted: wanted, Verdict: Better, Command: write("0", files...),
	}
	if slices.Contains(awake, "0") { // which cannot be switched off
		f.Command = write("off", sysCPU+"/smt/control") + " # leaves the first thread of each core"
	}
	return f
}

func governor(m *machine) Finding {
	const wanted = "performance"
	var files []string
	found := map[string]bool{}
	for _, n := range m.executors {
		file := cpuFile(n, "cpufreq/scaling_governor")
		got, err := m.read(file)
		switch {
		case err != nil && m.lacks(cpuFile(n, "cpufreq"), sysCPU+"/online"):
			return hostDecides(m, "no frequency scaling", wanted)
		case err != nil:
			return unreadable(file, wanted)
		}
		found[got] = true
		if got != wanted {
			files = append(files, file)
		}
	}
	f := Finding{Found: words(found), Wanted: wanted}
	if len(files) > 0 {
		f.Verdict, f.Command = Better, write(wanted, files...)
	}
	return f
}

// hostDecides returns the finding on hardware that is not there: good, unless there is a host that has it.
func hostDecides(m *machine, found, wanted string) Finding {
	if m.virtual() {
		return Finding{Found: "the host decides", Wanted: wanted, Verdict: Unknown}
	}
	return Finding{Found: found, Wanted: wanted}
}

// shallow is how long waking from an idle state may take, in microseconds: that of the first state of common processors.
const shallow = 2

func idleStates(m *machine) Finding {
	wanted := fmt.Sprintf("wake within %d us", shallow)
	var (
		deepest = -1
		files   []string
	)
	for _, n := range m.executors {
		folder := cpuFile(n, "cpuidle")
		states, err := fs.Glob(m.root, folder+"/state[0-9]*")
		switch {
		case err != nil || !m.exists(sysCPU+"/online"):
			return unreadable(folder, wanted)
		case len(states) == 0:
			return hostDecides(m, "none", wanted)
		}
		limit := m.latencyLimit(n)
		for _, s := range states {
			latency, err := m.number(s + "/latency")
			if err != nil {
				return unreadable(s+"/latency", wanted)
			}
			if m.text(s+"/disable") != "1" && latency <= limit {
				deepest = max(deepest, latency)
				if latency > shallow {
					files = append(files, s+"/disable")
				}
			}
		}
	}
	f := Finding{Found: fmt.Sprintf("wake within %d us", deepest), Wanted: wanted}
	switch {
	case len(files) > 0:
		f.Verdict, f.Command = Better, write("1", files...)
	case deepest < 0:
		f.Found = "none"
	}
	return f
}

// latencyLimit returns what a CPU was asked to wake within, in microseconds: by a process that holds /dev/cpu_dma_latency,
// which only an administrator can read, or for this CPU alone.
func (m *machine) latencyLimit(n int) int {
	limit := 1 << 30
	if b, err := fs.ReadFile(m.root, "dev/cpu_dma_latency"); err == nil && len(b) == 4 {
		limit = int(binary.NativeEndian.Uint32(b))
	}
	switch own := m.text(cpuFile(n, "power/pm_qos_resume_latency_us")); own {
	case "n/a":
		limit = 0
	case "", "0": // none
	default:
		if us, err := strconv.Atoi(own); err == nil {
			limit = min(limit, us)
		}
	}
	return limit
}
