package krc

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// Driver is what is tested. Times are Unix times in ns and never go back.
type Driver struct {
	// Answer is called with every telegram that arrives and returns the answer, nil or empty for silence. While the driver
	// hangs telegrams queue: then taken is later than arrived.
	Answer func(from netip.AddrPort, telegram []byte, arrived, taken int64) []byte
	// Tick is called whenever time goes on, at least once in each cycle of the controller and before each telegram: time for
	// what is due in the driver, and for set-points. It may be nil.
	Tick func(now int64)
	// Kill is called when the driver ends without saying so and is started again at once: nothing that it knew holds any
	// longer. It may be nil: then nothing is killed.
	Kill func(now int64)
}

// Result is what came of a run.
type Result struct {
	RSI        *RSI // of a scenario of RSI
	FRI        *FRI // of a scenario of FRI
	Violations uint64
	Answers    uint64 // that the driver gave
	Story      []string
}

// controller is what the models have in common.
type controller interface {
	Begin(now int64) []byte
	Take(answer []byte, now int64)
	End(now int64)
	Due() int64
	Cycles() uint64
	Judge() *plant.Judge
	happen(e Event)
	session() int
	story() (format string, args []any)
}

// Start is when every run begins.
const Start = int64(1_700_000_000_000_000_000)

// addresses of the two ends, and of somebody else.
var (
	home     = netip.MustParseAddr("192.168.10.2")
	stranger = netip.MustParseAddrPort("192.168.10.66:4242")
)

// Home returns the address from which controllers call.
func Home() netip.Addr { return home }

// rig runs a scenario.
type rig struct {
	scenario   *Scenario
	controller controller
	net        *Net
	driver     Driver
	port       uint16
	now        int64
	event      int   // the next one
	hangs      int64 // the driver takes nothing before
	dead       int64 // what comes before is lost
	queue      []Parcel
	telegram   []byte // the newest
	heard      int    // newest session of which the driver has heard
	answers    uint64
	story      []moment // the newest ones last
}

// moment is a line of the story of a run, written when somebody reads it.
type moment struct {
	at     int64
	format string
	args   []any
}

func (m moment) String() string {
	return fmt.Sprintf("%9.3f ms  ", float64(m.at-Start)/1e6) + fmt.Sprintf(m.format, m.args...)
}

// Run runs a scenario against a driver and fails the test when the invariant is violated.
func Run(t testing.TB, s Scenario, d Driver) Result {
	t.Helper()
	result := Play(s, d)
	if result.Violations > 0 {
		t.Errorf("%d violations\n%s\n%s", result.Violations, s.String(), strings.Join(result.Story, "\n"))
	}
	return result
}

// Play runs a scenario against a driver.
func Play(s Scenario, d Driver) Result {
	result := Result{}
	r := &rig{scenario: &s, net: NewNet(s.Seed, s.Net), driver: d, port: 50_000, now: Start}
	if s.Protocol == ProtocolRSI {
		result.RSI = NewRSI(s.RSI)
		r.controller, r.telegram = result.RSI, NewRSI(s.RSI).Begin(r.now)
	} else {
		result.FRI = NewFRI(s.FRI)
		r.controller, r.telegram = result.FRI, NewFRI(s.FRI).Begin(r.now)
	}
	r.run()
	result.Violations, result.Answers = r.controller.Judge().Count(), r.answers
	for _, m := range r.story[max(0, len(r.story)-told):] {
		result.Story = append(result.Story, m.String())
	}
	return result
}

// Sweep runs random scenarios until they have been through enough cycles: 10^5, or RCCD_STEPS. RCCD_SEED is the first seed.
// Each scenario gets a driver of its own.
func Sweep(t *testing.T, p Protocol, new func(t testing.TB, s *Scenario) Driver) {
	t.Helper()
	for seed, left := Sweeps(t); left > 0; seed++ {
		s := Random(p, seed)
		left -= s.Cycles
		if Run(t, s, new(t, &s)); t.Failed() {
			return
		}
	}
}

// Sweeps returns what Sweep does: its first seed and its cycles.
func Sweeps(t testing.TB) (seed uint64, cycles int) { return SweepsOf(t, 100_000) }

// SweepsOf returns the same where another number of cycles is usual.
func SweepsOf(t testing.TB, usual int) (seed uint64, cycles int) {
	return uint64(setting(t, "RCCD_SEED", 1)), setting(t, "RCCD_STEPS", usual)
}

