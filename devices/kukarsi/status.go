package kukarsi

import (
	"fmt"
	"math"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Status tells whether the robot can be commanded, and if not why not (any).
func (a *Arm) Status() device.Status {
	s := a.finish(a.state())
	if s.Cause == "" {
		s.Cause = a.Trouble()
	}
	if s.Cause == "" && s.State == device.Operational {
		s.Cause = a.driver.less()
	}
	if is, _ := a.link.Newest(); s.Cause == "" && is.Cause == link.Alive && is.Stranger.IsValid() {
		s.Cause = fmt.Sprintf("telegrams of %v are dropped, as %v calls", is.Stranger, is.Peer)
	}
	return s
}

// finish is the status of the joints of a device whose controller has one.
func (g *group) finish(s device.Status) device.Status {
	switch {
	case s.State != device.Operational:
	case g.held():
		s = device.Status{State: device.SafeOperational, Cause: "nets that commanded joints before control began have to let go of them"}
	default:
		trouble := g.axes.Trouble()
		if trouble != "" && s.Cause != "" {
			trouble += "; "
		}
		s.Cause = trouble + s.Cause
	}
	return s
}

// state is what the controller does.
func (a *Arm) state() device.Status {
	d := a.driver
	safe := func(format string, args ...any) device.Status {
		return device.Status{State: device.SafeOperational, Cause: fmt.Sprintf(format, args...)}
	}
	switch phase(d.phase.Load()) {
	case between:
		if !a.overdue() {
			return safe("the program is between two sessions")
		}
	case listening:
		return safe("listening to the controller until it is known which corrections it holds")
	case unknown:
		return safe("the controller is in a session whose corrections are not known here: %s; it is not answered until the program is started again%s", a.doubts(), d.patience())
	case blind:
		if d.rough.Load() {
			return safe("axis %s is measured too coarsely for a controller that does not count late answers: raise Precision, or configure Delay", axisName(d.axis.Load()))
		}
		return safe("telegrams without the position of axis %s", axisName(d.axis.Load()))
	case reading:
		return safe("the program lets positions be read")
	case refused:
		return safe("start refused: axis %s is %.4g %s away from where it should be", axisName(d.axis.Load()), a.away(), a.unit())
	case stopped:
		return safe("emergency stop")
	case unpowered:
		return safe("drives are off")
	case disarmed:
		if d.stop.Pressed() {
			return safe("emergency stop of the cell")
		}
		return safe("it is to be re-armed after a stop: %s, or start the program of the controller anew", rearmHint)
	case broken:
		return safe("telegrams were missing for too long: the program is sent back to where positions are read")
	case changing:
		return safe("the program ends the session to load a tool")
	case leaving:
		return safe("control has been given back")
	case ready:
		return device.Status{State: device.Operational, Cause: d.warning()}
	}
	return device.Status{State: device.Offline, Cause: a.whyOffline()}
}

const rearmHint = "rearm=true at its page rsi"

// axisName is how the controller calls an axis.
func axisName(a int32) string {
	if a < channels.Axes {
		return fmt.Sprint("A", a+1)
	}
	return fmt.Sprint("E", a-channels.Axes+1)
}

func (a *Arm) away() float64 { return math.Float64frombits(a.driver.apart.Load()) }

func (a *Arm) unit() string {
	if a.driver.axis.Load() < channels.Axes {
		return "rad"
	}
	return "rad or m"
}

// longestPause is how long a program may take from one session to the next before that is told as a loss, ns.
const longestPause = int64(10e9)

func (a *Arm) overdue() bool {
	clock, ok := a.clock.(*rt.Real)
	return ok && clock.Unix(clock.Now())-a.driver.endedAt.Load() > longestPause
}

// warning tells of answers that come too late before that ends the session.
func (d *driver) warning() string {
	late, answers := d.lates.Load(), d.answers.Load()
	if late < int64(d.cfg.Warning) {
		return ""
	}
	text := fmt.Sprintf("%d answers were late or lost, at %d the controller ends the session", late, d.cfg.Timeout)
	if late+2 >= answers {
		text += "; it takes none at all: is SENTYPE the parameter sen_type?"
	}
	return text
}

// whyOffline is what is known about a robot that does not call.
func (a *Arm) whyOffline() string {
	d := a.driver
	stats := a.link.Statistics()
	switch {
	case stats.Sessions == 0 && stats.Garbage > 0:
		return fmt.Sprintf("telegrams at %v are not understood: %s", a.link.Address(), d.misunderstood())
	case stats.Sessions == 0 && stats.Foreign > 0:
		from, _ := a.link.Stranger()
		return fmt.Sprintf("telegrams of %v at %v are dropped: the parameter ip is %s", from, a.link.Address(), a.cfg.Peer)
	case stats.Sessions == 0:
		return fmt.Sprintf("no controller has called at %v", a.link.Address())
	}
	was := phase(d.ended.Load())
	text := "the session was lost"
	switch {
	case was == ready:
		text += " in control"
	case ignorance(d.doubt.Load()) != undoubted:
		return text + ": it was not answered, as " + a.doubts() + "; start the program again"
	}
	if late := d.lates.Load(); late >= int64(d.cfg.Timeout)-1 {
		text += fmt.Sprintf(" after %d late answers (RSITimeout)", late)
	}
	return text
}

// doubts is why it is not known what the controller holds.
func (a *Arm) doubts() string {
	d := a.driver
	late, after := d.doubtLate.Load(), time.Duration(d.doubtAfter.Load()).Round(time.Millisecond)
	switch ignorance(d.doubt.Load()) {
	case justOpened:
		return fmt.Sprintf("it called %v after the device was opened, so another driver may have led it until then", after)
	case openedLate:
		return fmt.Sprintf("Delay was already %d when the device began to listen, so another driver may have led it", late)
	case neverCounts:
		return fmt.Sprintf("it called %v after the device was opened and does not count late answers (Delay), so another driver may have led it until then", after)
	case misplaced:
		return fmt.Sprintf("axis %s is %.4g %s away from where it should be", axisName(d.axis.Load()), a.away(), a.unit())
	default:
		return "it may hold what it was answered before telegrams were missing or the program was started again"
	}
}

// misunderstood is what was wrong with a telegram.
func (d *driver) misunderstood() string {
	f, wrong := telegram.Fault(d.fault.Load()), int(d.wrong.Load())-1
	if wrong >= 0 && wrong < len(d.layout.Rob) {
		return fmt.Sprintf("%v: %s", f, d.layout.Rob[wrong].Name())
	}
	return f.String()
}

// Diary tells of sessions, and of the phase of this one (any).
func (a *Arm) Diary() []string {
	d := a.driver
	p := phase(d.phase.Load()) % phases
	entry := pageWords[p]
	if why := d.reason(); why != "" {
		entry += ": " + why
	}
	if p == unknown {
		entry += "; " + a.doubts()
	}
	if p == ready {
		entry += "; corrections are known by the " + d.knowledge()
		if less := d.less(); less != "" {
			entry += "; " + less
		}
	}
	return append(append(a.link.Diary(), a.Group.Diary()...), entry)
}

// reason is why the driver is in its phase.
func (d *driver) reason() string {
	if i := int(d.because.Load()) - 1; i >= 0 && i < len(rules) {
		return rules[i].why
	}
	return ""
}

// knowledge is how the driver knows what the controller holds.
func (d *driver) knowledge() string {
	if counting(d.known.Load()) == uncounted {
		return "measured positions"
	}
	return "count of late answers"
}

// patience is what else helps where the controller does not count.
func (d *driver) patience() string {
	return fmt.Sprintf(", or after %v without telegrams", time.Duration(d.session.long))
}

// measuredCycle is that of the controller.
func (d *driver) measuredCycle() time.Duration {
	if c := d.cycle.Load(); c > 0 {
		return time.Duration(c).Round(10 * time.Microsecond)
	}
	return d.cfg.Cycle
}

// less is what the driver knows less of than it could, so that it allows less.
func (d *driver) less() string {
	if counting(d.known.Load()) == uncounted {
		return "slow: the controller does not count late answers (Delay), so that axes stay near where they are measured"
	}
	measured := d.measuredCycle()
	if measured > d.cfg.Cycle*5/4 || measured < d.cfg.Cycle*4/5 {
		return fmt.Sprintf("the cycle of the controller is %v, not %v as the parameter cycle says: axes are led with the limits of the shorter one", measured, d.cfg.Cycle)
	}
	return ""
}
