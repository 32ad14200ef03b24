package krc

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// FRIJoints of an LWR, in the order of datagrams: A1, A2, E1, A3 to A6.
const FRIJoints = 7

// FRIOptions say how a controller is configured. The zero value of a field stands for what is written there.
type FRIOptions struct {
	Cycle   time.Duration           // 1 ms to 100 ms; 2 ms
	Bridge  int                     // missing answers in a row that are bridged; 3, below 0 none
	Holds   bool                    // bridging holds the command instead of extrapolating it
	Ordered bool                    // answers whose own counter is not newer are dropped
	Window  time.Duration           // after a telegram in which its answer is accepted; the whole cycle
	Lag     int                     // cycles by which measured positions stay behind
	Behind  bool                    // telegrams have what was commanded a cycle ago
	Limits  float64                 // share of the velocity limits, as friStart(limit) asks for; 1
	Lenient bool                    // a bad quality does not end command mode
	Strict  bool                    // a command beyond what axes can do ends command mode
	Power   func(cycle uint64) bool // of the drives; nil: always on

	// Program is the KRL program: in each cycle it sees the variables of the newest answer, sets those of telegrams, and asks for
	// command mode (friStart) or its end (friStop). Left out, the program starts command mode whenever the quality is perfect; after
	// a fall the operator has to acknowledge it, which takes 100 cycles.
	Program func(in *KRL, command bool, quality int) (out KRL, start, stop bool)

	Start       []float64 // rad; a bent posture
	Vel, Acc    []float64 // limits, rad/s and rad/s²; those of the supervision of an LWR
	Least, Most []float64 // limits of position, rad; those of an LWR4+
	Slack       float64   // of the Judge
}

// KRL are the variables that programs and drivers exchange.
type KRL struct {
	Reals [16]float32
	Ints  [16]int32
	Bools uint16
}

// Qualities of the connection.
const (
	Unacceptable = iota
	Bad
	Good
	Perfect
)

// FRI is a controller whose FRI is open. All of it is for one goroutine; times are Unix times in ns.
type FRI struct {
	options FRIOptions
	judge   *plant.Judge

	sessions int
	closed   int // cycles until the interface is open again
	silent   int // cycles without telegrams
	command  bool
	fallen   int    // cycles until the operator has acknowledged a fall
	cycles   uint64 // since NewFRI
	age      uint64 // since the interface was opened
	begun    int64
	sent     uint16 // counter of the newest telegram
	heard    uint16 // counter of the newest answer
	any      bool   // there was an answer
	old      int    // answers in a row that were not newer
	taken    bool
	answer   friAnswer
	gap      int
	recent   [100]bool
	at, good int
	missed   uint32

	base, commands [FRIJoints]float64
	told           [FRIJoints]float64 // what the telegram says is commanded
	history        [][FRIJoints]float64
	out            KRL
	figures        FRIFigures
}

// FRIFigures count what a controller has seen.
type FRIFigures struct {
	Telegrams, Taken, Missed, Late, Outdated, Garbage uint64
	Commanded                                         uint64  // cycles in command mode with an answer
	Starts, Falls                                     uint64  // of command mode
	Interruptions                                     uint64  // falls with a joint moving faster than it can stop in a cycle
	Fastest                                           float64 // of those joints, rad/s
	Travel                                            float64 // of all joints, commanded by answers, rad
	Beyond                                            uint64  // commands beyond limits of position
	Flags                                             uint64  // answers whose flags do not fit the strategy
}

// sizes and identifiers of datagrams.
const (
	friTelegram   = 916
	friAnswerSize = 376
	friSentID     = 0x2006
	friAnswerID   = 0x1005
)

// acknowledging is how many cycles it takes the operator.
const acknowledging = 100

type friAnswer struct {
	count, reflected uint16
	krl              KRL
	flags            uint32
	joints           [FRIJoints]float32
}

