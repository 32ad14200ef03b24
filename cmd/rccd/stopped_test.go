//go:build linux

package main

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/oracle/refmodel"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
)

// TestStoppedAndOverloaded lets rules hand the channels of a device from nets to nets of all periods and both classes, while
// the daemon is stopped and continued, all CPUs are loaded, and those of executors are taken away by others. Whatever comes
// late by that: a channel has one owner at a time from the beginning to the end, which gives it one set-point for every tick that
// is not missed; no rule takes a channel away that it was not to have; every rule comes to an outcome and every net to its end.
//
// RCCD_SOAK says for how long each form is, such as 10m.
func TestStoppedAndOverloaded(t *testing.T) {
	cpus, err := rt.Affinity(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	all := strings.ReplaceAll(fmt.Sprint(cpus), " ", ", ")
	forms := map[string]string{"ordinary": "{mode: off, cpus: " + all + "}", "threads": "{overrun: skip}"}
	if len(cpus) > 1 {
		forms["threads on all CPUs"] = "{overrun: skip, cpus: " + all + "}"
	}
	for name, realtime := range forms {
		t.Run(name, func(t *testing.T) {
			r := newRelay(t, realtime)
			r.cpus = cpus
			for _, disturb := range []func(){r.stopAndContinue, r.loadCPUs, r.takeCPUs} {
				r.others.Go(disturb)
			}
			for i := range r.crews {
				r.others.Go(r.crews[i].work)
			}
			r.others.Wait()
			r.others.Go(r.countIncidents)
			r.others.Wait()
			r.judge()
		})
	}
}

const (
	crewCount = 3
	team      = 4 // channels of a crew
	teamUnit  = 500 * time.Microsecond
)

// relay is a daemon whose channels are handed over.
type relay struct {
	*testing.T
	*process
	over  context.Context // until there are enough
	begun sync.WaitGroup  // all channels have owners
	ready sync.WaitGroup  // done when no crew wants channels of others any more
	crews [crewCount]crew
	cpus  []int

	others sync.WaitGroup
	heard  chan struct{} // closed after the last record
	tracks [crewCount * team]track

	incidents int

	mu      sync.Mutex
	holders []*holder // by the number that they give their channels
	tally   struct{ passes, thieves, stops, bursts int }
}

// holder is a net that has channels until others get them.
type holder struct {
	refmodel.Plan
	name  string
	lap   int   // of its crew: successors have the next one
	from  int64 // its first tick, as reported by the rule that started it
	end   string
	cycle uint64 // newest one
	lost  uint64 // missed ticks in its statistics
}

func (r *holder) period() time.Duration { return time.Duration(r.Period) * teamUnit }

// track is what a channel has been through.
type track struct {
	owners []*holder // that rules have given it to
	last   testdevice.Record
	list   []given
}

// given is what a net has given a channel.
type given struct {
	by     *holder
	first  int64 // logical time of the first set-point
	cycles uint64
}

func newRelay(t *testing.T, realtime string) *relay {
	folder := t.TempDir()
	cell := fmt.Sprintf("realtime: %s\ndevices:\n  - {name: arm, type: test, channels: '%d', records: '500000'}\n", realtime, crewCount*team)
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte(cell), 0o644); err != nil {
		t.Fatal(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "rccd-told", "--listen", "127.0.0.1:0", "--config", "cell.yaml")
	cmd.Dir, cmd.ExtraFiles = folder, []*os.File{out}
	p, err := beginCommand(cmd)
	_ = out.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(strings.TrimSpace(p.out.String()))
	over, cancel := context.WithTimeout(t.Context(), stoppedTime(t))
	t.Cleanup(cancel)
	r := &relay{T: t, process: p, over: over, heard: make(chan struct{})}
	r.begun.Add(crewCount)
	r.ready.Add(crewCount)
	for i := range r.crews {
		r.crews[i] = crew{relay: r, number: i, random: rand.New(rand.NewPCG(uint64(i), 3))}
	}
	go r.hear(in)
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // when a test has ended early
		<-p.ended
	})
	return r
}

func stoppedTime(t *testing.T) time.Duration {
	text := os.Getenv("RCCD_SOAK")
	if text == "" {
		return 3 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal("RCCD_SOAK: ", err)
	}
	return d
}

