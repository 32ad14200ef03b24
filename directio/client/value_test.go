package client_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// TestValues: what is printed is what the daemon prints, and reads back.
func TestValues(t *testing.T) {
	check(t, true, "true", value.Bool.Parse)
	check(t, int32(-7), "-7", value.Int.Parse)
	check(t, -2.5e-07, "-2.5e-07", value.Double.Parse)
	check(t, math.Inf(1), "+inf", value.Double.Parse)
	check(t, math.Inf(-1), "-inf", value.Double.Parse)
	check(t, []float64{1, 1e300, -0.1}, "[1,1e+300,-0.1]", value.Of[[]float64]().Parse)
	check(t, []bool{true, false}, "[true,false]", value.Of[[]bool]().Parse)
	check(t, []int32{}, "[]", value.Of[[]int32]().Parse)
	check(t, geom.Vector{X: 1, Y: -2}, "{x:1,y:-2,z:0}", value.Of[geom.Vector]().Parse)
	if text, err := client.Format(math.NaN()); err != nil || text != "nan" {
		t.Error(text, err)
	}
	for text, into := range map[string]any{
		"1": new(bool), "TRUE": new(bool), "2147483648": new(int32), "1.5": new(int32), "0x1p3": new(float64), "1_0": new(float64), "": new(float64),
		"1,2": new([]float64), "[1,]": new([]float64), "[1;2]": new([]float64), "[": new([]bool), "{x:1}": new(geom.Rotation), "7": new(chan int),
	} {
		if err := client.Parse(text, into); err == nil {
			t.Errorf("%q is read as %T", text, into)
		}
	}
	var n int
	var s string
	if err := client.Parse(" 12 ", &n); err != nil || n != 12 {
		t.Error(n, err)
	}
	if err := client.Parse("as it is", &s); err != nil || s != "as it is" {
		t.Error(s, err)
	}
	if _, err := client.Format(struct{}{}); err == nil {
		t.Error("there is a text for a structure")
	}
}

func check[T any](t *testing.T, v T, want string, parse func(string) (T, error)) {
	t.Helper()
	text, err := client.Format(v)
	if err != nil || text != want {
		t.Errorf("%v is printed as %s, %v", v, text, err)
	}
	var again T
	if err := client.Parse(text, &again); err != nil || !cmp.Equal(v, again) {
		t.Errorf("%s is read as %v, %v", text, again, err)
	}
	if theirs, err := parse(text); err != nil || !cmp.Equal(v, theirs) {
		t.Errorf("the daemon reads %s as %v, %v", text, theirs, err)
	}
}
