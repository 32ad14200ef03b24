//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/motion"
)

// The benchmarks of this file measure a daemon of its own process, over its protocol and its pages.

// subject is a daemon that is measured.
type subject struct {
	*testing.B
	*process
}

func newSubject(b *testing.B, realtime string, devices ...string) *subject {
	return newSubjectOf(b, "rccd-tested", "realtime:\n"+realtime+"devices:\n  - {name: testarm, type: test, channels: '6'}\n"+strings.Join(devices, ""))
}

// newSubjectOf executes a program with a cell.
func newSubjectOf(b *testing.B, program, cell string) *subject {
	folder := b.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte(cell), 0o644); err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), program, "--listen", "127.0.0.1:0", "--config", "cell.yaml")
	cmd.Dir = folder
	p, err := beginCommand(cmd)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.end(syscall.SIGTERM); err != nil {
			b.Error(err, p.log.String())
		}
	})
	b.Log(strings.TrimSpace(p.out.String()))
	return &subject{b, p}
}

// get reads a page.
func (m *subject) get(page string, into any) {
	request, err := http.NewRequestWithContext(m.Context(), http.MethodGet, m.url+page, nil)
	if err != nil {
		m.Fatal(err)
	}
	request.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		m.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		m.Fatal(page, err)
	}
}

// runner is what the page of executors says about one.
type runner struct {
	Period       string
	Detached     bool
	CPU          *int
	Priority     int
	Ticks        uint64
	Missed, Late uint64
	Load         float64
}

// executor finds the one of a cycle time.
func (m *subject) executor(period time.Duration) runner {
	var page struct{ Executors []runner }
	m.get("/realtime/", &page)
	for _, r := range page.Executors {
		if r.Period == period.String() {
			return r
		}
	}
	m.Fatalf("no executor of %v: %+v", period, page.Executors)
	return runner{}
}

// tell reports what went wrong.
func (m *subject) tell() {
	var page struct {
		Incidents []struct {
			Time, Cause, Net string
			Amount           float64
			Missed           int
		}
	}
	m.get("/realtime/", &page)
	for _, i := range page.Incidents {
		m.Logf("%s: %.3f ms, %d missed, %s %s", i.Time, i.Amount, i.Missed, i.Cause, i.Net)
	}
}

// caller is a connection.
type caller struct {
	*subject
	ws *websocket.Conn
	n  int
}

func (m *subject) call() *caller {
	ws, answer, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(m.url, "http")+"/DirectIO/", nil)
	if err != nil {
		m.Fatal(err)
	}
	_ = answer.Body.Close()
	c := &caller{subject: m, ws: ws}
	c.ask(`ver("2.0")`)
	return c
}

// ask returns what stands in the brackets of the answer.
func (c *caller) ask(format string, args ...any) string {
	c.n++
	tag := fmt.Sprintf("t%d=", c.n)
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(tag+fmt.Sprintf(format, args...))); err != nil {
		c.Fatal(err)
	}
	for {
		_, text, err := c.ws.ReadMessage()
		if err != nil {
			c.Fatal(err)
		}
		answer, mine := strings.CutPrefix(string(text), tag)
		if result, ok := strings.CutPrefix(answer, "ok("); mine && ok {
			return strings.Trim(result, `")`)
		}
		if mine && strings.HasPrefix(answer, "err(") {
			c.Fatal(answer)
		}
	}
}

// run loads and starts a net of the real-time class.
func (c *caller) run(text string, period time.Duration) (name string) {
	name = c.ask("nene(%q,1,%q,%v)", text, "measured", period.Seconds())
	c.ask("nest(%q)", name)
	return name
}

// listen throws away what comes, as fast as it comes, and counts it.
func (c *caller) listen(heard func()) {
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			return
		}
		heard()
	}
}

