package pages

import (
	"encoding/xml"
	"math"
	"net/http"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// statsView are the figures of table 11.2, in milliseconds.
type statsView struct {
	Cycles    uint64             `xml:"cycles,attr" json:"cycles"`
	Overruns  uint64             `xml:"overruns,attr" json:"overruns"`
	Late      uint64             `xml:"late,attr" json:"late"`
	Missed    uint64             `xml:"missed,attr" json:"missed"`
	Share     float64            `xml:"share,attr" json:"share"` // of its CPU, in percent: of the newest cycles, undisturbed
	Cycle     facts.Distribution `xml:"cycle" json:"cycle"`
	Execution facts.Distribution `xml:"execution" json:"execution"`
}

// netStats are the figures of a net at an address of their own.
type netStats struct {
	XMLName xml.Name `xml:"stats" json:"-"`
	Name    string   `xml:"name,attr" json:"name"`
	URI     string   `xml:"-" json:"-"` // of the net, for pages
	statsView
	Phases    []phasesView     `xml:"phases" json:"phases,omitempty"`      // of the newest cycles, on request
	Incidents []facts.Incident `xml:"incident" json:"incidents,omitempty"` // of this net
}

// phasesView is what the phases of a cycle took, in milliseconds (figure 11.1).
type phasesView struct {
	Cycle uint64  `xml:"cycle,attr" json:"cycle"`
	Sense float64 `xml:"sense,attr" json:"sense"`
	Run   float64 `xml:"run,attr" json:"run"`
	Act   float64 `xml:"act,attr" json:"act"`
}

// showStats answers for every net; one that has not run has no cycles.
func showStats(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	view := netStats{Name: n.Name(), URI: facts.NetURI(n.Name())}
	view.Cycle.Histogram, view.Execution.Histogram = []facts.Class{}, []facts.Class{}
	if s := statsOf(n); s != nil {
		view.statsView = *s
	}
	for _, p := range n.Phases() {
		view.Phases = append(view.Phases, phasesView{p.Cycle, facts.Milliseconds(p.Sense), facts.Milliseconds(p.Run), facts.Milliseconds(p.Act)})
	}
	_, view.Incidents = x.incidents(func(i rcc.Incident) bool { return i.Net == view.Name })
	return x.show(http.StatusOK, "stats", view)
}

// keepPhases has the net keep what the phases of its cycles take, from now on (field phases).
func keepPhases(x *exchange) error {
	n, err := x.net()
	if err != nil {
		return err
	}
	f, err := x.fields()
	if err != nil {
		return err
	}
	if text := f.or("phases", ""); text != "true" {
		return refuse(codeValue, "field phases", "%q is not true; they are kept until the net has gone", short(text))
	}
	if err := n.KeepPhases(); err != nil {
		return err
	}
	return x.showAgain(showStats, facts.NetURI(n.Name())+"stats")
}

// EachPhase describes the phases one by one, for people.
func (s netStats) EachPhase() (rows []phaseRow) {
	for _, row := range []struct {
		name string
		of   func(p phasesView) float64
	}{
		{"Reading sensors", func(p phasesView) float64 { return p.Sense }},
		{"Computing", func(p phasesView) float64 { return p.Run }},
		{"Commanding actuators", func(p phasesView) float64 { return p.Act }},
	} {
		r := phaseRow{Name: row.name, Min: math.Inf(1)}
		for _, p := range s.Phases {
			v := row.of(p)
			r.Mean, r.Min, r.Max = r.Mean+v/float64(len(s.Phases)), min(r.Min, v), max(r.Max, v)
		}
		rows = append(rows, r)
	}
	return rows
}

type phaseRow struct {
	Name           string
	Mean, Min, Max float64 // ms
}

func statsOf(n *rcc.Net) *statsView {
	s, ok := n.Stats()
	if !ok || s.Cycles == 0 && s.Missed == 0 {
		return nil
	}
	c, e := s.Cycle, s.Execution
	return &statsView{
		Cycles: s.Cycles, Overruns: s.Overruns, Late: s.Late, Missed: s.Missed, Share: s.Share.Percent(),
		Cycle:     facts.Describe(c.Mean, c.StdDev, c.Min, c.Max, c.Histogram[:]),
		Execution: facts.Describe(e.Mean, e.StdDev, e.Min, e.Max, e.Histogram[:]),
	}
}