// hear looks at each command of the device as soon as it comes.
func (r *relay) hear(in io.Reader) {
	defer close(r.heard)
	for all := gob.NewDecoder(in); ; {
		var records []testdevice.Record
		switch err := all.Decode(&records); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			r.Error("what the device was told: ", err)
			return
		}
		for _, c := range records {
			r.take(&r.tracks[c.Channel], c)
		}
	}
}

// take looks at a set-point: each net gives them in cycle after cycle, and only until its successor does.
func (r *relay) take(s *track, c testdevice.Record) {
	r.mu.Lock()
	by := r.holders[int(c.Value)]
	r.mu.Unlock()
	gap := time.Duration(c.Time - s.last.Time)
	switch {
	case s.list == nil || s.list[len(s.list)-1].by != by:
		if c.Cycle != 1 || gap <= 0 || s.list != nil && s.list[len(s.list)-1].by.lap >= by.lap {
			r.Errorf("two nets command a channel: %+v after %+v", c, s.last)
		}
		s.list = append(s.list, given{by: by, first: c.Time})
	case c.Cycle != s.last.Cycle+1 || gap != by.period():
		r.Errorf("%+v comes after %+v", c, s.last)
	}
	s.list[len(s.list)-1].cycles = c.Cycle
	s.last = c
}

// await does something again and again until it is done.
func (r *relay) await(what string, done func() bool) {
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	timeout := time.After(patience)
	for !done() {
		select {
		case <-ticker.C:
		case <-timeout:
			r.Errorf("waiting for %s in vain", what)
			runtime.Goexit()
		}
	}
}

// ask makes a request and reads the answer.
func (r *relay) ask(method, address, body string, answer any) {
	request, err := http.NewRequestWithContext(r.Context(), method, r.url+address, strings.NewReader(body))
	if err == nil {
		request.Header.Set("Accept", "application/json")
		request.Header.Set("Content-Type", "text/plain; charset=utf-8")
		var a *http.Response
		if a, err = http.DefaultClient.Do(request); err == nil {
			defer a.Body.Close()
			var text []byte
			if text, err = io.ReadAll(a.Body); a.StatusCode >= 400 {
				err = fmt.Errorf("%s: %s", a.Status, text)
			} else if err == nil && answer != nil {
				err = json.Unmarshal(text, answer)
			}
		}
	}
	if err != nil {
		r.Errorf("%s %s: %v", method, address, err)
		runtime.Goexit()
	}
}

// crew has some of the channels, and hands them over among its own nets.
type crew struct {
	*relay
	number int
	random *rand.Rand
	owners []*holder
	laps   int
}

func (c *crew) work() {
	begun, ready := sync.OnceFunc(c.begun.Done), sync.OnceFunc(c.ready.Done)
	defer ready() // also when something fails
	defer begun()
	c.finish(c.pass(""))
	begun()
	c.begun.Wait()
	for c.over.Err() == nil && !c.Failed() {
		if c.random.IntN(3) == 0 {
			c.steal()
		}
		var chain []switching
		for i := range 1 + c.random.IntN(5) {
			chain = append(chain, c.pass(c.condition(i > 0)))
		}
		for _, s := range chain {
			c.finish(s)
		}
	}
	ready()
	c.ready.Wait()
	for _, n := range c.owners {
		c.ask(http.MethodPost, "/nets/"+n.name+"/cancel", "", nil)
	}
	for _, n := range c.owners {
		c.leave(n)
	}
}

// switching is a rule that hands channels over.
type switching struct {
	rule        int
	stop, start []*holder
}

// pass lets a rule hand all channels over to new nets.
func (c *crew) pass(condition string) switching {
	s := switching{stop: c.owners, start: c.share()}
	s.rule = c.rule(condition, s.stop, s.start)
	c.owners = s.start
	for _, n := range s.start {
		for _, k := range n.Channels {
			c.tracks[k].owners = append(c.tracks[k].owners, n)
		}
	}
	return s
}

// condition is about the variables of the owners, or none.
func (c *crew) condition(ahead bool) string {
	if !ahead && c.random.IntN(4) == 0 {
		return ""
	}
	var words []string
	for _, n := range c.owners {
		words = append(words, n.name+".out0")
	}
	return strings.Join(words[:1+c.random.IntN(len(words))], []string{" & ", " | "}[c.random.IntN(2)])
}

