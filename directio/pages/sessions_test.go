package pages

import (
	"net/url"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
)

// TestSessions opens, feeds and ends sessions, and tries what is not possible.
func TestSessions(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	c := furnished(t) // s1 has rpinet0, which runs, and rpinet2
	for _, tt := range []struct{ name, path, accept, body string }{
		{"open", "/sessions/", "", "desc=a b@host"},
		{"open_json", "/sessions/", forJSON, "desc=%3Cb%3E"},
		{"open_html", "/sessions/", browser, ""},
		{"load", "/sessions/s2/", "", "action=LOADNET&desc=x&dionet=" + url.QueryEscape(counting)},
		{"load_params", "/sessions/s2/", "", "action=LOADNETPARAM&frequency=0.005&isrealtime=0&dionet=" + url.QueryEscape(counting)},
		{"load_rejected", "/sessions/s2/", "", "action=LOADNET&dionet=" + url.QueryEscape(hopeless)},
		{"load_nothing", "/sessions/s2/", "", "action=LOADNET"},
		{"update", "/sessions/s2/", "", "action=UPDATE&rpinet3.inStep=2&rpinet4.inStep=3"},
		{"update_nothing", "/sessions/s2/", forJSON, "action=UPDATE"},
		{"update_html", "/sessions/s2/", browser, "action=UPDATE&rpinet3.inStep=4"},
		{"update_foreign", "/sessions/s2/", "", "action=UPDATE&rpinet0.inStep=2"},
		{"update_key", "/sessions/s2/", "", "action=UPDATE&rpinet3.inStep=9&rpinet3.inSpeed=2"},
		{"update_value", "/sessions/s2/", "", "action=UPDATE&rpinet3.inStep=9&rpinet4.inStep=fast"},
		{"unknown", "/sessions/s2/", "", "action=DANCE"},
		{"no_action", "/sessions/s2/", browser, ""},
		{"no_session", "/sessions/s9/", "", "action=TERMINATE"},
		{"end", "/sessions/s1/", "", "action=TERMINATE"},
		{"end_again", "/sessions/s1/", "", "action=TERMINATE"},
	} {
		r := request("POST", tt.path, tt.body, "Accept", tt.accept, "Content-Type", form)
		checkGolden(t, "session_"+tt.name, c.answer(r))
	}
	n, err := c.Nets.Get("rpinet3")
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Inputs()[0]; got != (rcc.KeyValue{Key: "inStep", Value: "4"}) {
		t.Errorf("a refused update has changed something: %v", got)
	}
	if n, err := c.Nets.Get("rpinet4"); err != nil || n.Period().String() != "5ms" || n.Realtime() || n.Session() != "s2" {
		t.Errorf("%v", err)
	}
	if _, err := c.Nets.Get("rpinet2"); err == nil {
		t.Error("a net of a session that was ended is still there")
	}
}

// TestScheduling has nets follow others, at the address that has it as a word.
func TestScheduling(t *testing.T) {
	c := furnished(t)
	for _, tt := range []struct{ name, path, body string }{
		{"unknown", "/nets/rpinet2/schedule", "after=rpinet9"},
		{"none", "/nets/rpinet9/schedule", "after=rpinet0"},
		{"after", "/nets/rpinet2/schedule?after=rpinet0", ""},
		{"rejected", "/nets/rpinet1/schedule", "takeovernet=rpinet0"},
		{"running", "/nets/rpinet0/schedule", "after="},
	} {
		checkGolden(t, "schedule_at_"+tt.name, c.answer(request("POST", tt.path, tt.body, "Accept", forJSON)))
	}
}
