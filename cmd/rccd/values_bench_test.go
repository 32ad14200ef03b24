//go:build linux

package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkValues tells what part of a CPU a daemon takes that tells 500 clients 50 values a second each, all of one net or each
// of a net of its own: five values ten times a second, or one 50 times. What it takes without clients is told apart. With RCCD_BEFORE,
// the path of an older rccd, that one takes turns with the present one.
func BenchmarkValues(b *testing.B) {
	const clients, lasts = 500, 5 * time.Second
	for _, load := range []struct {
		name         string
		nets, values int
		interval     time.Duration
	}{
		{"one-net/5-values-every-100ms", 1, 5, 100 * time.Millisecond},
		{"one-net/1-value-every-20ms", 1, 1, 20 * time.Millisecond},
		{"one-net/11-values-every-20ms", 1, 11, 20 * time.Millisecond},
		{"nets/5-values-every-100ms", clients, 5, 100 * time.Millisecond},
		{"nets/1-value-every-20ms", clients, 1, 20 * time.Millisecond},
		{"nets/11-values-every-20ms", clients, 11, 20 * time.Millisecond},
	} {
		b.Run(load.name, func(b *testing.B) {
			programs := []string{"rccd"}
			if before := os.Getenv("RCCD_BEFORE"); before != "" {
				programs = append(programs, before)
			}
			for i, program := range programs {
				unit := [...]string{"", "before-"}[i]
				b.ReportMetric(0, "ns/op")
				cpu, messages, idle := beingWatched(b, program, load.nets, load.values, clients, load.interval, lasts)
				b.ReportMetric(100*cpu.Seconds()/lasts.Seconds(), unit+"%-CPU")
				b.ReportMetric(100*idle.Seconds()/lasts.Seconds(), unit+"%-CPU-unwatched")
				b.ReportMetric(float64(messages)/lasts.Seconds(), unit+"messages/s")
				b.ReportMetric(float64((cpu-idle).Nanoseconds())/1000/float64(messages), unit+"µs/message")
			}
		})
	}
}

// beingWatched measures how long a daemon is executed while nobody watches its nets, and while clients are told of their values.
func beingWatched(b *testing.B, program string, nets, values, clients int, interval, lasts time.Duration) (cpu time.Duration, messages int64, idle time.Duration) {
	m := newSubjectOf(b, cmp.Or(program, "rccd"), fmt.Sprintf("limits: {connections: %d, nets: %d}\n", 2*clients, 2*clients))
	starter := m.call()
	var names []string
	for range nets {
		names = append(names, starter.run(changing(values), 10*time.Millisecond))
	}
	var heard atomic.Int64
	callers := make([]*caller, clients)
	for i := range callers {
		callers[i] = m.call()
	}
	measure := func() time.Duration {
		<-time.After(time.Second)
		before := m.used("")
		heard.Store(0)
		<-time.After(lasts)
		messages = heard.Load()
		return m.used("") - before
	}
	idle = measure()
	for i, c := range callers {
		c.ask("gne(%q,%v)", names[i%nets], interval.Seconds())
		go c.listen(func() { heard.Add(1) })
	}
	cpu = measure()
	for _, c := range callers {
		_ = c.ws.Close()
	}
	_ = starter.ws.Close()
	return cpu, messages, idle
}

// changing is a net with so many values, all of which differ in every cycle.
func changing(values int) string {
	var b strings.Builder
	b.WriteString("{clock=Core::Clock(),end=Cancel()")
	for i := range values {
		fmt.Fprintf(&b, ",is%d=Core::DoubleAdd(inFirst=clock.outValue,Second='%d')", i, i)
		fmt.Fprintf(&b, ",out%d=Core::DoubleNetcommOut(inValue=is%d.outValue,Key='position%d')", i, i, i)
	}
	b.WriteString(",outTerminate=end.outCancel}")
	return b.String()
}
