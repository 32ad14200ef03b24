package net

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Recording asks for ports to be recorded (§7.7.1). Debugging never prevents a net from running: a marker that asks for more than
// MostRecorded gets MostRecorded, and when less memory is granted than the ports need, they are kept for a shorter time.
type Recording struct {
	All   time.Duration           // how long every connected in port of a primitive is kept; zero: only ports with a marker are
	Grant func(bytes int64) int64 // returns how many of the bytes may be taken; called at most once, before they are
}

// MostRecorded is the longest time for which a port is kept.
const MostRecorded = 10 * time.Second

// recorded is a port that is to be recorded.
type recorded struct {
	seq     int32 // place in the text of the net
	frag    int32 // in which its source is looked up
	at      ref
	port    string
	seconds float64
	what    recordedWhat
	index   int32
	out     int32 // of anOutPortOf
}

// recordedWhat returns where the link of a recorded port stands.
type recordedWhat uint8

const (
	anInstancePort  recordedWhat = iota // in links
	anInstanceGuard                     // in an instance
	aFragmentPort                       // in ports
	anOutPortOf                         // none: it is an out port of an instance
)

// record notes a port that is to be recorded. marker is what the text says, empty for nothing.
func (c *compiler) record(frag int32, at ref, port, marker string, what recordedWhat, index int) {
	wanted := c.opt.Record
	every := wanted != nil && what != aFragmentPort && wanted.All > 0
	if marker == "" && !every {
		return
	}
	seconds := 0.0
	if marker != "" {
		var ok bool
		if seconds, ok = parseSeconds(marker); !ok {
			c.problem(NotRecorded, at, port, "the debug marker %s is not a time in seconds", strconv.Quote(short(marker)))
			return
		}
	}
	if wanted == nil {
		return
	}
	if every {
		seconds = max(seconds, wanted.All.Seconds())
	}
	if seconds > 0 { // XML has debug="0" for ports that are not to be recorded
		c.recorded = append(c.recorded, recorded{
			seq: c.seqOf(at), frag: frag, at: at, port: port, seconds: min(seconds, MostRecorded.Seconds()), what: what, index: int32(index),
		})
	}
}

// parseSeconds reads digits with or without fraction.
func parseSeconds(text string) (seconds float64, ok bool) {
	for _, b := range []byte(text) {
		if b != '.' && (b < '0' || b > '9') {
			return 0, false
		}
	}
	seconds, err := strconv.ParseFloat(text, 64)
	return seconds, err == nil || math.IsInf(seconds, 1) // more digits than there are numbers
}

func (c *compiler) recordedLink(r *recorded) link {
	switch r.what {
	case anInstancePort:
		return c.links[r.index]
	case anInstanceGuard:
		return c.instances[r.index].guard
	case anOutPortOf:
		return link{r.index, r.out}
	default:
		return c.ports[r.index].link
	}
}

// recordedUnder is the condition under which a port is recorded: that of the fragment around it, as if a primitive that keeps
// the values stood there. An out port shows what was written in a cycle, whoever may read it: a Pre gives its value also to the
// guard that depends on it, and keeps the fragment inactive by that.
func (c *compiler) recordedUnder(r *recorded) int32 {
	if r.what == anOutPortOf {
		return always
	}
	return c.scopes[c.fragments[r.frag].scope].condition
}

// recorder makes the recorder of a faultless net, nil for a net without recorded ports.
func (c *compiler) recorder() *spec.Recorder {
	if len(c.recorded) == 0 {
		return nil
	}
	slices.SortStableFunc(c.recorded, func(a, b recorded) int { return cmp.Compare(a.seq, b.seq) })
	env := spec.Env{Period: c.opt.Period}
	made := new(spec.Recorder)
	taken := int64(0)
	for i := range c.recorded {
		if c.take(budget.Recordings, made.Overhead()-taken); c.short != nil {
			return nil
		}
		taken = made.Overhead()
		r := &c.recorded[i]
		var cell any
		if l := c.recordedLink(r); l.connected() {
			cell = c.cell(l)
		}
		made.Record(c.boundedPath(r.at, r.port), cell, max(1, env.Cycles(r.seconds, math.MaxInt32)))
	}
	if c.take(budget.Recordings, made.Overhead()-taken); c.short != nil {
		return nil
	}
	if c.opt.Record.Grant != nil {
		made.Shorten(c.opt.Record.Grant(made.Bytes()))
	}
	made.Seal()
	return made
}

// longestPath bounds the names of recorded ports: a hostile net can nest long names deeply, and record very many ports there.
const longestPath = 1000

// boundedPath is portPath, of which only the end is left when it is long.
func (c *compiler) boundedPath(at ref, port string) string {
	parts, length := []string{port}, len(port)
	for at != root && length < longestPath {
		l, up := c.labelOf(at)
		parts = append(parts, l.name)
		length += len(l.name) + 1
		if at = up; l.host != root {
			at = l.host
		}
	}
	slices.Reverse(parts)
	name := strings.Join(parts, ".")
	if len(name) > longestPath {
		name = "…" + strings.ToValidUTF8(name[len(name)-longestPath:], "")
	}
	return name
}

// labelOf returns what a node is called in the fragment around it.
func (c *compiler) labelOf(r ref) (l label, up ref) {
	if r < 0 {
		f := &c.fragments[^r]
		return f.label, ^ref(f.up)
	}
	inst := &c.instances[r]
	return inst.label, ^ref(inst.frag)
}

// writeRecords writes what is done at the end of a cycle to keep the values of its ports.
func (b *builder) writeRecords(r *spec.Recorder) {
	b.unguarded(r.Begin)
	order := make([]int, 0, len(b.recorded))
	for i := range b.recorded {
		if r.Keeps(i) {
			order = append(order, i)
		}
	}
	group := func(i, j int) int {
		return cmp.Or(cmp.Compare(b.recordedUnder(&b.recorded[i]), b.recordedUnder(&b.recorded[j])), r.Compare(i, j))
	}
	slices.SortStableFunc(order, group)
	for at := 0; at < len(order); {
		end := at + 1
		for end < len(order) && group(order[at], order[end]) == 0 {
			end++
		}
		b.enter(b.recordedUnder(&b.recorded[order[at]]))
		b.runs = append(b.runs, r.Kernel(order[at:end]))
		at = end
	}
	b.leave(always)
	b.unguarded(r.End)
}
