package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	dio "github.com/softrobot-rcc/rccd/directio/client"
)

// sharing is a daemon whose executors have a real CPU.
type sharing struct {
	t *testing.T
	*process
	threads   bool // executors have real-time rights, whatever the machine is like otherwise
	daemon    *dio.Daemon
	bystander *dio.Net
}

// measuredBy is after how many cycles a net has been measured twice.
const measuredBy = 3 * 16

// The nets of these tests want a share of a CPU of which three fit, a fourth does not.
const wanted = 0.22

// newSharing begins a daemon in which a net runs that has little to do.
func newSharing(t *testing.T) *sharing {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte("realtime: {overrun: terminate}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := begin(context.Background(), folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err, p.log.String())
		}
	})
	s := &sharing{t: t, process: p}
	var health struct {
		Facts []struct {
			Name string
			OK   bool
		}
	}
	s.ask(t, "/healthz", &health)
	for _, f := range health.Facts {
		s.threads = s.threads || f.Name == "rights" && f.OK
	}
	if s.daemon, err = dio.Keep(context.Background(), p.url, dio.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.daemon.Close)
	s.bystander = s.loaded(`{cancel=Cancel(),outTerminate=cancel.outCancel}`, time.Millisecond, true)
	s.must(s.bystander.Start(t.Context()))
	return s
}

func (s *sharing) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err, "\n", s.log.String())
	}
}

// chain returns a net of a number of primitives that all have something to do in each cycle, until it is cancelled.
func chain(primitives int, kind string) string {
	var b strings.Builder
	b.WriteString("{cancel=Cancel(),outTerminate=cancel.outCancel,last=Core::DoublePre(inValue=n0.outValue)," +
		"n0=Core::DoubleAdd(inFirst=last.outValue,First='0',Second='0.001')")
	for i := 1; i < primitives; i++ {
		fmt.Fprintf(&b, ",n%d=Core::%s", i, strings.ReplaceAll(kind, "*", fmt.Sprintf("n%d.outValue", i-1)))
	}
	b.WriteString("}")
	return b.String()
}

const (
	addition = "DoubleAdd(inFirst=*,inSecond=n0.outValue)"
	angle    = "DoubleAtan2(inY=*,inX=n0.outValue)"
)

func (s *sharing) loaded(text string, cycle time.Duration, realtime bool) *dio.Net {
	s.t.Helper()
	n, err := s.daemon.Load(s.t.Context(), text, dio.NetOptions{Cycle: cycle, NotRealtime: !realtime})
	s.must(err)
	return n
}

// seenNet is what the daemon reports of a net.
type seenNet struct {
	State      string
	Statistics struct {
		Cycles, Missed uint64
		Share          float64
	}
	Ended struct{ Cause, Reason string }
}

func (s *sharing) look(n *dio.Net) (seen seenNet) {
	s.t.Helper()
	s.ask(s.t, "/nets/"+n.Name+"/", &seen)
	return seen
}

// until asks for a net until it is as expected, or has ended.
func (s *sharing) until(n *dio.Net, is func(seenNet) bool) seenNet {
	s.t.Helper()
	for late := time.Now().Add(patience); ; {
		seen := s.look(n)
		if is(seen) || seen.State == "TERMINATED" {
			return seen
		}
		if time.Now().After(late) {
			s.t.Fatalf("%s: %+v\n%s", n.Name, seen, s.log.String())
		}
	}
}

func (s *sharing) measured(n *dio.Net) seenNet {
	s.t.Helper()
	return s.until(n, func(seen seenNet) bool { return seen.Statistics.Cycles >= measuredBy })
}

// cost returns what a cycle of a net takes on this machine now.
func (s *sharing) cost(text string) time.Duration {
	s.t.Helper()
	const seldom = 50 * time.Millisecond
	n := s.loaded(text, seldom, true)
	s.must(n.Start(s.t.Context()))
	seen := s.measured(n)
	if seen.State != "RUNNING" {
		s.t.Skipf("skip: a net that has %v has ended: %+v", seldom, seen)
	}
	s.must(n.Abort(s.t.Context()))
	return time.Duration(seen.Statistics.Share / 100 * float64(seldom))
}

// cycleFor returns the cycle time in which a cost is a part of a CPU.
func (s *sharing) cycleFor(cost time.Duration, part float64) time.Duration {
	s.t.Helper()
	cycle := time.Duration(float64(cost) / part).Round(time.Microsecond)
	if cycle < 100*time.Microsecond {
		s.t.Skipf("skip: %v cannot be so much of a CPU", cost)
	}
	return cycle
}

const figure = `([0-9.e+]+) %`