func (c *crew) rule(condition string, stop, start []*holder) int {
	form := url.Values{"condition": {condition}, "start": {listed(start)}}
	if len(stop) > 0 {
		form.Set("stop", listed(stop))
	}
	var answer struct{ ID int }
	c.ask(http.MethodPost, "/rules/?"+form.Encode(), "", &answer)
	return answer.ID
}

func listed(nets []*holder) string {
	var names []string
	for _, n := range nets {
		names = append(names, n.name)
	}
	return strings.Join(names, ",")
}

// share loads nets which have all channels of the crew together, one or several each.
func (c *crew) share() (next []*holder) {
	c.laps++
	order := c.random.Perm(team)
	for len(order) > 0 {
		k := 1 + c.random.IntN(len(order))
		var channels []int
		for _, i := range order[:k] {
			channels = append(channels, c.number*team+i)
		}
		next, order = append(next, c.load(channels)), order[k:]
	}
	return next
}

func (c *crew) load(channels []int) *holder {
	n := &holder{lap: c.laps, Plan: refmodel.Plan{
		Period: 1 + c.random.IntN(3), Realtime: c.random.IntN(2) > 0, Channels: channels,
		Signals: []refmodel.Signal{{Key: "out0", Rise: 1 + c.random.IntN(c.random.IntN(30)+1), On: 1}},
	}}
	c.mu.Lock()
	number := len(c.holders)
	c.holders = append(c.holders, n)
	c.mu.Unlock()
	query := url.Values{"cycle": {n.period().String()}, "realtime": {strconv.FormatBool(n.Realtime)}}
	var answer struct{ Name string }
	c.ask(http.MethodPost, "/nets/?"+query.Encode(), n.Text(number), &answer)
	n.name = answer.Name
	return n
}

// outcome is what a rule has come to.
type outcome struct {
	State, Reason string
	Record        struct {
		From   time.Time
		Failed struct{ Resource string }
	}
}

// decided waits for the outcome of a rule.
func (c *crew) decided(rule int) (o outcome) {
	c.await(fmt.Sprintf("an outcome of rule %d", rule), func() bool {
		c.ask(http.MethodGet, fmt.Sprint("/rules/", rule), "", &o)
		return o.State != "ACTIVE"
	})
	return o
}

// finish waits until channels are handed over, and for the ends of those who had them.
func (c *crew) finish(s switching) {
	o := c.decided(s.rule)
	if o.State != "FIRED" {
		c.Errorf("rule %d is %s: %s", s.rule, o.State, o.Reason)
		runtime.Goexit()
	}
	for _, n := range s.start {
		n.from = o.Record.From.UnixNano()
	}
	for _, n := range s.stop {
		c.leave(n)
	}
	c.mu.Lock()
	c.tally.passes++
	c.mu.Unlock()
}

// leave notes how a net has ended, and unloads it.
func (c *crew) leave(n *holder) {
	c.await("the end of "+n.name, func() bool {
		var view struct {
			State string
			Ended struct {
				Cause string
				Cycle uint64
			}
			Statistics struct{ Missed uint64 }
		}
		c.ask(http.MethodGet, "/nets/"+n.name+"/", "", &view)
		n.end, n.cycle, n.lost = view.Ended.Cause, view.Ended.Cycle, view.Statistics.Missed
		return view.State == "TERMINATED"
	})
	c.ask(http.MethodPost, "/nets/"+n.name+"/unload", "", nil)
}

// steal asks for a channel of another crew as well, without saying so to its owner. That must have no effect, whoever the
// owner is at the moment, and the net that was to be stopped goes on.
func (c *crew) steal() {
	mine, others := c.owners[0], (c.number+1+c.random.IntN(crewCount-1))%crewCount*team
	n := c.load([]int{mine.Channels[0], others + c.random.IntN(team)})
	if o := c.decided(c.rule("", c.owners[:1], []*holder{n})); o.State != "FIREFAILED" || o.Record.Failed.Resource == "" {
		c.Errorf("%s takes %v: %+v", n.name, n.Channels, o)
		runtime.Goexit()
	}
	c.ask(http.MethodPost, "/nets/"+n.name+"/unload", "", nil)
	c.mu.Lock()
	c.tally.thieves++
	c.mu.Unlock()
}