func setting(t testing.TB, name string, usual int) int {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// told is how much of a story is kept.
const told = 25

func (r *rig) tell(format string, args ...any) {
	if len(r.story) == 4*told {
		r.story = append(r.story[:0], r.story[3*told:]...)
	}
	r.story = append(r.story, moment{r.now, format, args})
}

func (r *rig) run() {
	for quiet := r.now + int64(r.scenario.Quiet); r.now < quiet; {
		r.advance(min(quiet, r.now+int64(10*time.Millisecond)))
	}
	r.begin()
	for {
		at := r.controller.Due()
		what := 0
		if due, ok := r.net.Next(); ok && due <= at {
			at, what = due, 1
		}
		if len(r.queue) > 0 && r.hangs <= at {
			at, what = r.hangs, 2
		}
		r.advance(at)
		switch what {
		case 0:
			r.end()
			if int(r.controller.Cycles()) >= r.scenario.Cycles || r.controller.Judge().Count() > 0 {
				return
			}
			r.begin()
		case 1:
			r.deliver()
		case 2:
			r.awake()
		}
	}
}

func (r *rig) advance(to int64) {
	r.now = max(r.now, to)
	if r.driver.Tick != nil && r.now >= r.hangs {
		r.driver.Tick(r.now)
	}
}

// begin lets happen what is due, and begins a cycle.
func (r *rig) begin() {
	for cycle := int(r.controller.Cycles()); r.event < len(r.scenario.Events) && r.scenario.Events[r.event].Cycle <= cycle; r.event++ {
		r.happen(r.scenario.Events[r.event])
	}
	telegram := r.controller.Begin(r.now)
	if telegram == nil {
		return
	}
	r.telegram = telegram
	r.net.session = r.controller.session()
	r.net.Send(Out, netip.AddrPortFrom(home, r.port), telegram, r.now)
}

func (r *rig) end() {
	before := r.controller.Judge().Count()
	r.controller.End(r.now)
	format, args := r.controller.story()
	r.tell("cycle ends: "+format, args...)
	if r.controller.Judge().Count() > before {
		for _, v := range r.controller.Judge().Violations() {
			r.tell("VIOLATION: %v", v)
		}
	}
}

func (r *rig) happen(e Event) {
	r.tell("EVENT: %v", e)
	if r.net.Happen(e, netip.AddrPortFrom(home, r.port), r.telegram, r.now) {
		return
	}
	switch e.What {
	case Hang:
		r.hangs = r.now + int64(e.For)
	case Kill:
		if r.driver.Kill != nil {
			r.driver.Kill(r.now)
			r.queue, r.hangs, r.dead = nil, 0, r.now+int64(e.For)
		}
	case RestartAt:
		r.port++
		r.controller.happen(e)
	default:
		r.controller.happen(e)
	}
}

// deliver takes a parcel from the network.
func (r *rig) deliver() {
	p, ok := r.net.Pop(r.now)
	if !ok {
		return
	}
	if p.Way == In {
		// Another session may have had the same IPOC, which no driver can do anything about before it hears of the one that is on.
		// Real ones go on with time.
		if p.From.Port() == r.port && p.session == r.controller.session() {
			r.controller.Take(p.Data, r.now)
		}
		return
	}
	if r.now < r.dead {
		return
	}
	if r.now < r.hangs {
		r.queue = append(r.queue, p)
		return
	}
	r.answer(p)
}

// awake takes what has come while the driver hung.
func (r *rig) awake() {
	queue := r.queue
	r.queue = nil
	for _, p := range queue {
		r.answer(p)
	}
}

func (r *rig) answer(p Parcel) {
	r.heard = max(r.heard, p.session)
	answer := r.driver.Answer(p.From, p.Data, p.At, r.now)
	r.tell("%v", brief{p, r.now})
	if len(answer) == 0 {
		return
	}
	r.answers++
	if p.From.Addr() == home {
		r.net.session = r.heard
		r.net.Send(In, p.From, answer, r.now)
	}
	if r.scenario.Protocol == ProtocolRSI {
		r.tell("answer %s", slices.Clone(answer))
	}
}

// brief is a telegram as a story tells it.
type brief struct {
	parcel Parcel
	now    int64
}

func (b brief) String() string {
	p, what := b.parcel, ""
	if p.Copy {
		what = " (a copy)"
	}
	if p.At != b.now {
		what += fmt.Sprintf(" (queued for %v)", time.Duration(b.now-p.At))
	}
	if len(p.Data) > 0 && p.Data[0] == '<' {
		return fmt.Sprintf("telegram from %v%s %s", p.From, what, p.Data)
	}
	return fmt.Sprintf("telegram from %v%s, %d bytes, count %x", p.From, what, len(p.Data), p.Data[:min(2, len(p.Data))])
}
