package kukarsi

import (
	"encoding/xml"
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/krcfiles"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// view is what the page shows.
type view struct {
	XMLName  xml.Name   `xml:"rsi" json:"-"`
	Phase    string     `xml:"phase,attr" json:"phase"`
	TwoSteps bool       `xml:"twosteps,attr" json:"twoSteps"`
	Answers  int64      `xml:"answers,attr" json:"answers"`
	Late     int64      `xml:"late,attr" json:"late"`
	Timeout  int        `xml:"timeout,attr" json:"timeout"`
	Worst    int64      `xml:"worst,attr" json:"worst"`
	Total    uint64     `xml:"total,attr" json:"total"`
	Garbage  string     `xml:"garbage,attr,omitempty" json:"garbage,omitempty"`
	Because  string     `xml:"because,attr,omitempty" json:"because,omitempty"`
	Known    string     `xml:"known,attr,omitempty" json:"known,omitempty"`
	Cycle    string     `xml:"cycle,attr" json:"cycle"`
	Axes     []axisView `xml:"axis" json:"axes"`
}

// axisView is an axis as the controller sees it, in degrees or mm.
type axisView struct {
	Name     string     `xml:"name,attr" json:"name"`
	Measured device.Num `xml:"measured,attr" json:"measured" unit:"° or mm"`
	Told     device.Num `xml:"told,attr" json:"told" unit:"° or mm"`
	Fault    string     `xml:"fault,attr" json:"fault"`
}

// told are the parameters of a POST to the page.
type told struct {
	Rearm bool `rcc:"rearm" default:"false" doc:"the robot may be moved again in this session, after an emergency stop, a loss of power, or missing telegrams; counts for 5s"`
}

var rsiPage = device.DeclarePage(device.Sheet[*Arm, told]{
	Path: "rsi", Doc: "what the controller is asked for, and how many answers were late; rearm=true lets a stopped robot move again",
	Show: func(a *Arm, _ device.Question) (any, error) { return a.view(), nil },
	Take: func(a *Arm, told *told) error {
		if told.Rearm {
			a.driver.rearm.Store(true)
		}
		return nil
	},
})

var filesPage = device.FilesPage("krc-files", "files for the controller: Ethernet configuration, description of the context, KRL program",
	func(a *Arm) ([]device.File, error) { return a.files() })

// files are made for the axes that there are now.
func (a *Arm) files() ([]device.File, error) {
	r := krcfiles.Robot{
		Name: a.Ports().Device, Names: a.cfg.Names, Listen: a.link.Address(), Cycle: a.cfg.Cycle, Relative: a.driver.relative, Timeout: a.cfg.Timeout,
	}
	for i := range a.driver.groups {
		g := a.driver.groups[i].Load()
		if g == nil {
			continue
		}
		for k := range g.joints {
			unit, is := g.joints[k].unit, &g.models[k]
			r.Axes = append(r.Axes, krcfiles.Axis{Number: g.first + k + 1, Min: is.Min * unit, Max: is.Max * unit})
		}
	}
	return krcfiles.Files(r)
}

// words of phases for pages.
var pageWords = [phases]string{
	offline: "offline", between: "between sessions", listening: "listening", unknown: "corrections unknown", blind: "no positions", reading: "reading", refused: "refused", stopped: "emergency stop",
	unpowered: "no power", disarmed: "not armed", broken: "telegrams were missing", changing: "changing the tool", leaving: "closing", ready: "under control",
}

func (a *Arm) view() *view {
	d := a.driver
	v := &view{
		Phase: pageWords[d.phase.Load()%uint32(phases)], TwoSteps: d.steps.two.Load(), Answers: d.answers.Load(), Late: d.lates.Load(),
		Timeout: d.cfg.Timeout, Worst: d.worst.Load(), Total: d.total.Load(),
	}
	v.Because, v.Cycle = d.reason(), d.measuredCycle().String()
	switch p := phase(d.phase.Load()); {
	case !p.is(silent):
		v.Known = counting(d.known.Load()).source()
	case p.is(of(offline, between)):
		v.Because = a.whyOffline()
	}
	if d.fault.Load() != 0 {
		v.Garbage = d.misunderstood()
	}
	for i := range d.groups {
		g := d.groups[i].Load()
		if g == nil {
			continue
		}
		for k := range g.joints {
			s, unit := g.Joint(k), g.joints[k].unit
			v.Axes = append(v.Axes, axisView{
				Name: axisName(int32(g.first + k)), Measured: rounded(s.Measured.Pos * unit), Told: rounded(s.Commanded.Pos * unit),
				Fault: g.FaultText(s.Fault),
			})
		}
	}
	return v
}

func rounded(v float64) device.Num { return device.Num(math.Round(v*1e6) / 1e6) }

// FaultText returns a fault in words, also one of the driver's own (any).
func (*group) FaultText(f device.JointFault) string {
	switch f {
	case faultOffline:
		return "no session"
	case faultReading:
		return "positions are being read"
	case faultRefused:
		return "start refused"
	case faultDisarmed:
		return "not armed"
	case faultChanging:
		return "a tool is being loaded"
	case faultHeld:
		return "an earlier net must end first"
	case faultSlow:
		return "the net is too fast for a controller that does not count late answers"
	}
	return f.String()
}

// Metrics returns the figures of the wire, and how many answers were late (any).
func (a *Arm) Metrics() []device.Metric {
	d := a.driver
	return append(a.link.Metrics(),
		device.Metric{Name: "rsi_late_answers", Help: "Answers of this session that were late or lost, as the controller counts.", Value: float64(d.lates.Load())},
		device.Metric{Name: "rsi_late_answers_total", Help: "Answers that were late or lost.", Value: float64(d.total.Load())},
	)
}
