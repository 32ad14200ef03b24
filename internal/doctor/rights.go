package doctor

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Numbers of capabilities, see capability.h of the kernel.
const (
	capNetRaw  = 13
	capIPCLock = 14
	capSysNice = 23
)

// capable reports whether a process has a capability.
func (m *machine) capable(number uint) bool {
	for line := range strings.Lines(m.text(m.process + "/status")) {
		if text, ok := strings.CutPrefix(line, "CapEff:"); ok {
			set, err := strconv.ParseUint(strings.TrimSpace(text), 16, 64)
			return err == nil && set>>number&1 == 1
		}
	}
	return false
}

// limit returns the soft limit of a process, which is the one that counts.
func (m *machine) limit(name string) (uint64, error) {
	text, err := m.read(m.process + "/limits")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			soft := strings.Fields(rest + " ?")[0]
			if soft == "unlimited" {
				return math.MaxUint64, nil
			}
			return strconv.ParseUint(soft, 10, 64)
		}
	}
	return 0, fmt.Errorf("no %q", name)
}

// daemonFile is where a shell finds the daemon.
const daemonFile = `"$(command -v rccd)"`

func realtimePriority(m *machine) Finding {
	return m.right("Max realtime priority", capSysNice, "CAP_SYS_NICE", uint64(m.priority), "")
}

func lockedMemory(m *machine) Finding {
	return m.right("Max locked memory", capIPCLock, "CAP_IPC_LOCK", math.MaxUint64, " bytes")
}

// rawFrames is about frames of EtherCAT, which go past the network of the kernel. A daemon without such a bus lacks nothing.
func rawFrames(m *machine) Finding {
	f := Finding{Found: "CAP_NET_RAW", Wanted: "CAP_NET_RAW for EtherCAT"}
	if !m.exists(m.process + "/status") {
		return unreadable(m.process+"/status", f.Wanted)
	}
	if !m.capable(capNetRaw) {
		f.Found = "none"
	}
	return f
}

// right returns the finding on a right that a process has by a limit or by a capability.
func (m *machine) right(limit string, number uint, capability string, want uint64, unit string) Finding {
	wanted := fmt.Sprintf("%s, or %s", amount(want, unit), capability)
	got, err := m.limit(limit)
	switch {
	case m.capable(number):
		return Finding{Found: capability, Wanted: wanted}
	case err != nil:
		return unreadable(m.process+"/limits", wanted)
	case got >= want:
		return Finding{Found: amount(got, unit), Wanted: wanted}
	}
	return Finding{Found: amount(got, unit), Wanted: wanted, Verdict: Needed, Command: m.grant()}
}

// grant returns the command for a daemon that is started by hand, with both rights as setcap has it.
func (m *machine) grant() string {
	if m.container() {
		return fmt.Sprintf("docker run --cap-add SYS_NICE --cap-add IPC_LOCK --ulimit rtprio=%d --ulimit memlock=-1 IMAGE", maxPriority)
	}
	if m.capable(capNetRaw) {
		return setcapFrames + daemonFile // it would be taken away otherwise
	}
	return setcap + daemonFile
}

func amount(n uint64, unit string) string {
	if n == math.MaxUint64 {
		return "unlimited"
	}
	return strconv.FormatUint(n, 10) + unit
}

// group is a control group of the process: a line such as 8:cpu,cpuacct:/user, or 0::/user of version 2.
type group struct {
	controllers, path string
}

func (m *machine) groups() ([]group, error) {
	text, err := m.read(m.process + "/cgroup")
	var list []group
	for line := range strings.Lines(text) {
		if parts := strings.SplitN(strings.TrimSpace(line), ":", 3); len(parts) == 3 {
			list = append(list, group{parts[1], parts[2]})
		}
	}
	return list, err
}

func (g group) has(controller string) bool {
	return g.controllers == "" || slices.Contains(strings.Split(g.controllers, ","), controller)
}

// folders returns where a group may be: version 2 is mounted on top, controllers of version 1 together or one by one, and a
// container sees its own group in the place of the root.
func (g group) folders(controller string) []string {
	const top = "sys/fs/cgroup"
	if g.controllers == "" {
		return []string{path.Join(top, g.path), top}
	}
	return []string{
		path.Join(top, g.controllers, g.path), path.Join(top, controller, g.path),
		path.Join(top, g.controllers), path.Join(top, controller),
	}
}

func realtimeGroup(m *machine) Finding {
	const wanted = "a budget, or no groups"
	groups, err := m.groups()
	if err != nil {
		return unreadable(m.process+"/cgroup", wanted)
	}
	for _, g := range groups {
		if g.controllers == "" || !g.has("cpu") {
			continue
		}
		for _, folder := range g.folders("cpu") {
			if budget, err := m.number(folder + "/cpu.rt_runtime_us"); err == nil {
				return budgetOf(m, g, folder, budget, wanted)
			}
		}
	}
	if !m.exists("sys/fs/cgroup") {
		return unreadable("sys/fs/cgroup", wanted)
	}
	return Finding{Found: "no groups", Wanted: wanted}
}

func budgetOf(m *machine, g group, folder string, budget int, wanted string) Finding {
	f := Finding{Found: fmt.Sprintf("%d us", budget), Wanted: wanted}
	if budget != 0 {
		return f
	}
	// The shell moves to the root group, which has a budget, and what it starts is there too.
	root := strings.TrimSuffix(folder, strings.TrimSuffix(g.path, "/"))
	f.Verdict, f.Command = Needed, write("$$", path.Join(root, "cgroup.procs"))
	if m.container() {
		f.Command = "docker run --cpu-rt-runtime 950000 IMAGE"
	}
	return f
}

func throttling(m *machine) Finding {
	f := setting(m, "kernel/sched_rt_runtime_us", "kernel.sched_rt_runtime_us", "-1")
	if f.Found == "0" {
		f.Verdict = Needed // nobody gets SCHED_FIFO
	}
	return f
}

func fairServer(m *machine) Finding {
	const (
		debug  = "sys/kernel/debug"
		wanted = "0"
	)
	switch {
	case m.lacks(debug+"/sched/fair_server", debug+"/sched"):
		return none(wanted)
	case m.lacks(debug+"/sched", debug):
		return Finding{Found: "cannot be read yet", Wanted: wanted, Verdict: Unknown, Command: "sudo mount -t debugfs debugfs /sys/kernel/debug"}
	}
	var files []string
	found := map[string]bool{}
	for _, n := range m.executors {
		file := fmt.Sprintf("%s/sched/fair_server/cpu%d/runtime", debug, n)
		got, err := m.read(file)
		if err != nil {
			f := unreadable(file, wanted)
			f.Command = "sudo rccctl doctor"
			return f
		}
		if got != wanted {
			files = append(files, file)
		}
		found[got] = true
	}
	f := Finding{Found: words(found), Wanted: wanted}
	if len(files) > 0 {
		f.Found += " ns"
		f.Verdict, f.Command = Better, write(wanted, files...)
	}
	return f
}
