package doctor

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPoints changes one thing of the machine that was set up and looks at one point.
func TestPoints(t *testing.T) {
	const (
		status = "proc/self/status"
		limits = "proc/self/limits"
	)
	tests := []struct {
		name    string
		o       Options
		files   map[string]string // - removes one
		point   string
		verdict Verdict
		found   string
	}{
		{"old name of PREEMPT_RT", Options{}, map[string]string{"sys/kernel/realtime": "-", "proc/sys/kernel/version": "#1 SMP PREEMPT RT"}, "kernel", OK, "PREEMPT_RT"},
		{"preemption as set", Options{}, map[string]string{"sys/kernel/realtime": "0", "proc/sys/kernel/version": "#1 SMP PREEMPT_DYNAMIC"}, "kernel", Needed, "PREEMPT_DYNAMIC, full"},
		{"all CPUs for executors", Options{CPUs: CPUs{0, 1, 2, 3}}, nil, "cpus", Needed, "4, CPU 0-3"},
		{"one CPU", Options{}, map[string]string{sysCPU + "/online": "0", sysCPU + "/isolated": ""}, "cpus", Needed, "1, CPU 0"},
		{"first CPU", Options{CPUs: CPUs{0}}, nil, "cpus", Better, "CPU 0"},
		{"CPU that is not there", Options{CPUs: CPUs{2, 9}}, nil, "cpus", Needed, "CPU 9 is not online"},
		{"isolated partition", Options{CPUs: CPUs{1}}, map[string]string{"sys/fs/cgroup/cpuset.cpus.isolated": "1"}, "isolcpus", OK, "CPU 1-3"},
		{"half isolated", Options{CPUs: CPUs{1, 2}}, nil, "isolcpus", Better, "CPU 2-3"},
		{"callbacks of all", Options{CPUs: CPUs{1}}, map[string]string{"proc/cmdline": "quiet rcu_nocbs=all"}, "rcu_nocbs", OK, "0-3"},
		{"callbacks of the last", Options{CPUs: CPUs{1}}, map[string]string{"proc/cmdline": "rcu_nocbs=1,3-N"}, "rcu_nocbs", OK, "1-3"},
		{"callbacks by nohz_full", Options{}, map[string]string{"proc/cmdline": "quiet"}, "rcu_nocbs", OK, "2-3"},
		{"no interrupt files", Options{}, map[string]string{"proc/irq/16/smp_affinity_list": "-", "proc/irq/16/effective_affinity_list": "-"}, "interrupts", Unknown, "cannot be read"},
		{"an interrupt", Options{}, map[string]string{"proc/irq/25/effective_affinity_list": "3"}, "interrupts", Better, "1 of 5: eth0"},
		{"siblings that are both executors", Options{}, map[string]string{sysCPU + "/cpu2/topology/thread_siblings_list": "2-3", sysCPU + "/cpu3/topology/thread_siblings_list": "2-3"}, "smt", Better, "CPU 3"},
		{"one governor of two", Options{}, map[string]string{sysCPU + "/cpu3/cpufreq/scaling_governor": "powersave"}, "governor", Better, "performance, powersave"},
		{"a process asks for quick waking", Options{}, map[string]string{sysCPU + "/cpu3/cpuidle/state3/disable": "0", "dev/cpu_dma_latency": "\x00\x00\x00\x00"}, "c-states", OK, "0 us"},
		{"nobody asks for quick waking", Options{}, map[string]string{sysCPU + "/cpu3/cpuidle/state3/disable": "0"}, "c-states", Better, "1048 us"},
		{"this CPU should not sleep", Options{CPUs: CPUs{3}}, map[string]string{sysCPU + "/cpu3/cpuidle/state3/disable": "0", sysCPU + "/cpu3/power/pm_qos_resume_latency_us": "n/a"}, "c-states", OK, "0 us"},
		{"clock of another processor", Options{}, map[string]string{"sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter"}, "clock-source", OK, "arch_sys_counter"},
		{"priority too low", Options{Priority: 99}, nil, "rtprio", Needed, "95"},
		{"priority by capability", Options{Priority: 99}, map[string]string{status: "CapEff:\t0000000000800000"}, "rtprio", OK, "CAP_SYS_NICE"},
		{"memory by capability", Options{}, map[string]string{limits: "Max locked memory 1 1 bytes", status: "CapEff:\t0000000000004000"}, "memlock", OK, "CAP_IPC_LOCK"},
		{"the other capability", Options{}, map[string]string{limits: "Max locked memory 1 1 bytes", status: "CapEff:\t0000000000800000"}, "memlock", Needed, "1 bytes"},
		{"frames by capability", Options{}, map[string]string{status: "CapEff:\t0000000000002000"}, "raw-frames", OK, "CAP_NET_RAW"},
		{"no frames", Options{}, map[string]string{status: "CapEff:\t0000000000804000"}, "raw-frames", OK, "none"},
		{"limits of another process", Options{Process: "640"}, map[string]string{"proc/640/limits": "Max realtime priority 0 0"}, "rtprio", Needed, "0"},
		{"limits of no process", Options{Process: "641"}, nil, "rtprio", Unknown, "/proc/641/limits"},
		{"real-time threads are stopped", Options{}, map[string]string{"proc/sys/kernel/sched_rt_runtime_us": "0"}, "rt-throttling", Needed, "0"},
		{"fair server of one CPU", Options{}, map[string]string{"sys/kernel/debug/sched/fair_server/cpu3/runtime": "50000000"}, "fair-server", Better, "50000000"},
		{"desktop", Options{}, map[string]string{"proc/700/comm": "Xorg"}, "graphics", Better, "Xorg"},
		{"irqbalance leaves isolated CPUs alone", Options{}, map[string]string{"proc/700/comm": "irqbalance"}, "irqbalance", OK, "running"},
		{"processes are hidden", Options{}, map[string]string{"proc/1/comm": "-"}, "irqbalance", Unknown, "hidden"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := record(t, "controller")
			for file, text := range tt.files {
				m.MapFS[file] = &fstest.MapFile{Data: []byte(text)}
				if text == "-" {
					delete(m.MapFS, file)
				}
			}
			findings := Examine(m, tt.o).Findings
			i := slices.IndexFunc(findings, func(f Finding) bool { return f.Name == tt.point })
			if i < 0 {
				t.Fatalf("there is no point %s", tt.point)
			}
			if f := findings[i]; f.Verdict != tt.verdict || !strings.Contains(f.Found, tt.found) {
				t.Errorf("%v: found %s, instead of %v: %s", f.Verdict, f.Found, tt.verdict, tt.found)
			}
		})
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range checks {
		if seen[c.name] || c.name == "" || c.look == nil {
			t.Errorf("%q is there twice, or is empty", c.name)
		}
		seen[c.name] = true
	}
}

func TestGrant(t *testing.T) {
	want := `sudo setcap cap_sys_nice,cap_ipc_lock+ep '/opt/my cell/rccd'; or LimitRTPRIO=95 in its unit of systemd; or ulimit -r 95 before it is started`
	if got := GrantPriority("/opt/my cell/rccd").String(); got != want {
		t.Errorf("%s\ninstead of\n%s", got, want)
	}
	want = `sudo setcap cap_sys_nice,cap_ipc_lock+ep /usr/local/bin/rccd; or LimitMEMLOCK=infinity in its unit of systemd; or ulimit -l unlimited before it is started`
	if got := GrantMemory("/usr/local/bin/rccd").String(); got != want {
		t.Errorf("%s\ninstead of\n%s", got, want)
	}
}