// pause returns after a random time up to some limit, or false when the time is over.
func (r *relay) pause(most time.Duration) bool {
	select {
	case <-r.over.Done():
		return false
	case <-time.After(time.Duration(rand.Int64N(int64(most)))):
		return true
	}
}

// stopAndContinue stops the process for random times, of which most are short.
func (r *relay) stopAndContinue() {
	for r.pause(100 * time.Millisecond) {
		if err := r.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			r.Error(err)
		}
		r.pause(time.Millisecond << rand.IntN(9))
		if err := r.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			r.Error(err)
		}
		r.mu.Lock()
		r.tally.stops++
		r.mu.Unlock()
	}
}

// loadCPUs computes on all CPUs.
func (r *relay) loadCPUs() {
	var busy sync.WaitGroup
	for range r.cpus {
		busy.Go(func() {
			// It ends by itself when the test that would end it has gone.
			_ = exec.CommandContext(r.over, "sh", "-c", "while kill -0 $PPID; do :; done").Run()
		})
	}
	busy.Wait()
}

// takeCPUs lets something of higher priority than executors have one CPU after another for some milliseconds.
func (r *relay) takeCPUs() {
	if text, err := exec.CommandContext(r.over, "chrt", "-f", "99", "taskset", "-c", strconv.Itoa(r.cpus[0]), "true").CombinedOutput(); err != nil {
		r.Logf("skip: nobody has higher priority than executors: %v %s", err, text)
		return
	}
	for r.pause(200 * time.Millisecond) {
		cpu, rounds := r.cpus[rand.IntN(len(r.cpus))], 1000<<rand.IntN(7)
		burst := fmt.Sprintf("i=0; while [ $i -lt %d ]; do i=$((i+1)); done", rounds)
		_ = exec.CommandContext(r.over, "taskset", "-c", strconv.Itoa(cpu), "chrt", "-f", "99", "sh", "-c", burst).Run()
		r.mu.Lock()
		r.tally.bursts++
		r.mu.Unlock()
	}
}

func (r *relay) countIncidents() {
	var view struct{ Total int }
	r.ask(http.MethodGet, "/realtime/", "", &view)
	r.incidents = view.Total
}

// judge checks the end of everything.
func (r *relay) judge() {
	if err := r.end(syscall.SIGTERM); err != nil {
		r.Error(err, r.log.String())
	}
	<-r.heard
	if r.Failed() {
		return
	}
	given, missed := uint64(0), uint64(0)
	for k := range r.tracks {
		k := &r.tracks[k]
		given += r.compare(k)
		for i, n := range k.owners {
			last := i == len(k.owners)-1
			if want := map[bool]string{false: "replaced", true: "terminated"}[last]; n.end != want {
				r.Errorf("%s is %s, not %s", n.name, n.end, want)
			}
			if missed += n.lost; !last {
				r.complete(n, k.owners[i+1])
			}
		}
	}
	r.Logf("%+v: %d set-points, %d missed, %d incidents", r.tally, given, missed, r.incidents)
	if missed > 0 && r.incidents == 0 {
		r.Errorf("%d ticks were missed and no incident tells of it", missed)
	}
}

// compare checks whether a channel has got its set-points from those whom it was given to, from the tick on that their rules
// tell and in all their cycles. Nets that were late for all of their ticks have had none. It returns how many there are.
func (r *relay) compare(k *track) (count uint64) {
	list := k.list
	for _, n := range k.owners {
		if n.cycle == 0 {
			continue
		}
		if len(list) == 0 || list[0].by != n || list[0].first != n.from || list[0].cycles != n.cycle {
			r.Errorf("%s has run %d cycles from %v on: set-points are %+v", n.name, n.cycle, time.Unix(0, n.from), list[:min(1, len(list))])
			return count
		}
		count += n.cycle
		list = list[1:]
	}
	if len(list) > 0 {
		r.Errorf("%s has a channel that is not its own", list[0].by.name)
	}
	return count
}

// complete checks whether every tick between the beginnings of a net and of its successor was done, or is reported as missed.
func (r *relay) complete(n, successor *holder) {
	span := time.Duration(successor.from - n.from)
	if due := uint64(span / n.period()); span%n.period() != 0 || due != n.cycle+n.lost {
		r.Errorf("%s of %v was to run for %v, with %d cycles and %d missed ones", n.name, n.period(), span, n.cycle, n.lost)
	}
}