var refusedForTime = regexp.MustCompile(`(rpinet\d+) cannot be started: of (?:CPU \d+|all CPUs|the thread for cycles of \S+) nets may have ` + figure +
	`, those that run take ` + figure + `, and this would add ` + figure)

// refuses fails unless a text refuses a net because the CPU is full.
func (s *sharing) refuses(where, text string, n *dio.Net) {
	s.t.Helper()
	m := refusedForTime.FindStringSubmatch(text)
	if m == nil || m[1] != n.Name {
		s.t.Fatalf("%s: %s does not refuse %s for want of time", where, text, n.Name)
	}
	var of [3]float64 // limit, taken, to be added
	for i := range of {
		var err error
		of[i], err = strconv.ParseFloat(m[i+2], 64)
		s.must(err)
	}
	if of[1]+of[2] < 0.99*of[0] || of[2] < 1 {
		s.t.Errorf("%s: %s", where, text)
	}
	if seen := s.look(n); seen.State != "READY" && seen.State != "SCHEDULED" || seen.Statistics.Cycles > 0 {
		s.t.Errorf("%s: %s is %+v", where, n.Name, seen)
	}
}

// startHTTP starts a net as a page does, and returns what comes of it.
func (s *sharing) startHTTP(n *dio.Net) (status int, problem struct{ Code, Message, Remedy string }) {
	s.t.Helper()
	answer, text := s.call(s.t, http.MethodPost, "/nets/"+n.Name+"/start", "", "Accept", "application/json")
	if answer.StatusCode >= http.StatusBadRequest {
		s.must(json.Unmarshal([]byte(text), &problem))
	}
	return answer.StatusCode, problem
}

// calm returns when the bystander has had a thousand ticks without missing one, where it has a CPU before others.
func (s *sharing) calm() {
	s.t.Helper()
	if !s.threads {
		return
	}
	const ticks = 1000
	var from seenNet
	s.until(s.bystander, func(now seenNet) bool {
		if now.Statistics.Missed != from.Statistics.Missed || from.State == "" {
			from = now
		}
		return now.Statistics.Cycles >= from.Statistics.Cycles+ticks
	})
	if seen := s.look(s.bystander); seen.State != "RUNNING" {
		s.t.Errorf("the bystander: %+v", seen)
	}
}

// TestRealNetsHaveAShare: nets of 12,000 primitives start until their CPU is full. Then one is refused with figures: as text and as XML, by HTTP and
// DirectIO, and by a rule. Those that run go on, and the bystander loses no ticks.
func TestRealNetsHaveAShare(t *testing.T) {
	s := newSharing(t)
	text := chain(12_000, addition)
	cost := s.cost(text)
	cycle := s.cycleFor(cost, wanted)
	var last *dio.Net
	for started := 0; last == nil; started++ {
		if started > 30 {
			t.Fatalf("none of %d nets of %v each %v was refused", started, cost, cycle)
		}
		n := s.loaded(text, cycle, started%2 == 0)
		switch status, problem := s.startHTTP(n); {
		case status < http.StatusBadRequest:
			s.measured(n)
		case status != http.StatusConflict || problem.Code != "load" || problem.Remedy == "":
			t.Fatalf("%d %+v", status, problem)
		default:
			last = n
			s.refuses("HTTP", problem.Message, n)
		}
	}
	slow := chain(12_000, angle)
	cycle = s.cycleFor(s.cost(slow), 2) // too much for an idle CPU
	large := s.loaded(slow, cycle, true)
	for name, n := range map[string]*dio.Net{"as text": large, "as XML": s.fromXML(large, cycle)} {
		var refused *dio.RefusedError
		if err := n.Start(t.Context()); !errors.As(err, &refused) {
			t.Fatalf("%s: %v", name, err)
		}
		s.refuses(name+" over DirectIO", refused.Error(), n)
		status, problem := s.startHTTP(n)
		s.refuses(name+" over HTTP", fmt.Sprint(status, problem.Code, problem.Message), n)
		r, err := s.daemon.Add(t.Context(), dio.RuleRequest{Start: []*dio.Net{n}})
		s.must(err)
		state, err := r.Decided(t.Context())
		s.must(err)
		var told string
		s.ask(t, fmt.Sprintf("/rules/%d/", r.Number), &told)
		if state != dio.RuleFailed {
			t.Errorf("%s: the rule is %v", name, state)
		}
		s.refuses(name+" by a rule", told, n)
	}
	s.calm()
}

