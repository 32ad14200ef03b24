package doctor

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

const (
	sysCPU   = "sys/devices/system/cpu"
	procIRQ  = "proc/irq"
	procKern = "proc/sys/kernel"
)

// machine is the machine that is looked at.
type machine struct {
	root      fs.FS
	process   string // folder of the process whose rights are looked at
	priority  int
	online    CPUs
	isolated  CPUs // left alone by the scheduler
	executors CPUs
	others    CPUs              // online, for everything else
	line      map[string]string // command line of the kernel
}

func newMachine(root fs.FS, o Options) *machine {
	m := &machine{root: root, process: "proc/self", priority: DefaultPriority, executors: o.CPUs}
	if o.Process != "" {
		m.process = path.Join("proc", o.Process)
	}
	if o.Priority != 0 {
		m.priority = o.Priority
	}
	m.line = map[string]string{}
	for word := range strings.FieldsSeq(m.text("proc/cmdline")) {
		key, value, _ := strings.Cut(word, "=")
		m.line[key] = value
	}
	m.online, _ = m.cpus(sysCPU + "/online")
	m.isolated = m.allIsolated()
	if len(m.executors) == 0 {
		m.executors = m.isolated
	}
	if n := len(m.online); len(m.executors) == 0 && n > 0 {
		m.executors = m.online[n-1:]
	}
	if m.executors == nil {
		m.executors = CPUs{}
	}
	m.others = m.online.without(m.executors)
	return m
}

// allIsolated returns the CPUs isolated at boot, and those of isolated partitions of cpusets.
func (m *machine) allIsolated() CPUs {
	boot, _ := m.cpus(sysCPU + "/isolated")
	partitions, _ := m.cpus("sys/fs/cgroup/cpuset.cpus.isolated")
	all, _ := ParseCPUs(strings.Trim(boot.String()+","+partitions.String(), ","))
	return all
}

// read returns the text of a file without blanks around it.
func (m *machine) read(name string) (string, error) {
	text, err := fs.ReadFile(m.root, name)
	return strings.TrimSpace(string(text)), err
}

// text returns the text of a file, or nothing.
func (m *machine) text(name string) string {
	text, _ := m.read(name)
	return text
}

func (m *machine) number(name string) (int, error) {
	text, err := m.read(name)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

func (m *machine) cpus(name string) (CPUs, error) {
	text, err := m.read(name)
	if err != nil {
		return nil, err
	}
	if text == "(null)" { // an empty mask, as some files write it
		text = ""
	}
	return ParseCPUs(text)
}

func (m *machine) exists(name string) bool {
	_, err := fs.Stat(m.root, name)
	return err == nil
}

// lacks reports whether a machine has no such thing, which is more than that it cannot be seen: its place is there.
func (m *machine) lacks(name, place string) bool {
	_, err := fs.Stat(m.root, name)
	return errors.Is(err, fs.ErrNotExist) && m.exists(place)
}

// virtual reports whether a hypervisor is below; unknown counts as none.
func (m *machine) virtual() bool {
	for line := range strings.Lines(m.text("proc/cpuinfo")) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "flags" {
			return strings.Contains(value+" ", " hypervisor ")
		}
	}
	return m.text("sys/hypervisor/type") != ""
}

// container reports whether other processes of the machine are hidden.
func (m *machine) container() bool {
	return m.exists(".dockerenv") || m.exists("run/.containerenv")
}

// running returns which of some programs run. Not everybody may see all processes, nor those outside of a container:
// whoever sees the first one of the machine does.
func (m *machine) running(names ...string) (found []string, known bool) {
	files, _ := fs.Glob(m.root, "proc/[0-9]*/comm")
	seen := map[string]bool{}
	for _, file := range files {
		seen[m.text(file)] = true
	}
	for _, name := range names {
		if seen[name] {
			found = append(found, name)
		}
	}
	return found, m.exists("proc/1/comm") && !m.container()
}

// release returns a line of os-release, which names the distribution.
func (m *machine) release(key string) string {
	for line := range strings.Lines(m.text("etc/os-release")) {
		if k, v, _ := strings.Cut(strings.TrimSpace(line), "="); k == key {
			return strings.Trim(v, `"'`)
		}
	}
	return ""
}

// family is the distribution and those it descends from.
func (m *machine) family(of ...string) bool {
	all := " " + m.release("ID") + " " + m.release("ID_LIKE") + " "
	for _, name := range of {
		if strings.Contains(all, " "+name+" ") {
			return true
		}
	}
	return false
}
