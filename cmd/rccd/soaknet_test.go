package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// A witness is a net that notices when something of it was not as it left it in the cycle before, or when one thing that
// it computes in two ways is not the same. It goes on until it is cancelled. Its messages:
//
//	count  its cycles; even reports whether their number is
//	sum    a number that depends on every cycle that it has run: remainders, each made of itself and the one before
//	wrong  cycles in which something was wrong
//	lag    how long after its logical time the cycle began, s, from which follow the ticks that it missed
//	feed   an input
const (
	remainders = 12
	angles     = 10 // to compute with
)

// factor and modulus make remainders that doubles hold exactly.
func factor(k int) uint64  { return 1001 + 98*uint64(k) }
func modulus(k int) uint64 { return 1_000_003 + 210*uint64(k) }

// sumAfter returns the sum of a witness after some cycles.
func sumAfter(cycles uint64) uint64 {
	var all [remainders]uint64
	for n := uint64(1); n <= cycles; n++ {
		before := n
		for k := range all {
			all[k] = (all[k]*factor(k) + before) % modulus(k)
			before = all[k]
		}
	}
	return all[remainders-1]
}

// witness writes a net. One with a channel commands that channel of the test device by its count, and reads it.
func witness(channel int) string {
	w := &witnessWriter{}
	count := w.accumulate("Int", func(before string) string { return w.add("Core::IntAdd(inFirst=%s,Second='1')", before) })
	n := w.add("Core::DoubleFromInt(inValue=%s)", count)
	half := w.add("Core::IntMultiply(inFirst=%s,Second='2')", w.add("Core::IntDivide(inFirst=%s,Second='2')", count))
	even := w.add("Core::IntEquals(inFirst=%s,inSecond=%s)", count, half)
	odd := w.add("Core::BooleanNot(inValue=%s)", even)

	sum := n
	for k := range remainders {
		sum = w.accumulate("Double", func(before string) string {
			product := w.add("Core::DoubleMultiply(inFirst=%s,Second='%d')", before, factor(k))
			return w.add("Core::DoubleModulo(inFirst=%s,Second='%d')", w.add("Core::DoubleAdd(inFirst=%s,inSecond=%s)", product, sum), modulus(k))
		})
	}
	for k := range angles {
		w.angle(n, even, odd, 0.001*float64(k+1))
	}
	feeds := []string{w.add("Core::DoubleNetcommIn(Key='feed',Value='1')")}
	if channel >= 0 {
		feeds = append(feeds, w.add("Test::Sensor(Device='testarm',Channel='%d')", channel))
		w.add("Test::Actuator(inValue=%s,Device='testarm',Channel='%d')", n, channel)
	}
	for _, feed := range feeds {
		w.same(w.add("Core::DoubleMultiply(inFirst=%s,Second='2')", feed), w.add("Core::DoubleAdd(inFirst=%s,inSecond=%s)", feed, feed), 0)
	}
	wrong := w.accumulate("Int", func(before string) string {
		more := w.add("Core::IntAdd(inFirst=%s,Second='1')", before)
		return w.add("Core::IntConditional(inCondition=%s,inTrue=%s,inFalse=%s)", w.right, before, more)
	})
	lag := w.add("Core::TimeDiff(inFirst=%s,inSecond=%s)", w.add("Core::TimeNet()"), w.add("Core::TimeWall()"))
	for _, message := range [][3]string{
		{"Int", count, "count"}, {"Double", sum, "sum"}, {"Int", wrong, "wrong"}, {"Double", lag, "lag"}, {"Boolean", even, "even"},
	} {
		w.add("Core::%sNetcommOut(inValue=%s,Key='%s')", message[0], message[1], message[2])
	}
	return fmt.Sprintf("{%s,outTerminate=Cancel().outCancel}", strings.Join(w.entries, ","))
}

// witnessWriter collects primitives.
type witnessWriter struct {
	entries []string
	right   string // whether everything was the same so far
}

// add adds a primitive and returns its source.
func (w *witnessWriter) add(format string, args ...any) (source string) {
	name := fmt.Sprint("p", len(w.entries))
	w.entries = append(w.entries, name+"="+fmt.Sprintf(format, args...))
	return name + ".outValue"
}

// accumulate adds a value that is made of the one of the cycle before, which is 0 in the first one.
func (w *witnessWriter) accumulate(kind string, next func(before string) string) (source string) {
	at := len(w.entries)
	pre := w.add("") // its input is yet to come
	first := w.add("Core::%sIsNull(inValue=%s)", kind, pre)
	source = next(w.add("Core::%sConditional(inCondition=%s,True='0',inFalse=%s)", kind, first, pre))
	w.entries[at] = fmt.Sprintf("p%d=Core::%sPre(inValue=%s)", at, kind, source)
	return source
}

// same notes whether two values are.
func (w *witnessWriter) same(first, second string, epsilon float64) {
	w.and(w.add("Core::DoubleEquals(inFirst=%s,inSecond=%s,Epsilon='%g')", first, second, epsilon))
}

func (w *witnessWriter) and(right string) {
	if w.right != "" {
		right = w.add("Core::BooleanAnd(inFirst=%s,inSecond=%s)", w.right, right)
	}
	w.right = right
}

