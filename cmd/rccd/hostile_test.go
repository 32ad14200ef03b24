package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/krc"
)

// Scenarios that TestNothingJumpsOnWires plays by default: a few of each protocol in which much happens. Each is over after
// some seconds, and happens twice as fast.
var usualOnWire = [...][]uint64{krc.ProtocolRSI: {59, 380, 393, 542}, krc.ProtocolFRI: {192, 261}}

const (
	longestOnWire = 4 * time.Second
	hurried       = 2
)

// TestNothingJumpsOnWires is the invariant of robots that call, for programs instead of models: rccd leads rsisim and frisim over UDP,
// through a network that is as hostile as that of the models and follows from the same schedules (krc.Random). The daemon is stopped,
// killed and started again, controllers pause, start again, and have emergency stops. Both simulators count answers that ask for
// what no axis can do.
//
// How far arms move is up to the machine; nothing is asserted about one scenario alone. With RCCD_STEPS it plays whole scenarios of
// this many cycles together, from the seed RCCD_SEED on.
func TestNothingJumpsOnWires(t *testing.T) {
	t.Parallel()
	first, cycles := krc.SweepsOf(t, 0)
	var all hostility
	t.Run("at once", func(t *testing.T) {
		for p, name := range protocols {
			p := krc.Protocol(p)
			if cycles > 0 {
				t.Run(name.simulator, func(t *testing.T) {
					t.Parallel()
					for seed, left := first, cycles/len(protocols); left > 0 && !t.Failed(); seed++ {
						s := krc.Random(p, seed)
						left -= s.Cycles
						newWired(t, &s).play(&all)
					}
				})
				continue
			}
			for _, seed := range usualOnWire[p] {
				t.Run(fmt.Sprintf("%s %d", name.simulator, seed), func(t *testing.T) {
					t.Parallel()
					s := krc.Random(p, seed)
					w := newWired(t, &s)
					w.hurry()
					w.play(&all)
				})
			}
		}
	})
	all.check(t)
}

// Ways of a net, rad: velocity grows with distance. Where answers are not counted arms creep.
const (
	way          = 0.5
	wayBlindfold = 0.002
)

// protocol is what the programs of a protocol are called.
type protocol struct{ simulator, arm, page, wish string }

var protocols = [...]protocol{
	krc.ProtocolRSI: {"rsisim", "kuka_kr_arm_rsi", "rsi", "rearm"},
	krc.ProtocolFRI: {"frisim", "kuka_lwr_fri", "fri", "arm"},
}

// hostility is what several scenarios have seen together.
type hostility struct {
	mu     sync.Mutex
	ways   [2]krc.NetCounts
	events map[krc.What]int
	travel float64 // of first joints, rad
	starts int
}

func (h *hostility) check(t *testing.T) {
	t.Helper()
	t.Logf("telegrams %+v, answers %+v; events %v; arms moved by %.1f rad with %d nets", h.ways[krc.Out], h.ways[krc.In], h.events, h.travel, h.starts)
	var sum krc.NetCounts
	for _, w := range h.ways {
		sum.Lost, sum.Copied, sum.Held = sum.Lost+w.Lost, sum.Copied+w.Copied, sum.Held+w.Held
	}
	if sum.Lost == 0 || sum.Copied == 0 || sum.Held == 0 || len(h.events) < 5 {
		t.Errorf("the network was not hostile: %+v, %v", sum, h.events)
	}
	if h.travel < 0.1 {
		t.Errorf("all arms together moved by %v rad", h.travel)
	}
}

// wired is a daemon and a robot with a hostile network between.
type wired struct {
	t        *testing.T
	ctx      context.Context
	scenario *krc.Scenario
	is       protocol
	cycle    time.Duration
	way      float64 // of a net, rad
	relay    *krc.Relay
	robot    *simulated
	cell     string
	seen     hostility
	started  time.Time // the newest daemon
	thawed   time.Time // the controller has gone on

	mu     sync.Mutex
	daemon *process
	told   wiredStatus
	story  []string
}