// BenchmarkTable112 repeats the measurement of table 11.2: the same motion many times, one after the other, with a cycle
// time of 2 ms.
func BenchmarkTable112(b *testing.B) {
	const repetitions, lasts = 20, 2 * time.Second
	types := motion.Types{
		Clock: "Core::Clock", Snapshot: "Core::DoubleSnapshot", Joint: "Test::Actuator(inValue=%s,Device='testarm',Channel='%d')",
	}
	for _, n := range []motion.Net{motion.PTP, motion.Lin, motion.SyncLin} {
		b.Run(n.Name, func(b *testing.B) {
			m := newSubject(b, "")
			c := m.call()
			var cycles, least, most []float64 // ms, by repetition
			shortest, longest, missed := math.Inf(1), 0.0, 0.0
			for b.Loop() {
				for range repetitions {
					name := c.run(n.Text(types), 2*time.Millisecond)
					<-time.After(lasts)
					var s struct {
						Missed           float64
						Cycle, Execution struct{ Mean, Min, Max float64 }
					}
					m.get("/nets/"+name+"/stats", &s)
					cycles, least, most = append(cycles, s.Cycle.Mean), append(least, s.Execution.Min), append(most, s.Execution.Max)
					shortest, longest = min(shortest, s.Cycle.Min), max(longest, s.Cycle.Max)
					missed += s.Missed
					c.ask("neab(%q)", name)
					c.ask("neun(%q)", name)
				}
			}
			b.ReportMetric(0, "ns/op")
			for _, f := range []struct {
				unit string
				list []float64
			}{{"cycle", cycles}, {"min-execution", least}, {"max-execution", most}} {
				mean, deviation := moments(f.list)
				b.ReportMetric(mean, f.unit+"-ms")
				b.ReportMetric(deviation, f.unit+"-deviation-ms")
			}
			b.ReportMetric(shortest, "min-cycle-ms")
			b.ReportMetric(longest, "max-cycle-ms")
			b.ReportMetric(missed, "missed")
		})
	}
}

func moments(list []float64) (mean, deviation float64) {
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		deviation += (v - mean) * (v - mean) / float64(len(list)-1)
	}
	return mean, math.Sqrt(deviation)
}

// BenchmarkManyNets runs 200 nets for half a minute while 50 connections watch their values, beside a loop on the same
// CPU that does nothing but check whether it is in time: what it misses, the machine has taken from both.
func BenchmarkManyNets(b *testing.B) {
	const nets, connections, period, lasts = 200, 50, 2 * time.Millisecond, 30 * time.Second
	m := newSubject(b, "")
	var names []string
	starter := m.call()
	for range nets {
		names = append(names, starter.run(fifty(), period))
	}
	var heard atomic.Int64
	for i := range connections {
		c := m.call()
		for k := i; k < nets; k += connections {
			c.ask("gne(%q,0.02)", names[k])
		}
		go c.listen(func() { heard.Add(1) })
		b.Cleanup(func() { _ = c.ws.Close() })
	}
	<-time.After(time.Second) // for the memory of the newest nets to be touched everywhere
	for b.Loop() {
		before, said := m.executor(period), heard.Load()
		if !before.Detached || before.CPU == nil {
			b.Skip("skip: executors are not threads here")
		}
		beside := bareLoop(b, rt.Thread{Name: "bare", CPU: *before.CPU, Priority: before.Priority + 1}, period, lasts)
		after := m.executor(period)
		m.tell()
		b.ReportMetric(float64(after.Missed-before.Missed), "missed")
		b.ReportMetric(float64(after.Late-before.Late), "late")
		b.ReportMetric(float64(after.Ticks-before.Ticks), "ticks")
		b.ReportMetric(float64(beside.missed), "bare-missed")
		b.ReportMetric(100*after.Load, "%-busy")
		b.ReportMetric(float64(heard.Load()-said)/lasts.Seconds(), "messages/s")
		b.ReportMetric(0, "ns/op")
	}
}

