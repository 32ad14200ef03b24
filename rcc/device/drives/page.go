package drives

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// shown is what people see, word by word.
type shown struct {
	phase, stage    atomic.Uint32
	why             atomic.Uint32
	whose           atomic.Int32
	state, code     atomic.Uint32 // of that axis, then
	held            atomic.Bool   // nets have to let go
	powered         atomic.Bool
	axes            []axisShown
	targets, missed atomic.Uint64 // cycles of the drive: those for which something was made, and those for which nothing was
	repeated        atomic.Uint64
	stops           atomic.Uint64
	ahead           atomic.Int64 // from the begin of a cycle until SYNC0, ns
	drift           atomic.Int64 // by how much the newest estimate is away from what was measured, ns
	jitter          figures.Times
}

type axisShown struct {
	status, mode, code atomic.Uint32
	actual, target     atomic.Int32
}

// show keeps what people may want to see (cycle).
func (r *Axes) show(at *ecat.Moment, b beat, p phase, now int64) {
	s := &r.shown
	s.targets.Add(1)
	s.missed.Add(uint64(b.missed))
	if p == ready && !r.confirmed {
		s.repeated.Add(1)
	}
	s.ahead.Store(b.instant - at.Now)
	off := r.axes.Now() - int64(r.cfg.Ahead) - now
	s.drift.Store(off)
	if off < 0 {
		off = -off
	}
	s.jitter.Add(off, off)
	r.showPower(p)
}

func (r *Axes) showPower(now phase) {
	s, p := &r.shown, &r.power
	before, was := phase(s.phase.Swap(uint32(now))), stage(s.stage.Load())
	if before == ready && now != ready && p.stage != seeking || was == seeking && p.stage == down {
		s.stops.Add(1) // looking for home is not a stop, unless it fails
	}
	s.stage.Store(uint32(p.stage))
	s.whose.Store(int32(p.whose))
	s.state.Store(uint32(p.state))
	s.code.Store(uint32(p.code))
	s.why.Store(uint32(p.why))
	s.powered.Store(p.powered() || p.stage > down)
	held := false
	axes, places := p.axes, s.axes
	for i := range axes {
		if i >= len(places) {
			break
		}
		a, to := &axes[i], &places[i]
		to.status.Store(uint32(a.status))
		to.mode.Store(uint32(uint8(a.mode)))
		to.code.Store(uint32(a.code))
		to.actual.Store(a.actual)
		to.target.Store(a.target)
		held = held || now == ready && r.axes.Fault(i) == faultHeld
	}
	s.held.Store(held)
}

// Holds returns a reason not to stop the bus while the drives are on (any).
func (r *Axes) Holds() string {
	if r.shown.powered.Load() {
		return "drives are on"
	}
	return ""
}

// Status returns the state of the robot, with the reason if it cannot be commanded (any).
func (r *Axes) Status() device.Status {
	s := &r.shown
	safe := func(cause string) device.Status { return device.Status{State: device.SafeOperational, Cause: cause} }
	switch now := phase(s.phase.Load()); now {
	case ready:
		if r.closing.Load() {
			return safe("the joints come to rest: the device is being closed")
		}
		if s.held.Load() {
			return safe("nets that commanded joints before have to let go of them")
		}
		return device.Status{State: device.Operational, Cause: r.warning()}
	case stopping:
		return safe(r.loss() + "; the drives are coming to rest")
	case unpowered:
		return safe(r.loss())
	case starting:
		if stage(s.stage.Load()) == seeking {
			return safe("axes are looking for their home")
		}
		return safe("the drives are switched on: " + stageWords[s.stage.Load()%uint32(stages)])
	case offline, waiting:
		return device.Status{State: device.Offline, Cause: r.absence(now)}
	}
	return device.Status{State: device.Offline}
}

// stageWords are what is being done in a stage.
var stageWords = [stages]string{
	down: "off", outside: "slaves are on their way to Op", clearing: "everything is to be off first", resetting: "faults are reset", pausing: "faults have been reset",
	readying: "getting ready", switching: "switching on", enabling: "enabling operation", following: "following", seeking: "looking for home",
	retiring: "shutting down",
}

const armHint = "to be armed by arm=true at its page drives"

