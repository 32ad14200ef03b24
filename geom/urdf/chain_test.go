package urdf_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/urdf"
)

// matrix is a homogeneous transformation. Texts are evaluated with matrices here, and with quaternions there.
type matrix [4][4]float64

func (a matrix) mul(b matrix) (c matrix) {
	for i := range 4 {
		for j := range 4 {
			for k := range 4 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func translation(x, y, z float64) matrix {
	return matrix{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}
}

// about returns the formula of Rodrigues.
func about(x, y, z, angle float64) matrix {
	n := math.Sqrt(x*x + y*y + z*z)
	x, y, z = x/n, y/n, z/n
	s, c := math.Sincos(angle)
	return matrix{
		{c + x*x*(1-c), x*y*(1-c) - z*s, x*z*(1-c) + y*s},
		{y*x*(1-c) + z*s, c + y*y*(1-c), y*z*(1-c) - x*s},
		{z*x*(1-c) - y*s, z*y*(1-c) + x*s, c + z*z*(1-c)},
		{3: 1},
	}
}

func pose(x, y, z, roll, pitch, yaw float64) matrix {
	return translation(x, y, z).mul(about(0, 0, 1, yaw)).mul(about(0, 1, 0, pitch)).mul(about(1, 0, 0, roll))
}

// away returns the largest difference of an element.
func (a matrix) away(f geom.Frame) (most float64) {
	r, at := f.Rot.Matrix(), [3]float64{f.Pos.X, f.Pos.Y, f.Pos.Z}
	for i := range 3 {
		for j := range 3 {
			most = max(most, math.Abs(a[i][j]-r[i][j]))
		}
		most = max(most, math.Abs(a[i][3]-at[i]))
	}
	return most
}

const exact = 1e-12

// TestFrames computes frames of the robot with everything by hand.
func TestFrames(t *testing.T) {
	m := parse(t, everything)
	got, err := m.Frames(map[string]float64{"a1": 0.7, "e1": 0.3, "w": -4, "f": 100})
	if err != nil {
		t.Fatal(err)
	}
	arm := pose(0.1, 0.2, 0.3, 0.1, 0.2, 0.3).mul(about(0, 0, -2, 0.7))
	slide := arm.mul(translation(0.3, 0, 0))
	want := map[string]matrix{
		"base":   translation(0, 0, 0),
		"arm":    arm,
		"slide":  slide,
		"wheel":  about(0, 1, 0, -4),
		"tool":   slide.mul(about(1, 0, 0, -2*0.3+0.5)),
		"finger": slide.mul(about(1, 0, 0, 3*(-2*0.3+0.5)-0.25)),
		"buoy":   translation(0, 0, 0),
		"puck":   translation(0, 0, 0),
	}
	for name, w := range want {
		if d := w.away(got[m.Link(name)]); d > exact {
			t.Errorf("%s is %g away", name, d)
		}
	}
}

func TestFramesWithoutValues(t *testing.T) {
	m := parse(t, `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
		<joint name="1" type="prismatic"><parent link="a"/><child link="b"/><limit lower="2" upper="3" velocity="1" effort="1"/></joint>
		<joint name="2" type="prismatic"><parent link="b"/><child link="c"/><limit lower="-7" upper="-5" velocity="1" effort="1"/></joint>
	</robot>`)
	frames, err := m.Frames(nil)
	if err != nil || frames[1].Pos.X != 2 || frames[2].Pos.X != -3 {
		t.Errorf("%v, %v; expected joints at the limit nearest to 0", frames, err)
	}
}

func TestFramesAreRefused(t *testing.T) {
	m := parse(t, everything)
	tests := []struct {
		values map[string]float64
		want   string
	}{
		{map[string]float64{"a1": 1, "e4": 2}, `there is no joint "e4", did you mean e1?`},
		{map[string]float64{"z": 1, "nobody": 1}, `there is no joint "nobody"`},
		{map[string]float64{"sea": 1}, `joint "sea" is floating, it has no value`},
	}
	for _, tt := range tests {
		if _, err := m.Frames(tt.values); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

func TestChainsAreRefused(t *testing.T) {
	m := parse(t, everything)
	tests := []struct{ base, tip, want string }{
		{"base", "toool", `there is no link "toool", did you mean tool?`},
		{"bas", "tool", `there is no link "bas", did you mean base?`},
		{"base", "buoy", `chain from "base" to "buoy": joint "sea" is floating`},
		{"puck", "base", `chain from "puck" to "base": joint "table" is planar`},
		{"base", "base", `chain from "base" to "base": a chain has 1 to 16 joints, not 0`},
		{"slide", "tool", `chain from "slide" to "tool": joint "e2" follows joint "e1", which is not on the way`},
	}
	for _, tt := range tests {
		if _, err := m.Chain(tt.base, tt.tip); err == nil || err.Error() != tt.want {
			t.Errorf("%s to %s: got %v, want %s", tt.base, tt.tip, err, tt.want)
		}
	}
	long := links("l", 18) + joints("l", 17)
	if _, err := parse(t, `<robot name="r">`+long+`</robot>`).Chain("l0", "l17"); err == nil {
		t.Error("17 joints are accepted")
	}
}

func links(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<link name="%s%d"/>`, prefix, i)
	}
	return b.String()
}

func joints(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<joint name="%d" type="continuous"><parent link="%[2]s%[1]d"/><child link="%[2]s%[3]d"/></joint>`, i, prefix, i+1)
	}
	return b.String()
}

func TestChainKnowsItsJoints(t *testing.T) {
	c, err := parse(t, everything).Chain("base", "tool")
	if err != nil {
		t.Fatal(err)
	}
	want := []kinematics.Joint{
		{Name: "a1", Kind: kinematics.Revolute, Min: -1.5, Max: 2.5, Velocity: 3, Effort: 40},
		{Name: "e1", Kind: kinematics.Prismatic, Min: 0, Max: 0.5, Velocity: 1, Effort: 500},
	}
	if c.Len() != len(want) || c.Links() != 3 {
		t.Fatalf("%d joints, %d links", c.Len(), c.Links())
	}
	for i, w := range want {
		if got := c.Joint(i); got != w {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
}

// TestChainsAgreeWithFrames compares, for random robots, every chain there is between two links with the frames of those.
func TestChainsAgreeWithFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 4))
	chains := 0
	for range 200 {
		text := randomRobot(r, 2+r.IntN(9))
		m := parse(t, text)
		values := map[string]float64{}
		for i := range m.Joints {
			if j := &m.Joints[i]; j.Kind <= urdf.Prismatic {
				values[j.Name] = min(max(3*r.NormFloat64(), j.Lower), j.Upper)
			}
		}
		frames, err := m.Frames(values)
		if err != nil {
			t.Fatal(err)
		}
		for base := range m.Links {
			for tip := range m.Links {
				c, err := m.Chain(m.Links[base].Name, m.Links[tip].Name)
				if err != nil {
					continue
				}
				chains++
				q := make([]float64, c.Len())
				for i := range q {
					q[i] = values[c.Joint(i).Name]
				}
				off := frames[base].To(frames[tip]).To(c.Forward(q)).Log()
				if !(off.Vel.Length() <= 1e-10 && off.Rot.Length() <= 1e-12) {
					t.Fatalf("from %s to %s: %v away\n%s", m.Links[base].Name, m.Links[tip].Name, off, text)
				}
			}
		}
	}
	if chains < 2000 {
		t.Errorf("only %d chains", chains)
	}
}

// randomRobot has joints of all kinds, some of which follow others or cannot move, in any order.
func randomRobot(r *rand.Rand, n int) string {
	number := func() float64 { return 2 * r.NormFloat64() }
	parts := []string{}
	for i := range n {
		parts = append(parts, fmt.Sprintf(`<link name="l%d"/>`, i))
	}
	var leaders []int
	for i := 1; i < n; i++ {
		kind := []string{"revolute", "continuous", "prismatic", "revolute", "continuous", "prismatic", "fixed", "floating"}[r.IntN(8)]
		limit := fmt.Sprintf(`<limit lower="%v" upper="%v" velocity="1" effort="1"/>`, -5*r.Float64(), 5*r.Float64())
		switch r.IntN(10) {
		case 0:
			limit = `<limit lower="0.5" upper="0.5" velocity="1" effort="1"/>`
		case 1, 2, 3:
			if len(leaders) > 0 && kind != "fixed" && kind != "floating" {
				limit = `<limit lower="-1e9" upper="1e9" velocity="1" effort="1"/>` +
					fmt.Sprintf(`<mimic joint="j%d" multiplier="%v" offset="%v"/>`, leaders[r.IntN(len(leaders))], float64(r.IntN(7)-3)/2, number())
			}
		}
		parts = append(parts, fmt.Sprintf(
			`<joint name="j%d" type="%s"><parent link="l%d"/><child link="l%d"/><origin xyz="%v %v %v" rpy="%v %v %v"/><axis xyz="%v %v %v"/>%s</joint>`,
			i, kind, r.IntN(i), i, number(), number(), number(), number(), number(), number(), number(), number(), number(), limit))
		if kind != "fixed" && kind != "floating" {
			leaders = append(leaders, i)
		}
	}
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return `<robot name="random">` + strings.Join(parts, "\n") + `</robot>`
}

func parse(t testing.TB, text string) *urdf.Model {
	t.Helper()
	m, err := urdf.Parse(text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return m
}

// FuzzParse looks that nothing panics, that problems have places, and that what is accepted is a tree with poses that are
// numbers, and reads back when it is written.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	r := rand.New(rand.NewPCG(1, 1))
	for range 5 {
		f.Add(randomRobot(r, 5))
	}
	for _, text := range refused(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := urdf.Parse(text)
		if err != nil {
			var refused *urdf.Error
			if !errors.As(err, &refused) {
				t.Fatalf("an error of another kind: %v", err)
			}
			for _, p := range refused.Problems {
				if p.Line < 1 || p.Column < 1 || p.Line > 1+strings.Count(text, "\n") || len(p.Message) > 1000 {
					t.Errorf("%v", p)
				}
			}
			return
		}
		if len(text) < 10_000 {
			rereads(t, m)
		}
		frames, err := m.Frames(nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range m.Links {
			if !frames[i].Pos.Finite() || !frames[i].Rot.Finite() {
				t.Errorf("link %q is at %v", l.Name, frames[i])
			}
			if len(l.Carries) > 0 || i > 1000 {
				continue
			}
			c, err := m.Chain(m.Links[m.Root].Name, l.Name)
			if err != nil {
				continue
			}
			q := make([]float64, c.Len())
			for k := range q {
				q[k] = min(max(0, c.Joint(k).Min), c.Joint(k).Max)
			}
			if at := c.Forward(q); !at.Pos.Finite() || !at.Rot.Finite() {
				t.Errorf("chain to link %q is at %v", l.Name, at)
			}
		}
	})
}
