package doctor

import (
	"slices"
	"strings"
)

// Fact is one of the three that say together how real-time a daemon is (ADR 0040): its rights, its machine, its record.
type Fact struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	State string `json:"state"` // a word
	Text  string `json:"text"`
	Short string `json:"-"` // the part of the text that says what falls short
}

// Daemon is what a daemon on the machine says of itself.
type Daemon struct {
	URL   string `json:"url"`
	State string `json:"state"`
	Facts []Fact `json:"facts"`
}

// The names of the facts. Findings are about one of the first two; only a daemon has a record.
const (
	Rights  = "rights"
	Machine = "machine"
	Record  = "record"
)

// The states of facts.
const (
	Granted  = "granted"  // rights
	Missing  = "missing"  // rights
	Fit      = "fit"      // a machine
	Unfit    = "unfit"    // a machine
	Checking = "checking" // a machine whose self-test is not through
	Clean    = "clean"    // a record of a minute
	Late     = "late"     // a record of a minute
	Off      = "off"      // nobody has asked
)

// String returns the fact for people.
func (f Fact) String() string { return f.Name + " " + f.State + ": " + f.Text }

// Rights is what the findings on a process come to.
func (r Report) Rights() Fact {
	return r.fact(Rights, Granted, Missing, "rtprio", "memlock")
}

// Machine is what the findings on a machine come to.
func (r Report) Machine() Fact {
	return r.fact(Machine, Fit, Unfit, "kernel", "isolcpus", "governor")
}

// fact sums up findings: all that are needed, and those that are always told.
func (r Report) fact(name, good, bad string, told ...string) Fact {
	fact := Fact{Name: name, OK: true, State: good}
	var needed, others []string
	for _, f := range r.Findings {
		switch {
		case f.About != name:
		case f.Verdict == Needed || f.Verdict == Unknown && f.Name == "kernel": // of which all else is a matter
			fact.OK, fact.State = false, bad
			needed = append(needed, f.Name+" "+f.Found+", needed "+f.Wanted)
		case slices.Contains(told, f.Name):
			others = append(others, f.Name+" "+f.Found)
		}
	}
	fact.Short = strings.Join(needed, "; ")
	fact.Text = strings.Join(append(needed, others...), "; ")
	return fact
}
