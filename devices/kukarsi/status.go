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

// Status returns whether the robot can be commanded, and if not why not (any).
func (a *Arm) Status() device.Status {
	s := a.finish(a.state())
	if s.Cause == "" {
		s.Cause = a.Trouble()
	}
	if s.Cause == "" && s.State == device.Operational {
		s.Cause = a.driver.less()
	}
	if s.Cause == "" {
		s.Cause = a.link.Intruders()
	}
	return s
}

// finish returns the status of the joints of a device whose controller has one.
func (g *group) finish(s device.Status) device.Status {
	switch {
	case s.State != device.Operational:
	case g.held():
		s = device.Status{State: device.SafeOperational, Cause: "nets that commanded joints before control began must end first"}
	default:
		trouble := g.axes.Trouble()
		if trouble != "" && s.Cause != "" {
			trouble += "; "
		}
		s.Cause = trouble + s.Cause
	}
	return s
}

// state returns what the controller does.
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
		return safe("listening until it is clear which corrections the controller holds")
	case unknown:
		return safe("not answering, as it is not known which corrections the controller holds: %s; restart its program%s", a.doubts(), d.patience())
	case blind:
		if d.rough.Load() {
			return safe("axis %s is measured too coarsely for a controller that does not count late answers: raise Precision, or configure Delay", axisName(d.axis.Load()))
		}
		return safe("telegrams lack the position of axis %s", axisName(d.axis.Load()))
	case reading:
		return safe("the program is having positions read")
	case refused:
		return safe("start refused: axis %s is %.4g %s away from where it should be", axisName(d.axis.Load()), a.away(), unitOf(d.axis.Load()))
	case stopped:
		return safe("emergency stop at the controller")
	case unpowered:
		return safe("drives are off")
	case disarmed:
		switch {
		case d.stop.Pressed():
			return safe("emergency stop of the cell")
		case d.rearm.Load():
			return safe("%s: the robot was re-armed, which counts as soon as a telegram shows it where it was commanded to be", d.reason())
		}
		return safe("%s: re-arm the robot (rccctl device tell %s rsi rearm=true), or restart the controller's program", d.reason(), a.Ports().Device)
	case broken:
		return safe("telegrams were missing for too long: the program is sent back to where positions are read")
	case changing:
		return safe("the program is ending the session to load a tool")
	case leaving:
		return safe("the device is being closed")
	case ready:
		return device.Status{State: device.Operational, Cause: d.warning()}
	}
	return device.Status{State: device.Offline, Cause: a.whyOffline()}
}

// axisName returns how the controller calls an axis.
func axisName(a int32) string {
	if a < channels.Axes {
		return fmt.Sprint("A", a+1)
	}
	return fmt.Sprint("E", a-channels.Axes+1)
}

func (a *Arm) away() float64 { return math.Float64frombits(a.driver.apart.Load()) }

// unitOf returns the unit of an axis.
func unitOf(a int32) string {
	if a < channels.Axes {
		return "rad"
	}
	return "rad or m"
}

// longestPause is how long a program may take from one session to the next before the state calls it a loss, ns.
const longestPause = int64(10e9)

func (a *Arm) overdue() bool {
	clock, ok := a.clock.(*rt.Real)
	return ok && clock.Unix(clock.Now())-a.driver.endedAt.Load() > longestPause
}

// warning says that answers arrive too late, before that ends the session, and only as long as they do. In a row they certainly end it;
// whether the controller counts all of a session is not published.
func (d *driver) warning() string {
	row, late, most := d.row.Load(), d.lates.Load(), int64(d.cfg.Timeout)
	var text string
	switch {
	case row >= int64(d.cfg.Warning):
		text = fmt.Sprintf("%s late or missing: at %d the controller ends the session", device.Counted(row, "answer was", "answers in a row were"), most)
	case late < int64(d.cfg.Warning) || late > most:
		return ""
	case 2*late >= most:
		text = fmt.Sprintf("%s late or missing: a controller that counts all of them ends the session at %d", device.Counted(late, "answer of this session was", "answers of this session were"), most)
	case d.heard.Load()-d.lateAt.Load() < lately:
		text = fmt.Sprintf("answers are late or missing, %d of this session so far", late)
	default:
		return ""
	}
	if d.tookNone() {
		text += "; it takes none at all: they do not arrive, or SENTYPE of its XML file and the parameter sen_type differ"
	}
	return text
}

