package budget

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Allowed is how much memory a process may use, and the source of the limit.
type Allowed struct {
	Bytes int64 // math.MaxInt64 when unknown
	By    string
}

// Machine returns how much memory this process may use: the least of what the machine has, what its control groups allow,
// of version 1 and 2 and at all levels of their hierarchies, and its resource limits. root is the folder /.
func Machine(root fs.FS) Allowed {
	m := machine{root, Allowed{math.MaxInt64, "nothing known"}}
	m.total()
	m.groups()
	m.limits()
	return m.least
}

type machine struct {
	root  fs.FS
	least Allowed
}

// allow takes a bound into account. A word that is not a number, such as max, is not a bound.
func (m *machine) allow(text string, unit int64, by string) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit || n*unit >= m.least.Bytes {
		return
	}
	m.least = Allowed{n * unit, by}
}

func (m *machine) text(name string) string {
	text, _ := fs.ReadFile(m.root, name) // what cannot be read bounds nothing
	return string(text)
}

func (m *machine) total() {
	for line := range strings.Lines(m.text("proc/meminfo")) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
			m.allow(f[1], 1<<10, "the memory of the machine")
		}
	}
}

// limits are those of setrlimit that end in refused memory.
func (m *machine) limits() {
	for line := range strings.Lines(m.text("proc/self/limits")) {
		for _, name := range []string{"Max address space", "Max data size"} {
			if rest, is := strings.CutPrefix(line, name); is {
				if f := strings.Fields(rest); len(f) > 0 {
					m.allow(f[0], 1, fmt.Sprintf("the resource limit %q", name))
				}
			}
		}
	}
}

// groups looks at the control groups of the process where they are mounted, as a container may have them elsewhere.
func (m *machine) groups() {
	mounts := m.mounts()
	for line := range strings.Lines(m.text("proc/self/cgroup")) { // 8:cpu,memory:/a/b, or 0::/a/b of version 2
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		for _, at := range mounts {
			switch {
			case f[1] == "" && at.version == 2:
				m.hierarchy(at, f[2], "memory.max")
			case at.version == 1 && slices.Contains(strings.Split(f[1], ","), "memory"):
				m.hierarchy(at, f[2], "memory.limit_in_bytes")
			}
		}
	}
}

// hierarchy takes the limits of a group and of all groups around it into account.
func (m *machine) hierarchy(at mount, group, file string) {
	below, is := strings.CutPrefix(path.Clean(group), at.shown)
	if at.shown == "/" {
		below, is = group, true
	}
	if !is {
		below = "/" // a container sees its own group in the place of the root
	}
	for folder := path.Join(at.folder, below); ; folder = path.Dir(folder) {
		name := path.Join(folder, file)
		m.allow(m.text(name), 1, "/"+name)
		if folder == at.folder || len(folder) <= len(at.folder) {
			return
		}
	}
}

// mount is a folder with control groups.
type mount struct {
	folder  string // without / before it
	shown   string // group that is seen there
	version int
}

// mounts finds the hierarchies: the one of version 2, and of version 1 the one that has the controller of memory.
func (m *machine) mounts() (list []mount) {
	for line := range strings.Lines(m.text("proc/self/mountinfo")) {
		front, back, found := strings.Cut(line, " - ")
		f, b := strings.Fields(front), strings.Fields(back)
		if !found || len(f) < 5 || len(b) < 3 {
			continue
		}
		at := mount{folder: strings.TrimPrefix(f[4], "/"), shown: f[3]}
		switch {
		case b[0] == "cgroup2":
			at.version = 2
		case b[0] == "cgroup" && slices.Contains(strings.Split(b[2], ","), "memory"):
			at.version = 1
		default:
			continue
		}
		list = append(list, at)
	}
	return list
}
