package pages

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// realtimeView is how far nets are executed in real time (§7.5), and what has gone wrong so far.
type realtimeView struct {
	XMLName   xml.Name       `xml:"realtime" json:"-"`
	State     string         `xml:"state,attr" json:"state"`
	Reason    string         `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Total     uint64         `xml:"total,attr" json:"total"` // of incidents, also of those that are not kept any more
	Facts     []factView     `xml:"fact" json:"facts"`
	Notes     []noteView     `xml:"note" json:"notes"`
	CPUs      []cpuView      `xml:"cpu" json:"cpus"`
	Executors []executorView `xml:"executor" json:"executors"`
	Incidents []incidentView `xml:"incident" json:"incidents"` // the newest first
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
	CPU   *int    `xml:"number,attr,omitempty" json:"cpu,omitempty"` // nothing is all that executors may use
	Taken float64 `xml:"taken,attr" json:"taken"`
	Limit float64 `xml:"limit,attr,omitempty" json:"limit,omitempty"` // none without
}

// executorView is what runs the nets of one cycle time and class on one CPU. Times are in milliseconds.
type executorView struct {
	Period   string           `xml:"period,attr" json:"period"`
	Realtime bool             `xml:"realtime,attr" json:"realtime"`
	Detached bool             `xml:"detached,attr" json:"detached"`           // a thread of its own, no ordinary goroutine
	CPU      *int             `xml:"cpu,attr,omitempty" json:"cpu,omitempty"` // nothing is any CPU
	Priority int              `xml:"priority,attr" json:"priority"`           // zero is the ordinary scheduling of the system
	Reason   string           `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Rests    bool             `xml:"rests,attr" json:"rests"`
	Nets     int              `xml:"nets,attr" json:"nets"`
	Ticks    uint64           `xml:"ticks,attr" json:"ticks"`
	Late     uint64           `xml:"late,attr" json:"late"`
	Missed   uint64           `xml:"missed,attr" json:"missed"`
	Load     float64          `xml:"load,attr" json:"load"`   // the part of the period that ticks take
	Share    float64          `xml:"share,attr" json:"share"` // of a CPU that nets take that run, in percent
	Wakeup   distributionView `xml:"wakeup" json:"wakeup"`
	Busy     distributionView `xml:"busy" json:"busy"`

	period time.Duration
}

// incidentView is a tick that was not as it should be.
type incidentView struct {
	Time     string  `xml:"time,attr" json:"time"`
	Kind     string  `xml:"kind,attr" json:"kind"`
	Cause    string  `xml:"cause,attr" json:"cause"`
	Period   string  `xml:"period,attr" json:"period"`
	Realtime bool    `xml:"realtime,attr" json:"realtime"`
	Amount   float64 `xml:"amount,attr" json:"amount"` // milliseconds too late or too long
	Missed   uint64  `xml:"missed,attr" json:"missed"`
	Net      string  `xml:"net,attr,omitempty" json:"net,omitempty"`
	Cycle    uint64  `xml:"cycle,attr,omitempty" json:"cycle,omitempty"`
	URI      string  `xml:"uri,attr,omitempty" json:"uri,omitempty"`       // of the net while there is one
	Reason   string  `xml:"reason,attr,omitempty" json:"reason,omitempty"` // of an overload, with figures
}

