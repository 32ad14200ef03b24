package realtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/internal/doctor"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Options are the requested settings.
type Options struct {
	Off        string        // why nothing is wanted, if nothing is
	Required   bool          // nothing less than Full will do
	CPUs       []int         // for executors; chosen when there are none
	Priority   int           // highest of SCHED_FIFO
	Spin       time.Duration // before each tick
	LockMemory bool
	KeepAwake  bool // CPUs, by /dev/cpu_dma_latency

	Root     fs.FS         // of the machine that is judged; the one that this runs on when nil
	Shortest time.Duration // cycle time that is to be kept before any is in use

	// Selftest checks whether a thread keeps its pace whatever the runtime does. An error says that it does not.
	Selftest func(rt.Thread) (Pace, error)
}

// Pace is the result of a self-test.
type Pace interface {
	// Keeps reports whether nets of a cycle time can be kept, and says what was measured.
	Keeps(period time.Duration) (ok bool, text string)
}

// Note is a requested setting that is missing.
type Note struct {
	What    string
	Command string // that grants it
}

// Process is a process after its setup.
type Process struct {
	Options
	CPUs []int // of executors; any when there are none

	allowed []int // CPUs at the start
	others  []int // CPUs for everything else; all when there are none
	proc    fs.FS
	awake   *os.File
	threads bool  // executors can be detached threads
	locked  bool  // memory
	before  usage // at the last check

	mu     sync.Mutex
	rights doctor.Fact
	report doctor.Report
	tested bool
	pace   Pace  // of the self-test
	unkept error // the self-test has failed
	notes  []Note
	found  []Note // by the last check
}

// Setup applies the settings that the machine allows. An error says what is wrong with the options, or what is missing of what is
// required; nothing is left then. Where nothing is required the self-test is left to the caller, as it takes its time.
func Setup(o Options) (*Process, error) {
	p := &Process{Options: o, proc: os.DirFS("/proc")}
	if p.Root == nil {
		p.Root = os.DirFS("/")
	}
	if was, err := rt.Ordinary(); err != nil {
		return nil, err
	} else if was {
		p.note("was started with a priority of real time, and has given it back: executors get theirs from realtime.priority", "")
	}
	if o.Off != "" {
		return p, nil
	}
	if err := p.chooseCPUs(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, err
	}
	p.claim()
	p.Examine()
	if !o.Required {
		return p, nil
	}
	if s := p.State(Now{}); s.Word == Checking {
		p.Test()
	}
	if s := p.State(Now{}); s.Word != Full {
		return nil, errors.Join(fmt.Errorf("realtime: required, but %s", s.Reason), p.Close())
	}
	return p, nil
}

// Threads reports whether executors are to be detached threads: the process has the rights, whatever its machine is like.
func (p *Process) Threads() bool { return p.threads }

// claim takes the rights that there are.
func (p *Process) claim() {
	p.rights = doctor.Fact{Name: doctor.Rights, State: doctor.Missing}
	if err := p.try(); err != nil {
		p.release()
		p.rights.Text = err.Error() + "; executors are ordinary goroutines"
		return
	}
	p.threads = true
	p.rights.Text = fmt.Sprintf("executors are detached threads, SCHED_FIFO %d", p.Priority)
	if len(p.CPUs) > 0 {
		p.rights.Text += fmt.Sprintf(", CPU %v", doctor.CPUs(p.CPUs))
	}
	if err := p.lockMemory(); err != nil {
		p.rights.Text = fmt.Sprintf("memory is not locked, paging may delay a tick: %v; %s", err, p.rights.Text)
		return
	}
	p.rights.OK, p.rights.State = true, doctor.Granted
	p.rights.Text += ", memory locked"
}

// Examine looks at the machine again, as the doctor does.
func (p *Process) Examine() {
	report := doctor.Examine(p.Root, doctor.Options{CPUs: p.CPUs, Priority: p.Priority, Quick: true})
	p.mu.Lock()
	p.report = report
	p.mu.Unlock()
}

// Test does the self-test once, which takes some tenths of a second, and reports whether it was done now. It keeps the processors
// of the runtime busy, not those of executors.
func (p *Process) Test() (done bool) {
	if !p.threads || p.Selftest == nil || p.tested {
		return false
	}
	pace, err := p.Selftest(p.prober())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tested, p.pace, p.unkept = true, pace, err
	return true
}

// Close undoes the setup.
func (p *Process) Close() error {
	p.release()
	if p.awake == nil {
		return nil
	}
	defer func() { p.awake = nil }()
	return p.awake.Close()
}

// try stops at the first thing without which execution is not real-time.
func (p *Process) try() error {
	if err := rt.Detachable(); err != nil {
		return err
	}
	if err := p.probe(p.prober()); err != nil {
		return err
	}
	p.keepAwake()
	if err := p.confine(); err != nil {
		p.note("threads of the process also run on the CPUs of executors: "+err.Error(), "")
	}
	return nil
}

// prober returns a thread as executors get it.
func (p *Process) prober() rt.Thread {
	return rt.Thread{Name: "rt probe", CPU: p.firstCPU(), Priority: p.Priority}
}