// wiredStatus is the part of the simulators' own reports that matters here.
type wiredStatus struct {
	Phase      string    // of rsisim
	Commands   []float64 // the same, degrees
	Commanded  []float64 // of frisim, rad
	Jumps      uint64
	Violations uint64
	Brakes     uint64
	Jump       string
}

// at returns where the first joint is commanded, rad.
func (s *wiredStatus) at() (float64, bool) {
	switch {
	case len(s.Commands) > 0:
		return s.Commands[0] * math.Pi / 180, true
	case len(s.Commanded) > 0:
		return s.Commanded[0], true
	}
	return 0, false
}

func newWired(t *testing.T, s *krc.Scenario) *wired {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	w := &wired{t: t, ctx: ctx, scenario: s, is: protocols[s.Protocol], way: way, seen: hostility{events: map[krc.What]int{}}}
	var err error
	if w.relay, err = krc.NewRelay(s.Seed); err != nil {
		t.Fatal(err)
	}
	var device string
	var robot []string
	if s.Protocol == krc.ProtocolRSI {
		device, robot = w.overRSI()
	} else {
		device, robot = w.overFRI()
	}
	w.cell = "server: {listen: \"127.0.0.1:0\"}\nrealtime: {mode: off}\ndevices:\n" + device
	w.begin()
	w.robot = simulate(ctx, t, w.is.simulator, append(robot, "--to", w.relay.Address().String(), "--status", "50ms", "--seed", strconv.FormatUint(s.Seed%1000, 10))...)
	return w
}

// hurry lets as much happen in a short time as else in a longer one.
func (w *wired) hurry() {
	s := w.scenario
	s.Cycles = min(s.Cycles/hurried, int(longestOnWire/w.cycle))
	for i := range s.Events {
		s.Events[i].Cycle /= hurried
	}
}

// overRSI returns the device and the controller of a scenario. Where a session is known by positions only, the program begins with one in
// which they are read, or the driver would have to listen for seconds before it leads, and it does not wait for answers, or it would
// not be led at all. Answers may take the whole cycle: this machine makes them late enough. It makes cycles longer than they should be,
// too, so that a driver could not measure them that believes in a longer one.
func (w *wired) overRSI() (device string, robot []string) {
	o := krc.NewRSI(w.scenario.RSI).Options()
	w.cycle = o.Cycle
	mode := "absolute"
	if o.Relative {
		mode = "relative"
	}
	counts := [...]string{krc.DelayTotal: "total", krc.DelayInRow: "row", krc.DelayZero: "zero", krc.DelayAbsent: "absent"}[o.Delay]
	silent := o.Delay == krc.DelayZero || o.Delay == krc.DelayAbsent
	exchange := min(o.Exchange, longestExchange)
	if silent {
		exchange, w.way = 0, wayBlindfold
	}
	device = fmt.Sprintf("  - {name: udp, type: ethernet_udp_standard, port: 0, address: 127.0.0.1}\n"+
		"  - {name: arm, type: %s, ethernet: udp, cycle: %v, mode: %s, lapse: 50}\n", w.is.arm, min(w.scenario.Believes, w.cycle), mode)
	robot = []string{
		"--cycle", o.Cycle.String(), "--exchange", exchange.String(), fmt.Sprint("--relative=", o.Relative), fmt.Sprint("--hold=", !o.Relative),
		fmt.Sprint("--ipoc-goes-on=", o.GoesOn), "--ipoc", fmt.Sprint(o.First), "--ipoc-step", fmt.Sprint(o.Step), "--late-counts", counts,
		"--timeout", fmt.Sprint(o.Timeout), fmt.Sprint("--forgiving=", o.TimeoutInRow), fmt.Sprint("--programmed=", o.Setpoint == krc.SetpointProgrammed),
		"--precision", fmt.Sprint(max(o.Precision, 4)), "--lag", (time.Duration(o.Lag) * o.Cycle).String(), fmt.Sprint("--read-first=", silent || w.scenario.Seed%2 == 0),
	}
	return device, robot
}

