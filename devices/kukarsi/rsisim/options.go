package rsisim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// Options describe the simulated controller. Usual returns those of a KR 16 at a KR C4.
type Options struct {
	channels.Names
	Cycle     time.Duration // 4 ms unfiltered or 12 ms
	Relative  bool          // RSI_ON(#RELATIVE): corrections are added in every cycle
	Hold      bool          // HOLDON: without an answer the last correction stays
	Timeout   int           // late answers after which RSI stops
	Forgiving bool          // only late answers in a row count
	Counting  Counting      // of late answers, in telegrams; total if left out
	Window    time.Duration // after a telegram in which its answer is taken; 0: the whole cycle
	Exchange  time.Duration // above 0: IPOC counts exchanges, and each waits so long for its answer, as simulators do
	ReadFirst bool          // the program is that of figure 11.11
	Pause     int           // cycles between two sessions
	External  int           // axes, 0 to 6

	Start        []float64 // where the axes are: degrees, or mm of external ones; 0 if left out
	Vel          []float64 // of axes, 1/s; as KR 16 if left out
	Acc          []float64 // 1/s²
	Harsh        float64   // how many times the acceleration the gears stand from one cycle to the next
	Lower, Upper []float64 // limits of AXISCORR, relative to the start; none if left out
	Most         []float64 // of AXISCORRMON; none if left out

	Stamp     uint64 // IPOC of the first telegram of a session
	Step      uint64 // from one telegram to the next
	GoesOn    bool   // IPOC does not begin again with a session
	Precision int    // digits behind the point

	Programmed bool // the commanded positions of telegrams are those of the program, without corrections
	Capitals   bool // TYPE instead of Type
	Shuffled   bool // elements in another order in every telegram
	Spaced     bool // blanks, comments and unknown elements
	Stays      bool // telegrams go on when drives have no power, as they may in a test mode

	Looped bool // digital and analog inputs are wired to the outputs of the same number
	plant.Options
}

// Counting is how telegrams count the answers that were late or lost.
type Counting string

// Kinds of Counting. Which one controllers have is not published.
const (
	CountTotal  Counting = "total"  // since the session began
	CountRow    Counting = "row"    // those in a row
	CountZero   Counting = "zero"   // always 0
	CountAbsent Counting = "absent" // telegrams do not say
)

// Countings returns all of them.
var Countings = []Counting{CountTotal, CountRow, CountZero, CountAbsent}

// axes are those of the arm and the external ones.
const axes = 2 * channels.Axes

// Usual returns the options of a controller with a KR 16 and external axes that slide. The drives and the path of values
// through the controller together take the 120 ms that were measured at a real one.
func Usual() Options {
	o := Options{
		Names: channels.Usual(), Cycle: 4 * time.Millisecond, Hold: true, Timeout: 100, ReadFirst: true, Pause: 25,
		Start: []float64{0, -90, 90, 0, 0, 0}, Harsh: 5, Stamp: 4_485_717, Step: 4, Precision: 4,
		Options: plant.Options{Bandwidth: 8, Damping: 1, Lag: 80 * time.Millisecond, Stiffness: 1e4, Seed: 1},
	}
	chain := robots.KR16().Chain
	for i := range axes {
		vel, acc := 1000.0, 4000.0 // mm
		if i < channels.Axes {
			vel, acc = chain.Joint(i).Velocity*180/math.Pi, chain.Joint(i).Acceleration*180/math.Pi
		}
		o.Vel, o.Acc = append(o.Vel, vel), append(o.Acc, acc)
	}
	return o
}

// complete fills up lists, so that every axis has a place in them.
func (o *Options) complete() error {
	usual := Usual()
	for _, list := range []struct {
		name string
		of   *[]float64
		rest func(i int) float64
	}{
		{"start", &o.Start, func(int) float64 { return 0 }},
		{"vel", &o.Vel, func(i int) float64 { return usual.Vel[i] }},
		{"acc", &o.Acc, func(i int) float64 { return usual.Acc[i] }},
		{"lower", &o.Lower, func(int) float64 { return math.Inf(-1) }},
		{"upper", &o.Upper, func(int) float64 { return math.Inf(1) }},
		{"most", &o.Most, func(int) float64 { return math.Inf(1) }},
	} {
		if len(*list.of) > axes {
			return fmt.Errorf("%s: %d values for %d axes", list.name, len(*list.of), axes)
		}
		full := append([]float64(nil), *list.of...)
		for i := len(full); i < axes; i++ {
			full = append(full, list.rest(i))
		}
		*list.of = full
	}
	if o.Counting == "" {
		o.Counting = CountTotal
	}
	if o.Counting == CountAbsent {
		o.Late = ""
	}
	switch {
	case !slices.Contains(Countings, o.Counting):
		return fmt.Errorf("unknown way to count late answers, %q; use one of %q", o.Counting, Countings)
	case o.Window < 0 || o.Exchange < 0:
		return fmt.Errorf("window %v, exchange %v: both must be 0 or more", o.Window, o.Exchange)
	case o.Cycle <= 0:
		return errors.New("the cycle time is missing")
	case o.External < 0 || o.External > channels.Axes:
		return fmt.Errorf("%d external axes; a controller has at most %d", o.External, channels.Axes)
	case o.Timeout < 1:
		return fmt.Errorf("RSI must stop after at least one late answer, not %d", o.Timeout)
	case o.Step == 0:
		return errors.New("IPOC must increase")
	case o.Precision < 0 || o.Precision > 9:
		return fmt.Errorf("%d digits after the decimal point", o.Precision)
	}
	return nil
}
