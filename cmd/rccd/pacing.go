package main

import (
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/latency"
	"github.com/softrobot-rcc/rccd/internal/realtime"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// prepare makes the process as real-time as the configuration wants and the machine allows. Nothing of the process may
// count on more than one CPU before.
func prepare(cfg *config.Config) (*realtime.Process, error) {
	r := &cfg.Realtime
	o := realtime.Options{
		Required: r.Mode == "required", CPUs: r.CPUs, Priority: r.Priority, Spin: r.Spin,
		LockMemory: r.Memory, KeepAwake: r.Awake, Selftest: latency.Selftest,
	}
	switch {
	case r.Mode == "off":
		o.Off = "switched off"
	case r.Clock == "virtual":
		o.Off = "virtual clock"
	}
	return realtime.Setup(o)
}

// execution returns how executors run: on threads if they can be had. A cycle that takes too long is rarely the fault of its
// net in an ordinary goroutine.
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

// state returns how real-time the executors are now: less than the process is, when one of them has not got its thread.
func (v *service) state() realtime.State {
	s := v.process.State()
	for _, x := range v.cell.Executors.All() {
		if x.Ordinary != nil {
			s.Word, s.Reason = realtime.Degraded, fmt.Sprintf("nets of %v: %v", x.Period, x.Ordinary)
		}
	}
	return s
}

// shown returns the state for the pages.
func (v *service) shown() pages.State {
	s := v.state()
	shown := pages.State{Word: s.Word, Reason: s.Reason}
	for _, n := range s.Notes {
		shown.Notes = append(shown.Notes, pages.Note(n))
	}
	return shown
}

// tell logs how real-time the executors are and what is missing for more.
func (v *service) tell(message string, missing []realtime.Note, fields ...zap.Field) {
	s := v.state()
	v.log.Info(message, append(fields, zap.String("realtime", s.Word), zap.String("reason", s.Reason))...)
	for _, n := range missing {
		v.log.Warn(n.What, zap.String("command", n.Command))
	}
}

// checkInterval is how often the state is checked.
const checkInterval = 10 * time.Second

// watch checks the state until stop is closed, and tells when it has changed.
func (v *service) watch(stop <-chan struct{}) {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for last := v.state().Word; ; {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		found, changed := v.process.Check()
		if word := v.state().Word; changed || word != last {
			v.tell("real-time state", found)
			last = word
		}
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