// longestExchange is how long a simulator waits for an answer here: some of those of the models wait for seconds.
const longestExchange = 100 * time.Millisecond

// overFRI returns the same for FRI. Cycles are long enough for this machine, and the controller is as patient with it.
func (w *wired) overFRI() (device string, robot []string) {
	o := krc.NewFRI(w.scenario.FRI).Options()
	w.cycle = max(o.Cycle, 5*time.Millisecond)
	if w.scenario.Believes == o.Cycle {
		w.scenario.Believes = w.cycle
	}
	loss := []int{3, 10, 50, 100}[w.scenario.Seed%4]
	device = fmt.Sprintf("  - {name: arm, type: %s, port: 0, cycle: %v, loss_limit: %d, lapse: 50, resume: %t}\n",
		w.is.arm, max(w.scenario.Believes, time.Millisecond), loss, w.scenario.Seed%3 == 0)
	robot = []string{"--cycle", w.cycle.String(), "--bridge", fmt.Sprint(10 * max(o.Bridge, 1)), "--quality", "3", "--limits", fmt.Sprint(o.Limits)}
	return device, robot
}

// play plays the scenario.
func (w *wired) play(all *hostility) {
	w.t.Helper()
	var busy sync.WaitGroup
	over, end := context.WithCancel(w.ctx)
	busy.Go(w.listen)
	busy.Go(func() { w.people(over) })
	w.moves()
	w.relay.Worsen(w.scenario.Net)
	begin := time.Now()
	for i, e := range w.scenario.Events {
		if e.Cycle -= w.scenario.Events[0].Cycle; e.Cycle >= w.scenario.Cycles { // the arm moves already
			w.scenario.Events = w.scenario.Events[:i]
			break
		}
		w.pause(time.Until(begin.Add(time.Duration(e.Cycle) * w.cycle)))
		w.tell("%v", e)
		w.happen(e)
		if w.seen.events[e.What]++; i == 2 {
			w.emergency()
		}
	}
	w.pause(time.Until(begin.Add(time.Duration(w.scenario.Cycles) * w.cycle)))
	end()
	w.order("quit")
	if err := <-w.robot.ended; err != nil {
		w.t.Error(err)
	}
	busy.Wait()
	_ = w.daemon.cmd.Process.Kill()
	<-w.daemon.ended
	w.seen.ways = [2]krc.NetCounts{w.relay.Counts(krc.Out), w.relay.Counts(krc.In)}
	if err := w.relay.Close(); err != nil {
		w.t.Error(err)
	}
	if is := &w.told; is.Jumps+is.Violations > 0 || w.scenario.Protocol == krc.ProtocolFRI && is.Brakes > 0 {
		w.t.Errorf("%+v\n%s\n%s\n%s", is, w.scenario, strings.Join(w.story, "\n"), w.daemon.log.String())
	}
	w.t.Logf("seed %d: %+v, moved by %.2f rad with %d nets, %v", w.scenario.Seed, w.seen.ways, w.seen.travel, w.seen.starts, w.seen.events)
	all.add(&w.seen)
}

func (h *hostility) add(o *hostility) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, w := range o.ways {
		a := &h.ways[i]
		a.Sent, a.Delivered, a.Lost, a.Copied, a.Held = a.Sent+w.Sent, a.Delivered+w.Delivered, a.Lost+w.Lost, a.Copied+w.Copied, a.Held+w.Held
	}
	if h.events == nil {
		h.events = map[krc.What]int{}
	}
	for what, n := range o.events {
		h.events[what] += n
	}
	h.travel, h.starts = h.travel+o.travel, h.starts+o.starts
}

