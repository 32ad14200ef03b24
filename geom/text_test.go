package geom_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/text"
)

// form is what all types have.
type form interface {
	encoding.TextMarshaler
	encoding.TextAppender
	fmt.Stringer
}

// TestTexts: one text for each type, in all the ways in which a program may ask for it.
func TestTexts(t *testing.T) {
	v := geom.Vector{X: 1, Y: -0.5, Z: 1e300}
	r := geom.FromABC(0.1, 0.2, -0.3)
	texts(t, v, geom.ParseVector, "{x:1,y:-0.5,z:1e+300}")
	texts(t, geom.Vector{X: math.Inf(1), Y: math.Inf(-1), Z: math.Copysign(0, -1)}, geom.ParseVector, "{x:+inf,y:-inf,z:-0}")
	texts(t, r, geom.ParseRotation, "{a:0.1,b:0.2,c:-0.3}")
	texts(t, geom.Rotation{}, geom.ParseRotation, "{a:0,b:0,c:0}")
	texts(t, geom.FromABC(0.5, -math.Pi/2, 0), geom.ParseRotation, "{a:0.5,b:-1.5707963267948966,c:0}")
	texts(t, geom.Frame{Pos: v, Rot: r}, geom.ParseFrame, "{pos:{x:1,y:-0.5,z:1e+300},rot:{a:0.1,b:0.2,c:-0.3}}")
	texts(t, geom.Twist{Vel: v}, geom.ParseTwist, "{vel:{x:1,y:-0.5,z:1e+300},rot:{x:0,y:0,z:0}}")
	texts(t, geom.Wrench{Torque: v}, geom.ParseWrench, "{force:{x:0,y:0,z:0},torque:{x:1,y:-0.5,z:1e+300}}")
	for _, v := range []form{geom.Vector{X: math.NaN()}, geom.FromABC(math.NaN(), 0, 0)} {
		if !strings.Contains(v.String(), "nan") {
			t.Error(v)
		}
	}
}

func texts[T interface {
	form
	comparable
}, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, v T, parse func(string) (T, error), want string,
) {
	t.Helper()
	marshalled, err := v.MarshalText()
	appended, errAppend := v.AppendText([]byte("v="))
	if string(marshalled) != want || string(appended) != "v="+want || v.String() != want || err != nil || errAppend != nil {
		t.Errorf("%s, %s, %v instead of %s", marshalled, appended, v, want)
	}
	if got, err := parse(want); got != v || err != nil {
		t.Errorf("%s is read as %v, %v", want, got, err)
	}
	var again T
	if err := P(&again).UnmarshalText([]byte(want)); again != v || err != nil {
		t.Errorf("%s is read as %v, %v", want, again, err)
	}
	if err := P(&again).UnmarshalText([]byte(want + "}")); again != v || err == nil {
		t.Errorf("a wrong text: %v, %v", again, err)
	}
}

func TestTextOfMembers(t *testing.T) {
	f, err := geom.ParseFrame(" { rot : { c : 3, a:1 } , pos:{ y : -1.5E-7 } } ")
	if want := (geom.Frame{Pos: geom.Vector{Y: -1.5e-7}, Rot: geom.FromABC(1, 0, 3)}); f != want || err != nil {
		t.Error(f, err)
	}
	if w, err := geom.ParseTwist("{}"); w != (geom.Twist{}) || err != nil {
		t.Error(w, err)
	}
}

