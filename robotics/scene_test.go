package robotics_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// scene is a cell with proxies of its devices, for one command whose cycles are written down.
type scene struct {
	t    cells.T
	cell *cells.Cell

	arm, other *actuator.Arm
	lwr        *actuator.Lightweight
	base       *actuator.Base
	hand       actuator.Gripper
	start      geom.Frame   // where the flange of arm is
	table      *world.Frame // before it

	states  map[string]robotics.State
	numbers map[string]robotics.Sensor[float64]
	words   map[string][2]string // what is said when a variable becomes true, and false
	order   []string             // of variables
	calls   []string             // what External has called
	happens map[int][]happening
	relieve func(n *rcc.Net) // has the net started, if it is not simply started
}

// happening is something that comes from outside, before a cycle.
type happening struct {
	what string
	do   func(r *cells.Trace)
}

// corner is where the KR 16 can be, close to point.
var corner = []float64{0.4, -1.4, 1.4, 0.1, 0.9, -0.1}

// newScene makes a scene in a cell of its own.
func newScene(t cells.T, options ...cells.Option) *scene { return sceneIn(t, newCell(t, options...)) }

// newCell makes a cell for scenes.
func newCell(t cells.T, options ...cells.Option) *cells.Cell {
	at := func(joints []float64) map[string]string {
		text := make([]string, len(joints))
		for i, v := range joints {
			text[i] = fmt.Sprint(v)
		}
		return map[string]string{"home_joint": "[" + strings.Join(text, ",") + "]"}
	}
	stand := []cells.Option{
		cells.With(cells.Device{Name: "kr16", Kind: "kuka_kr_arm_sim", Params: at(point)}),
		cells.With(cells.Device{Name: "jaws", Kind: "kuka_youbot_gripper_sim"}),
		cells.With(cells.Device{Name: "tx90", Kind: "staubli_tx90_sim", Params: at([]float64{0, 0.3, 1, 0, 0.5, 0})}),
	}
	return cells.New(t, append(stand, options...)...)
}

// sceneIn makes a scene in a cell whose devices are as they were when it was new.
func sceneIn(t cells.T, cell *cells.Cell) *scene {
	s := &scene{
		t: t, cell: cell,
		arm: kr16(), other: actuator.NewArm("tx90", robots.TX90L()), lwr: actuator.NewLightweight("lwr", robots.LWR4()),
		base: actuator.NewBase("base"), hand: actuator.Gripper{Device: "gripper"}, start: poseAt(point),
		states: map[string]robotics.State{}, numbers: map[string]robotics.Sensor[float64]{}, words: map[string][2]string{},
		happens: map[int][]happening{},
	}
	s.table = s.arm.Base().Place("table", geom.Frame{Pos: geom.Vector{X: -0.25}})
	return s
}

// watch writes down when a state is entered and left.
func (s *scene) watch(name string, state robotics.State) {
	s.variable(name+" +", name+" -", func(key string) { s.states[key] = state })
}

// number writes down what a sensor says.
func (s *scene) number(name string, of robotics.Sensor[float64]) {
	s.variable(name, name, func(key string) {
		s.numbers[key] = of
		s.states[key+known] = robotics.IsTrue(robotics.Derived(func(m *mapping.Net) graph.Signal[bool] { return graph.Not(graph.IsNull(robotics.Read(m, of))) }))
	})
}

// known is the end of keys of variables that are true while a sensor has a value.
const known = "known"

func (s *scene) variable(yes, no string, add func(key string)) {
	key := fmt.Sprint("w", len(s.words))
	s.words[key], s.order = [2]string{yes, no}, append(s.order, key)
	add(key)
}

// called returns an effect that is written down when the application hears of it.
func (s *scene) called(name string) robotics.Effect {
	return robotics.External(func() { s.calls = append(s.calls, name+" called") })
}

// token returns one whose giving is written down.
func (s *scene) token(name string) robotics.Effect {
	key := "t" + name
	s.words[key], s.order = [2]string{name + " given"}, append(s.order, key)
	return robotics.Give(robotics.NewToken(name))
}