// BenchmarkSimulatedJoints is the cell of chapter 12: 46 simulated joints at 1 ms, each of which a net moves, one net for
// each arm. It reports the shares of a CPU that the executors and the whole daemon took.
func BenchmarkSimulatedJoints(b *testing.B) {
	const period, lasts = time.Millisecond, 10 * time.Second
	arms := map[string]int{"lwr0": 7, "lwr1": 7, "lwr2": 7, "lwr3": 7, "tx0": 6, "tx1": 6, "tx2": 6}
	var devices []string
	for arm, joints := range arms {
		devices = append(devices, fmt.Sprintf("  - {name: %s, type: %s, cycle: 1ms, home_joint: '[%s0]'}\n", arm, map[int]string{7: "kuka_lwr_sim", 6: "staubli_tx90_sim"}[joints], strings.Repeat("0,", joints-1)))
	}
	m := newSubject(b, "", devices...)
	c := m.call()
	var names []string
	for arm, joints := range arms {
		names = append(names, c.run(swaying(arm, joints), period))
	}
	<-time.After(time.Second)
	for b.Loop() {
		executors, all := m.used("rt "), m.used("")
		<-time.After(lasts)
		b.ReportMetric(100*(m.used("rt ")-executors).Seconds()/lasts.Seconds(), "%-executors")
		b.ReportMetric(100*(m.used("")-all).Seconds()/lasts.Seconds(), "%-daemon")
		b.ReportMetric(0, "ns/op")
	}
	for _, name := range names {
		var net struct{ Values map[string]string }
		m.get("/nets/"+name+"/", &net)
		if net.Values["outfaults"] != "0" {
			b.Errorf("%s: %v", name, net.Values)
		}
	}
}

// swaying moves all joints of an arm.
func swaying(arm string, joints int) string {
	var b strings.Builder
	b.WriteString("{clock=Core::Clock(),cos=Core::DoubleCos(inValue=clock.outValue),way=Core::DoubleMultiply(inFirst=cos.outValue,Second='-0.05')," +
		"to=Core::DoubleAdd(inFirst=way.outValue,Second='0.05'),end=Cancel(),sum0=Core::IntValue(Value='0')")
	for i := range joints {
		fmt.Fprintf(&b, ",j%d=RobotArm::JointPosition(inPosition=to.outValue,Robot='%s',Axis='%d')", i, arm, i)
		fmt.Fprintf(&b, ",is%d=RobotArm::JointMonitor(Robot='%s',Axis='%d')", i, arm, i)
		fmt.Fprintf(&b, ",sum%d=Core::IntAdd(inFirst=sum%d.outValue,inSecond=is%d.outError)", i+1, i, i)
	}
	fmt.Fprintf(&b, ",faults=Core::IntNetcommOut(inValue=sum%d.outValue,Key='faults'),outTerminate=end.outCancel}", joints)
	return b.String()
}

// fifty returns a net of 50 primitives that publishes values that change.
func fifty() string { return positions(8) }

// positions returns a net of two primitives, and six for each value that it publishes.
func positions(count int) string {
	var b strings.Builder
	b.WriteString("{clock=Core::Clock(),end=Cancel()")
	for i := range count {
		fmt.Fprintf(&b, ",slope%d=Core::DoubleValue(Value='0.%d')", i, i+1)
		fmt.Fprintf(&b, ",way%d=Core::DoubleMultiply(inFirst=clock.outValue,inSecond=slope%d.outValue)", i, i)
		fmt.Fprintf(&b, ",position%d=Core::DoubleAdd(inFirst=way%d.outValue,Second='%d')", i, i, i)
		fmt.Fprintf(&b, ",late%d=Core::DoubleGreater(inFirst=clock.outValue,Second='%d')", i, 1+i)
		fmt.Fprintf(&b, ",chosen%d=Core::DoubleConditional(inCondition=late%d.outValue,inFalse=way%d.outValue,inTrue=position%d.outValue)", i, i, i, i)
		fmt.Fprintf(&b, ",out%d=Core::DoubleNetcommOut(inValue=chosen%d.outValue,Key='position%d')", i, i, i)
	}
	b.WriteString(",outTerminate=end.outCancel}")
	return b.String()
}