// NewFRI makes a controller whose interface is open, in monitor mode.
func NewFRI(o FRIOptions) *FRI {
	o.complete()
	vel := make([]float64, FRIJoints)
	for i := range vel {
		vel[i] = o.Limits * o.Vel[i]
	}
	// Half a unit of the last one of 24 bits, of numbers up to 4, is 1.2e-7, and a driver that stays where telegrams say that
	// the robot is commanded adds two rounded numbers.
	judge, err := plant.NewJudge(plant.JudgeOptions{Cycle: o.Cycle.Seconds(), Vel: vel, Acc: o.Acc, Slack: o.Slack, Rounding: 2.5e-7}, o.Start)
	if err != nil {
		panic(err)
	}
	k := &FRI{options: o, judge: judge}
	copy(k.base[:], o.Start)
	k.commands, k.told = k.base, k.base
	k.history = append(k.history, k.base)
	return k
}

func (o *FRIOptions) complete() {
	degrees := func(of ...float64) []float64 {
		for i := range of {
			of[i] *= math.Pi / 180
		}
		return of
	}
	if o.Cycle == 0 {
		o.Cycle = 2 * time.Millisecond
	}
	if o.Bridge == 0 {
		o.Bridge = 3
	}
	if o.Window == 0 || o.Window > o.Cycle {
		o.Window = o.Cycle
	}
	if o.Limits == 0 {
		o.Limits = 1
	}
	if o.Start == nil {
		o.Start = []float64{0.3, 0.6, -0.2, 1.2, 0.1, 0.8, 0.4}
	}
	if o.Vel == nil {
		o.Vel = degrees(120, 120, 160, 160, 250, 220, 220)
	}
	if o.Acc == nil {
		o.Acc = degrees(1200, 1200, 1600, 1600, 2500, 4400, 4400)
	}
	if o.Most == nil {
		o.Most = degrees(170, 120, 170, 120, 170, 120, 170)
	}
	if o.Least == nil {
		for _, most := range o.Most {
			o.Least = append(o.Least, -most)
		}
	}
}

// Options returns those in force.
func (k *FRI) Options() FRIOptions { return k.options }

// Begin begins a cycle and returns its telegram, or nil while the interface is closed.
func (k *FRI) Begin(now int64) []byte {
	k.begun = now
	k.cycles++
	if k.closed > 0 {
		if k.closed--; k.closed == 0 {
			k.open()
		}
		return nil
	}
	k.age++
	k.sent++
	k.taken = false
	if k.silent > 0 {
		k.silent--
		return nil
	}
	k.figures.Telegrams++
	return k.telegram()
}

// tells returns what telegrams say is commanded.
func (k *FRI) tells() [FRIJoints]float64 {
	if k.options.Behind {
		return k.told
	}
	return k.commands
}

func (k *FRI) open() {
	k.sessions++
	k.age, k.sent, k.heard, k.any, k.old = 0, 0, 0, false, 0
	k.recent, k.good, k.at, k.gap, k.missed = [100]bool{}, 0, 0, 0, 0
	k.answer = friAnswer{}
}

// Take is an answer that reaches the controller.
func (k *FRI) Take(answer []byte, now int64) {
	if k.closed > 0 {
		return
	}
	a, ok := readCommand(answer)
	if !ok {
		k.figures.Garbage++
		return
	}
	if newer := int16(a.count-k.heard) > 0; k.options.Ordered && k.any && !newer {
		// A client that was started again counts from its beginning: after a second's worth it is believed.
		if k.old++; k.old < 100 {
			k.figures.Outdated++
			return
		}
	}
	k.heard, k.any, k.old = a.count, true, 0
	if a.reflected != k.sent || now-k.begun > int64(k.options.Window) {
		k.figures.Late++
		return
	}
	if k.taken {
		k.figures.Outdated++
		return
	}
	k.taken, k.answer = true, a
}

// End closes the cycle: the answer that has come takes effect, or its absence does.
func (k *FRI) End(int64) {
	if k.closed > 0 {
		return
	}
	k.told = k.commands
	k.rate()
	if k.command {
		k.follow()
	}
	k.program()
	if !k.powered() {
		k.commands = k.history[len(k.history)-1]
		k.base = k.commands
		k.judge.Place(k.base[:])
	}
	k.history = append(k.history, k.commands)
	if keep := k.options.Lag + 1; len(k.history) > keep {
		k.history = k.history[len(k.history)-keep:]
	}
}