func (w *wired) tell(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.story = append(w.story, fmt.Sprintf("%s  ", time.Now().UTC().Format("15:04:05.000"))+fmt.Sprintf(format, args...))
}

// pause lets the schedule wait for its time.
func (w *wired) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-w.ctx.Done():
	}
}

// begin starts the daemon.
func (w *wired) begin() {
	w.t.Helper()
	p := beginCell(w.ctx, w.t, w.cell)
	at, err := netip.ParseAddrPort(p.listens(w.t, "arm"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.daemon, w.started = p, time.Now()
	w.relay.Lead(at)
}

// moves returns when the arm moves, or has had time for it.
func (w *wired) moves() {
	for end := time.Now().Add(patience / 6); time.Now().Before(end) && w.ctx.Err() == nil; w.pause(20 * time.Millisecond) {
		w.mu.Lock()
		travel := w.seen.travel
		w.mu.Unlock()
		if travel > w.way/5 {
			return
		}
	}
}

// happen lets an event happen, and returns when it is over.
func (w *wired) happen(e krc.Event) {
	if w.relay.Happen(e) {
		return
	}
	switch e.What {
	case krc.Hang:
		w.stop(w.daemon.cmd.Process, e.For)
	case krc.Kill:
		w.replace(e.For)
	case krc.RestartAt:
		if err := w.relay.Move(); err != nil {
			w.t.Error(err)
		}
		w.restart(e.N)
	case krc.Restart, krc.Jog:
		w.restart(e.N)
	case krc.Freeze:
		w.freeze(e.N)
	}
}

func (w *wired) stop(p *os.Process, d time.Duration) {
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		w.t.Error(err)
	}
	w.pause(d)
	if err := p.Signal(syscall.SIGCONT); err != nil {
		w.t.Error(err)
	}
}

// counted is how many telegrams a controller sends at least without a driver: it must not stand still then, which drivers take
// for granted (krc.Scenario).
const counted = 10

// replace kills the daemon and starts another one.
func (w *wired) replace(after time.Duration) {
	w.pause(time.Until(w.thawed.Add(time.Second)))
	_ = w.daemon.cmd.Process.Kill()
	<-w.daemon.ended
	w.relay.Lead(netip.AddrPort{})
	before := w.relay.Counts(krc.Out).Sent
	for w.pause(after); w.relay.Counts(krc.Out).Sent < before+counted && w.ctx.Err() == nil; {
		w.pause(w.cycle)
	}
	w.begin()
}

// freeze lets the controller stand still.
func (w *wired) freeze(cycles int) {
	w.pause(time.Until(w.started.Add(time.Second)))
	if w.scenario.Protocol == krc.ProtocolRSI {
		w.order(fmt.Sprintf("pause %d", cycles))
		w.pause(time.Duration(cycles) * w.cycle)
	} else {
		w.stop(w.robot.process, time.Duration(cycles)*w.cycle)
	}
	w.thawed = time.Now()
}

// restart ends the session and begins another one.
func (w *wired) restart(cycles int) {
	switch {
	case w.scenario.Protocol == krc.ProtocolFRI:
		w.order(fmt.Sprintf("restart %d", (time.Duration(max(1, cycles)) * w.cycle).Milliseconds()))
	case cycles < 2:
		w.order("restart")
	default:
		w.order("halt")
		w.order(fmt.Sprintf("wait %v", time.Duration(cycles)*w.cycle))
		w.order("start")
	}
}

// order says a line to the robot, which may have ended.
func (w *wired) order(line string) { _, _ = fmt.Fprintln(w.robot.in, line) }

// emergency is an emergency stop at the controller, after which the operator starts the program again.
func (w *wired) emergency() {
	w.order("estop")
	w.pause(100 * time.Millisecond)
	w.order("release")
	if w.scenario.Protocol == krc.ProtocolRSI {
		w.order("power on")
		w.order("start")
		return
	}
	w.order("on")
	w.order("run")
}

// listen reads what the robot reports. The operator starts a program that has ended.
func (w *wired) listen() {
	last, known := 0.0, false
	for text, ok := w.robot.next(); ok; text, ok = w.robot.next() {
		var s wiredStatus
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			w.tell("%s: %v", text, err) // when it is killed
			continue
		}
		at, is := s.at()
		if !is {
			w.tell("%s", text)
			continue
		}
		w.mu.Lock()
		if known {
			w.seen.travel += math.Abs(at - last)
		}
		w.told = s
		w.mu.Unlock()
		if last, known = at, true; s.Phase == "halted" {
			w.order("start")
		}
	}
}

