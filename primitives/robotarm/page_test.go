package robotarm_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/primitives/robotarm"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestPage: both names have the page, in the form of existing clients.
func TestPage(t *testing.T) {
	arm := &record{}
	for i, announced := range arm.Interfaces() {
		kind := robotarm.Interfaces()[i]
		page := kind.Pages[0]
		if kind.Name != announced.Name || page.Path != announced.Name || !page.Fits(arm) {
			t.Errorf("%s has the page %s", announced.Name, page.Path)
		}
		view, err := page.View(arm, nil)
		if err != nil {
			t.Fatal(err)
		}
		form, err := xml.Marshal(view)
		want := `<robotarm><joint nr="0" measured="0.5" commanded="0.5"></joint><joint nr="1" measured="0" commanded="0"></joint></robotarm>`
		if diff := cmp.Diff(want, string(form)); diff != "" || err != nil {
			t.Error(diff, err)
		}
		form, err = json.Marshal(view)
		want = `{"joints":[{"nr":0,"measured":0.5,"commanded":0.5,"measuredVelocity":0,"commandedVelocity":0,"error":0,"fault":"good"},` +
			`{"nr":1,"measured":0,"commanded":0,"measuredVelocity":0,"commandedVelocity":0,"error":2,"fault":"drives are off"}]}`
		if diff := cmp.Diff(want, string(form)); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if err := page.Tell(arm, nil); !errors.Is(err, device.ErrTakesNothing) {
			t.Error(err)
		}
	}
}

// limited is an arm that knows its joints, of which the second slides, and remembers what it has refused.
type limited struct{ record }

func (*limited) JointModel(joint int) kinematics.Joint {
	if joint == 1 {
		return kinematics.Joint{Name: "E1", Kind: kinematics.Prismatic, Min: math.Inf(-1), Max: 2, Velocity: 1.5}
	}
	return kinematics.Joint{Name: "A1", Min: -3, Max: 3, Velocity: 2, Acceleration: 8, Jerk: 80, Effort: 100}
}

func (*limited) JointRefusal(joint int) (device.Refusal, bool) {
	return device.Refusal{Fault: device.JointLimitVelocity, Value: 1.75, Limit: 1.5, Time: 1e18, Cycle: 7}, joint == 1
}

// TestModelPage: applications hear what joints are and what was refused, people read it.
func TestModelPage(t *testing.T) {
	page := robotarm.Interfaces()[0].Pages[0]
	view, err := page.View(&limited{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	form, err := json.Marshal(view)
	want := `{"joints":[{"nr":0,"measured":0.5,"commanded":0.5,"measuredVelocity":0,"commandedVelocity":0,"error":0,"fault":"good",` +
		`"model":{"name":"A1","kind":"revolute","min":-3,"max":3,"velocity":2,"acceleration":8,"jerk":80,"effort":100}},` +
		`{"nr":1,"measured":0,"commanded":0,"measuredVelocity":0,"commandedVelocity":0,"error":2,"fault":"drives are off",` +
		`"model":{"name":"E1","kind":"prismatic","min":null,"max":2,"velocity":1.5,"acceleration":0,"jerk":0,"effort":0},` +
		`"refused":{"reason":"limit of velocity: 1.75 m/s, 1.5 is allowed","time":1000000000000000000,"cycle":7}}]}`
	if diff := cmp.Diff(want, string(form)); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for want, got := range map[string]reflect.Value{
		"A1: -3 to 3 rad, 2 rad/s, 8 rad/s², 80 rad/s³":                                   cell(view, 0, "Model"),
		"E1: -Inf to 2 m, 1.5 m/s":                                                        cell(view, 1, "Model"),
		"limit of velocity: 1.75 m/s, 1.5 is allowed, in cycle 7 at 2001-09-09T01:46:40Z": cell(view, 1, "Refused"),
	} {
		if text := fmt.Sprint(got.Interface()); text != want {
			t.Errorf("people read %q, not %q", text, want)
		}
	}
}

// cell returns what people see of a joint in a column.
func cell(view any, joint int, column string) reflect.Value {
	return reflect.ValueOf(view).FieldByName("Joints").Index(joint).FieldByName(column).Elem()
}
