package pages

import (
	"encoding/xml"
	"net/http"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// startView is what the daemon says of itself, and where everything is.
type startView struct {
	XMLName   xml.Name         `xml:"rccd" json:"-"`
	Version   string           `xml:"version,attr" json:"version"`
	Realtime  string           `xml:"realtime,attr" json:"realtime"`
	Addresses []addressView    `xml:"address" json:"addresses"`
	Nets      []facts.NetEntry `xml:"-" json:"-"`
}

type addressView struct {
	URI string `xml:"uri,attr" json:"uri"`
	Doc string `xml:"desc,attr" json:"description"`
}

// addressDocs say what is at the addresses that have no name in them.
var addressDocs = map[string]string{
	"/cell/":           "arms as they move, and the nets that run",
	"/pride/":          "the application that draws what nets consist of",
	"/nets/":           "all nets; a POST loads one",
	"/eval/":           "a net evaluated for one cycle, which commands nothing",
	"/preview/":        "nets and rules tried out with simulated twins of all devices",
	"/realtime/":       "how well ticks are kept, and what was late",
	"/rules/":          "rules that switch between nets",
	"/slots/":          "which net runs on which executor",
	"/sessions/":       "nets that belong together",
	"/devices/":        "devices and their types; a POST creates one",
	"/primitives/":     "all primitives with ports, parameters and examples",
	"/catalogue.json":  "the same for programs",
	"/modules/":        "the same as existing clients ask for it",
	"/modulesdetails/": "the same with all details",
	"/types/":          "data types of ports and parameters",
	"/extensions/":     "extensions that are loaded, and those that could be",
	"/healthz":         "the health of the daemon, for monitoring",
	"/metrics":         "figures for Prometheus",
	"/log/":            "the newest lines of the log",
	"/clock":           "the time of the cell; a POST lets virtual time go on",
}

func showStart(x *exchange) error {
	view := startView{Version: x.opt.Version, Realtime: x.opt.Realtime().Word, Nets: x.netsView().Nets}
	for _, r := range x.routes {
		if r.get != nil && !strings.Contains(r.pattern, "{") && r.pattern != "/" && r.pattern != favicon {
			view.Addresses = append(view.Addresses, addressView{r.pattern, addressDocs[r.pattern]})
		}
	}
	return x.show(http.StatusOK, "start", view)
}

// healthView is for those who watch over the daemon.
type healthView struct {
	Status    string         `json:"status"` // "late" when the record of the last minute is not clean; the daemon lives all the same
	Version   string         `json:"version,omitempty"`
	Instance  string         `json:"instance"`
	Realtime  string         `json:"realtime"`
	Reason    string         `json:"reason,omitempty"`
	Facts     []factView     `json:"facts"`
	Notes     []noteView     `json:"notes,omitempty"`
	Open      []string       `json:"open,omitempty"` // addresses at which any client can command
	Incidents uint64         `json:"incidents"`
	Late      uint64         `json:"late"`     // ticks since the start
	Missed    uint64         `json:"missed"`   // ticks since the start
	Overruns  uint64         `json:"overruns"` // cycles since the start
	Nets      int            `json:"nets"`
	States    map[string]int `json:"states"`
}

func showHealth(x *exchange) error {
	state := x.opt.Realtime()
	view := healthView{
		Status: "ok", Version: x.opt.Version, Instance: x.core.Instance(), Realtime: state.Word, Reason: state.Reason, Facts: factsOf(state), Notes: notesOf(state), Open: x.open(),
		States: map[string]int{},
	}
	view.Incidents, _ = x.core.Executors.Incidents()
	tally := x.core.Executors.Tally()
	view.Late, view.Missed, view.Overruns = tally.Late, tally.Missed, tally.Overruns
	for _, f := range state.Facts {
		if f.Name == "record" {
			view.Status = map[bool]string{true: "ok", false: f.State}[f.OK]
		}
	}
	for _, n := range x.core.Nets.All() {
		view.Nets++
		view.States[n.State().String()]++
	}
	body, err := facts.JSON(view)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

// stateClass returns the style of a state: a word per group of states, so that colour is never the only sign.
func stateClass(state string) string {
	switch state {
	case rcc.Running.String(), "operational", rcc.RuleFired.String(), "full":
		return "good"
	case rcc.Rejected.String(), "offline", rcc.RuleFailed.String():
		return "bad"
	case rcc.Cancelling.String(), "safe-operational", rcc.Scheduled.String(), rcc.RuleActive.String(), "degraded", "checking":
		return "busy"
	}
	return "calm"
}