// probe checks whether threads can be had on all CPUs of executors: a group of the system may keep the process from some.
func (p *Process) probe(t rt.Thread) error {
	err := t.Detach(func() {})
	for i := 1; i < len(p.CPUs) && err == nil; i++ {
		t.CPU = p.CPUs[i]
		err = t.Detach(func() {})
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; granted by: %v", err, doctor.GrantPriority(program()))
	}
	return err
}

func (p *Process) firstCPU() int {
	if len(p.CPUs) == 0 {
		return rt.AnyCPU
	}
	return p.CPUs[0]
}

// chooseCPUs: those that were named, or that the system leaves alone, or the last one of several.
func (p *Process) chooseCPUs() error {
	var err error
	if p.allowed, err = rt.Affinity(0); err != nil {
		return err
	}
	online, _ := readCPUs("/sys/devices/system/cpu/online")
	isolated, _ := readCPUs("/sys/devices/system/cpu/isolated")
	isolated = p.reachable(isolated)
	p.CPUs, p.others, err = choose(p.Options.CPUs, p.allowed, online, isolated)
	if err == nil && len(p.others) == 0 {
		p.note("executors have no CPU of their own, everything else runs there too", "")
	}
	return err
}

func choose(wanted, allowed, online, isolated []int) (executors, others []int, err error) {
	switch {
	case len(wanted) > 0:
		for _, cpu := range wanted {
			if !slices.Contains(online, cpu) && !slices.Contains(allowed, cpu) {
				return nil, nil, fmt.Errorf("realtime.cpus: there is no CPU %d, only %v", cpu, doctor.CPUs(online))
			}
		}
		executors = wanted
	case len(isolated) > 0:
		executors = isolated
	case len(allowed) > 1:
		executors = allowed[len(allowed)-1:]
	}
	for _, cpu := range allowed {
		if !slices.Contains(executors, cpu) && !slices.Contains(isolated, cpu) {
			others = append(others, cpu)
		}
	}
	if len(executors) == 0 {
		others = nil
	}
	return executors, others, nil
}

// reachable returns those of some CPUs on which a thread may run: a group of the system may keep the process from them.
func (p *Process) reachable(cpus []int) []int {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	list := slices.DeleteFunc(cpus, func(cpu int) bool { return rt.SetAffinity(0, []int{cpu}) != nil })
	_ = rt.SetAffinity(0, p.allowed) // where it was
	return list
}

func readCPUs(file string) (doctor.CPUs, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return doctor.ParseCPUs(strings.TrimSpace(string(text)))
}

// confine moves the threads of the process to the CPUs that are not for executors. Threads inherit that, executors move
// themselves away. The runtime is to use no more processors than there are CPUs left.
func (p *Process) confine() error {
	if len(p.others) == 0 {
		return nil
	}
	for range 10 { // threads may make threads in between
		moved, err := p.moveThreads(p.strays, p.others)
		if err != nil {
			return err
		}
		if moved == 0 {
			break
		}
	}
	runtime.GOMAXPROCS(len(p.others))
	return nil
}

// release takes back what confine has done.
func (p *Process) release() {
	if p.locked {
		p.locked = rt.UnlockMemory() != nil
	}
	if len(p.others) == 0 {
		return
	}
	everywhere := p.allowed
	p.others, p.CPUs = nil, nil
	_, _ = p.moveThreads(func(cpus []int) bool { return len(cpus) < len(everywhere) }, everywhere)
	runtime.GOMAXPROCS(len(everywhere))
}

// moveThreads moves those to other CPUs that are out of place where they may run now.
func (p *Process) moveThreads(strays func([]int) bool, to []int) (moved int, err error) {
	tasks, err := fs.ReadDir(p.proc, "self/task")
	if err != nil {
		return 0, err
	}
	for _, task := range tasks {
		id, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		cpus, err := rt.Affinity(id)
		if err != nil || !strays(cpus) {
			continue // it has ended, or is where it should be
		}
		if err := rt.SetAffinity(id, to); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

// strays reports whether a thread with these CPUs is out of place: it may run on a CPU of executors and on others as well.
// Executors keep to one CPU.
func (p *Process) strays(cpus []int) bool {
	return len(cpus) > 1 && slices.ContainsFunc(cpus, func(cpu int) bool { return slices.Contains(p.CPUs, cpu) })
}

func (p *Process) lockMemory() error {
	if !p.LockMemory {
		return errors.New("realtime.lock-memory is false")
	}
	err := rt.LockMemory()
	p.locked = err == nil
	if err != nil {
		p.note("memory is not locked", doctor.GrantMemory(program()).String())
	}
	return err
}

// dmaLatency keeps CPUs from states of sleep that take longer to leave than the microseconds written to it, as long as it
// is open.
const dmaLatency = "/dev/cpu_dma_latency"

func (p *Process) keepAwake() {
	if !p.KeepAwake {
		return
	}
	f, err := os.OpenFile(dmaLatency, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(make([]byte, 4))
	}
	if err != nil {
		p.note("CPUs may fall into deep sleep between ticks: "+err.Error(), "sudo chmod o+w "+dmaLatency)
		return
	}
	p.awake = f
}

func (p *Process) note(what, command string) {
	p.notes = append(p.notes, Note{what, command})
}

// program returns the file of the running program, for commands.
func program() string {
	name, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return name
}
