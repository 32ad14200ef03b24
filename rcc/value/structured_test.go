package value_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

type vec = geom.Vector

func TestParseStructured(t *testing.T) {
	accept(t, value.Of[vec](), map[string]vec{
		"{x:1,y:2,z:3}": {X: 1, Y: 2, Z: 3}, "{z:3,x:1,y:2}": {X: 1, Y: 2, Z: 3}, "{}": {}, "{y:-1.5E-7}": {Y: -1.5e-7},
		" { x : 1 ,\ty\n:\r2 } ": {X: 1, Y: 2},
	})
	accept(t, value.Of[geom.Rotation](), map[string]geom.Rotation{
		"{a:0,b:0,c:0}": {}, "{}": {}, "{c:3,a:1,b:2}": geom.FromABC(1, 2, 3), "{ b : 0.5 }": geom.FromABC(0, 0.5, 0),
	})
	accept(t, value.Of[geom.Frame](), map[string]geom.Frame{
		"{pos:{x:1,y:2,z:3},rot:{a:1,b:2,c:3}}": {Pos: vec{X: 1, Y: 2, Z: 3}, Rot: geom.FromABC(1, 2, 3)},
		"{rot:{a:1},pos:{}}":                    {Rot: geom.FromABC(1, 0, 0)}, "{}": {},
	})
	accept(t, value.Of[geom.Twist](), map[string]geom.Twist{
		"{vel:{x:1,y:2,z:3},rot:{x:4,y:5,z:6}}": {Vel: vec{X: 1, Y: 2, Z: 3}, Rot: vec{X: 4, Y: 5, Z: 6}},
		"{rot:{z:6}}":                           {Rot: vec{Z: 6}},
	})
	accept(t, value.Of[geom.Wrench](), map[string]geom.Wrench{
		"{torque:{x:4,y:5,z:6},force:{x:1,y:2,z:3}}": {Force: vec{X: 1, Y: 2, Z: 3}, Torque: vec{X: 4, Y: 5, Z: 6}},
	})
}

func TestParseLists(t *testing.T) {
	acceptDeep(t, "[true, false]", []bool{true, false})
	acceptDeep(t, "[1,-2 , 3.0]", []int32{1, -2, 3})
	acceptDeep(t, " [ 0.5,+inf,1.0E-5 ] ", []float64{0.5, math.Inf(1), 1e-5})
	acceptDeep(t, "[]", []float64{})
	acceptDeep(t, "[ ]", []geom.Frame{})
	acceptDeep(t, "[9223372036854775807]", []value.Time{math.MaxInt64})
	acceptDeep(t, "[{x:1},{}]", []vec{{X: 1}, {}})
	acceptDeep(t, "[{a:1}]", []geom.Rotation{geom.FromABC(1, 0, 0)})
	acceptDeep(t, "[{},{pos:{z:1}}]", []geom.Frame{{}, {Pos: vec{Z: 1}}})
	acceptDeep(t, "[{vel:{x:1}}]", []geom.Twist{{Vel: vec{X: 1}}})
	acceptDeep(t, "[{force:{x:1}}]", []geom.Wrench{{Force: vec{X: 1}}})
	acceptDeep(t, "[[1,2,3],[4,5,6]]", value.Matrix{Rows: 2, Cols: 3, V: []float64{1, 2, 3, 4, 5, 6}})
	acceptDeep(t, "[]", value.Matrix{V: []float64{}})
	acceptDeep(t, "[[],[]]", value.Matrix{Rows: 2, V: []float64{}})
}

func acceptDeep[T any](t *testing.T, text string, want T) {
	t.Helper()
	got, err := value.Of[T]().Parse(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s %q: %v, %v, not %v", value.Of[T]().Type, text, got, err, want)
	}
}

func TestParseStructuredRefuses(t *testing.T) {
	refuse(t, value.Of[vec](), "", "{", "}", "{x}", "{x:}", "{x:1", "{x:1,}", "{x:1 y:2}", "{x:1;y:2}", "{x:1}}", "{x:1}0", "{q:1}", "{X:1}",
		"{x:1,x:1}", "[1,2,3]", "1", "{x:{}}", "{:1}", "{\"x\":1}", "null")
	refuse(t, value.Of[geom.Rotation](), "{x:1}", "{a:one}")
	refuse(t, value.Of[geom.Frame](), "{pos:1}", "{pos:{a:1}}", "{pos:{},pos:{}}", "{x:1}")
	refuse(t, value.Of[geom.Twist](), "{force:{}}", "{vel:{x:1},rot:{a:1}}")
	refuse(t, value.Of[geom.Wrench](), "{vel:{}}")
	refuse(t, value.Of[[]float64](), "", "[", "]", "[1", "[1,", "[1,]", "[,]", "[1 2]", "[[1]]", "{}", "[1]]", "[x]", "1")
	refuse(t, value.Of[[]int32](), "[1.5]", "[2147483648]")
	refuse(t, value.Of[[]bool](), "[1]", "[true,]")
	refuse(t, value.Of[value.Matrix](), "[1,2]", "[[1,2],[3]]", "[[1],[]]", "[[],[1]]", "[[1]", "[[[1]]]")
	for text, reason := range map[string]string{
		"{x:1,q:2}": "\"q\" is none of its members x y z", "{x:1,x:2}": "member x is twice there", "{x:one}": "\"one\" is not a number",
		"{x:1} 2": "more behind its end", "{x:1": "} is missing",
	} {
		if _, err := value.Of[vec]().Parse(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v does not say %s", text, err, reason)
		}
	}
}

