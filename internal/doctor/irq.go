package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// interrupts looks where the interrupts of devices go at present.
func interrupts(m *machine) Finding {
	wanted := fmt.Sprintf("none on CPU %v", m.executors)
	folders, err := fs.Glob(m.root, procIRQ+"/[0-9]*")
	if err != nil || len(folders) == 0 {
		return unreadable(procIRQ, wanted)
	}
	var all int
	var names, files []string
	for _, folder := range folders {
		name := m.handler(folder)
		if name == "" {
			continue // nobody waits for it
		}
		target, err := m.target(folder)
		if err != nil {
			return unreadable(folder+"/smp_affinity_list", wanted)
		}
		all++
		if len(target.both(m.executors)) > 0 {
			names, files = append(names, name), append(files, folder+"/smp_affinity_list")
		}
	}
	if len(files) == 0 {
		return Finding{Found: fmt.Sprintf("none of %d", all), Wanted: wanted}
	}
	slices.Sort(names)
	return Finding{
		Found:  fmt.Sprintf("%d of %d: %s", len(files), all, strings.Join(slices.Compact(names), " ")),
		Wanted: wanted, Verdict: Better, Command: write(m.others.String(), files...),
	}
}

// handler returns the device of an interrupt: its folder has one more for each.
func (m *machine) handler(folder string) string {
	entries, _ := fs.ReadDir(m.root, folder)
	for _, e := range entries {
		if e.IsDir() {
			return e.Name()
		}
	}
	return ""
}

// target returns where an interrupt goes; older kernels only know where it may go.
func (m *machine) target(folder string) (CPUs, error) {
	if at, err := m.cpus(path.Join(folder, "effective_affinity_list")); err == nil && len(at) > 0 {
		return at, nil
	}
	return m.cpus(path.Join(folder, "smp_affinity_list"))
}

func irqAffinity(m *machine) Finding {
	const file = procIRQ + "/default_smp_affinity"
	wanted := "CPU " + m.others.String()
	got, err := parseMask(m.text(file))
	if err != nil {
		return unreadable(file, wanted)
	}
	f := Finding{Found: "CPU " + got.both(m.online).String(), Wanted: wanted}
	if len(got.both(m.executors)) > 0 {
		f.Verdict, f.Boot = Better, "irqaffinity="+m.others.String()
	}
	return f
}

// irqbalance leaves isolated CPUs alone.
func irqbalance(m *machine) Finding {
	const wanted = "not running, or CPUs isolated"
	found, known := m.running("irqbalance")
	switch {
	case len(found) > 0 && len(m.executors.without(m.isolated)) > 0:
		return Finding{Found: "running", Wanted: wanted, Verdict: Better, Command: "sudo systemctl disable --now irqbalance"}
	case len(found) > 0:
		return Finding{Found: "running, CPUs isolated", Wanted: wanted}
	case !known:
		return Finding{Found: "other processes are hidden", Wanted: wanted, Verdict: Unknown}
	}
	return Finding{Found: "not running", Wanted: wanted}
}

func workqueues(m *machine) Finding {
	const file = "sys/devices/virtual/workqueue/cpumask"
	wanted := "CPU " + m.others.String()
	got, err := parseMask(m.text(file))
	if err != nil {
		return unreadable(file, wanted)
	}
	f := Finding{Found: "CPU " + got.both(m.online).String(), Wanted: wanted}
	if len(got.both(m.executors)) > 0 {
		f.Verdict, f.Command = Better, write(m.others.mask(), file)
	}
	return f
}
