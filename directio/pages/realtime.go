package pages

import (
	"encoding/xml"
	"net/http"
	"slices"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// realtimeView is how far nets are executed in real time (§7.5), and what has gone wrong so far.
type realtimeView struct {
	XMLName   xml.Name         `xml:"realtime" json:"-"`
	State     string           `xml:"state,attr" json:"state"`
	Reason    string           `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Total     uint64           `xml:"total,attr" json:"total"` // of incidents, also of those that are not kept any more
	Facts     []factView       `xml:"fact" json:"facts"`
	Notes     []noteView       `xml:"note" json:"notes"`
	CPUs      []cpuView        `xml:"cpu" json:"cpus"`
	Executors []facts.Executor `xml:"executor" json:"executors"`
	Incidents []facts.Incident `xml:"incident" json:"incidents"` // the newest first
}

// factView is a Fact.
type factView struct {
	Name  string `xml:"name,attr" json:"name"`
	OK    bool   `xml:"ok,attr" json:"ok"`
	State string `xml:"state,attr" json:"state"`
	Text  string `xml:"text,attr" json:"text"`
}

func factsOf(s State) []factView {
	list := []factView{}
	for _, f := range s.Facts {
		list = append(list, factView(f))
	}
	return list
}

// noteView is a Note.
type noteView struct {
	What    string `xml:"what,attr" json:"what"`
	Command string `xml:"command,attr,omitempty" json:"command,omitempty"`
}

// cpuView is what the nets that run take of a CPU, in percent. More than the limit is not started (ADR 0034).
type cpuView struct {
	CPU   *int    `xml:"number,attr,omitempty" json:"cpu,omitempty"` // empty for all that executors may use
	Taken float64 `xml:"taken,attr" json:"taken"`
	Limit float64 `xml:"limit,attr,omitempty" json:"limit,omitempty"` // none without
}

func showRealtime(x *exchange) error {
	s := x.opt.Realtime()
	view := realtimeView{State: s.Word, Reason: s.Reason, Facts: factsOf(s), Notes: notesOf(s), CPUs: x.cpus(), Executors: facts.Executors(x.core)}
	view.Total, view.Incidents = x.incidents(everyIncident)
	return x.show(http.StatusOK, "realtime", view)
}

func (x *exchange) cpus() []cpuView {
	list := []cpuView{}
	for _, c := range x.core.Executors.CPUs() {
		view := cpuView{Taken: c.Taken.Percent(), Limit: c.Limit.Percent()}
		if c.Number >= 0 {
			view.CPU = &c.Number
		}
		list = append(list, view)
	}
	return list
}

func notesOf(s State) []noteView {
	list := []noteView{}
	for _, n := range s.Notes {
		list = append(list, noteView(n))
	}
	return list
}

// incidents returns how many there have been, and the kept ones that are wanted, the newest first.
func (x *exchange) incidents(wanted func(rcc.Incident) bool) (total uint64, list []facts.Incident) {
	total, kept := x.core.Executors.Incidents()
	list = []facts.Incident{}
	for _, i := range slices.Backward(kept) {
		if wanted(i) {
			list = append(list, facts.IncidentOf(x.core, i))
		}
	}
	return total, list
}

func everyIncident(rcc.Incident) bool { return true }

// Kept returns how many incidents can still be shown.
func (v realtimeView) Kept() uint64 { return uint64(len(v.Incidents)) }

// shownIncidents are in sight; the others are folded.
const shownIncidents = 20

// Newest and Older return the incidents that are shown, and the others.
func (v realtimeView) Newest() []facts.Incident {
	return v.Incidents[:min(len(v.Incidents), shownIncidents)]
}
func (v realtimeView) Older() []facts.Incident { return v.Incidents[len(v.Newest()):] }

// slotsView is the table of §8.3.
type slotsView struct {
	XMLName xml.Name   `xml:"slots" json:"-"`
	Slots   []slotView `xml:"slot" json:"slots"`
}

// slotView is a row: nets that never run at once, as all of them need the common resources.
type slotView struct {
	Number   int            `xml:"number,attr" json:"number"`
	Period   string         `xml:"period,attr" json:"period"`
	Realtime bool           `xml:"realtime,attr" json:"realtime"`
	CPU      *int           `xml:"cpu,attr,omitempty" json:"cpu,omitempty"` // empty for any CPU
	Nets     []slotNet      `xml:"net" json:"nets"`
	Common   []slotResource `xml:"resource" json:"common"`
}

type slotNet struct {
	URI   string `xml:"uri,attr" json:"uri"`
	Name  string `xml:"name,attr" json:"name"`
	State string `xml:"status,attr" json:"state"`
}

type slotResource struct {
	Device  string `xml:"device,attr" json:"device"`
	Channel string `xml:"channel,attr,omitempty" json:"channel,omitempty"`
}

func listSlots(x *exchange) error {
	view := slotsView{Slots: []slotView{}}
	for _, s := range x.core.Executors.Slots() {
		row := slotView{Number: s.Number, Period: s.Period.String(), Realtime: s.Realtime, Nets: []slotNet{}, Common: []slotResource{}}
		if s.CPU >= 0 {
			row.CPU = &s.CPU
		}
		for _, n := range s.Nets {
			row.Nets = append(row.Nets, slotNet{facts.NetURI(n.Name()), n.Name(), n.State().String()})
		}
		for _, r := range s.Common {
			row.Common = append(row.Common, slotResource(r))
		}
		view.Slots = append(view.Slots, row)
	}
	return x.show(http.StatusOK, "slots", view)
}