func (k *FRI) rate() {
	if k.recent[k.at] {
		k.good--
	}
	if k.recent[k.at] = k.taken; k.taken {
		k.good++
		k.gap = 0
		k.figures.Taken++
	} else {
		k.gap++
		k.missed++
		k.figures.Missed++
	}
	k.at = (k.at + 1) % len(k.recent)
}

// Quality rates the last 100 answers. Thresholds are not published; these are of the model.
func (k *FRI) Quality() int {
	switch {
	case k.good >= 99:
		return Perfect
	case k.good >= 95:
		return Good
	case k.good >= 50:
		return Bad
	}
	return Unacceptable
}

// follow is a cycle of command mode.
func (k *FRI) follow() {
	switch {
	case !k.powered():
	case k.gap > max(0, k.options.Bridge), k.Quality() < Good && !k.options.Lenient:
		k.fall()
	case k.taken:
		k.obey()
	case k.options.Holds:
		k.judge.Hold()
	default:
		for i := range k.commands {
			k.commands[i] += k.judge.Speed(i) * k.options.Cycle.Seconds()
		}
		k.judge.Carry(k.commands[:])
	}
}

// obey takes over the commands of an answer.
func (k *FRI) obey() {
	if k.answer.flags&1 == 0 {
		k.figures.Flags++
		k.fall()
		return
	}
	k.figures.Commanded++
	var to [FRIJoints]float64
	for i := range to {
		to[i] = float64(k.answer.joints[i])
		if to[i] < k.options.Least[i]-1e-6 || to[i] > k.options.Most[i]+1e-6 {
			k.figures.Beyond++
			k.fall()
			return
		}
	}
	for i := range to {
		k.figures.Travel += math.Abs(to[i] - k.commands[i])
	}
	if k.judge.Ask(to[:]) > 0 && k.options.Strict {
		k.fall()
		return
	}
	k.commands = to
}

// fall ends command mode because of the driver.
func (k *FRI) fall() {
	k.figures.Falls++
	k.fallen = acknowledging
	hard := false
	for i := range k.commands {
		speed := math.Abs(k.judge.Speed(i))
		if speed > k.options.Acc[i]*k.options.Cycle.Seconds() {
			hard = true
			k.figures.Fastest = max(k.figures.Fastest, speed)
		}
	}
	if hard {
		k.figures.Interruptions++
	}
	k.stop()
}

// stop is friStop: the robot stays where it is commanded.
func (k *FRI) stop() {
	k.command, k.base = false, k.commands
	k.judge.Place(k.base[:])
}

// program is a cycle of the KRL program.
func (k *FRI) program() {
	k.fallen = max(0, k.fallen-1)
	start, stop := k.Quality() == Perfect && k.fallen == 0, false
	if k.options.Program != nil {
		k.out, start, stop = k.options.Program(&k.answer.krl, k.command, k.Quality())
	}
	switch {
	case stop && k.command:
		k.stop()
	case start && !k.command && k.powered() && k.Quality() >= Good:
		k.command, k.base, k.gap = true, k.commands, 0
		k.judge.Place(k.base[:])
		k.figures.Starts++
	}
}

func (k *FRI) powered() bool { return k.options.Power == nil || k.options.Power(k.cycles) }

// Due returns when the cycle ends and the next one begins.
func (k *FRI) Due() int64 { return k.begun + int64(k.options.Cycle) }

// Restart closes the interface and opens it again some cycles later.
func (k *FRI) Restart(cycles int) {
	if k.command {
		k.stop()
	}
	k.closed = max(1, cycles)
}

// Command reports whether the interface is in command mode.
func (k *FRI) Command() bool { return k.command }

// Cycles returns how many cycles have begun.
func (k *FRI) Cycles() uint64 { return k.cycles }

