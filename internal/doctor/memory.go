package doctor

import (
	"maps"
	"slices"
	"strings"
)

func swap(m *machine) Finding {
	text, err := m.read("proc/swaps")
	lines := strings.Split(text, "\n")
	switch {
	case err != nil && m.lacks("proc/swaps", "proc/self"):
		return none("none")
	case err != nil:
		return unreadable("proc/swaps", "none")
	case len(lines) < 2: // a heading
		return none("none")
	}
	places := map[string]bool{}
	for _, line := range lines[1:] {
		place, _, _ := strings.Cut(line, " ")
		places[place] = true
	}
	return Finding{Found: words(places), Wanted: "none", Verdict: Better, Command: "sudo swapoff -a"}
}

func hugePages(m *machine) Finding {
	const (
		file   = "sys/kernel/mm/transparent_hugepage/enabled"
		wanted = "never or madvise"
	)
	text, err := m.read(file)
	switch {
	case err != nil && m.lacks("sys/kernel/mm/transparent_hugepage", "sys/kernel/mm"):
		return none(wanted)
	case err != nil:
		return unreadable(file, wanted)
	}
	f := Finding{Found: chosen(text), Wanted: wanted}
	if f.Found == "always" {
		f.Verdict, f.Command = Better, write("never", file)
	}
	return f
}

func compaction(m *machine) Finding {
	return setting(m, "vm/compact_unevictable_allowed", "vm.compact_unevictable_allowed", "0")
}

func numaBalancing(m *machine) Finding {
	return setting(m, "kernel/numa_balancing", "kernel.numa_balancing", "0")
}

// words returns the different words of a set, in order.
func words(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}