// loss returns why the drives are off.
func (r *Axes) loss() string {
	s := &r.shown
	axis, code := fmt.Sprintf("axis %d", s.whose.Load()+1), ""
	if c := uint16(s.code.Load()); c != 0 {
		code = fmt.Sprintf(" %#04x, %s", c, cia402.ErrorText(c))
	}
	state := cia402.StateOf(uint16(s.state.Load()))
	text, dark := "", ""
	if uint16(s.state.Load())&cia402.VoltageEnabled == 0 {
		dark = ", without voltage"
	}
	switch loss(s.why.Load()) {
	case faulted:
		text = axis + " had a fault:" + code
		if code == "" {
			text = axis + " had a fault"
		}
	case left:
		text = fmt.Sprintf("%s went by itself to %v%s, as when the safety chain is opened", axis, state, dark)
	case notFollowing:
		text = axis + " was enabled and did not follow (bit 12)" + dark
	case wrongMode:
		text = fmt.Sprintf("%s was not in %v", axis, r.cfg.Mode)
	case apart:
		text = axis + " was too far from where it should be"
	case tooSlow:
		text = fmt.Sprintf("%s stayed in %v%s: is the safety chain closed, and the controller in the mode for this?", axis, state, dark)
	case noReset:
		text = fmt.Sprintf("the fault of %s could not be reset:%s", axis, code)
	case frames:
		text = "the drive did not answer for too long"
	case late:
		text = "cycles of the bus were left out for too long: see its page, and whether threads are real-time ones"
	case busStopped:
		text = "the bus was stopped"
	case beyondLimits:
		text = "what was to be sent was beyond limits"
	case noHome:
		text = axis + " has not found its home"
	case byPeople:
		text = "they were switched off"
	case byStop:
		text = "emergency stop of the cell"
	case byClosing:
		text = "the device is being closed"
	case notInOp:
		text = "the slave stayed out of Op: see the page of the bus"
	case neverLost, losses:
	}
	if text == "" {
		return "the drives are off: " + armHint
	}
	return "the drives are off: " + text + "; " + armHint
}

// absence returns why nothing is heard of the drives.
func (r *Axes) absence(now phase) string {
	text := r.wrong()
	trouble := r.bus.Trouble()
	switch {
	case text != "":
	case trouble != "":
		text = trouble
	case now == waiting && r.clocked:
		text = "the bus has no distributed clock, or is not in operation yet"
	default:
		text = r.silent()
	}
	if r.shown.why.Load() != uint32(neverLost) {
		text += "; " + r.loss()
	}
	return text
}

// wrong returns why slaves cannot be used.
func (r *Axes) wrong() string {
	for _, u := range r.units {
		if text := u.wrong(); text != "" {
			return text
		}
	}
	return ""
}

// silent returns which slave does not run.
func (r *Axes) silent() string {
	for _, u := range r.units {
		is := u.found.Load()
		if is == nil {
			break
		}
		st := (*is).Status()
		switch {
		case st.State == wire.Op && !st.Lost && len(r.units) > 1:
			continue
		case st.Trouble != "":
			return "the slave does not run: " + st.Trouble
		case st.State == wire.Op && !st.Lost:
			return "no process data of the slave have come in this moment: try again"
		}
		return fmt.Sprintf("the slave does not run: it is in %v", st.State)
	}
	return "the slave does not run"
}

// warning returns what people should know although everything goes on.
func (r *Axes) warning() string {
	var all []string
	add := func(text string) {
		if text != "" {
			all = append(all, text)
		}
	}
	add(r.axes.Trouble())
	add(r.image.Trouble())
	if l := r.units[0].layout.Load(); l != nil && len(l.missing) > 0 {
		add("ports that are not in the process data: " + strings.Join(l.missing, " "))
	}
	return strings.Join(all, "; ")
}

// told are the parameters of a POST to the page.
type told struct {
	Arm  string `rcc:"arm" enum:"true false" doc:"true: faults are reset and the drives switched on; false: quick stop, and they are switched off"`
	Home string `rcc:"home" doc:"all, or the number of a joint from 1: its drive looks for its home, as it is set up to do that (0x6098)"`
}

var errToldNothing = errors.New("say arm=true, arm=false or home=all")

// Driven is a device with axes of drives.
type Driven interface {
	device.Device
	Drives() *Axes
}

// Drives returns the axes of the device (any).
func (r *Axes) Drives() *Axes { return r }

