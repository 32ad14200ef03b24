package pages

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/directio/facts"
)

// TestIdleParameters: at no address is a parameter passed over that has no effect.
func TestIdleParameters(t *testing.T) {
	c := newCell(t, Options{})
	tried := 0
	for _, r := range routes() {
		path := strings.NewReplacer("{", "", "}", "").Replace(r.pattern) // the names need not be there: nobody gets as far
		for method, h := range map[string]handler{http.MethodGet: r.get, http.MethodHead: r.get, http.MethodPost: r.post} {
			known := r.parameters(method)
			if h == nil {
				if method == http.MethodPost && r.takes != nil || method == http.MethodGet && r.asks != nil {
					t.Errorf("%s %s takes parameters, and is not there", method, r.pattern)
				}
				continue
			}
			if len(known) > 0 && known[0].name == byPage[0].name {
				continue // TestIdlePageParameters
			}
			tried++
			a := c.answer(request(method, path+"?nonsense=1", "", "Accept", forJSON))
			if a.StatusCode != http.StatusBadRequest || method != http.MethodHead && !strings.Contains(a.text, `"code":"parameter","where":"parameter nonsense"`) {
				t.Errorf("%s %s?nonsense=1: %d %s", method, path, a.StatusCode, a.text)
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d addresses", tried)
	}
}

// TestIdleBesideOthers: a parameter that another one makes idle is refused, and loads nothing.
func TestIdleBesideOthers(t *testing.T) {
	c := newCell(t, Options{})
	const text = `{outTerminate=Core::BooleanValue().outValue}`
	for query, want := range map[string]string{
		"frequency=0.01":                          "it has no effect: it has an effect only with useparams=1",
		"isrealtime=0":                            "it has no effect: it has an effect only with useparams=1",
		"useparams=0&frequency=0.01":              "it has no effect: it has an effect only with useparams=1",
		"useparams=1&frequency=0.01&cycle=1ms":    "it has no effect: cycle counts",
		"useparams=1&isrealtime=1&realtime=0":     "it has no effect: isrealtime counts",
		"desc=a&desc=b":                           "given twice, and only the first one counts",
		"name=x":                                  "it has no effect here; this address takes desc, session, cycle, useparams, refusal, realtime, isrealtime, frequency",
		"useparams=1&frequency=0.01&isrealtime=0": "",
		"cycle=10ms&desc=x&refusal=end":           "",
	} {
		nets := len(c.Nets.All())
		a := c.answer(request("POST", "/nets/?"+query, text, "Accept", forJSON, "Content-Type", "text/plain"))
		if want == "" {
			if a.StatusCode != http.StatusCreated {
				t.Errorf("%s: %d %s", query, a.StatusCode, a.text)
			}
			continue
		}
		if a.StatusCode != http.StatusBadRequest || !strings.Contains(a.text, want) {
			t.Errorf("%s: %d %s", query, a.StatusCode, a.text)
		}
		if len(c.Nets.All()) != nets {
			t.Errorf("%s: it is loaded", query)
		}
	}
	if a := c.answer(request("POST", "/nets/?refusal=perhaps", text, "Accept", forJSON, "Content-Type", "text/plain")); a.StatusCode != http.StatusBadRequest ||
		!strings.Contains(a.text, `\"perhaps\" is neither continue nor end`) {
		t.Errorf("%d %s", a.StatusCode, a.text)
	}
}

// TestIdlePageParameters: neither do pages that devices bring, of all devices that can be had without a wire.
func TestIdlePageParameters(t *testing.T) {
	c := withArms(t)
	tried := 0
	for _, of := range devices.Types() {
		name := "a-" + of.Name
		if c.Devices.Create(name, of.Name, nil) != nil {
			continue // it needs something else
		}
		var d struct{ Pages []struct{ URI string } }
		if err := json.Unmarshal([]byte(c.answer(request("GET", facts.DeviceURI(name), "", "Accept", forJSON)).text), &d); err != nil {
			t.Fatal(err)
		}
		for _, page := range d.Pages {
			tried++
			if a := c.answer(request("GET", page.URI+"?nonsense=1", "", "Accept", forJSON)); a.StatusCode != http.StatusBadRequest {
				t.Errorf("GET %s?nonsense=1: %d %s", page.URI, a.StatusCode, a.text)
			}
			for address, body := range map[string]string{page.URI + "?nonsense=1": "", page.URI: "nonsense=1"} {
				a := c.answer(request("POST", address, body, "Accept", forJSON, "Content-Type", "application/x-www-form-urlencoded"))
				if a.StatusCode != http.StatusBadRequest && a.StatusCode != http.StatusConflict { // of a page that takes nothing
					t.Errorf("POST %s with %q: %d %s", address, body, a.StatusCode, a.text)
				}
			}
		}
	}
	if tried < 12 {
		t.Errorf("only %d pages", tried)
	}
}
