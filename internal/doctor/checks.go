package doctor

// A need is what must be known before a point can be looked at.
type need int

const (
	nothing   need = iota
	executors      // their CPUs
	others         // CPUs that do what theirs should not
)

// unmet says what of it is not known, or nothing.
func (n need) unmet(m *machine) string {
	switch {
	case n >= executors && len(m.executors) == 0:
		return "CPUs are not known"
	case n == others && len(m.others) == 0:
		return "no other CPU is known"
	}
	return ""
}

// check is one point that is looked at.
type check struct {
	name  string
	look  func(*machine) Finding // all but name and why
	why   string
	needs need
	about string // Rights; Machine when empty
	slow  bool   // it looks at all processes
}

// The points, in the order in which somebody sets up a machine.
var checks = []check{
	{name: "kernel", look: kernel, why: "Only a PREEMPT_RT kernel bounds how long its own work, " +
		"such as that of interrupts, delays an executor."},
	{name: "debug-kernel", look: debugKernel, why: "A kernel that checks its locks takes many times as long in each of them."},
	{name: "cpus", look: cpuCount, why: "Executors need a CPU that does nothing else, and everything else needs one too."},
	{name: "cpuset", about: Rights, look: cpuset, needs: executors, why: "A process may only use CPUs that its control group has."},
	{name: "virtual-machine", look: virtualMachine, why: "The host takes a virtual CPU away " +
		"when it likes, for milliseconds; nothing inside can change that."},
	{name: "container", look: container, why: "Most settings are those of the host, and rights are what the container was given."},

	{name: "isolcpus", look: isolcpus, needs: others, why: "The scheduler keeps ordinary threads away from isolated CPUs."},
	{name: "nohz_full", look: nohzFull, needs: others, why: "A CPU that runs one thread then needs no tick of the scheduler."},
	{name: "rcu_nocbs", look: rcuNocbs, needs: others, why: "The kernel then frees its memory on other CPUs."},
	{name: "workqueues", look: workqueues, needs: others, why: "Deferred work of the kernel should run on other CPUs."},
	{name: "interrupts", look: interrupts, needs: others, why: "Each interrupt on the CPU of an executor delays a cycle."},
	{name: "irqaffinity", look: irqAffinity, needs: others, why: "Interrupts of devices that come later go to these CPUs."},
	{name: "irqbalance", slow: true, look: irqbalance, needs: executors, why: "It moves interrupts to any CPU that is not isolated."},
	{name: "smt", look: siblings, needs: executors, why: "Two hardware threads of a core share its units and caches, " +
		"so each makes the other slower."},

	{name: "governor", look: governor, needs: executors, why: "A CPU that was clocked down takes longer for a cycle, and some time to get faster."},
	{name: "c-states", look: idleStates, needs: executors, why: "Waking from a deep idle state takes up to hundreds of microseconds."},
	{name: "clock-source", look: clockSource, why: "Clocks are read without a system call only from the counter of the CPU."},
	{name: "timer-migration", look: timerMigration, why: "Timers of idle CPUs may otherwise move to those that are busy."},
	{name: "watchdogs", look: watchdogs, needs: others, why: "The watchdogs of the kernel interrupt every executor, at a higher priority."},
	{name: "machine-checks", look: machineChecks, why: "Each CPU looks for corrected hardware errors every few minutes."},
	{name: "pcie-power", look: pciePower, why: "A link that sleeps wakes late: packets of a fieldbus are delayed."},
	{name: "graphics", slow: true, look: graphics, why: "Drawing causes interrupts and bus traffic: jitter of up to 150 us was measured (§11.1)."},

	{name: "rtprio", about: Rights, look: realtimePriority, why: "Without real-time priority every other process comes first at times."},
	{name: "memlock", about: Rights, look: lockedMemory, why: "Memory that is not locked may have to be read from a disk within a cycle."},
	{name: "raw-frames", about: Rights, look: rawFrames, why: "Only a daemon with an EtherCAT bus at an interface of this machine needs it."},
	{name: "rt-group", about: Rights, look: realtimeGroup, why: "A control group of version 1 without real-time budget refuses SCHED_FIFO."},
	{name: "rt-throttling", about: Rights, look: throttling, why: "Older kernels stop real-time threads for the rest of a period that they have used up; " +
		"it matters to those that hardly rest."},
	{name: "fair-server", look: fairServer, needs: executors, why: "For 50 ms in a second it prefers ordinary threads that found no time; " +
		"it matters to executors that hardly rest."},

	{name: "swap", look: swap, why: "Programs beside the daemon that are swapped keep disks and the kernel busy."},
	{name: "huge-pages", look: hugePages, why: "Memory is put together behind the back of a program, which waits in the meantime."},
	{name: "compaction", look: compaction, why: "Even locked pages are moved otherwise, and a program that touches one waits."},
	{name: "numa-balancing", look: numaBalancing, why: "It makes pages inaccessible to see who uses them."},
}

// unreadable returns the finding where a file cannot be read.
func unreadable(name, wanted string) Finding {
	return Finding{Found: "cannot be read: /" + name, Wanted: wanted, Verdict: Unknown}
}

// none returns the finding where the machine lacks what would do harm.
func none(wanted string) Finding { return Finding{Found: "none", Wanted: wanted} }

// setting returns the finding on a number of /proc/sys, in the name of sysctl.
func setting(m *machine, file, name, want string) Finding {
	got, err := m.read("proc/sys/" + file)
	switch {
	case err != nil && m.lacks("proc/sys/"+file, "proc/sys/kernel"):
		return none(want)
	case err != nil:
		return unreadable("proc/sys/"+file, want)
	case got == want:
		return Finding{Found: got, Wanted: want}
	}
	return Finding{Found: got, Wanted: want, Verdict: Better, Command: sysctl(name + "=" + want)}
}
