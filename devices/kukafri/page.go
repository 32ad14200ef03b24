package kukafri

import (
	"encoding/xml"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// shown is what people see; each word is atomic.
type shown struct {
	phase, signals        atomic.Uint32
	loss, refused         atomic.Uint32
	heard                 atomic.Int64 // when the newest telegram was taken
	state, quality, power atomic.Uint32
	errors, warnings      atomic.Uint32
	missed                atomic.Uint32
	answerRate, missRate  atomic.Uint32 // bits of float32
	share                 atomic.Uint32 // the same
	lag                   atomic.Uint32
	temperature           [seven]atomic.Uint32
	chronicle             link.EventLog
	mass                  atomic.Uint32
}

// show keeps what people may want to see of the newest telegram (cycle).
func (r *Robot) show() {
	m, s := &r.session.now, &r.shown
	s.state.Store(uint32(m.State))
	s.quality.Store(uint32(m.Quality))
	s.power.Store(uint32(m.Power))
	s.errors.Store(uint32(m.Errors))
	s.warnings.Store(uint32(m.Warnings))
	s.missed.Store(m.Missed)
	s.answerRate.Store(math.Float32bits(m.AnswerRate))
	s.missRate.Store(math.Float32bits(m.MissRate))
	s.share.Store(math.Float32bits(float32(r.session.share())))
	s.lag.Store(uint32(r.session.sight.lag))
	s.mass.Store(math.Float32bits(float32(r.Carried.Mass)))
	for i := range m.Temperature {
		s.temperature[i].Store(math.Float32bits(m.Temperature[i]))
	}
}

// Quality returns how the controller rates the answers; without a controller they are unacceptable (cycle).
func (r *Robot) Quality() int32 {
	if phase(r.shown.phase.Load()) == offline {
		return int32(wire.Unacceptable)
	}
	return int32(r.shown.quality.Load())
}

// Status returns whether the robot can be commanded, and if not why not (any).
func (r *Robot) Status() device.Status {
	s := &r.shown
	lost := reason(s.loss.Load())
	switch now := phase(s.phase.Load()); now {
	case leading, searching:
		cause := r.axes.Trouble()
		if cause == "" {
			cause = r.image.Trouble()
		}
		if cause == "" {
			cause = r.link.Intruders()
		}
		return device.Status{State: device.Operational, Cause: cause}
	case offline:
		return device.Status{State: device.Offline, Cause: r.absence(lost)}
	default:
		return device.Status{State: device.SafeOperational, Cause: r.hindrance(now, lost)}
	}
}

// absence returns why no telegrams come.
func (r *Robot) absence(lost reason) string {
	at := r.link.Address()
	last, called := r.link.Newest()
	var text string
	switch why := wire.Refusal(r.shown.refused.Load()); {
	case why != wire.Good:
		text = fmt.Sprintf("a telegram that came to %v was refused: %v", at, why)
	case called && last.Cause != link.Alive:
		text = "the session ended: " + last.Why
	case r.link.Strangers() != "":
		text = fmt.Sprintf("dropping telegrams of %s at %v: the parameter ip is %s", r.link.Strangers(), at, r.config.IP)
	default:
		text = fmt.Sprintf("no telegrams at %v", at)
	}
	if lost != wantedStill && lost != lostConnection {
		text += "; " + lost.String()
	}
	return text
}

// hindrance returns why the robot is not commanded.
func (r *Robot) hindrance(now phase, lost reason) string {
	is := signals(r.shown.signals.Load())
	text := because(now, is, lost)
	switch r.wish.Load() {
	case wishArm:
		return text + "; the robot was armed, which counts with the next telegram"
	case wishDisarm:
		return text + "; the robot is taken out of command mode with the next telegram"
	}
	if lost != wantedStill && is.has(powered|nearby) && !is.has(wanted) {
		text += fmt.Sprintf("; arm the robot (rccctl device tell %s fri arm=true)", r.image.Ports().Device)
	}
	return text
}

// because returns why the robot is not commanded, and why command mode is not wanted.
func because(now phase, is signals, lost reason) string {
	text := hindrance(now, is)
	if lost != wantedStill {
		text += "; " + lost.String()
	}
	return text
}

// told are the parameters of a POST to the page.
type told struct {
	Arm bool `rcc:"arm" required:"true" doc:"true: ask for command mode, also after it has ended by itself; false: leave it"`
}

// page shows the interface of the robot, and lets people arm it.
var page = device.DeclarePage(device.Sheet[*Robot, told]{
	Path: "fri", Doc: "the Fast Research Interface: its mode, how the controller rates answers, power; arm=true asks for command mode again",
	Show: func(r *Robot, _ device.Question) (any, error) { return viewOf(r), nil },
	Take: func(r *Robot, t *told) error {
		r.wish.Store(wishDisarm)
		if t.Arm {
			r.wish.Store(wishArm)
		}
		return nil
	},
})

// view is what the page shows.
type view struct {
	XMLName    xml.Name    `xml:"fri" json:"-"`
	Status     string      `xml:"status,attr" json:"status"`
	Cause      string      `xml:"cause,attr,omitempty" json:"cause,omitempty"`
	Mode       string      `xml:"mode,attr" json:"mode"`
	Phase      string      `xml:"phase,attr" json:"phase"`
	Lag        string      `xml:"lag,attr" json:"lag"`
	Limits     device.Num  `xml:"limits,attr" json:"limits" unit:"1"`
	Quality    string      `xml:"quality,attr" json:"quality"`
	Power      bool        `xml:"power,attr" json:"power"`
	Strategy   string      `xml:"strategy,attr" json:"strategy"`
	Program    string      `xml:"program,attr" json:"program"`
	Mass       device.Num  `xml:"mass,attr" json:"mass" unit:"kg"`
	Period     device.Num  `xml:"period,attr" json:"period" unit:"s"`
	AnswerRate device.Num  `xml:"answerrate,attr" json:"answerrate" unit:"1"`
	MissRate   device.Num  `xml:"missrate,attr" json:"missrate" unit:"1"`
	Missed     uint32      `xml:"missed,attr" json:"missed"`
	Errors     uint32      `xml:"errors,attr" json:"errors"`
	Warnings   uint32      `xml:"warnings,attr" json:"warnings"`
	Drives     []driveView `xml:"drive" json:"drives"`
}

type driveView struct {
	Number      int        `xml:"nr,attr" json:"nr"`
	Power       bool       `xml:"power,attr" json:"power"`
	Temperature device.Num `xml:"temperature,attr" json:"temperature" unit:"°C"`
}

func viewOf(r *Robot) *view {
	s, is := &r.shown, r.Status()
	number := func(w *atomic.Uint32) device.Num { return device.Num(math.Float32frombits(w.Load())) }
	v := &view{
		Status: is.State.String(), Cause: is.Cause, Mode: wire.State(s.state.Load()).String(), Phase: phase(s.phase.Load()).String(),
		Lag: lag(s.lag.Load()).String(), Limits: number(&s.share), Quality: wire.Quality(s.quality.Load()).String(),
		Power: s.power.Load() != 0, Strategy: r.Strategy().String(), Program: r.kind.String(), Mass: number(&s.mass),
		Period: device.Num(r.link.Cycle().Seconds()), AnswerRate: number(&s.answerRate), MissRate: number(&s.missRate), Missed: s.missed.Load(),
		Errors: s.errors.Load(), Warnings: s.warnings.Load(), Drives: make([]driveView, seven),
	}
	for i := range v.Drives {
		v.Drives[i] = driveView{i, s.power.Load()>>i&1 != 0, number(&s.temperature[i])}
	}
	if is.State == device.Offline {
		v.Mode = wire.Off.String()
	}
	return v
}
