package facts

import (
	"fmt"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Incident is a tick that was late or took too long.
type Incident struct {
	Time     string  `xml:"time,attr" json:"time"`
	Kind     string  `xml:"kind,attr" json:"kind"`
	Cause    string  `xml:"cause,attr" json:"cause"`
	Period   string  `xml:"period,attr" json:"period"`
	Realtime bool    `xml:"realtime,attr" json:"realtime"`
	Amount   float64 `xml:"amount,attr" json:"amount"` // milliseconds too late or too long
	Missed   uint64  `xml:"missed,attr" json:"missed"`
	Net      string  `xml:"net,attr,omitempty" json:"net,omitempty"`
	Cycle    uint64  `xml:"cycle,attr,omitempty" json:"cycle,omitempty"`
	URI      string  `xml:"uri,attr,omitempty" json:"uri,omitempty"`       // of the net while it exists
	Reason   string  `xml:"reason,attr,omitempty" json:"reason,omitempty"` // of an overload, with figures
	What     string  `xml:"-" json:"what"`                                 // was wrong, for people
}

// IncidentOf describes an incident.
func IncidentOf(core *rcc.Core, i rcc.Incident) Incident {
	view := Incident{
		Time: time.Unix(0, i.Time).UTC().Format(time.RFC3339Nano), Kind: i.Kind.String(), Cause: i.Cause.String(),
		Period: i.Period.String(), Realtime: i.Realtime, Amount: Milliseconds(i.Amount), Missed: i.Missed,
		Net: i.Net, Cycle: i.Cycle, Reason: i.Reason,
	}
	if _, err := core.Nets.Get(i.Net); err == nil {
		view.URI = NetURI(i.Net)
	}
	view.What = view.what()
	return view
}

// what returns what was wrong in words.
func (i *Incident) what() string {
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
	return fmt.Sprintf("late by %.3f ms, %s ticks missed", i.Amount, Grouped(i.Missed))
}

// lateTick is the kind of incidents that are the executor's.
const lateTick = "late"

// Grouped writes a number with groups of three digits.
func Grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
