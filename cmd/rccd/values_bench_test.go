//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// spectators are clients that watch the values of nets, all clients those of the one net, or each those of its share.
type spectators struct {
	clients, nets, values int
	interval              time.Duration
}

// BenchmarkValues measures the share of a CPU of a daemon that sends 500 clients 50 values a second each, all of one net or each
// of a net of its own: five values ten times a second; and more than that: one value or eleven 50 times. Then one client that watches
// 1,000 nets. The share without clients is reported separately. With RCCD_BEFORE, the path of an older rccd, that one takes turns
// with the present one.
func BenchmarkValues(b *testing.B) {
	for _, w := range []spectators{
		{500, 1, 5, 100 * time.Millisecond},
		{500, 1, 1, 20 * time.Millisecond},
		{500, 1, 11, 20 * time.Millisecond},
		{500, 500, 5, 100 * time.Millisecond},
		{500, 500, 1, 20 * time.Millisecond},
		{500, 500, 11, 20 * time.Millisecond},
		{1, 1000, 5, 100 * time.Millisecond},
	} {
		b.Run(fmt.Sprintf("%d-clients/%d-nets/%d-values/%v", w.clients, w.nets, w.values, w.interval), func(b *testing.B) {
			w.compare(b, 5*time.Second)
		})
	}
}

// compare measures the present rccd and the one before.
func (w spectators) compare(b *testing.B, lasts time.Duration) {
	programs := map[string]string{"": "rccd"}
	if before := os.Getenv("RCCD_BEFORE"); before != "" {
		programs["before-"] = before
	}
	for unit, program := range programs {
		cpu, idle, messages := w.watch(b, program, lasts)
		b.ReportMetric(100*cpu.Seconds()/lasts.Seconds(), unit+"%-CPU")
		b.ReportMetric(100*idle.Seconds()/lasts.Seconds(), unit+"%-CPU-unwatched")
		b.ReportMetric(float64(messages)/lasts.Seconds(), unit+"messages/s")
		b.ReportMetric(float64((cpu-idle).Nanoseconds())/1000/float64(messages), unit+"µs/message")
	}
	b.ReportMetric(0, "ns/op")
}

// watch measures how long a daemon is executed while clients watch values, and while none does.
func (w spectators) watch(b *testing.B, program string, lasts time.Duration) (cpu, idle time.Duration, messages int64) {
	m := newSubjectOf(b, program, "limits: {connections: 1000, nets: 2000}\n")
	var names []string
	starter := m.call()
	for range w.nets {
		names = append(names, starter.run(alwaysNew(w.values), 10*time.Millisecond))
	}
	var heard atomic.Int64
	var callers []*caller
	for range w.clients {
		callers = append(callers, m.call())
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
		for k := i % w.nets; k < w.nets; k += w.clients {
			c.ask("gne(%q,%v)", names[k], w.interval.Seconds())
		}
		go c.listen(func() { heard.Add(1) })
	}
	cpu = measure()
	for _, c := range append(callers, starter) {
		_ = c.ws.Close()
	}
	return cpu, idle, messages
}

// alwaysNew returns a net with a number of values, all of which differ in every cycle.
func alwaysNew(values int) string {
	var b strings.Builder
	b.WriteString("{clock=Core::Clock(),end=Cancel()")
	for i := range values {
		fmt.Fprintf(&b, ",is%d=Core::DoubleAdd(inFirst=clock.outValue,Second='%d')", i, i)
		fmt.Fprintf(&b, ",out%d=Core::DoubleNetcommOut(inValue=is%d.outValue,Key='position%d')", i, i, i)
	}
	b.WriteString(",outTerminate=end.outCancel}")
	return b.String()
}