// Page shows drives, and switches them on and off.
var Page = device.DeclarePage(device.Sheet[Driven, told]{
	Path: "drives", Doc: "axes of the drive: their states, positions, errors; when it takes targets; arm=true switches the drives on again, home=all looks for home",
	Show: func(d Driven, _ device.Question) (any, error) { return d.Drives().view(), nil },
	Take: func(d Driven, t *told) error {
		r := d.Drives()
		switch {
		case t.Arm == "false":
			r.wish.Store(wishDisarm)
			return nil
		case t.Home != "":
			return r.seek(t.Home)
		case t.Arm == "":
			return errToldNothing
		}
		if r.stop.Pressed() {
			return device.ErrStopped
		}
		if phase(r.shown.phase.Load()) <= waiting {
			return fmt.Errorf("the drives cannot be switched on: %s", r.Status().Cause)
		}
		r.wish.Store(wishArm)
		return nil
	},
})

// seek lets joints look for their home.
func (r *Axes) seek(which string) error {
	joint := 0
	if which != "all" {
		var err error
		if joint, err = strconv.Atoi(which); err != nil || joint < 1 || joint > len(r.models) {
			return device.ParamError{Name: "home", Err: fmt.Errorf("%q is neither all nor a joint from 1 to %d", which, len(r.models))}
		}
	}
	switch {
	case r.cfg.Setting.Mode == "sdo":
		return device.ParamError{Name: "home", Err: errors.New("the mode of operation is not in the process data (parameter mode)")}
	case phase(r.shown.phase.Load()) != ready:
		return fmt.Errorf("joints cannot look for their home: %s", r.Status().Cause)
	}
	r.wish.Store(wishHome + int32(joint))
	return nil
}

// view is what the page shows. Times are in s.
type view struct {
	XMLName  xml.Name        `xml:"drives" json:"-"`
	Status   string          `xml:"status,attr" json:"status"`
	Cause    string          `xml:"cause,attr,omitempty" json:"cause,omitempty"`
	Slave    string          `xml:"slave,attr" json:"slave"`
	Hint     string          `xml:"hint,attr,omitempty" json:"hint,omitempty"`
	Stage    string          `xml:"stage,attr" json:"stage"`
	Targets  uint64          `xml:"targets,attr" json:"targets"`
	Repeated uint64          `xml:"repeated,attr" json:"repeated"`
	Missed   uint64          `xml:"missed,attr" json:"missed"`
	Stops    uint64          `xml:"stops,attr" json:"stops"`
	Ahead    device.Num      `xml:"syncahead,attr" json:"syncAhead" unit:"s"`
	Drift    device.Num      `xml:"estimate,attr" json:"estimate" unit:"s"`
	Jitter   device.Num      `xml:"estimate99,attr" json:"estimate99" unit:"s"`
	Axes     []axisView      `xml:"axis" json:"axes"`
	Events   []emergencyView `xml:"emergency" json:"emergencies"`
}

type axisView struct {
	Joint     string     `xml:"joint,attr" json:"joint"`
	Axis      int        `xml:"axis,attr" json:"axis"`
	State     string     `xml:"state,attr" json:"state"`
	Word      string     `xml:"statusword,attr" json:"statusword"`
	Mode      string     `xml:"mode,attr" json:"mode"`
	Actual    int32      `xml:"actual,attr" json:"actual"`
	Target    int32      `xml:"target,attr" json:"target"`
	Measured  device.Num `xml:"measured,attr" json:"measured" unit:"rad or m"`
	Commanded device.Num `xml:"commanded,attr" json:"commanded" unit:"rad or m"`
	Following device.Num `xml:"following,attr" json:"following" unit:"rad or m"`
	Error     string     `xml:"error,attr" json:"error"`
}

type emergencyView struct {
	Code string `xml:"code,attr" json:"code"`
	Text string `xml:"text,attr" json:"text"`
	Data string `xml:"data,attr" json:"data"`
}