// bare is the result of a loop that only checks whether it is in time.
type bare struct {
	missed int64
	used   time.Duration // of a CPU
}

func bareLoop(b *testing.B, t rt.Thread, period, lasts time.Duration) (l bare) {
	clock := rt.NewReal()
	var alarm rt.Alarm
	err := t.Detach(func() {
		next := clock.Now()
		next -= next % int64(period) // the grid of executors: what keeps both off their CPU costs both the same ticks
		for end := next + int64(lasts); next < end; {
			next += int64(period)
			clock.SleepDetached(next, 0, &alarm)
			if late := (clock.Now() - next) / int64(period); late > 0 {
				l.missed += late
				next += late * int64(period)
			}
		}
		l.used = time.Duration(rt.ThreadTime())
	})
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// BenchmarkShortestCycle measures what a small net at 30 kHz costs of a core, and in turns with it what a loop costs that
// does nothing but sleep until its next tick: what the machine takes for waking a thread up.
func BenchmarkShortestCycle(b *testing.B) {
	const period, lasts = 33 * time.Microsecond, 2 * time.Second
	m := newSubject(b, "  min-cycle: 33us\n  overrun: skip\n")
	c := m.call()
	var parts, bare, missed []float64
	for b.Loop() {
		for range 5 {
			name := c.run(ten, period)
			<-time.After(lasts / 10)
			before := m.executor(period)
			if !before.Detached || before.CPU == nil {
				b.Skip("skip: executors are not threads here")
			}
			at, used := time.Now(), m.used("rt 33µs")
			<-time.After(lasts)
			parts = append(parts, 100*(m.used("rt 33µs")-used).Seconds()/time.Since(at).Seconds())
			after := m.executor(period)
			missed = append(missed, 100*float64(after.Missed-before.Missed)/float64(after.Missed-before.Missed+after.Ticks-before.Ticks))
			c.ask("neab(%q)", name)
			l := bareLoop(b, rt.Thread{Name: "bare", CPU: *before.CPU, Priority: before.Priority}, period, lasts)
			bare = append(bare, 100*l.used.Seconds()/lasts.Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(parts), "%-of-a-core")
	b.ReportMetric(median(bare), "bare-%-of-a-core")
	b.ReportMetric(median(missed), "%-missed")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// ten is a net of ten primitives.
const ten = "{on=Core::BooleanValue(Value='true'),clock=Core::Clock(),half=Core::DoubleMultiply(inFirst=clock.outValue,Second='0.5')," +
	"bias=Core::DoubleNetcommIn(Key='bias',Value='1'),sum=Core::DoubleAdd(inFirst=half.outValue,inSecond=bias.outValue)," +
	"high=Core::DoubleGreater(inFirst=sum.outValue,Second='10'),held=Core::DoubleSnapshot(inValue=sum.outValue,inSnapshot=high.outValue)," +
	"both=Core::BooleanAnd(inFirst=high.outValue,inSecond=on.outValue)," +
	"out=Core::DoubleNetcommOut(inValue=held.outValue,Key='held'),end=Cancel(),outTerminate=end.outCancel}"

// used returns how long threads of the daemon whose names begin with a prefix have been executed.
func (m *subject) used(prefix string) (sum time.Duration) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", m.cmd.Process.Pid))
	if err != nil {
		m.Fatal(err)
	}
	for _, task := range tasks {
		if name, _ := os.ReadFile(filepath.Join(task, "comm")); !strings.HasPrefix(string(name), prefix) {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(task, "schedstat")) // a thread may have ended by now
		executed, _, _ := strings.Cut(string(text), " ")
		ns, _ := strconv.ParseInt(executed, 10, 64)
		sum += time.Duration(ns)
	}
	if sum == 0 {
		m.Fatalf("no thread %q", prefix)
	}
	return sum
}
