package ethercat

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// ordeal is a bus that suffers by a schedule, and what is known of it from outside: in each cycle all digital inputs show another pattern, and
// digital outputs are written another one.
type ordeal struct {
	*rig
	seed     uint64
	patterns map[uint64]byte // by cycle, the newest
	inputs   []*witness
	outputs  []*witness
	before   Statistics
	seen     uint64 // incidents
	faults   int
}

// witness is a driver that compares what it is given with what there is.
type witness struct {
	o       *ordeal
	slave   *sim.Slave
	output  bool
	blind   bool // without SyncManagers its inputs are not filled nor its outputs watched, and nothing shows that until settings are compared
	forgot  bool // since its driver was in PreOp
	away    bool // taken out, and without power
	quality ecat.Quality
	fresh   uint64         // newest cycle with fresh inputs
	wrote   map[byte]int64 // when what was written
}

func (w *witness) PreOp(context.Context, ecat.Slave) error {
	w.forgot = false
	return nil
}

func (w *witness) SafeOp(context.Context, ecat.Slave) error {
	w.blind = w.forgot // in the meantime
	return nil
}

func (w *witness) Write(outputs image.View, at *ecat.Moment) {
	if w.output && len(outputs) > 0 {
		outputs[0] = byte(at.Cycle) | 1 // never nothing
		w.wrote[outputs[0]] = at.Now
	}
}

// Read: fresh inputs are those of the cycle that they are said to be of, once for each cycle, and whole.
func (w *witness) Read(inputs image.View, q ecat.Quality, at *ecat.Moment) {
	w.quality = q
	if q != ecat.Fresh {
		return
	}
	if w.fresh == at.Cycle {
		w.o.fault("%s: inputs of cycle %d came twice", w.slave.Name(), at.Cycle)
	}
	w.fresh = at.Cycle
	if !w.output && len(inputs) > 0 && inputs[0] != w.o.patterns[at.Cycle] {
		if w.o.noticeForgetting(); w.blind {
			return
		}
		w.o.fault("%s: inputs %02x in cycle %d, not %02x", w.slave.Name(), inputs[0], at.Cycle, w.o.patterns[at.Cycle])
	}
}