// TestParseIsBounded: a long text does not grow the daemon.
func TestParseIsBounded(t *testing.T) {
	elements := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("0,", n), ",") + "]" }
	if v, err := value.Of[[]bool]().Parse(strings.ReplaceAll(elements(value.MaxLength), "0", "true")); err != nil || len(v) != value.MaxLength {
		t.Error(len(v), err)
	}
	refuse(t, value.Of[[]float64](), elements(value.MaxLength+1), strings.Repeat("[", 1e6), "["+strings.Repeat("{", 1e6))
	row := elements(value.MaxLength / 2)
	refuse(t, value.Of[value.Matrix](), "["+row+","+row+","+row+"]", "["+strings.Repeat("[],", value.MaxLength)+"[]]")
	_, err := value.Of[geom.Frame]().Parse("{pos:{" + strings.Repeat("x", 1e6) + ":1}}")
	if err == nil || len(err.Error()) > 200 {
		t.Errorf("an error repeats all of a long text: %v", err)
	}
}

// TestStructuredText: exactly what clients read.
func TestStructuredText(t *testing.T) {
	v := vec{X: 1, Y: -0.5, Z: 1e300}
	prints(t, v, "{x:1,y:-0.5,z:1e+300}")
	prints(t, vec{X: math.NaN(), Y: math.Inf(1), Z: math.Inf(-1)}, "{x:nan,y:+inf,z:-inf}")
	prints(t, geom.FromABC(0.1, 0.2, -0.3), "{a:0.1,b:0.2,c:-0.3}")
	prints(t, geom.Rotation{}, "{a:0,b:0,c:0}")
	prints(t, geom.FromABC(math.NaN(), 0, 0), "{a:nan,b:nan,c:nan}")
	prints(t, geom.FromABC(0, math.Pi/2, 0), "{a:0,b:1.5707963267948966,c:0}")
	prints(t, geom.FromABC(0.5, -math.Pi/2, 0), "{a:0.5,b:-1.5707963267948966,c:0}")
	prints(t, geom.FromABC(1e-20, 0, 0), "{a:1e-20,b:0,c:0}")
	prints(t, geom.Frame{Pos: v, Rot: geom.FromABC(1, 0, 0)}, "{pos:{x:1,y:-0.5,z:1e+300},rot:{a:1,b:0,c:0}}")
	prints(t, geom.Twist{Vel: v}, "{vel:{x:1,y:-0.5,z:1e+300},rot:{x:0,y:0,z:0}}")
	prints(t, geom.Wrench{Torque: v}, "{force:{x:0,y:0,z:0},torque:{x:1,y:-0.5,z:1e+300}}")
	prints(t, []bool{true, false}, "[true,false]")
	prints(t, []int32{}, "[]")
	prints(t, []int32(nil), "[]")
	prints(t, []float64{1, 2.5}, "[1,2.5]")
	prints(t, []vec{{}, {X: 1}}, "[{x:0,y:0,z:0},{x:1,y:0,z:0}]")
	prints(t, zeros(t, 2, 3), "[[0,0,0],[0,0,0]]")
	prints(t, value.Matrix{}, "[]")
}

func prints[T any](t *testing.T, v T, want string) {
	t.Helper()
	if got := string(value.Of[T]().Append(nil, v)); got != want {
		t.Errorf("%s is printed as %s, not %s", value.Of[T]().Type, got, want)
	}
}

