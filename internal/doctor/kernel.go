package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func kernel(m *machine) Finding {
	const wanted = "PREEMPT_RT"
	version, err := m.read(procKern + "/version")
	switch {
	case m.text("sys/kernel/realtime") == "1", strings.Contains(version, "PREEMPT_RT"), strings.Contains(version, "PREEMPT RT"):
		return Finding{Found: "PREEMPT_RT", Wanted: wanted}
	case err != nil && m.lacks("proc/self", "."):
		return Finding{Found: "no /proc: not Linux?", Wanted: wanted, Verdict: Needed, Command: "sudo mount -t proc proc /proc"}
	case err != nil:
		return unreadable(procKern+"/version", wanted)
	}
	return Finding{Found: preemption(m, version), Wanted: wanted, Verdict: Needed, Command: installKernel(m)}
}

// preemption returns what a kernel has instead.
func preemption(m *machine, version string) string {
	found := "no preemption"
	for word := range strings.FieldsSeq(version) {
		if strings.HasPrefix(word, "PREEMPT") {
			found = word
		}
	}
	_, rest, _ := strings.Cut(m.text("sys/kernel/debug/sched/preempt"), "(") // none voluntary (full) lazy
	if mode, _, ok := strings.Cut(rest, ")"); ok {
		found += ", " + mode
	}
	return found
}

// installKernel installs a kernel with PREEMPT_RT; where the distribution has none, it configures one in its sources.
func installKernel(m *machine) string {
	switch {
	case m.release("ID") == "ubuntu":
		return "sudo pro attach && sudo pro enable realtime-kernel"
	case m.release("ID") == "debian":
		return `sudo apt install "linux-image-rt-$(dpkg --print-architecture)"`
	case m.family("rhel", "centos"):
		return "sudo dnf install kernel-rt"
	case m.family("arch"):
		return "sudo pacman -S linux-rt"
	}
	return "scripts/config -e EXPERT -e PREEMPT_RT -e NO_HZ_FULL && make olddefconfig"
}

func debugKernel(m *machine) Finding {
	const wanted = "no lock checking"
	switch {
	case m.lacks("proc/lockdep", "proc/self"):
		return none(wanted)
	case !m.exists("proc/lockdep"):
		return unreadable("proc/lockdep", wanted)
	}
	return Finding{
		Found: "lock checking", Wanted: wanted, Verdict: Better,
		Command: "scripts/config -d PROVE_LOCKING -d LOCK_STAT -d DEBUG_LOCK_ALLOC && make olddefconfig",
	}
}

func virtualMachine(m *machine) Finding {
	const wanted = "a machine of its own"
	switch {
	case m.virtual():
		f := Finding{Found: "a hypervisor is below", Wanted: wanted, Verdict: Better}
		if cpu, share := m.stolen(); share > shared {
			f.Verdict, f.Found = Needed, fmt.Sprintf("host took %.2g %% of CPU %d away", 100*share, cpu)
		}
		return f
	case !m.exists("proc/cpuinfo"):
		return unreadable("proc/cpuinfo", wanted)
	}
	return Finding{Found: "no hypervisor", Wanted: wanted}
}

// shared is the part of a virtual CPU that its host may take. Where it takes more, the CPU is shared with others: at 1 ms, a tick
// in ten seconds is lost.
const shared = 1e-4

// stolen is the executors' CPU of which the host has taken most since the start, and the part of its time that it took.
func (m *machine) stolen() (cpu int, share float64) {
	for line := range strings.Lines(m.text("proc/stat")) {
		name, ok := strings.CutPrefix(line, "cpu")
		name, rest, _ := strings.Cut(name, " ")
		n, err := strconv.Atoi(name)
		if !ok || err != nil || !m.executors.has(n) {
			continue
		}
		if t := ParseTimes(strings.Fields(rest)); t.All > 0 && float64(t.Stolen)/float64(t.All) > share {
			cpu, share = n, float64(t.Stolen)/float64(t.All)
		}
	}
	return cpu, share
}

// Times are what a CPU has spent, in ticks of the kernel's statistics.
type Times struct {
	Stolen int64 // by the host of a virtual machine
	All    int64
}

// ParseTimes reads the fields of a CPU in /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, and what is in them already.
func ParseTimes(fields []string) (t Times) {
	const stolen, own = 7, 8
	for i, field := range fields[:min(own, len(fields))] {
		n, _ := strconv.ParseInt(field, 10, 64)
		if t.All += n; i == stolen {
			t.Stolen = n
		}
	}
	return t
}