// fromXML loads a net again, in XML.
func (s *sharing) fromXML(of *dio.Net, cycle time.Duration) *dio.Net {
	s.t.Helper()
	_, text := s.call(s.t, http.MethodGet, "/nets/"+of.Name+"/xml", "")
	answer, told := s.call(s.t, http.MethodPost, fmt.Sprintf("/nets/?useparams=1&isrealtime=1&frequency=%g", cycle.Seconds()), text,
		"Content-Type", "application/xml", "Accept", "application/json")
	if answer.StatusCode != http.StatusCreated {
		s.t.Fatal(answer.Status, told)
	}
	var is struct{ Name string }
	s.must(json.Unmarshal([]byte(told), &is))
	n, err := s.daemon.Net(s.t.Context(), is.Name, time.Second)
	s.must(err)
	return n
}

// TestRealNetsMakeRoom: nets of unknown duration fill their CPU. Then those that are not real-time end first, and of these the one
// that was started last, with reason and figures on record; the bystander has its ticks again.
func TestRealNetsMakeRoom(t *testing.T) {
	const (
		part       = 0.3
		primitives = 2000
		settled    = 8 * measuredBy // cycles in which an overload is noticed
	)
	s := newSharing(t)
	if !s.threads {
		t.Skip("skip: executors have no CPU for themselves here, and what they take says little: ", s.out.String())
	}
	cycle := s.cycleFor(s.cost(chain(primitives, angle)), part)
	var nets []*startedNet
	for tries := 0; len(s.certain()) < 2 && tries < 12; tries++ {
		n := &startedNet{Net: s.loaded(chain(primitives+1+tries, angle), cycle, tries != 1), realtime: tries != 1}
		err := n.Start(t.Context())
		if errors.As(err, new(*dio.RefusedError)) && len(nets) > 2 {
			from := s.look(s.bystander).Statistics.Cycles // the CPU is full already, and this is going to be noticed
			s.until(s.bystander, func(seen seenNet) bool { return seen.Statistics.Cycles >= from+settled })
			continue
		}
		s.must(err)
		nets = append(nets, n)
		s.measured(n.Net)
		n.before = len(s.overloads())
		s.until(n.Net, func(seen seenNet) bool { return seen.Statistics.Cycles >= settled || len(s.overloads()) > n.before })
	}
	ended := map[string]bool{}
	for i, o := range s.certain() {
		s.madeRoom(o)
		ended[o.Net] = true
		leaves := slices.IndexFunc(nets, func(n *startedNet) bool { return n.Name == o.Net })
		for place, n := range nets {
			if goes := nets[leaves]; !ended[n.Name] && n.before <= i && (n.realtime == goes.realtime && place > leaves || !n.realtime && goes.realtime) {
				t.Errorf("%s has ended before %s: %+v", goes.Name, n.Name, s.overloads())
			}
		}
	}
	if len(ended) < 2 {
		t.Errorf("of %d nets that take %v of a CPU each only %v had to end", len(nets), part, ended)
	}
	s.calm()
}

// startedNet is a net that has been started after those before it.
type startedNet struct {
	*dio.Net
	realtime bool
	before   int // overloads that there had been when it was measured
}

// madeRoom fails unless a net has ended for the reason that an overload has on record.
func (s *sharing) madeRoom(o seenOverload) {
	s.t.Helper()
	reason := regexp.MustCompile("^" + o.Net + ` is ended: of CPU \d+ nets may have 80 %, the others take ` + figure + `, and it takes ` + figure +
		`, measured 3 times in a row$`)
	n, err := s.daemon.Net(s.t.Context(), o.Net, time.Second)
	s.must(err)
	seen := s.until(n, func(seenNet) bool { return false })
	if seen.Ended.Reason != o.Reason || !reason.MatchString(o.Reason) || seen.Ended.Cause != "terminated" && seen.Ended.Cause != "overload" {
		s.t.Errorf("%s: %+v\n%+v", o.Net, seen, o)
	}
}

// certain returns the overloads, and skips the test when the cause of one is uncertain.
func (s *sharing) certain() []seenOverload {
	s.t.Helper()
	list := s.overloads()
	for _, o := range list {
		if o.Cause != "too much to do" {
			s.t.Skipf("skip: the machine is too busy to tell: %+v", o)
		}
	}
	return list
}

type seenOverload struct{ Kind, Cause, Net, Reason string }

// overloads are those on record, the oldest first.
func (s *sharing) overloads() (list []seenOverload) {
	s.t.Helper()
	var page struct{ Incidents []seenOverload }
	s.ask(s.t, "/realtime/", &page)
	for _, i := range page.Incidents {
		if i.Kind == "overload" {
			list = append(list, i)
		}
	}
	slices.Reverse(list)
	return list
}
