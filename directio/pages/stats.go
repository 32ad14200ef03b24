package pages

import (
	"encoding/xml"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// statsView are the figures of table 11.2, in milliseconds.
type statsView struct {
	Cycles    uint64           `xml:"cycles,attr" json:"cycles"`
	Overruns  uint64           `xml:"overruns,attr" json:"overruns"`
	Late      uint64           `xml:"late,attr" json:"late"`
	Missed    uint64           `xml:"missed,attr" json:"missed"`
	Share     float64          `xml:"share,attr" json:"share"` // of its CPU, in percent: of the newest cycles, undisturbed
	Cycle     distributionView `xml:"cycle" json:"cycle"`
	Execution distributionView `xml:"execution" json:"execution"`
}

// distributionView describes measured times in milliseconds.
type distributionView struct {
	Mean      float64     `xml:"mean,attr" json:"mean"`
	StdDev    float64     `xml:"stddev,attr" json:"stddev"`
	Min       float64     `xml:"min,attr" json:"min"`
	Max       float64     `xml:"max,attr" json:"max"`
	Histogram []classView `xml:"class" json:"histogram"`
}

// classView is a class of a histogram: how many times were at least From and below To.
type classView struct {
	From  float64 `xml:"from,attr" json:"from"`
	To    float64 `xml:"to,attr" json:"to"`
	Count uint64  `xml:"count,attr" json:"count"`
}

// netStats are the figures of a net at an address of their own.
type netStats struct {
	XMLName xml.Name `xml:"stats" json:"-"`
	Name    string   `xml:"name,attr" json:"name"`
	URI     string   `xml:"-" json:"-"` // of the net, for pages
	statsView
	Phases    []phasesView   `xml:"phases" json:"phases,omitempty"`      // of the newest cycles, when somebody has asked
	Incidents []incidentView `xml:"incident" json:"incidents,omitempty"` // of this net
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
	view := netStats{Name: n.Name(), URI: netURI(n.Name())}
	view.Cycle.Histogram, view.Execution.Histogram = []classView{}, []classView{}
	if s := statsOf(n); s != nil {
		view.statsView = *s
	}
	for _, p := range n.Phases() {
		view.Phases = append(view.Phases, phasesView{p.Cycle, milliseconds(p.Sense), milliseconds(p.Run), milliseconds(p.Act)})
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
	return x.showAgain(showStats, netURI(n.Name())+"stats")
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
		Cycle:     describe(c.Mean, c.StdDev, c.Min, c.Max, c.Histogram[:]),
		Execution: describe(e.Mean, e.StdDev, e.Min, e.Max, e.Histogram[:]),
	}
}

func describe(mean, stddev, least, most time.Duration, counts []uint64) distributionView {
	return distributionView{
		Mean: milliseconds(mean), StdDev: milliseconds(stddev), Min: milliseconds(least),
		Max: milliseconds(most), Histogram: classes(counts),
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// classes returns the part of a histogram between its first and its last time.
func classes(counts []uint64) []classView {
	list := []classView{}
	used := func(c uint64) bool { return c > 0 }
	first := slices.IndexFunc(counts, used)
	if first < 0 {
		return list
	}
	for i, count := range counts[first:] {
		list = append(list, classView{From: milliseconds(classStart(first + i)), To: milliseconds(classStart(first + i + 1)), Count: count})
	}
	for list[len(list)-1].Count == 0 {
		list = list[:len(list)-1]
	}
	return list
}

// classStart returns where a class of the core's histograms begins: there are four to every doubling, from 4 ns on.
func classStart(i int) time.Duration {
	if i < 4 {
		return time.Duration(i)
	}
	return time.Duration(4+i%4) << (i/4 - 1)
}

// bar is a class as a rectangle in a picture of barsWidth by barsHeight.
type bar struct {
	X, Y, Width, Height float64
	classView
}

const (
	barsWidth  = 320.0
	barsHeight = 64.0
)

// Bars returns the picture of the histogram. A class that is not empty can always be seen.
func (d distributionView) Bars() []bar {
	var most uint64
	for _, c := range d.Histogram {
		most = max(most, c.Count)
	}
	var list []bar
	width := barsWidth / float64(max(len(d.Histogram), 12))
	for i, c := range d.Histogram {
		height := barsHeight * float64(c.Count) / float64(max(most, 1))
		if c.Count > 0 {
			height = max(height, 1)
		}
		list = append(list, bar{X: float64(i) * width, Y: barsHeight - height, Width: width * 0.85, Height: height, classView: c})
	}
	return list
}

// Last returns where the last class of the histogram ends.
func (d distributionView) Last() float64 {
	if len(d.Histogram) == 0 {
		return 0
	}
	return d.Histogram[len(d.Histogram)-1].To
}

// Half returns where the class of the histogram ends that the median is in.
func (d distributionView) Half() float64 {
	var total, below uint64
	for _, c := range d.Histogram {
		total += c.Count
	}
	for _, c := range d.Histogram {
		if below += c.Count; 2*below >= total {
			return c.To
		}
	}
	return 0
}
