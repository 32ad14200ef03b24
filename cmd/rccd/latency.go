package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/latency"
	"github.com/softrobot-rcc/rccd/internal/realtime"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// measureLatency says how real-time this machine is: how late threads wake up, beside cyclictest, and the figures of a
// net, both in the pacing that the daemon would have.
func measureLatency(args []string, s streams) int {
	m, err := latencyFlags(args, s)
	if err != nil {
		return s.refuse(usage, err)
	}
	if m.costs {
		return measureCosts(m.dir, m.json, s)
	}
	if m.process, err = prepare(m.cfg); err != nil {
		return s.refuse(usage, err)
	}
	r, err := m.measure()
	if err = errors.Join(err, m.process.Close()); err != nil {
		return s.refuse(failed, err)
	}
	show := r.show
	if m.json {
		show = r.write
	}
	if err := show(s.out); err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// measurement is what is to be measured.
type measurement struct {
	cfg         *config.Config
	process     *realtime.Process
	period, all time.Duration
	load, json  bool
	costs       bool   // of types of primitives instead
	dir         string // of a daemon, which shows them
}

func latencyFlags(args []string, s streams) (*measurement, error) {
	set := s.flags("latency", "rccd latency [--period 1ms] [--for 60s] [--load] [--costs [--state DIR]] [--json]")
	m := &measurement{}
	set.DurationVar(&m.period, "period", time.Millisecond, "`time` between two ticks")
	set.DurationVar(&m.all, "for", time.Minute, "`time` to measure, half of it for wake-ups, half of it for a net")
	set.BoolVar(&m.load, "load", false, "beside goroutines that compute, make garbage and collect it all the time")
	set.BoolVar(&m.json, "json", false, "for programs; times in milliseconds")
	set.BoolVar(&m.costs, "costs", false, "what a primitive of each type takes in a cycle, instead of latencies")
	set.StringVar(&m.dir, "state", stateDirectory(), "with --costs: `folder` of the daemon, whose graphs of nets show them then")
	cpu := set.Int("cpu", rt.AnyCPU, "`number` of the CPU, the first of the daemon's by default")
	cell := &cellFlags{set: set}
	cell.addConfig()
	set.StringVar(&cell.realtime, "realtime", config.Default().Realtime.Mode, "auto, required or off")
	if err := cli.Parse(set, args); err != nil {
		return nil, err
	}
	var err error
	if m.cfg, err = cell.load(builtIn()); err != nil {
		return nil, err
	}
	if *cpu != rt.AnyCPU {
		m.cfg.Realtime.CPUs = []int{*cpu}
	}
	return m, m.check()
}

// check looks for what would give no figures.
func (m *measurement) check() error {
	r := &m.cfg.Realtime
	switch {
	case m.period < r.MinCycle || m.period > r.MaxCycle:
		return fmt.Errorf("--period: %v is not between %v and %v (realtime.min-cycle and max-cycle)", m.period, r.MinCycle, r.MaxCycle)
	case m.all < 4*m.period:
		return fmt.Errorf("--for: %v is too short for ticks of %v", m.all, m.period)
	case r.Clock == "virtual":
		return errors.New("latency: a virtual clock (realtime.clock) has no latency to measure")
	}
	return nil
}

// figures is what was measured.
type figures struct {
	*measurement
	state      realtime.State
	thread     *rt.Thread // nil: an ordinary goroutine
	wakeups    *latency.Wakeups
	cyclictest *latency.Wakeups // or nil
	without    error            // why
	primitives int
	net        sched.Stats
}

// measure takes the two measurements one after the other, so that they are not late because of each other.
func (m *measurement) measure() (*figures, error) {
	m.process.Test()
	f := &figures{measurement: m, state: m.process.State(realtime.Now{Shortest: m.period})}
	if m.load {
		defer latency.Load()()
	}
	execution := (&service{cfg: m.cfg, process: m.process}).execution()
	execution.Share = 0 // what does not fit is to be seen
	if t := execution.Threads; t != nil {
		f.thread = &rt.Thread{Name: "rt latency", CPU: rt.AnyCPU, Priority: t.Priority}
		if len(execution.CPUs) > 0 {
			f.thread.CPU = execution.CPUs[0]
		}
	}
	if err := f.wake(latency.Pace{Thread: f.thread, Period: m.period, For: m.all / 2, Spin: m.cfg.Realtime.Spin}); err != nil {
		return nil, err
	}
	return f, f.run(execution)
}

// wake measures beside cyclictest, when that is to be had.
func (f *figures) wake(p latency.Pace) error {
	stop, without := latency.Cyclictest(p)
	var err error
	f.wakeups, err = latency.Measure(p)
	if f.without = without; without == nil {
		f.cyclictest, f.without = stop()
	}
	return err
}

// size is the number of primitives of the smallest net of table 11.2, a point-to-point motion.
const size = 457

// run runs a net.
func (f *figures) run(execution sched.Config) (err error) {
	catalogue, err := spec.NewCatalogue(builtIn().primitives)
	if err != nil {
		return err
	}
	execution.Overrun = sched.CountOverruns // the net is to go on until the end
	core, err := rcc.New(rcc.Config{
		Catalogue: catalogue, Clock: rt.NewReal(), MinCycle: f.period, MaxCycle: f.period, Sched: execution,
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	defer func() { err = errors.Join(err, core.Close(ctx)) }()
	net, err := core.Nets.Load(rcc.LoadRequest{Text: swing(size), Period: f.period})
	if err != nil {
		return err
	}
	if err := net.Start(ctx); err != nil {
		return err
	}
	<-time.After(f.all / 2)
	f.primitives = net.Primitives()
	f.net, _ = net.Stats()
	return nil
}

// pacing describes who woke up.
func (f *figures) pacing() string {
	text := "realtime=" + f.state.Word
	if f.state.Reason != "" {
		text += " (" + f.state.Reason + ")"
	}
	if f.thread == nil {
		return text + ", ordinary goroutine"
	}
	if f.thread.CPU != rt.AnyCPU {
		text += fmt.Sprintf(", CPU %d", f.thread.CPU)
	}
	return text + fmt.Sprintf(", SCHED_FIFO %d, spin %v", f.thread.Priority, f.cfg.Realtime.Spin)
}

// shares are the quantiles that are shown.
var shares = []struct {
	name, key string
	share     float64
}{{"50 %", "p50", 0.5}, {"99 %", "p99", 0.99}, {"99.9 %", "p99.9", 0.999}, {"99.99 %", "p99.99", 0.9999}, {"most", "max", 1}}

// show writes for people.
func (f *figures) show(out io.Writer) error {
	load := "without load (--load)"
	if f.load {
		load = "beside goroutines that compute, make garbage and collect it"
	}
	fmt.Fprintf(out, "a tick every %v, %v in all, %s\n%s\n\n", f.period, f.all, load, f.pacing())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	f.showWakeups(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if f.without != nil {
		fmt.Fprintln(out, f.without)
	}
	fmt.Fprintln(out)
	f.showNet(w)
	if err := w.Flush(); err != nil {
		return err
	}
	return f.showVerdicts(out)
}

func (f *figures) showWakeups(w io.Writer) {
	fmt.Fprint(w, "woken late by\t")
	for _, s := range shares {
		fmt.Fprintf(w, "%s\t", s.name)
	}
	fmt.Fprintln(w, "ticks\tmissed\t")
	row := func(name string, of *latency.Wakeups, missed string) {
		fmt.Fprintf(w, "%s\t", name)
		for _, s := range shares {
			fmt.Fprintf(w, "%s\t", micros(of.Quantile(s.share)))
		}
		fmt.Fprintf(w, "%d\t%s\t\n", of.Ticks, missed)
	}
	row("rccd", f.wakeups, fmt.Sprint(f.wakeups.Missed))
	if f.cyclictest != nil {
		row("cyclictest", f.cyclictest, "-")
	}
}

// showNet is a column of table 11.2.
func (f *figures) showNet(w io.Writer) {
	fmt.Fprintf(w, "net of %d primitives\tmean\tdeviation\tleast\tmost\tcycles\tmissed\tlate\toverruns\t\n", f.primitives)
	row := func(name string, d sched.Distribution) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t", name, micros(d.Mean), micros(d.StdDev), micros(d.Min), micros(d.Max))
	}
	row("cycle time", f.net.Cycle)
	fmt.Fprintf(w, "%d\t%d\t%d\t%d\t\n", f.net.Cycles, f.net.Missed, f.net.Late, f.net.Overruns)
	row("execution time", f.net.Execution)
	fmt.Fprintln(w)
}

func (f *figures) showVerdicts(out io.Writer) error {
	fmt.Fprintln(out, "\nnets with a cycle time of")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, v := range f.wakeups.Verdicts(f.period) {
		fmt.Fprintf(w, "  %v\t%s\t%s\n", v.Period, v.Grade, v.Why)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if f.cyclictest != nil {
		fmt.Fprintln(out, f.wakeups.Beside(f.cyclictest))
	}
	for _, doubt := range f.doubts() {
		fmt.Fprintln(out, doubt)
	}
	for _, n := range f.state.Notes {
		fmt.Fprintln(out, strings.TrimSpace(n.What+"\n  "+n.Command))
	}
	return nil
}

// doubts returns what keeps the verdicts from being believed.
func (f *figures) doubts() []string {
	list := []string{}
	if doubt := f.wakeups.Doubt(); doubt != "" {
		list = append(list, doubt)
	}
	if f.thread == nil && !f.load {
		list = append(list, "an ordinary goroutine loses most of its ticks when the daemon is busy, whatever it does without load (--load)")
	}
	return list
}

func micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d)/float64(time.Microsecond))
}

// write writes for programs, with times in milliseconds like the statistics of nets.
func (f *figures) write(out io.Writer) error {
	w := json.NewEncoder(out)
	w.SetIndent("", "  ")
	return w.Encode(f.view())
}

type (
	latencyView struct {
		Unit       string        `json:"unit"`
		Period     float64       `json:"period"`
		For        float64       `json:"for"`
		Load       bool          `json:"load"`
		Realtime   string        `json:"realtime"`
		Reason     string        `json:"reason,omitempty"`
		Notes      []string      `json:"notes"`
		Thread     *threadView   `json:"thread"`
		Wakeups    wakeupsView   `json:"wakeups"`
		Cyclictest *wakeupsView  `json:"cyclictest"`
		Without    string        `json:"cyclictestMissing,omitempty"`
		Net        netView       `json:"net"`
		Verdicts   []verdictView `json:"verdict"`
		Beside     string        `json:"besideCyclictest,omitempty"`
		Doubts     []string      `json:"doubts"`
	}
	threadView struct {
		CPU      int     `json:"cpu"`
		Priority int     `json:"priority"`
		Spin     float64 `json:"spin"`
	}
	wakeupsView struct {
		Ticks  uint64             `json:"ticks"`
		Missed uint64             `json:"missed"`
		Late   map[string]float64 `json:"late"`
	}
	netView struct {
		Primitives int       `json:"primitives"`
		Cycles     uint64    `json:"cycles"`
		Overruns   uint64    `json:"overruns"`
		Late       uint64    `json:"late"`
		Missed     uint64    `json:"missed"`
		Cycle      timesView `json:"cycle"`
		Execution  timesView `json:"execution"`
	}
	timesView struct {
		Mean   float64 `json:"mean"`
		StdDev float64 `json:"stddev"`
		Min    float64 `json:"min"`
		Max    float64 `json:"max"`
	}
	verdictView struct {
		Period float64       `json:"period"`
		Grade  latency.Grade `json:"grade"`
		Why    string        `json:"why"`
	}
)

func (f *figures) view() latencyView {
	n := &f.net
	v := latencyView{
		Unit: "ms", Period: millis(f.period), For: millis(f.all), Load: f.load,
		Realtime: f.state.Word, Reason: f.state.Reason, Notes: []string{},
		Wakeups: viewWakeups(f.wakeups), Doubts: f.doubts(),
		Net: netView{f.primitives, n.Cycles, n.Overruns, n.Late, n.Missed, viewTimes(n.Cycle), viewTimes(n.Execution)},
	}
	for _, note := range f.state.Notes {
		v.Notes = append(v.Notes, note.What)
	}
	if f.thread != nil {
		v.Thread = &threadView{f.thread.CPU, f.thread.Priority, millis(f.cfg.Realtime.Spin)}
	}
	if f.without != nil {
		v.Without = f.without.Error()
	} else {
		c := viewWakeups(f.cyclictest)
		v.Cyclictest, v.Beside = &c, f.wakeups.Beside(f.cyclictest)
	}
	for _, d := range f.wakeups.Verdicts(f.period) {
		v.Verdicts = append(v.Verdicts, verdictView{millis(d.Period), d.Grade, d.Why})
	}
	return v
}

func viewWakeups(w *latency.Wakeups) wakeupsView {
	v := wakeupsView{Ticks: w.Ticks, Missed: w.Missed, Late: map[string]float64{}}
	for _, s := range shares {
		v.Late[s.key] = millis(w.Quantile(s.share))
	}
	return v
}

func viewTimes(d sched.Distribution) timesView {
	return timesView{millis(d.Mean), millis(d.StdDev), millis(d.Min), millis(d.Max)}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
