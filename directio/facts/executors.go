package facts

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Executor runs the nets of one cycle time and class on one CPU. Times are in milliseconds.
type Executor struct {
	Period   string       `xml:"period,attr" json:"period"`
	Realtime bool         `xml:"realtime,attr" json:"realtime"`
	Detached bool         `xml:"detached,attr" json:"detached"`           // a thread of its own, not an ordinary goroutine
	CPU      *int         `xml:"cpu,attr,omitempty" json:"cpu,omitempty"` // empty for any CPU
	Priority int          `xml:"priority,attr" json:"priority"`           // zero is the ordinary scheduling of the system
	Reason   string       `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Rests    bool         `xml:"rests,attr" json:"rests"`
	Nets     int          `xml:"nets,attr" json:"nets"`
	Ticks    uint64       `xml:"ticks,attr" json:"ticks"`
	Late     uint64       `xml:"late,attr" json:"late"`
	Missed   uint64       `xml:"missed,attr" json:"missed"`
	Load     float64      `xml:"load,attr" json:"load"`   // the part of the period that ticks take
	Share    float64      `xml:"share,attr" json:"share"` // of a CPU that running nets take, in percent
	Wakeup   Distribution `xml:"wakeup" json:"wakeup"`
	Busy     Distribution `xml:"busy" json:"busy"`
	Thread   string       `xml:"-" json:"thread"` // what it runs on, for people

	period time.Duration
}

// Executors describes the executors, in the order in which they get their CPUs: the real-time class before the ordinary one, short
// periods before long ones.
func Executors(core *rcc.Core) []Executor {
	list := []Executor{}
	for _, e := range core.Executors.All() {
		w, b := e.Wakeup, e.Busy
		view := Executor{
			Period: e.Period.String(), Realtime: e.Realtime, Detached: e.Detached, Priority: e.Priority, Rests: e.Rests, Nets: e.Nets,
			Ticks: e.Ticks, Late: e.Late, Missed: e.Missed, Load: float64(b.Mean) / float64(e.Period), period: e.Period, Share: e.Share.Percent(),
			Wakeup: Describe(w.Mean, w.StdDev, w.Min, w.Max, w.Histogram[:]),
			Busy:   Describe(b.Mean, b.StdDev, b.Min, b.Max, b.Histogram[:]),
		}
		if e.CPU >= 0 {
			view.CPU = &e.CPU
		}
		if e.Ordinary != nil {
			view.Reason = e.Ordinary.Error()
		}
		list = append(list, view.InWords())
	}
	slices.SortStableFunc(list, func(a, b Executor) int {
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

func (e Executor) cpu() int {
	if e.CPU == nil {
		return -1
	}
	return *e.CPU
}

// Key identifies an executor: there is one for each period, class and CPU.
func (e Executor) Key() string {
	class := "ordinary"
	if e.Realtime {
		class = "realtime"
	}
	return fmt.Sprintf("%s %s %d", e.Period, class, e.cpu())
}

// InWords returns the executor with its thread in words.
func (e Executor) InWords() Executor {
	e.Thread = e.thread()
	return e
}

// thread says what an executor runs on.
func (e *Executor) thread() string {
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
func (e Executor) Percent() float64 { return 100 * e.Load }