func (r *Axes) view() *view {
	s, is := &r.shown, r.Status()
	spread := s.jitter.Read()
	v := &view{
		Status: is.State.String(), Cause: is.Cause, Stage: stageWords[s.stage.Load()%uint32(stages)], Targets: s.targets.Load(), Repeated: s.repeated.Load(),
		Missed: s.missed.Load(), Stops: s.stops.Load(), Ahead: seconds(s.ahead.Load()), Drift: seconds(s.drift.Load()),
		Jitter: device.Num(spread.Quantile(0.99).Seconds()),
	}
	for i := range s.axes {
		v.Axes = append(v.Axes, r.axisView(i))
	}
	var slaves []string
	for _, u := range r.units {
		found := u.found.Load()
		if found == nil {
			continue
		}
		slaves = append(slaves, (*found).About().String())
		for _, e := range (*found).Emergencies() {
			v.Events = append(v.Events, emergencyView{fmt.Sprintf("%#04x", e.Code), cia402.ErrorText(e.Code), fmt.Sprintf("%x", e.Data)})
		}
	}
	v.Slave, v.Hint = strings.Join(slaves, ", "), r.hint()
	return v
}

// hint returns what to write so that no other slave can be taken for the drive: for one that is given neither by its place nor
// by its identity.
func (r *Axes) hint() string {
	for _, u := range r.units {
		is := u.found.Load()
		if is == nil || u.where.Slave != 0 || u.where.Alias != 0 || u.identity.Vendor != 0 && u.identity.Product != 0 {
			continue
		}
		id := (*is).About().Identity
		return fmt.Sprintf("the only slave that fits is taken for the drive; vendor: %#x and product: %#x say that it must be this one", id.Vendor, id.Product)
	}
	return ""
}

func (r *Axes) axisView(i int) axisView {
	a, j := &r.shown.axes[i], r.Joint(i)
	status, code := uint16(a.status.Load()), uint16(a.code.Load())
	v := axisView{
		Joint: r.models[i].Name, Axis: r.number(i), State: words(status), Word: fmt.Sprintf("%#04x", status),
		Mode: cia402.Mode(int8(a.mode.Load())).String(), Actual: a.actual.Load(), Target: a.target.Load(), Measured: rounded(j.Measured.Pos),
		Commanded: rounded(j.Commanded.Pos), Following: rounded(j.Commanded.Pos - j.Measured.Pos), Error: cia402.ErrorText(code),
	}
	if code != 0 {
		v.Error = fmt.Sprintf("%#04x %s", code, v.Error)
	}
	return v
}

// number returns which axis of its slave a joint is, from 1.
func (r *Axes) number(joint int) int {
	for _, u := range r.units {
		if i := joint - u.first; i >= 0 && i < len(u.order) {
			return u.order[i] + 1
		}
	}
	return 0
}

// words returns what a statusword says.
func words(status uint16) string {
	text := cia402.StateOf(status).String()
	for _, b := range []struct {
		bit  uint16
		word string
	}{
		{cia402.Warning, "warning"}, {cia402.InternalLimit, "limit"}, {cia402.Follows, "follows"}, {cia402.FollowingError, "following error"},
	} {
		if status&b.bit != 0 {
			text += ", " + b.word
		}
	}
	if status&cia402.VoltageEnabled == 0 {
		text += ", no voltage"
	}
	return text
}

func rounded(v float64) device.Num { return device.Num(math.Round(v*1e6) / 1e6) }

func seconds(ns int64) device.Num { return device.Num(float64(ns) * 1e-9) }

// Metrics are figures of the drive (any).
func (r *Axes) Metrics() []device.Metric {
	s := &r.shown
	enabled := 0.0
	if phase(s.phase.Load()) == ready {
		enabled = 1
	}
	spread := s.jitter.Read()
	return []device.Metric{
		{Name: "drive_enabled", Help: "Whether all axes of the drive follow.", Value: enabled},
		{Name: "drive_stops_total", Help: "How often axes have stopped following.", Value: float64(s.stops.Load())},
		{Name: "drive_targets_total", Help: "Cycles of the drive for which targets were made.", Value: float64(s.targets.Load())},
		{Name: "drive_repeated_total", Help: "Targets that were repeated, as it was unknown whether they had arrived.", Value: float64(s.repeated.Load())},
		{Name: "drive_missed_total", Help: "Cycles of the drive without a target.", Value: float64(s.missed.Load())},
		{Name: "drive_sync_ahead_seconds", Help: "Time from the begin of a cycle until the drive takes its targets.", Value: float64(s.ahead.Load()) * 1e-9},
		{Name: "drive_estimate_deviation", Help: "By how much estimated times of cycles are away from those that were measured.", Times: &spread},
	}
}