// at has something happen before a cycle.
func (s *scene) at(cycle int, what string, do func(r *cells.Trace)) {
	s.happens[cycle] = append(s.happens[cycle], happening{what, do})
}

func (s *scene) cancel(cycle int) {
	s.at(cycle, "cancelled from outside", func(r *cells.Trace) {
		if err := s.cell.Core.Changes.Settle(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		if _, ended := r.Net.Ended(); ended {
			return
		}
		if err := r.Net.Cancel(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	})
}

func (s *scene) set(cycle int, key, value string) {
	s.at(cycle, key+" = "+value+" from outside", func(r *cells.Trace) { r.Set(key, value) })
}

// happen has something happen to a device, in the words of its script.
func (s *scene) happen(cycle int, device, what string) {
	s.at(cycle, device+": "+what, func(*cells.Trace) {
		if err := s.cell.Core.Devices.Tell(device, "happen", map[string]string{"what": what}); err != nil {
			s.t.Fatal(err)
		}
	})
}

// lives writes down the lives of a command and of all that it consists of.
func (s *scene) lives(c robotics.Command, used map[string]int) {
	name := c.String()
	if used[name]++; used[name] > 1 {
		name += fmt.Sprint(" #", used[name])
	}
	for _, state := range []struct {
		of      robotics.State
		yes, no string
	}{
		{c.Active(), " begins", " is over"}, {c.Completed(), " completed", ""}, {c.Cancelled(), " cancelled", ""}, {c.Failed(), " failed", ""},
	} {
		s.variable(name+state.yes, name+state.no, func(key string) { s.states[key] = state.of })
	}
	for _, child := range robotics.Children(c) {
		s.lives(child, used)
	}
}

// performed is a command that has been executed.
type performed struct {
	text   string
	cycles []map[string]string // all that is published and commanded
}

// perform executes a command to its end.
func (s *scene) perform(command robotics.Command, optimise bool) performed {
	s.t.Helper()
	return s.record(s.begin(command, optimise))
}

// begin starts a command, or has it relieve the one that it is to relieve.
func (s *scene) begin(command robotics.Command, optimise bool) (r *cells.Trace, externals map[string]func()) {
	s.t.Helper()
	watched := s.order
	s.order = nil
	s.lives(command, map[string]int{})
	s.order = append(s.order, watched...)
	text, externals, err := robotics.Traced(command, s.states, s.numbers, optimise)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.relieve == nil {
		return s.cell.Trace(text), externals
	}
	r = s.cell.Load(text)
	s.relieve(r.Net)
	return r, externals
}

// record executes a net to its end.
func (s *scene) record(r *cells.Trace, externals map[string]func()) (p performed) {
	s.t.Helper()
	var lines strings.Builder
	tape := s.newTape()
	for {
		var changes []string
		for _, h := range s.happens[r.Cycle+1] {
			h.do(r)
			changes = append(changes, h.what)
		}
		if !r.Step() {
			break
		}
		if r.Cycle > 5000 {
			s.t.Fatal("it does not end")
		}
		changes = append(changes, tape.values(r.Values)...)
		changes = append(changes, tape.heard(r.Values, externals)...)
		all := maps.Clone(r.Values)
		changes = append(changes, tape.told(all)...)
		changes = append(changes, tape.moved(r.Cycle, all)...)
		if p.cycles = append(p.cycles, all); len(changes) > 0 {
			fmt.Fprintf(&lines, "%5d  %s\n", r.Cycle, strings.Join(changes, "; "))
		}
	}
	fmt.Fprintf(&lines, "%5d  end\n", r.Cycle)
	p.text = lines.String()
	return p
}

// tape finds out what has changed since the last cycle.
type tape struct {
	*scene
	last   map[string]string
	counts map[string]float64
	said   int
	tracks map[string]*position
}

// position is where something was commanded to be last.
type position struct {
	at            []float64
	time          int64
	moving, alone bool
	since         int // cycle in which it was shown
}

func (s *scene) newTape() *tape {
	t := &tape{scene: s, counts: map[string]float64{}, tracks: map[string]*position{}}
	for _, d := range cells.Devices() {
		track := s.cell.Track(d.Name)
		if track == nil {
			continue
		}
		at, time := track.Last()
		if time == 0 && d.Name != s.base.String() { // one that stands still has no velocity
			at = s.cell.Where(d.Name)
		}
		t.tracks[d.Name] = &position{at: at, time: time, alone: time == 0}
	}
	return t
}

func (t *tape) values(now map[string]string) (changes []string) {
	for _, key := range t.order {
		if now[key+known] == "false" {
			now[key] = "null"
		}
		is, was := now[key], t.last[key]
		_, isNumber := t.numbers[key]
		switch words := t.words[key]; {
		case is == was:
		case isNumber:
			if is, was := digits(is), digits(was); is != was {
				changes = append(changes, words[0]+" "+is)
			}
		case is == "true":
			changes = append(changes, words[0])
		case was == "true" && words[1] != "":
			changes = append(changes, words[1])
		}
	}
	t.last = now
	return changes
}

// heard has functions called as the application would.
func (t *tape) heard(now map[string]string, externals map[string]func()) []string {
	t.calls = nil
	for _, key := range slices.Sorted(maps.Keys(externals)) {
		for n := number(now[strings.TrimPrefix(key, "out")]); t.counts[key] < n-0.5; t.counts[key]++ {
			externals[key]()
		}
	}
	return t.calls
}

// told returns the new commands of devices. They are added to values.
func (t *tape) told(values map[string]string) (changes []string) {
	all := t.cell.Told()
	for i, told := range all[t.said:] {
		changes = append(changes, told.Device+" "+told.What)
		values[fmt.Sprint("told ", i)] = fmt.Sprint(told)
	}
	t.said = len(all)
	return changes
}

// moved shows joints and velocities when they begin and cease to change, and every 50 cycles in between. All are added to values.
func (t *tape) moved(cycle int, values map[string]string) (changes []string) {
	const often, still = 50, 1e-9
	for _, name := range keys(t.tracks) {
		p := t.tracks[name]
		at, time := t.cell.Track(name).Last()
		if time == p.time {
			if !p.alone {
				changes = append(changes, name+" is left alone")
				*p = position{at: at, time: time, alone: true}
			}
			continue
		}
		moving := false
		for i := range at {
			values[fmt.Sprint(name, i)] = fmt.Sprint(at[i])
			moving = moving || math.Abs(at[i]-p.at[i]) > still
		}
		if moving != p.moving || p.alone || moving && cycle-p.since >= often {
			word := " keeps "
			if moving {
				word = " to "
			}
			changes = append(changes, name+word+allDigits(at))
			p.since = cycle
		}
		p.at, p.time, p.moving, p.alone = at, time, moving, false
	}
	return changes
}

// digits returns a number with as many digits as one wants to read.
func digits(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(math.Round(v*1e4)/1e4+0, 'g', -1, 64)
}

func allDigits(of []float64) string {
	list := make([]string, len(of))
	for i, v := range of {
		list[i] = digits(fmt.Sprint(v))
	}
	return strings.Join(list, " ")
}

// until returns what has happened in the last lines up to a cycle.
func (p performed) until(cycle int) string {
	const enough = 8
	var all []string
	for line := range strings.Lines(p.text) {
		if at, err := strconv.Atoi(strings.Fields(line)[0]); err == nil && at <= cycle {
			all = append(all, line)
		}
	}
	return strings.Join(all[max(0, len(all)-enough):], "")
}

// differ returns where two performances differ first, be it by the last digit.
func differ(got, want performed) (cycle int, wrong string) {
	for i := range min(len(got.cycles), len(want.cycles)) {
		is, was := got.cycles[i], want.cycles[i]
		if maps.Equal(is, was) {
			continue
		}
		both := maps.Clone(is)
		maps.Copy(both, was)
		for _, key := range keys(both) {
			if is[key] != was[key] {
				return i + 1, fmt.Sprintf("cycle %d: %s is %q, not %q", i+1, key, is[key], was[key])
			}
		}
	}
	if is, was := len(got.cycles), len(want.cycles); is != was {
		return min(is, was) + 1, fmt.Sprintf("it ends after cycle %d, not %d", is, was)
	}
	return 0, ""
}
