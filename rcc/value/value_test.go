package value_test

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

func TestParse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	accept(t, &value.Bool, map[string]bool{"true": true, "false": false, " true ": true})
	accept(t, &value.Int, map[string]int32{
		"0": 0, "-7": -7, "+7": 7, "2147483647": math.MaxInt32, "-2147483648": math.MinInt32,
		"3.0": 3, "-3.": -3, "-2147483648.0": math.MinInt32, " 5": 5,
	})
	accept(t, &value.Double, map[string]float64{
		"0.1": 0.1, "-2.5e-07": -2.5e-7, "1.0E-5": 1e-5, "1e+300": 1e300, "3": 3, ".5": 0.5, "+1": 1,
		"nan": nan, "NaN": nan, "inf": inf, "+inf": inf, "-inf": -inf, "Infinity": inf, "-Infinity": -inf, "1e999": inf, "-1e999": -inf, "1e-999": 0,
	})
	accept(t, &value.Nsecs, map[string]value.Time{"0": 0, "1700000000000000001": 1700000000000000001, "-5": -5})
	accept(t, &value.Text, map[string]string{"": "", " a'b ": " a'b "})
}

func accept[T comparable](t *testing.T, codec *value.Codec[T], texts map[string]T) {
	t.Helper()
	for text, want := range texts {
		got, err := codec.Parse(text)
		if err != nil || got != want && (got == got || want == want) { // NaN must be NaN
			t.Errorf("%s %q: %v, %v, not %v", codec.Type, text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	refuse(t, &value.Bool, "", "1", "True", "TRUE", "t", "yes")
	refuse(t, &value.Int, "", "1.5", "2147483648", "-2147483649", "2147483648.0", "1e3", "0x10", "0x1.8p1", "1_000", "nan.", "x")
	refuse(t, &value.Double, "", "x", "1,5", "0x10", "0x1p4", "1_000", "+-inf", "--nan", "1e", ".", "- 1")
	refuse(t, &value.Nsecs, "", "1.5", "9223372036854775808", "nan", "0x1")
	_, err := value.Double.Parse(strings.Repeat("9x", 1000))
	if err == nil || len(err.Error()) > 80 {
		t.Errorf("an error repeats all of a long text: %v", err)
	}
}

// refusals are what is said of texts that are not values of simple types.
var refusals = map[string]string{
	"bool": "is neither true nor false", "int": "is not a whole number of 32 bits", "double": "is not a number", "time": "is not a time in nanoseconds",
}

func refuse[T any](t *testing.T, codec *value.Codec[T], texts ...string) {
	t.Helper()
	for _, text := range texts {
		if v, err := codec.Parse(text); err == nil {
			t.Errorf("%s reads %q as %v", codec.Type, text, v)
		} else if !strings.Contains(err.Error(), cmp.Or(refusals[string(codec.Type)], "is not of type "+string(codec.Type))) {
			t.Errorf("%s %q: %v", codec.Type, text, err)
		}
	}
}

// TestDoubleText: clients read nan, +inf, -inf and plain numbers, no other spelling.
func TestDoubleText(t *testing.T) {
	for text, v := range map[string]float64{
		"nan": math.NaN(), "+inf": math.Inf(1), "-inf": math.Inf(-1), "0.1": 0.1, "-0": math.Copysign(0, -1), "1e+300": 1e300,
		"0.30000000000000004": 0.30000000000000004, "5e-324": math.SmallestNonzeroFloat64,
	} {
		if got := string(value.Double.Append(nil, v)); got != text {
			t.Errorf("%v is printed as %s, not %s", v, got, text)
		}
	}
}

// same compares bit by bit, so that NaN and the sign of zero count.
func same[T any](codec *value.Codec[T], a, b T) bool {
	wa, wb := make([]uint64, codec.Words(a)), make([]uint64, codec.Words(b))
	codec.Put(wa, &a)
	codec.Put(wb, &b)
	for i := range wa {
		if wa[i] != wb[i] {
			return false
		}
	}
	return len(wa) == len(wb)
}

// roundTrip takes a value through its text and through its words.
func roundTrip[T any](t *testing.T, codec *value.Codec[T], v T) {
	t.Helper()
	text := string(codec.Append(nil, v))
	back, err := codec.Parse(text)
	if err != nil || !same(codec, v, back) {
		t.Errorf("%s %v is printed as %s and read as %v, %v", codec.Type, v, text, back, err)
	}
	words := make([]uint64, codec.Words(v)+1)
	words[len(words)-1] = 99
	codec.Put(words[:len(words)-1], &v)
	var again T
	codec.Get(words, &again)
	if !same(codec, v, again) || words[len(words)-1] != 99 {
		t.Errorf("%s %v comes back from words as %v", codec.Type, v, again)
	}
	codec.Put(nil, &v) // no room, no panic
	codec.Get(nil, &again)
	if !same(codec, v, again) {
		t.Errorf("%s %v: no words make it %v", codec.Type, v, again)
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, bits := range []uint64{0, 1, math.MaxUint64, 1 << 63, math.Float64bits(0.1), math.Float64bits(math.NaN()), math.Float64bits(math.Inf(-1))} {
		f.Add(bits)
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		roundTrip(t, &value.Bool, bits&1 != 0)
		roundTrip(t, &value.Int, int32(bits))
		roundTrip(t, &value.Nsecs, value.Time(bits))
		d := math.Float64frombits(bits)
		if d != d {
			d = math.NaN() // text knows only one
		}
		roundTrip(t, &value.Double, d)
	})
}

// FuzzParse: whatever is read is printed as something that reads the same, and doubles are read as Go reads them.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"true", "-12", "3.0", "1e999", "nan", "Infinity", "0x1p-2", "+-inf", "1_0", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := value.Bool.Parse(text); err == nil {
			roundTrip(t, &value.Bool, v)
		}
		if v, err := value.Int.Parse(text); err == nil {
			roundTrip(t, &value.Int, v)
			if d, err := value.Double.Parse(text); err != nil || d != float64(v) {
				t.Errorf("int %q is %d, double is %v, %v", text, v, d, err)
			}
		}
		if v, err := value.Nsecs.Parse(text); err == nil {
			roundTrip(t, &value.Nsecs, v)
		}
		if v, err := value.Double.Parse(text); err == nil {
			roundTrip(t, &value.Double, v)
			if want, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && want == want && want != v {
				t.Errorf("double %q is %v, not %v", text, v, want)
			}
		}
	})
}

func TestOf(t *testing.T) {
	if value.Of[bool]() != &value.Bool || value.Of[int32]() != &value.Int || value.Of[float64]() != &value.Double ||
		value.Of[value.Time]() != &value.Nsecs || value.Of[string]() != &value.Text {
		t.Error("a type has the codec of another")
	}
	defer func() {
		if recover() == nil {
			t.Error("int64 is a data type")
		}
	}()
	value.Of[int64]()
}

func TestNoAllocations(t *testing.T) {
	words, v, dst := make([]uint64, 1), 0.5, make([]byte, 0, 64)
	if n := alloc.Least(func() {
		value.Double.Put(words, &v)
		value.Double.Get(words, &v)
		dst = value.Double.Append(dst[:0], v)
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}