func showRealtime(x *exchange) error {
	s := x.opt.Realtime()
	view := realtimeView{State: s.Word, Reason: s.Reason, Facts: factsOf(s), Notes: notesOf(s), CPUs: x.cpus(), Executors: x.executors()}
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

// executors are in the order in which they get their CPUs: the real-time class before the other one, short periods before
// long ones.
func (x *exchange) executors() []executorView {
	list := []executorView{}
	for _, e := range x.core.Executors.All() {
		w, b := e.Wakeup, e.Busy
		view := executorView{
			Period: e.Period.String(), Realtime: e.Realtime, Detached: e.Detached, Priority: e.Priority, Rests: e.Rests, Nets: e.Nets,
			Ticks: e.Ticks, Late: e.Late, Missed: e.Missed, Load: float64(b.Mean) / float64(e.Period), period: e.Period, Share: e.Share.Percent(),
			Wakeup: describe(w.Mean, w.StdDev, w.Min, w.Max, w.Histogram[:]),
			Busy:   describe(b.Mean, b.StdDev, b.Min, b.Max, b.Histogram[:]),
		}
		if e.CPU >= 0 {
			view.CPU = &e.CPU
		}
		if e.Ordinary != nil {
			view.Reason = e.Ordinary.Error()
		}
		list = append(list, view)
	}
	slices.SortStableFunc(list, func(a, b executorView) int {
		switch {
		case a.Realtime == b.Realtime:
			return cmp.Or(cmp.Compare(a.period, b.period), cmp.Compare(a.cpu(), b.cpu()))
		case a.Realtime:
			return -1
		}
		return 1
	})
	return list
}

func (e executorView) cpu() int {
	if e.CPU == nil {
		return -1
	}
	return *e.CPU
}

// incidents returns how many there have been, and the kept ones that are wanted, the newest first.
func (x *exchange) incidents(wanted func(rcc.Incident) bool) (total uint64, list []incidentView) {
	total, kept := x.core.Executors.Incidents()
	list = []incidentView{}
	for _, i := range slices.Backward(kept) {
		if wanted(i) {
			list = append(list, x.incidentOf(i))
		}
	}
	return total, list
}

func everyIncident(rcc.Incident) bool { return true }

func (x *exchange) incidentOf(i rcc.Incident) incidentView {
	view := incidentView{
		Time: time.Unix(0, i.Time).UTC().Format(time.RFC3339Nano), Kind: i.Kind.String(), Cause: i.Cause.String(),
		Period: i.Period.String(), Realtime: i.Realtime, Amount: milliseconds(i.Amount), Missed: i.Missed,
		Net: i.Net, Cycle: i.Cycle, Reason: i.Reason,
	}
	if _, err := x.core.Nets.Get(i.Net); err == nil {
		view.URI = netURI(i.Net)
	}
	return view
}

// What returns what was wrong, for pages.
func (i incidentView) What() string {
	switch {
	case i.Reason != "":
		return i.Reason
	case i.Kind != lateTick:
		return fmt.Sprintf("the net took %.3f ms longer than its period", i.Amount)
	case i.Missed == 0:
		return fmt.Sprintf("late by %.3f ms", i.Amount)
	case i.Missed == 1:
		return fmt.Sprintf("late by %.3f ms, 1 tick missed", i.Amount)
	}
	return fmt.Sprintf("late by %.3f ms, %s ticks missed", i.Amount, grouped(i.Missed))
}

// lateTick is the kind of incidents that are the executor's.
const lateTick = "late"

// Kept returns how many incidents can still be shown.
func (v realtimeView) Kept() uint64 { return uint64(len(v.Incidents)) }

// shownIncidents are in sight; the others are folded.
const shownIncidents = 20

// Newest and Older are the incidents that are in sight, and the others.
func (v realtimeView) Newest() []incidentView {
	return v.Incidents[:min(len(v.Incidents), shownIncidents)]
}
func (v realtimeView) Older() []incidentView { return v.Incidents[len(v.Newest()):] }

// Thread says what an executor runs on, for pages.
func (e executorView) Thread() string {
	switch {
	case e.Reason != "":
		return "ordinary goroutine: " + e.Reason
	case !e.Detached:
		return "ordinary goroutine"
	case e.CPU == nil:
		return fmt.Sprintf("any CPU, priority %d", e.Priority)
	}
	return fmt.Sprintf("CPU %d, priority %d", *e.CPU, e.Priority)
}

// Percent returns the load, for pages.
func (e executorView) Percent() float64 { return 100 * e.Load }

// grouped writes a number so that its thousands can be seen.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

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
	CPU      *int           `xml:"cpu,attr,omitempty" json:"cpu,omitempty"` // nothing is any CPU
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
			row.Nets = append(row.Nets, slotNet{netURI(n.Name()), n.Name(), n.State().String()})
		}
		for _, r := range s.Common {
			row.Common = append(row.Common, slotResource(r))
		}
		view.Slots = append(view.Slots, row)
	}
	return x.show(http.StatusOK, "slots", view)
}