// lately is how old a late answer may be that the state speaks of, ns.
const lately = int64(time.Second)

// whyOffline returns what is known about a robot that does not call.
func (a *Arm) whyOffline() string {
	d := a.driver
	stats := a.link.Statistics()
	switch last, called := a.link.Newest(); {
	case called && last.Cause != link.Alive:
		text := "the session ended"
		if phase(d.ended.Load()) == ready {
			text += " under control"
		}
		if text += ": " + last.Why; assessment(d.doubt.Load()).why() != certain {
			text += " (" + a.doubts() + "); start the program again" + d.patience()
		}
		return text
	case called: // it began just now
		return "a session is beginning"
	case stats.Garbage > 0:
		return fmt.Sprintf("cannot read the telegrams that come to %v: %s", a.link.Address(), d.misunderstood())
	case stats.Foreign > 0:
		return fmt.Sprintf("dropping telegrams of %s at %v: the parameter ip is %s", a.link.Strangers(), a.link.Address(), a.cfg.Peer)
	}
	return fmt.Sprintf("no controller has called at %v", a.link.Address())
}

// doubts returns why it is not known what the controller holds.
func (a *Arm) doubts() string {
	m := assessment(a.driver.doubt.Load())
	text := m.text()
	if m.why() == misplaced {
		axis := a.driver.axis.Load()
		text += fmt.Sprintf(" (axis %s is %.4g %s away)", axisName(axis), a.away(), unitOf(axis))
	}
	return text
}

func (m assessment) text() string {
	switch m.why() {
	case justOpened:
		return fmt.Sprintf("it called %v after the device was opened, so another driver may have led it until then", m.after())
	case openedLate:
		return fmt.Sprintf("Delay was already %d when the device began to listen, so another driver may have led it", m.late())
	case neverCounts:
		return fmt.Sprintf("it called %v after the device was opened and does not count late answers (Delay), so another driver may have led it until then", m.after())
	case misplaced:
		return "the robot is not where it should be if it held nothing"
	default:
		return "it may hold what it was answered before telegrams were missing or the program was started again"
	}
}

// misunderstood returns what was wrong with a telegram.
func (d *driver) misunderstood() string {
	f, wrong := telegram.Fault(d.fault.Load()), int(d.wrong.Load())-1
	if wrong >= 0 && wrong < len(d.layout.Rob) {
		return fmt.Sprintf("%v: %s", f, d.layout.Rob[wrong].Name())
	}
	return f.String()
}

// reason returns why the driver is in its phase.
func (d *driver) reason() string { return whyOf(d.because.Load()) }

// source returns how the driver knows what the controller holds.
func (c counting) source() string {
	if c == uncounted {
		return "measured positions"
	}
	return "count of late answers"
}

// patience returns what else helps where the controller does not count.
func (d *driver) patience() string {
	return fmt.Sprintf(", at least %v after its last telegram if it does not count late answers", time.Duration(d.session.long))
}

// measuredCycle returns the measured cycle of the controller.
func (d *driver) measuredCycle() time.Duration {
	if c := d.cycle.Load(); c > 0 {
		return time.Duration(c).Round(10 * time.Microsecond)
	}
	return d.cfg.Cycle
}

// creeping is what it means that late answers are not counted.
const creeping = "slow: the controller does not count late answers (Delay), so axes stay near where they are measured"

// less returns what the driver knows less of than it could, so that it allows less.
func (d *driver) less() string {
	if counting(d.known.Load()) == uncounted {
		return creeping
	}
	if measured := d.measuredCycle(); d.cfg.off(int64(measured)) {
		return d.cfg.cycles(measured)
	}
	return ""
}

// cycles says that the cycle is not the configured one.
func (c *wireConfig) cycles(measured time.Duration) string {
	return fmt.Sprintf("the controller's cycle is %v, the parameter cycle %v: axes are led with the limits of the shorter one", measured.Round(10*time.Microsecond), c.Cycle)
}