func (o *ordeal) Startup(slaves []ecat.Slave) error {
	for _, w := range append(o.inputs, o.outputs...) {
		for _, s := range slaves {
			if s.(*Slave).Position == w.position() {
				if err := s.Attach(w); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (*ordeal) Shutdown()            {}
func (*ordeal) Prepare(*ecat.Moment) {}

func (w *witness) position() int {
	i := 0
	for s := range w.o.chain.Slaves() {
		if s == w.slave {
			return i
		}
		i++
	}
	return -1
}

func (o *ordeal) fault(format string, args ...any) {
	o.t.Helper()
	if o.faults++; o.faults < 10 {
		list, _ := o.chain.Incidents()
		o.t.Errorf("seed %d, cycle %d, %.6f s: %s\nafter %v", o.seed, o.m.cycle.moment.Cycle, float64(o.cable.Now())*1e-9, fmt.Sprintf(format, args...),
			list[max(0, len(list)-4):])
	}
}

// newCycle is called before each cycle, which may be one of those that pass while a goroutine waits.
func (o *ordeal) newCycle() {
	cycle := o.m.cycle.moment.Cycle + 1
	p := byte(cycle*151 + cycle>>8)
	o.patterns[cycle] = p
	delete(o.patterns, cycle-16)
	for _, w := range o.inputs {
		for channel := range 8 {
			if err := w.slave.SetDigital(channel+1, p>>channel&1 != 0); err != nil {
				o.t.Fatal(err)
			}
		}
	}
	o.noticeForgetting()
	o.reported()
	o.driven()
}

// noticeForgetting keeps which slaves have lost SyncManagers since the last look, or were taken out.
func (o *ordeal) noticeForgetting() {
	list, count := o.chain.Incidents()
	for _, i := range list[len(list)-min(len(list), int(count-o.seen)):] {
		words := strings.Fields(i.Command)
		for _, w := range append(o.inputs, o.outputs...) {
			switch {
			case words[0] != "slave" || words[1] != w.slave.Name():
			case words[2] == "forget" && words[3] != "fmmus":
				w.blind, w.forgot = true, true
			case words[2] == "vanish" || words[2] == "return":
				w.away = words[2] == "vanish"
			}
		}
	}
	o.seen = count
}

// reported: a slave is not without fresh inputs unless a frame was missing, a counter was wrong, or it was known not to run; all of these
// are counted.
func (o *ordeal) reported() {
	now := o.m.Statistics()
	counted := now.Lost+now.Late+now.WrongCounter+now.Broken > o.before.Lost+o.before.Late+o.before.WrongCounter+o.before.Broken
	for _, w := range append(o.inputs, o.outputs...) {
		p := o.m.cycle.part(w.position())
		if w.quality == ecat.Held && !counted && p != nil && p.runs.Load() && o.last.Answered {
			o.fault("%s has no fresh inputs, and nothing is counted", w.slave.Name())
		}
	}
	o.before = now
}

// watchdog is the one of simulated slaves, with the cycles in which it is noticed.
const watchdog = 100*time.Millisecond + 5*time.Millisecond

// driven: outputs are what was written within the time of the watchdog, or off.
func (o *ordeal) driven() {
	now := o.cable.Now()
	for _, w := range o.outputs {
		var is byte
		for channel := range 8 {
			if on, err := w.slave.Digital(channel + 1); err != nil {
				o.t.Fatal(err)
			} else if on {
				is |= 1 << channel
			}
		}
		if at, ok := w.wrote[is]; is != 0 && !w.blind && !w.away && (!ok || now-at > int64(watchdog)) {
			o.fault("%s is driven by %02x, which was written %v ago", w.slave.Name(), is, time.Duration(now-at))
		}
	}
}

// noteTend looks after the bus once. That ends whatever happens in the meantime.
func (o *ordeal) noteTend() {
	const most = time.Minute
	begin := o.cable.Now()
	_ = o.m.Tend(o.t.Context()) // of what could not be mended this time
	if took := o.cable.Now() - begin; took > int64(most) {
		o.fault("looking after the bus took %v", time.Duration(took))
	}
}

// mended: when nothing happens any more every slave comes back.
func (o *ordeal) mended() {
	const rounds = 4 // in which all slaves have their settings compared, and more
	o.chain.Plan(sim.Schedule{})
	good := 0
	for end := o.cable.Now() + int64(time.Minute); o.cable.Now() < end; o.cycles(50) {
		if o.noteTend(); !o.good() {
			good = 0
			continue
		}
		if good++; good < rounds {
			continue
		}
		for _, w := range append(o.inputs, o.outputs...) {
			w.blind = false
		}
		o.cycles(200)
		return
	}
	for _, s := range o.m.Slaves() {
		o.t.Logf("%v: %+v %v", s, s.Status(), s.Quality())
	}
	o.fault("is not whole again")
}

func (o *ordeal) good() bool {
	for _, s := range o.m.Slaves() {
		if st := s.Status(); !s.good() || st.Fault != "" || s.exchanges.Load() && s.Quality() != ecat.Fresh {
			return false
		}
	}
	return true
}

func newOrdeal(t *testing.T, seed uint64) *ordeal {
	t.Helper()
	options := Options{Partial: true}
	if seed%2 == 0 {
		options.Sync = &Sync{}
	}
	r := newRig(t, rackOf("EK1100", "EL1018", "EL2008", "EL3104", "EL1018", "EL4132", "EL2008"), options)
	o := &ordeal{rig: r, seed: seed, patterns: map[uint64]byte{}}
	for s := range r.chain.Slaves() {
		w := &witness{o: o, slave: s, output: s.Order() == "EL2008", wrote: map[byte]int64{}}
		switch s.Order() {
		case "EL1018":
			o.inputs = append(o.inputs, w)
		case "EL2008":
			o.outputs = append(o.outputs, w)
		}
	}
	r.each = o.newCycle
	r.m.Add(o)
	r.start()
	r.cycles(20)
	return o
}

// Whatever happens to frames, cables and slaves, by seed: fresh inputs are those of their cycle, whole and once; what is wrong is counted;
// outputs are new or off; every slave comes back, and nothing hangs. RCCD_STEPS says how many cycles, RCCD_SEED from which seed on.
func TestSchedules(t *testing.T) {
	number := func(name string, usual uint64) uint64 {
		if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
			return n
		}
		return usual
	}
	const each = 5_000 // cycles of a seed
	total, seed := number("RCCD_STEPS", 12*each), number("RCCD_SEED", 1)
	happened := uint64(0)
	for done := uint64(0); done < total; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			o := newOrdeal(t, seed)
			kinds := sim.EveryFault
			if alone := seed % 6; alone < 5 {
				kinds = 1 << alone
			}
			begin := o.m.Statistics().Cycles
			o.chain.Plan(sim.Schedule{
				Seed: seed, Every: time.Duration(3+seed%40) * time.Millisecond, Longest: time.Duration(20+seed%400) * time.Millisecond, Kinds: kinds,
			})
			for o.m.Statistics().Cycles-begin < each && o.faults == 0 {
				o.cycles(1 + int(seed%100))
				o.noteTend()
			}
			_, count := o.chain.Incidents()
			happened += count
			o.mended()
			done += o.m.Statistics().Cycles - begin
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d faults", happened)
	if happened < total/200 {
		t.Errorf("only %d faults", happened)
	}
}