// angle computes with an angle between 0 and 3: in fragments of which one is on at a time, and without.
func (w *witnessWriter) angle(n, even, odd string, scale float64) {
	x := w.add("Core::DoubleModulo(inFirst=%s,Second='3')", w.add("Core::DoubleMultiply(inFirst=%s,Second='%g')", n, scale))
	twice := w.add("Core::DoubleAdd(inFirst=%s,inSecond=%s)", x, x)
	sin, cos := w.add("Core::DoubleSin(inValue=%s)", x), w.add("Core::DoubleCos(inValue=%s)", x)
	product := w.add("Core::DoubleMultiply(inFirst=%s,inSecond=%s)", sin, cos)
	w.same(w.add("Core::DoubleSin(inValue=%s)", twice), w.add("Core::DoubleAdd(inFirst=%s,inSecond=%s)", product, product), 1e-9)
	w.same(w.add("Core::DoubleAtan2(inY=%s,inX=%s)", sin, cos), x, 1e-9)

	fragment := func(on string) (source string) {
		name := fmt.Sprint("f", len(w.entries))
		w.entries = append(w.entries, fmt.Sprintf("%s={s=Core::DoubleMultiply(inFirst=parent.inX,inSecond=parent.inX),"+
			"r=Core::DoubleSquareRoot(inValue=s.outValue),t=Core::DoubleAdd(inFirst=r.outValue,inSecond=parent.inX),outY=t.outValue}(inX=%s,inActive=%s)",
			name, x, on))
		return name + ".outY"
	}
	whenEven, whenOdd := fragment(even), fragment(odd)
	w.same(w.add("Core::DoubleConditional(inCondition=%s,inTrue=%s,inFalse=%s)", even, whenEven, whenOdd), twice, 1e-9)
	w.and(w.add("Core::DoubleIsNull(inValue=%s)",
		w.add("Core::DoubleConditional(inCondition=%s,inTrue=%s,inFalse=%s)", odd, whenEven, whenOdd)))
}

// testarm returns a test device with a number of channels.
func testarm(channels int) []config.Device {
	return []config.Device{{
		Name: "testarm", Type: testdevice.Type.Name, Params: map[string]string{"channels": strconv.Itoa(channels), "records": "100000"},
	}}
}

// testimony returns an error if a witness that has ended saw something wrong.
func testimony(n *rcc.Net) error {
	stats, ok := n.Stats()
	values := n.Values()
	if !ok || values == nil {
		return fmt.Errorf("%s: no figures", n.Name())
	}
	if stats.Cycles == 0 {
		return nil
	}
	said := map[string]float64{}
	for _, v := range values.All() {
		var x float64
		if _, err := fmt.Sscan(v.Value, &x); err == nil {
			said[strings.TrimPrefix(v.Key, "out")] = x
		}
	}
	// A cycle begins in its tick, which is one period after its logical time for each missed tick.
	// Of those after its last cycle, before it was stopped, the witness cannot know.
	missed := uint64(math.Round(said["lag"]*1e9)) / uint64(n.Period())
	got := [4]uint64{uint64(said["count"]), uint64(said["sum"]), uint64(said["wrong"]), missed}
	want := [4]uint64{stats.Cycles, sumAfter(stats.Cycles), 0, stats.Missed}
	if e, _ := n.Ended(); missed < stats.Missed && (e.Cause == sched.Aborted || e.Cause == sched.Replaced) {
		want[3] = missed
	}
	if got != want {
		return fmt.Errorf("%s of %v: count, sum, wrong, missed are %v, not %v", n.Name(), n.Period(), got, want)
	}
	return nil
}

// A witness is believed only if it notices what is wrong.
func TestWitness(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(text string) string
		wrong  bool
	}{
		"as it is":           {func(text string) string { return text }, false},
		"another factor":     {func(text string) string { return strings.Replace(text, "Second='1001'", "Second='1002'", 1) }, true},
		"another sine":       {func(text string) string { return strings.Replace(text, "DoubleSin", "DoubleTan", 1) }, true},
		"a fragment stays":   {func(text string) string { return strings.Replace(text, ",inActive=", ",inOther=", 1) }, true},
		"a cycle is skipped": {func(text string) string { return strings.Replace(text, "Second='1'", "Second='2'", 1) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			clock := rt.NewVirtual(epoch)
			clock.SetSpeed(0)
			cfg := config.Default()
			cfg.Devices = testarm(1)
			c, err := openCell(cfg, withTestDevice(), surroundings{clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				clock.SetSpeed(math.Inf(1)) // the end of the net takes a tick
				if err := c.Close(context.Background()); err != nil {
					t.Error(err)
				}
			}()
			n, err := c.load(rcc.LoadRequest{Text: tt.change(witness(0)), Period: time.Millisecond}, "witness")
			if err != nil {
				t.Fatal(err)
			}
			if err := n.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := clock.Advance(t.Context(), 5*time.Second); err != nil {
				t.Fatal(err)
			}
			if err := testimony(n); err != nil != tt.wrong {
				t.Errorf("%d primitives: %v", n.Primitives(), err)
			}
		})
	}
}