// people look after the daemon: they arm the robot whenever they are asked to, and let nets move it.
func (w *wired) people(over context.Context) {
	u := &user{http: http.Client{Timeout: time.Second}, way: w.way}
	defer u.http.CloseIdleConnections()
	for over.Err() == nil {
		w.mu.Lock()
		u.url = w.daemon.url
		w.mu.Unlock()
		if u.look(w.is) {
			w.mu.Lock()
			w.seen.starts++
			w.mu.Unlock()
		}
		w.pause(40 * time.Millisecond)
	}
}

// user is one of a daemon that may stand still or be gone.
type user struct {
	url  string
	http http.Client
	way  float64
	net  string // that moves the robot
	last float64
	idle int // looks since it has moved
}

func (u *user) post(path string, form url.Values, text string) (where string) {
	kind, body := "text/plain", text
	if form != nil {
		kind, body = "application/x-www-form-urlencoded", form.Encode()
	}
	answer, err := u.http.Post(u.url+path, kind, strings.NewReader(body))
	if err != nil {
		return ""
	}
	_ = answer.Body.Close()
	return answer.Header.Get("Location")
}

func (u *user) get(path string, into any) bool {
	ask, err := http.NewRequest(http.MethodGet, u.url+path, nil)
	if err != nil {
		return false
	}
	ask.Header.Set("Accept", "application/json")
	answer, err := u.http.Do(ask)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return err == nil && json.Unmarshal(text, into) == nil
}

// toAndFro lets the first joint swing from where it is.
const toAndFro = `{wave=Core::DoubleSin(inValue=Core::Clock().outValue),
	share=Core::DoubleMultiply(inFirst=wave.outValue,inSecond=wave.outValue),
	by=Core::DoubleMultiply(inFirst=share.outValue,Second='%v'),
	to=Core::DoubleAdd(inFirst=by.outValue,Second='%v'),
	joint=RobotArm::JointPosition(inPosition=to.outValue,Robot='arm',Axis='0'),
	outTerminate=Core::BooleanValue(Value='false').outValue}`

// look does what has to be done next, and reports whether it was to start a net.
func (u *user) look(is protocol) bool {
	var status struct{ State, Cause string }
	var arm struct{ Joints []jointState }
	if !u.get("/devices/arm/", &status) || !u.get("/devices/arm/robotarm", &arm) || len(arm.Joints) == 0 {
		return false
	}
	if strings.Contains(status.Cause, "arm the robot") {
		u.post("/devices/arm/"+is.page, url.Values{is.wish: {"true"}}, "")
	}
	joint := arm.Joints[0]
	if u.idle++; joint.Commanded != u.last {
		u.idle, u.last = 0, joint.Commanded
	}
	led := status.State == "operational" && joint.Error == 0
	switch {
	case u.net != "" && (!led || u.idle > 10):
		u.post(u.net+"abort", nil, "")
		u.net, u.idle = "", 0
	case u.net == "" && led && joint.CommandedVelocity == 0:
		way := math.Copysign(u.way, -joint.Commanded)
		if u.net = u.post("/nets/?cycle=10ms", nil, fmt.Sprintf(toAndFro, way, joint.Commanded)); u.net != "" {
			u.post(u.net+"start", nil, "")
			return true
		}
	}
	return false
}
