package realtime

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/doctor"
)

// Check brings threads of the process back that have got to the CPUs of executors, and checks whether anything else has
// used these CPUs since the last check. It returns what it has found, and whether that has changed.
func (p *Process) Check() (found []Note, changed bool) {
	if !p.threads || len(p.CPUs) == 0 {
		return nil, false
	}
	if len(p.others) > 0 {
		if _, err := p.moveThreads(p.strays, p.others); err != nil {
			found = append(found, Note{What: "threads of the process run on the CPUs of executors: " + err.Error()})
		}
	}
	now := p.measure()
	for _, cpu := range p.CPUs {
		found = append(found, now.intruders(p.before, cpu)...)
	}
	p.before = now
	p.mu.Lock()
	defer p.mu.Unlock()
	changed = len(found) != len(p.found)
	for i := range found {
		changed = changed || found[i].Command != p.found[i].Command
	}
	p.found = found
	return found, changed
}

// usage is what CPUs and threads have been doing, in ticks of the kernel's statistics. The kernel only estimates how busy a
// CPU is, but knows what a thread has used.
type usage struct {
	cpus    map[int]doctor.Times
	threads map[string]thread // that are not executors, by their place in /proc
}

type thread struct {
	name     string
	realtime bool
	cpu      int // where it was executed last
	busy     int64
}

// tolerated is the part of a CPU of executors that others may use: the kernel itself has to do there now and then.
const tolerated = 0.05

// intruders says what else has used a CPU.
func (u usage) intruders(before usage, cpu int) (notes []Note) {
	now, then := u.cpus[cpu], before.cpus[cpu]
	all := float64(now.All - then.All)
	if then.All == 0 || all <= 0 {
		return nil
	}
	others, most, name := int64(0), int64(0), ""
	for place, t := range u.threads {
		b, known := before.threads[place]
		if !known || t.cpu != cpu || b.cpu != cpu {
			continue
		}
		used := t.busy - b.busy
		if others += used; used > most {
			most, name = used, t.name
		}
	}
	if share := float64(others) / all; share > tolerated {
		notes = append(notes, Note{
			fmt.Sprintf("others have used %.0f %% of CPU %d, which is for executors, most of it %s", 100*share, cpu, name),
			fmt.Sprintf("ps -eLo psr,pid,pcpu,comm --sort=-pcpu | awk '$1==%d'", cpu),
		})
	}
	if stolen := float64(now.Stolen-then.Stolen) / all; stolen > tolerated {
		notes = append(notes, Note{
			What: fmt.Sprintf("the host of this virtual machine has taken %.0f %% of CPU %d away", 100*stolen, cpu),
		})
	}
	return notes
}

// measure reads the statistics. Values that cannot be read count as 0.
func (p *Process) measure() usage {
	u := usage{cpus: map[int]doctor.Times{}, threads: map[string]thread{}}
	text, _ := fs.ReadFile(p.proc, "stat")
	for line := range strings.Lines(string(text)) {
		name, ok := strings.CutPrefix(line, "cpu")
		name, rest, _ := strings.Cut(name, " ")
		if cpu, err := strconv.Atoi(name); ok && err == nil {
			u.cpus[cpu] = doctor.ParseTimes(strings.Fields(rest))
		}
	}
	own := path.Join(strconv.Itoa(os.Getpid()), "task")
	places, _ := fs.Glob(p.proc, "[0-9]*/task/[0-9]*/stat")
	for _, place := range places {
		text, err := fs.ReadFile(p.proc, place)
		t, ok := threadOf(string(text))
		if err != nil || !ok || t.realtime && strings.HasPrefix(place, own) {
			continue // it has ended, or is an executor
		}
		u.threads[place] = t
	}
	return u
}

// threadOf reads the stat of a thread. Its name, in brackets, may contain anything.
func threadOf(stat string) (t thread, ok bool) {
	const user, system, processor, priority = 14, 15, 39, 40 // numbers of fields as in the manual, counted from one
	begin, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if begin < 0 || end < begin {
		return thread{}, false
	}
	fields := strings.Fields(stat[end+1:])
	const first = 3
	if len(fields) <= priority-first {
		return thread{}, false
	}
	number := func(field int) int64 {
		n, _ := strconv.ParseInt(fields[field-first], 10, 64)
		return n
	}
	return thread{
		name: stat[begin+1 : end], realtime: fields[priority-first] != "0",
		cpu: int(number(processor)), busy: number(user) + number(system),
	}, true
}
