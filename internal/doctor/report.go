package doctor

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
)

// Verdict says what a finding means.
type Verdict int

// The verdicts, from good to bad. Unknown is what could not be read, or is decided elsewhere.
const (
	OK Verdict = iota
	Unknown
	Better // less jitter is to be had
	Needed // without it, executors are not real-time
)

var verdicts = [...]string{OK: "ok", Unknown: "unknown", Better: "better", Needed: "needed"}

func (v Verdict) String() string { return verdicts[v] }

// MarshalText writes the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the word.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("%q is not a verdict", text)
	}
	*v = Verdict(i)
	return nil
}

// Finding is what was found at one point.
type Finding struct {
	Name    string  `json:"name"`
	About   string  `json:"about"` // the fact that it belongs to: Rights or Machine
	Verdict Verdict `json:"verdict"`
	Found   string  `json:"found"`
	Wanted  string  `json:"wanted"`
	Why     string  `json:"why"`
	Boot    string  `json:"boot,omitempty"`    // what must stand on the command line of the kernel
	Command string  `json:"command,omitempty"` // gets there, or for the unknown finds out; for Boot writes it down
}

// Report is what was found on a machine.
type Report struct {
	CPUs     CPUs      `json:"cpus"` // of the executors
	Findings []Finding `json:"findings"`
	Facts    []Fact    `json:"facts"`            // what the findings come to
	Daemon   *Daemon   `json:"daemon,omitempty"` // that was asked, if any has answered

	// The command line of the kernel for all findings together; it takes one restart.
	Boot        string `json:"boot,omitempty"`
	BootCommand string `json:"bootCommand,omitempty"`
}

// Options say for what a machine is examined. The zero value is good.
type Options struct {
	CPUs     CPUs   // of the executors; by default those that are isolated, otherwise the last one
	Priority int    // of the executors, DefaultPriority when 0
	Quick    bool   // leaves out the points that look at all processes; the facts do not depend on them
	Process  string // whose rights and limits are looked at: a number below /proc, "self" when empty
}

// DefaultPriority is above the threads in which a PREEMPT_RT kernel serves interrupts, and leaves room for those of a
// fieldbus to be above.
const DefaultPriority = 80

// Examine looks at the machine whose files are below root.
func Examine(root fs.FS, o Options) Report {
	m := newMachine(root, o)
	r := Report{CPUs: m.executors, Findings: []Finding{}}
	for _, c := range checks {
		if c.slow && o.Quick {
			continue
		}
		var f Finding
		if unmet := c.needs.unmet(m); unmet != "" {
			f = Finding{Found: unmet, Wanted: "CPUs", Verdict: Unknown}
		} else {
			f = c.look(m)
		}
		f.Name, f.Why, f.About = c.name, c.why, cmp.Or(c.about, Machine)
		if f.Boot != "" {
			f.Command = m.bootCommand(f.Boot)
		}
		r.Findings = append(r.Findings, f)
	}
	r.Facts = []Fact{r.Rights(), r.Machine()}
	r.Boot, r.BootCommand = m.boot(r.Findings)
	return r
}

// Ready reports whether all that is needed is there.
func (r Report) Ready() bool {
	return !slices.ContainsFunc(r.Facts, func(f Fact) bool { return !f.OK })
}