func container(m *machine) Finding {
	const wanted = "no container"
	if m.container() {
		return Finding{Found: "a container", Wanted: wanted, Verdict: Better, Command: "rccctl doctor # on the host"}
	}
	return none(wanted)
}

func clockSource(m *machine) Finding {
	const (
		folder = "sys/devices/system/clocksource/clocksource0"
		wanted = "tsc"
	)
	got, err := m.read(folder + "/current_clocksource")
	if err != nil {
		return unreadable(folder+"/current_clocksource", wanted)
	}
	f := Finding{Found: got, Wanted: wanted, Verdict: Better}
	switch got {
	case "tsc":
		f.Verdict = OK
		return f
	case "arch_sys_counter", "riscv_clocksource": // what other processors have
		return Finding{Found: got, Wanted: got}
	case "hpet", "acpi_pm", "jiffies", "refined-jiffies":
		f.Verdict = Needed
	}
	f.Command = "sudo dmesg | grep -i -e tsc -e clocksource" // says why the kernel does not trust it
	if slices.Contains(strings.Fields(m.text(folder+"/available_clocksource")), "tsc") {
		f.Command = write("tsc", folder+"/current_clocksource")
	}
	return f
}

func timerMigration(m *machine) Finding {
	return setting(m, "kernel/timer_migration", "kernel.timer_migration", "0")
}

// watchdogs of two kinds: for hard lock-ups by interrupts that cannot be masked, for soft ones by a thread on each CPU.
func watchdogs(m *machine) Finding {
	wanted := fmt.Sprintf("none on CPU %v", m.executors)
	hard, err := m.read(procKern + "/nmi_watchdog")
	if err != nil && !m.lacks(procKern+"/nmi_watchdog", procKern) {
		return unreadable(procKern+"/nmi_watchdog", wanted)
	}
	var found, settings []string
	if hard == "1" {
		found, settings = append(found, "hard lock-ups"), append(settings, "kernel.nmi_watchdog=0")
	}
	watched, _ := m.cpus(procKern + "/watchdog_cpumask")
	if m.text(procKern+"/soft_watchdog") == "1" && len(watched.both(m.executors)) > 0 {
		found = append(found, "soft lock-ups")
		settings = append(settings, "kernel.watchdog_cpumask="+m.others.String())
	}
	if len(found) == 0 {
		return none(wanted)
	}
	return Finding{Found: "for " + strings.Join(found, " and "), Wanted: wanted, Verdict: Better, Command: sysctl(settings...)}
}

func machineChecks(m *machine) Finding {
	const (
		folder = "sys/devices/system/machinecheck"
		wanted = "no polling"
	)
	if m.lacks(folder, "sys/devices/system") {
		return none(wanted)
	}
	file := folder + "/machinecheck0/check_interval"
	seconds, err := m.read(file)
	switch {
	case err != nil:
		return unreadable(file, wanted)
	case seconds == "0":
		return none(wanted)
	}
	return Finding{Found: "every " + seconds + " s", Wanted: wanted, Verdict: Better, Command: write("0", file)}
}

func pciePower(m *machine) Finding {
	const (
		file   = "sys/module/pcie_aspm/parameters/policy"
		wanted = "performance"
	)
	policy, err := m.read(file)
	switch {
	case err != nil && m.lacks("sys/module/pcie_aspm", "sys/module"):
		return none(wanted)
	case err != nil:
		return unreadable(file, wanted)
	}
	found := chosen(policy)
	if found == wanted {
		return Finding{Found: found, Wanted: wanted}
	}
	return Finding{Found: found, Wanted: wanted, Verdict: Better, Command: write(wanted, file)}
}

// chosen returns the word in brackets: always [madvise] never.
func chosen(text string) string {
	_, rest, _ := strings.Cut(text, "[")
	word, _, _ := strings.Cut(rest, "]")
	return word
}

func graphics(m *machine) Finding {
	const wanted = "no desktop"
	found, known := m.running("Xorg", "Xwayland", "gnome-shell", "kwin_wayland", "sway", "weston", "labwc")
	switch {
	case len(found) > 0:
		return Finding{
			Found: strings.Join(found, ", "), Wanted: wanted, Verdict: Better,
			Command: "sudo systemctl set-default multi-user.target && sudo systemctl isolate multi-user.target",
		}
	case !known:
		return Finding{Found: "other processes are hidden", Wanted: wanted, Verdict: Unknown}
	}
	return none(wanted)
}
