package robotarm_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

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