// TestTextErrors: what is wrong and where.
func TestTextErrors(t *testing.T) {
	_, err := geom.ParseFrame("{pos:{x:1},rot:{a:0,x:1}}")
	var wrong *text.Error
	if !errors.As(err, &wrong) || wrong.At != 20 || err.Error() != `"{pos:{x:1},rot:{a:0,x:1}}" is no frame: "x" is none of its members a b c, at 20` {
		t.Error(err)
	}
	for in, at := range map[string]int{"": 0, "[1,2,3]": 0, "{x:one}": 3, "{x:1,x:2}": 5, "{x:1}}": 5, "{x:1 y:2}": 3, "{x:{}}": 3} {
		_, err := geom.ParseVector(in)
		if !errors.As(err, &wrong) || wrong.At != at || wrong.Type != "vector" {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestTextInJSON(t *testing.T) {
	type cell struct {
		Base geom.Frame
		Axis map[string]geom.Vector
	}
	want := cell{geom.Frame{Pos: geom.Vector{X: 0.25}, Rot: geom.FromABC(1, 0, 0)}, map[string]geom.Vector{"up": {Z: 1}}}
	data, err := json.Marshal(want)
	if golden := `{"Base":"{pos:{x:0.25,y:0,z:0},rot:{a:1,b:0,c:0}}","Axis":{"up":"{x:0,y:0,z:1}"}}`; string(data) != golden || err != nil {
		t.Errorf("%s, %v", data, err)
	}
	var got cell
	if err := json.Unmarshal(data, &got); got.Base != want.Base || got.Axis["up"] != want.Axis["up"] || err != nil {
		t.Error(got, err)
	}
}

// abc returns the text of three angles.
func abc(a, b, c float64) string {
	dst := text.AppendDouble([]byte("{a:"), a+0) // no -0
	dst = text.AppendDouble(append(dst, ",b:"...), b+0)
	dst = text.AppendDouble(append(dst, ",c:"...), c+0)
	return string(append(dst, '}'))
}

func rereads(t *testing.T, in string) {
	t.Helper()
	if v, err := geom.ParseRotation(in); err != nil || v.String() != in {
		t.Errorf("%s becomes %v, %v", in, v, err)
	}
}

// TestRotationText: written angles come back as they were written.
func TestRotationText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 4))
	for range samples {
		scale := math.Pow10(rnd.IntN(13))
		round := func(v float64) float64 { return math.Round(v*scale) / scale }
		a, b, c := round(rnd.Float64()*6.2-3.1), round(rnd.Float64()*3.08-1.54), round(rnd.Float64()*6.2-3.1)
		if math.Abs(b) != 2 { // beyond π/2 there are other angles
			rereads(t, abc(a, b, c))
		}
	}
	for _, in := range []string{
		"{a:1.0471975511965976,b:0,c:0}", "{a:0,b:1.0471975511965976,c:0}", "{a:0.7853981633974483,b:0,c:3.141592653589793}",
		"{a:0.5235987755982988,b:0.7853981633974483,c:-2.356194490192345}", "{a:0,b:1.5707963267948966,c:0}", "{a:1e-20,b:0,c:0}",
		"{a:3,b:1.5,c:-3}", "{a:0.3,b:1.57,c:0.2}", "{a:0.2,b:-1.570796326,c:0.1}",
	} {
		rereads(t, in)
	}
}

// TestDegrees: angles computed from degrees come back as well.
func TestDegrees(t *testing.T) {
	radians := func(degrees int) float64 { return float64(degrees) / 180 * math.Pi }
	for a := -180; a <= 180; a += 15 {
		for b := -75; b <= 75; b += 15 {
			for c := -165; c <= 180; c += 15 {
				rereads(t, abc(radians(a), radians(b), radians(c)))
			}
		}
	}
}

// TestComputedRotationText: the printed angles of any rotation are that rotation, and the next text is the same.
func TestComputedRotationText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range samples {
		v := geom.FromQuaternion(rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64())
		if i%8 == 0 { // close to where a and c turn about the same axis
			v = geom.FromABC(rnd.NormFloat64(), math.Pi/2-math.Pow(10, -rnd.Float64()*17), rnd.NormFloat64())
		}
		got, err := geom.ParseRotation(v.String())
		if off := v.To(got).Angle(); err != nil || !(off < 1e-13) {
			t.Fatalf("%v becomes %v, %v rad away, %v", v, got, off, err)
		}
		if got.String() != v.String() {
			t.Fatalf("%v becomes %v", v, got)
		}
	}
}

// FuzzTexts: no text is too strange, and what is read is printed such that the same is read again.
func FuzzTexts(f *testing.F) {
	for _, in := range []string{
		"{x:1,y:-2.5,z:1e300}", "{a:0.1,b:1.5707963267948966,c:-3.141592653589793}", "{pos:{x:1},rot:{a:nan}}", "{vel:{},rot:{z:+inf}}",
		"{ torque : { y : 1 } , force : {} }", "{x:1,x:1}", "{",
	} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		again(t, in, geom.ParseVector)
		again(t, in, geom.ParseRotation)
		again(t, in, geom.ParseFrame)
		again(t, in, geom.ParseTwist)
		again(t, in, geom.ParseWrench)
	})
}

func again[T form](t *testing.T, in string, parse func(string) (T, error)) {
	t.Helper()
	v, err := parse(in)
	if err != nil {
		if len(err.Error()) > 600 {
			t.Errorf("a long error: %v", err)
		}
		return
	}
	next, err := parse(v.String())
	if err != nil || next.String() != v.String() || strings.ContainsAny(v.String(), " \t\n") {
		t.Errorf("%q is printed as %v and then as %v, %v", in, v, next, err)
	}
}

// FuzzRotationText: the numbers that the fuzzer of texts does not find.
func FuzzRotationText(f *testing.F) {
	f.Add(1.0, 0.5, -0.3, 0.1)
	f.Add(0.5, 0.5, 0.5, 0.5)
	f.Add(0.0, 0.7071067811865476, 0.0, 0.7071067811865475)
	f.Fuzz(func(t *testing.T, x, y, z, w float64) {
		v := geom.FromQuaternion(x, y, z, w)
		next, err := geom.ParseRotation(v.String())
		if err != nil || next.String() != v.String() {
			t.Errorf("%v becomes %v, %v", v, next, err)
		}
		if off := v.To(next).Angle(); off > 1e-13 {
			t.Errorf("%v is %g away", v, off)
		}
	})
}