func TestInPlace(t *testing.T) {
	inPlace(t, []bool{true, false}, []bool{false, false})
	inPlace(t, []int32{1, -2}, []int32{0, 0})
	inPlace(t, []float64{1, math.Inf(1)}, []float64{0, 0})
	inPlace(t, []value.Time{1, 2}, []value.Time{0, 0})
	inPlace(t, []vec{{X: 1}, {Y: 2}}, make([]vec, 2))
	inPlace(t, []geom.Rotation{geom.FromABC(1, 2, 3), {}}, make([]geom.Rotation, 2))
	inPlace(t, []geom.Frame{{Pos: vec{X: 1}, Rot: geom.FromABC(1, 2, 3)}, {}}, make([]geom.Frame, 2))
	inPlace(t, []geom.Twist{{Vel: vec{X: 1}}, {}}, make([]geom.Twist, 2))
	inPlace(t, []geom.Wrench{{Torque: vec{X: 1}}, {}}, make([]geom.Wrench, 2))
	inPlace(t, value.Matrix{Rows: 2, Cols: 2, V: []float64{1, 2, 3, 4}}, zeros(t, 2, 2))
	inPlace(t, geom.Frame{Pos: vec{X: 1}, Rot: geom.FromABC(1, 2, 3)}, geom.Frame{})
	inPlace(t, geom.Twist{Vel: vec{X: 1}, Rot: vec{Y: 2}}, geom.Twist{})
	inPlace(t, geom.Wrench{Force: vec{X: 1}, Torque: vec{Y: 2}}, geom.Wrench{})
	inPlace(t, 1.5, 0.0)
}

// inPlace moves a value by words and by Copy to a place that has its size, and checks whether memory changes hands.
func inPlace[T any](t *testing.T, v, zero T) {
	t.Helper()
	codec := value.Of[T]()
	words := make([]uint64, codec.Words(v))
	got, copied := codec.Clone(zero), codec.Clone(zero)
	if n := alloc.Least(func() {
		codec.Put(words, &v)
		codec.Get(words, &got)
		codec.Copy(&copied, &v)
	}); n != 0 {
		t.Errorf("%s: %d allocations", codec.Type, n)
	}
	if !reflect.DeepEqual(got, v) || !reflect.DeepEqual(copied, v) {
		t.Errorf("%s: %v becomes %v by words and %v by Copy", codec.Type, v, got, copied)
	}
	own := codec.Clone(v)
	codec.Copy(&v, &zero)
	if !reflect.DeepEqual(v, zero) || reflect.DeepEqual(own, v) || reflect.DeepEqual(got, v) || reflect.DeepEqual(copied, v) {
		t.Errorf("%s: memory has changed hands", codec.Type)
	}
	if err := codec.Fits(v, own); err != nil {
		t.Errorf("%s does not fit itself: %v", codec.Type, err)
	}
	for n := range words { // too few words, too few elements
		codec.Put(words[:n], &v)
		codec.Get(words[:n], &got)
	}
}

// TestLengths: what does not fit is refused at load, and does no harm in the cycle.
func TestLengths(t *testing.T) {
	codec := value.Of[[]float64]()
	three, two := []float64{1, 2, 3}, []float64{0, 0}
	codec.Copy(&two, &three)
	if err := codec.Fits(three, two); err == nil || err.Error() != "it has 3 elements, not 2" || two[1] != 2 {
		t.Error(err, two)
	}
	codec.Copy(&three, &[]float64{7})
	codec.Get([]uint64{0}, &three)
	if three[0] != 0 || three[2] != 3 {
		t.Error(three)
	}
	matrices := value.Of[value.Matrix]()
	small, large := value.Matrix{Rows: 1, Cols: 2, V: []float64{1, 2}}, zeros(t, 2, 3)
	matrices.Copy(&large, &small)
	if large.At(0, 1) != 2 || large.At(1, 0) != 0 || matrices.Fits(small, large) == nil {
		t.Error(large)
	}
	large.Set(2, 0, 1)
	large.Set(0, 3, 1)
	large.Set(-1, 0, 1)
	large.Set(1, 2, 9)
	if large.At(2, 0) != 0 || large.At(0, 3) != 0 || large.At(-1, 0) != 0 || large.At(1, -1) != 0 || large.At(1, 2) != 9 {
		t.Error(large)
	}
}