// Sent returns the counter of the newest telegram.
func (k *FRI) Sent() uint16 { return k.sent }

// Held returns what is commanded, and the speed of each joint, rad and rad/s.
func (k *FRI) Held() (at, speed [FRIJoints]float64) {
	for i := range speed {
		speed[i] = k.judge.Speed(i)
	}
	return k.commands, speed
}

// Figures count what the controller has seen.
func (k *FRI) Figures() FRIFigures { return k.figures }

// Violations returns those of the invariant, the first ones.
func (k *FRI) Violations() []plant.Violation { return k.judge.Violations() }

// Judge returns who counts them.
func (k *FRI) Judge() *plant.Judge { return k.judge }

// happen does what the operator does. A lightweight robot does not freeze: it is the interface that says nothing.
func (k *FRI) happen(e Event) {
	switch e.What {
	case Restart, RestartAt:
		k.Restart(e.N)
	case Freeze:
		k.silent = e.N
	case Jog:
		k.Restart(e.N)
		for i := range k.base {
			k.base[i] += 0.01 * float64((e.Cycle*(i+3))%21-10)
			k.base[i] = min(max(k.base[i], k.options.Least[i]), k.options.Most[i])
		}
		k.commands = k.base
		k.judge.Place(k.base[:])
	}
}

func (k *FRI) session() int { return k.sessions }

func (k *FRI) story() (format string, args []any) {
	if k.closed > 0 {
		return "the interface is closed", nil
	}
	return "count %d, command %t, quality %d, taken %t, joints %.5f", []any{k.sent, k.command, k.Quality(), k.taken, k.commands}
}

// telegram writes the datagram of a cycle; what an arm feels is 0.
func (k *FRI) telegram() []byte {
	b := make([]byte, friTelegram)
	u16 := func(at int, v uint16) { binary.LittleEndian.PutUint16(b[at:], v) }
	u32 := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
	f32 := func(at int, v float64) { u32(at, math.Float32bits(float32(v))) }
	u16(0, k.sent)
	u16(2, k.heard) // whether it was in time or not
	u16(4, friTelegram)
	u16(6, friSentID)
	for i := range 16 {
		f32(8+4*i, float64(k.out.Reals[i]))
		u32(72+4*i, uint32(k.out.Ints[i]))
	}
	u16(136, k.out.Bools)
	f32(140, float64(k.age)*k.options.Cycle.Seconds())
	state := uint16(1)
	if k.command {
		state = 2
	}
	u16(144, state)
	u16(146, uint16(k.Quality()))
	f32(148, k.options.Cycle.Seconds())
	f32(152, k.options.Cycle.Seconds())
	f32(156, k.options.Limits)
	f32(160, float64(k.good)/100)
	f32(172, 1-float64(k.good)/100)
	u32(176, k.missed)
	if k.powered() {
		u16(180, 0x7f)
	}
	u16(182, 1)
	tells := k.tells()
	for i := range FRIJoints {
		f32(216+4*i, k.history[0][i])
		f32(292+4*i, k.base[i])
		f32(320+4*i, tells[i]-k.base[i])
		f32(692+4*(8*i), 1) // diagonal of the mass matrix
	}
	for _, frame := range [...]int{244, 348, 396} {
		for i := range 3 {
			f32(frame+20*i, 1)
		}
	}
	return b
}

// readCommand reads what the model needs of an answer.
func readCommand(b []byte) (a friAnswer, ok bool) {
	if len(b) != friAnswerSize {
		return a, false
	}
	u16 := func(at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	if u16(4) != friAnswerSize || u16(6) != friAnswerID {
		return a, false
	}
	a.count, a.reflected, a.flags, a.krl.Bools = u16(0), u16(2), u32(140), u16(136)
	for i := range 16 {
		a.krl.Reals[i], a.krl.Ints[i] = math.Float32frombits(u32(8+4*i)), int32(u32(72+4*i))
	}
	for i := range a.joints {
		a.joints[i] = math.Float32frombits(u32(144 + 4*i))
	}
	return a, true
}
