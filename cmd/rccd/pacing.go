package main

import (
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/latency"
	"github.com/softrobot-rcc/rccd/internal/realtime"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// prepare makes the process as real-time as the configuration wants and the machine allows. Nothing of the process may
// count on more than one CPU before.
func prepare(cfg *config.Config) (*realtime.Process, error) {
	r := &cfg.Realtime
	o := realtime.Options{
		Required: r.Mode == "required", CPUs: r.CPUs, Priority: r.Priority, Spin: r.Spin,
		LockMemory: r.Memory, KeepAwake: r.Awake, Shortest: r.Cycle,
		Selftest: func(t rt.Thread) (realtime.Pace, error) { return latency.Selftest(t) },
	}
	for _, n := range cfg.Nets {
		if n.Cycle > 0 {
			o.Shortest = min(o.Shortest, n.Cycle)
		}
	}
	switch {
	case r.Mode == "off":
		o.Off = "switched off"
	case r.Clock == "virtual":
		o.Off = "virtual clock"
	}
	return realtime.Setup(o)
}

// execution returns how executors run: on threads if they can be had, whatever the machine is like. A cycle that takes too long is rarely
// the fault of its net in an ordinary goroutine; on a thread it keeps all others from the CPU, so that auto ends its net (ADR 0040).
func (v *service) execution() sched.Config {
	var c sched.Config
	c.CPUs = v.cfg.Realtime.CPUs
	if p := v.process; p.Threads() {
		c.CPUs, c.Threads = p.CPUs, &sched.Threads{Priority: p.Priority, Spin: p.Spin}
	}
	if v.cfg.Realtime.Clock != "virtual" { // where nothing takes time
		c.Share = sched.WholeCPU / 100 * sched.Share(v.cfg.Limits.CPUPercent)
	}
	if policy := v.cfg.Realtime.Overrun; policy == "terminate" || policy == "auto" && c.Threads != nil {
		c.Overrun = sched.AbortOverruns
	}
	return c
}

// state returns how real-time the daemon is now: less than the process is, when an executor has not got its thread or there is a shorter
// cycle time than the machine keeps.
func (v *service) state() realtime.State {
	now := realtime.Now{Shortest: v.process.Shortest}
	for _, x := range v.cell.Executors.All() {
		if x.Ordinary != nil {
			now.Ordinary = fmt.Sprintf("nets of %v: %v", x.Period, x.Ordinary)
		}
		if x.Nets > 0 {
			now.Shortest = min(now.Shortest, x.Period)
		}
	}
	now.Record = v.ledger.Record(v.age(), v.counts())
	return v.process.State(now)
}

// counts returns what the record is made of.
func (v *service) counts() realtime.Counts { return realtime.Counts(v.cell.Executors.Tally()) }

// age returns how long the daemon has been serving.
func (v *service) age() time.Duration { return time.Since(v.began) }

// shown returns the state for the pages.
func (v *service) shown() pages.State {
	s := v.state()
	shown := pages.State{Word: s.Word, Reason: s.Reason}
	for _, f := range s.Facts {
		shown.Facts = append(shown.Facts, pages.Fact{Name: f.Name, OK: f.OK, State: f.State, Text: f.Text})
	}
	for _, n := range s.Notes {
		shown.Notes = append(shown.Notes, pages.Note(n))
	}
	return shown
}

// tell logs the real-time state of the executors, and what is missing for a better one.
func (v *service) tell(message string, missing []realtime.Note, fields ...zap.Field) {
	s := v.state()
	fields = append(fields, zap.String("realtime", s.Word), zap.String("reason", s.Reason))
	for _, f := range s.Facts {
		fields = append(fields, zap.String(f.Name, f.State+": "+f.Text))
	}
	v.log.Info(message, fields...)
	for _, n := range missing {
		v.log.Warn(n.What, zap.String("command", n.Command))
	}
}

// lookout is how often the state is checked.
const lookout = 10 * time.Second

// examineEvery is the number of looks at the record between two looks at the machine: for changed settings, and for users of the
// CPUs of executors, for which all threads of the machine are visited.
const examineEvery = 6

// testAfter is when a self-test begins that does not decide about the state, as the machine falls short anyway: its load would keep
// the first clients waiting.
const testAfter = time.Second

// watch checks the state until stop is closed, and reports when it has changed.
func (v *service) watch(stop <-chan struct{}) {
	last := v.state()
	look := func(found []realtime.Note, changed bool) {
		v.ledger.Look(v.age(), v.counts())
		s := v.state()
		if changed || s.Word != last.Word || s.Facts[2].OK != last.Facts[2].OK {
			v.tell("real-time state", found)
		}
		last = s
	}
	test := time.After(testAfter)
	ticker := time.NewTicker(lookout)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-stop:
			return
		case <-test:
			look(nil, v.process.Test())
			continue
		case <-ticker.C:
		}
		if n%examineEvery != 0 {
			look(nil, false)
			continue
		}
		v.process.Examine()
		look(v.process.Check())
	}
}

// followEvery is how often the files of extensions are looked at. They are taken over after two looks at which they are the
// same.
const followEvery = 500 * time.Millisecond

// follow takes over what changes in the files of users' extensions.
func (v *service) follow(stop <-chan struct{}) {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			v.cell.Extensions.Follow()
		}
	}
}
