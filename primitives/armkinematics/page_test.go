package armkinematics_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/primitives/armkinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// moved is an arm whose joint is somewhere.
type moved struct {
	still
	device.MultiJoint
}

func (moved) Joints() int { return 1 }
func (moved) Joint(int) device.JointState {
	return device.JointState{Measured: device.JointMotion{Pos: 0.25}}
}
func (m moved) Status() device.Status          { return m.still.Status() }
func (m moved) Interfaces() []device.Interface { return m.still.Interfaces() }
func (m moved) Close() error                   { return nil }

// TestPage asks in both directions, in the form of existing clients.
func TestPage(t *testing.T) {
	slide := slide()["arm"].(still)
	page := armkinematics.Interface().Pages[0]
	if !page.Fits(slide) || page.Path != slide.Interfaces()[0].Name {
		t.Error("an arm does not get the page")
	}
	for _, tt := range []struct {
		d               device.Device
		ask, xml, wrong string
	}{
		{slide, "", `<kinematics><joint nr="1" value="0"></joint><frame x="0" y="0" z="0" a="0" b="0" c="0"></frame></kinematics>`, ""},
		{moved{still: slide}, "", `<kinematics><joint nr="1" value="0.25"></joint><frame x="0.25" y="0" z="0" a="0" b="0" c="0"></frame></kinematics>`, ""},
		{moved{still: slide}, "j1=0.5", `<kinematics><joint nr="1" value="0.5"></joint><frame x="0.5" y="0" z="0" a="0" b="0" c="0"></frame></kinematics>`, ""},
		{slide, "x=0.75 j1=0.5", `<kinematics><joint nr="1" value="0.75"></joint><frame x="0.75" y="0" z="0" a="0" b="0" c="0"></frame></kinematics>`, ""},
		{slide, "x=2", `<kinematics><joint nr="1" value="nan"></joint><frame x="2" y="0" z="0" a="0" b="0" c="0"></frame></kinematics>`, ""},
		{slide, "j2=0", "", "parameter j2: unknown question"},
		{slide, "z=inf", "", "parameter z: +Inf is not a position"},
		{slide, "j1=far", "", `parameter j1: "far" is not a number`},
	} {
		ask := map[string]string{}
		for _, field := range strings.Fields(tt.ask) {
			name, text, _ := strings.Cut(field, "=")
			ask[name] = text
		}
		view, err := page.View(tt.d, ask)
		if tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s: %v, not %q", tt.ask, err, tt.wrong)
			}
			continue
		}
		form, errForm := xml.Marshal(view)
		if diff := cmp.Diff(tt.xml, rounded(string(form))); diff != "" || err != nil || errForm != nil {
			t.Error(tt.ask, diff, err, errForm)
		}
	}
}

// rounded leaves out what is no more than the way that numbers are computed.
func rounded(form string) string {
	return regexp.MustCompile(`"[-0-9.e]+"`).ReplaceAllStringFunc(form, func(quoted string) string {
		v, err := strconv.ParseFloat(strings.Trim(quoted, `"`), 64)
		if err != nil {
			return quoted
		}
		return strconv.Quote(strconv.FormatFloat(math.Round(v*1e9)/1e9+0, 'g', -1, 64))
	})
}

// TestPageThereAndBack asks an arm for the joints of the place where it is.
func TestPageThereAndBack(t *testing.T) {
	arm, page := still{robots.LWR4()}, armkinematics.Interface().Pages[0]
	type answer struct {
		Joints []struct{ Value float64 }
		Frame  map[string]float64
		Status string
	}
	ask := func(numbers map[string]string) (a answer) {
		t.Helper()
		view, err := page.View(arm, numbers)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(view)
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	question := map[string]string{}
	for i := range 7 {
		question["j"+strconv.Itoa(i+1)] = strconv.FormatFloat(0.3+0.1*float64(i), 'g', -1, 64)
	}
	there := ask(question)
	for name, v := range there.Frame {
		question[name] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	back := ask(question)
	for i, j := range back.Joints {
		if want := there.Joints[i].Value; math.Abs(j.Value-want) > 1e-9 {
			t.Errorf("joint %d is %v, not %v", i+1, j.Value, want)
		}
	}
	if len(back.Joints) != 7 || back.Status != there.Status {
		t.Errorf("%+v", back)
	}
}

// TestPageDescribes: of the axes and the flange at 0 an application makes the same arm.
func TestPageDescribes(t *testing.T) {
	page := armkinematics.Interface().Pages[0]
	for _, r := range robots.All() {
		arm := r.Arm()
		view, err := page.View(still{arm}, map[string]string{"j1": "0.5"})
		if err != nil {
			t.Fatal(err)
		}
		var said struct {
			Axes []struct{ X, Y, Z, DX, DY, DZ float64 }
			Zero struct{ X, Y, Z, A, B, C float64 }
		}
		text, err := json.Marshal(view)
		if err := errors.Join(err, json.Unmarshal(text, &said)); err != nil {
			t.Fatal(err)
		}
		var axes []kinematics.Line
		var joints []kinematics.Joint
		for i, a := range said.Axes {
			axes = append(axes, kinematics.Line{Point: geom.Vector{X: a.X, Y: a.Y, Z: a.Z}, Direction: geom.Vector{X: a.DX, Y: a.DY, Z: a.DZ}})
			joints = append(joints, arm.Joint(i))
		}
		z := said.Zero
		built, err := kinematics.New(kinematics.AtZero(axes, joints, geom.Frame{Pos: geom.Vector{X: z.X, Y: z.Y, Z: z.Z}, Rot: geom.FromABC(z.A, z.B, z.C)}))
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, arm.Len())
		for i := range q {
			q[i] = 0.3 - 0.2*float64(i)
		}
		if got, want := built.Forward(q), arm.Forward(q); !got.Near(want, 1e-9, 1e-7) {
			t.Errorf("%s is at %v, not at %v", r.Name, got, want)
		}
	}
}