func zeros(t *testing.T, rows, cols int32) value.Matrix {
	t.Helper()
	m, err := value.NewMatrix(rows, cols)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLengthsAreBounded before memory is taken.
func TestLengthsAreBounded(t *testing.T) {
	for _, n := range []int32{-1, math.MinInt32, value.MaxLength + 1, math.MaxInt32} {
		if v, err := value.NewArray[geom.Frame](n); err == nil || len(v) > 0 {
			t.Errorf("an array of %d", n)
		}
		for _, rows := range []int32{n, 0, 1 << 9, -n} {
			if _, err := value.NewMatrix(rows, n); err == nil {
				t.Errorf("a matrix of %d x %d", rows, n)
			}
		}
	}
	if v, err := value.NewArray[bool](value.MaxLength); err != nil || len(v) != value.MaxLength {
		t.Error(len(v), err)
	}
	if m := zeros(t, 0, 3); len(m.V) != 0 || m.Cols != 3 {
		t.Error("a matrix without rows")
	}
}

func TestElement(t *testing.T) {
	if e, ok := value.ArrayOf(value.TypeFrame).Element(); e != value.TypeFrame || !ok {
		t.Error(e, ok)
	}
	if _, ok := value.TypeFrame.Element(); ok || value.Of[[]geom.Frame]().Type != "array<frame>" {
		t.Error("names of array types")
	}
}

// FuzzStructured: no text is too strange for a parser, and what it reads is printed such that the same is read again.
func FuzzStructured(f *testing.F) {
	for _, text := range []string{
		"{x:1,y:-2.5,z:1e300}", "{a:0.1,b:1.5707963267948966,c:-3.141592653589793}", "{pos:{x:1},rot:{a:nan}}", "{vel:{},rot:{z:+inf}}",
		"{ torque : { y : 1 } , force : {} }", "[1,2.5,-inf]", "[true,false]", "[{},{a:1}]", "[{pos:{x:1},rot:{b:1}},{}]", "[[1,2],[3,4]]", "[]", "{x:1,x:1}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		again[geom.Vector](t, text, exactly)
		again[geom.Rotation](t, text, inText)
		again[geom.Frame](t, text, inText)
		again[geom.Twist](t, text, exactly)
		again[geom.Wrench](t, text, exactly)
		again[value.Matrix](t, text, exactly)
		again[[]bool](t, text, exactly)
		again[[]int32](t, text, exactly)
		again[[]float64](t, text, exactly)
		again[[]value.Time](t, text, exactly)
		again[[]geom.Vector](t, text, exactly)
		again[[]geom.Rotation](t, text, inText)
		again[[]geom.Frame](t, text, inText)
		again[[]geom.Twist](t, text, exactly)
		again[[]geom.Wrench](t, text, exactly)
	})
}

// This stays the same when a value is printed and read again: the value, or, with rotations, its next text.
const (
	exactly = true
	inText  = false
)

func again[T any](t *testing.T, text string, exact bool) {
	t.Helper()
	codec := value.Of[T]()
	v, err := codec.Parse(text)
	if err != nil {
		if len(err.Error()) > 600 {
			t.Errorf("%s: a long error: %v", codec.Type, err)
		}
		return
	}
	printed := string(codec.Append(nil, v))
	next, err := codec.Parse(printed)
	if err != nil {
		t.Fatalf("%s %q is printed as %q: %v", codec.Type, text, printed, err)
	}
	if err := codec.Fits(next, v); err != nil {
		t.Errorf("%s %q is printed as %q: %v", codec.Type, text, printed, err)
	}
	if exact && !same(codec, v, next) || string(codec.Append(nil, next)) != printed {
		t.Errorf("%s %q is printed as %q, which is another value", codec.Type, text, printed)
	}
	if strings.ContainsAny(printed, " \t\n") {
		t.Errorf("blanks in %q", printed)
	}
}

// FuzzRotation: the words of a rotation are that rotation.
func FuzzRotation(f *testing.F) {
	f.Add(1.0, 0.5, -0.3, 0.1)
	f.Fuzz(func(t *testing.T, x, y, z, w float64) {
		codec := value.Of[geom.Rotation]()
		v := geom.FromQuaternion(x, y, z, w)
		words, got := make([]uint64, 4), geom.Rotation{}
		codec.Put(words, &v)
		if codec.Get(words, &got); !same(codec, got, v) {
			t.Errorf("the words of %v are %v", v, got)
		}
	})
}

func BenchmarkText(b *testing.B) {
	v := geom.Frame{Pos: vec{X: 0.1, Y: 0.25, Z: 1}, Rot: geom.FromABC(0.1, 0.2, 0.3)}
	for name, v := range map[string]geom.Frame{"read": v, "computed": v.Mul(v)} {
		text := value.Of[geom.Frame]().Append(nil, v)
		b.Run("Append/"+name, func(b *testing.B) {
			for b.Loop() {
				text = value.Of[geom.Frame]().Append(text[:0], v)
			}
		})
		b.Run("Parse/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := value.Of[geom.Frame]().Parse(string(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWords(b *testing.B) {
	seven, frame := make([]float64, 7), geom.Frame{}
	words := make([]uint64, 7)
	b.Run("sevenDoubles", func(b *testing.B) {
		codec := value.Of[[]float64]()
		for b.Loop() {
			codec.Put(words, &seven)
			codec.Get(words, &seven)
		}
	})
	b.Run("frame", func(b *testing.B) {
		codec := value.Of[geom.Frame]()
		for b.Loop() {
			codec.Put(words, &frame)
			codec.Get(words, &frame)
		}
	})
	b.Run("sevenInts", func(b *testing.B) {
		codec, seven := value.Of[[]int32](), make([]int32, 7)
		for b.Loop() {
			codec.Put(words, &seven)
			codec.Get(words, &seven)
		}
	})
}
