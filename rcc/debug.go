package rcc

import (
	"iter"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Debugging says which in ports of nets are recorded (§7.7.1), and how much memory that may take. Each net takes its memory when
// it is loaded and gives it back when it is unloaded. One that asks for more than is left is not refused: its ports are kept for
// a shorter time, because debugging must not keep a net from doing its work.
type Debugging struct {
	Level    DebugLevel
	Time     time.Duration // how long in ports are kept at DebugAll, 2 s when zero
	NetBytes int           // of one net, 16 MiB when zero
	Bytes    int           // of all nets, 64 MiB when zero
}

// DebugLevel is what is recorded.
type DebugLevel uint8

// The levels. With DebugAll a marker still counts where it asks for a longer time.
const (
	DebugRequested DebugLevel = iota // in ports that have a marker in the text of the net
	DebugOff
	DebugAll
)

// recording is what a net is compiled with.
func (ns *Nets) recording(n *Net) *net.Recording {
	d := &ns.cfg.Debug
	r := &net.Recording{Grant: func(bytes int64) int64 { return ns.grantDebug(n, bytes) }}
	switch d.Level {
	case DebugOff:
		return nil
	case DebugAll:
		r.All = d.Time
	}
	return r
}

// grantDebug lends a net memory for its recorder, as much as there is of what it wants.
func (ns *Nets) grantDebug(n *Net, wanted int64) int64 {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	granted := max(0, min(wanted, int64(ns.cfg.Debug.NetBytes), int64(ns.cfg.Debug.Bytes)-ns.debugBytes))
	granted = n.account.TakeUpTo(budget.Recordings, granted)
	if granted < wanted {
		ns.log.Warn("net is recorded for less time than it asks for", zap.String("net", n.name), zap.Int64("bytes", granted), zap.Int64("wanted", wanted))
	}
	n.debugBytes = granted
	ns.debugBytes += granted
	return granted
}

// giveBackDebug is called when a net is gone, or has not been loaded after all. ground.mu is held.
func (n *Net) giveBackDebug() {
	n.nets.debugBytes -= n.debugBytes
	n.debugBytes = 0
}

// DebugLog is what in ports of a net were given in its newest cycles: a copy that belongs to one reader.
type DebugLog struct {
	Ports []DebugPort
	Bytes int64 // of the memory that the net has taken for it

	period    time.Duration
	recording *spec.Recording // nil when nothing is recorded
}

// DebugPort is a recorded port, a column of the table.
type DebugPort struct {
	Name  string        // with the path of its primitive
	Type  string        // empty for a port that is connected to nothing
	Asked time.Duration // how long it is to be kept, in whole cycles
	Kept  time.Duration // how long it is kept: less where memory is short
}

// DebugRow is a cycle. Values are in text form; there is none where the port was null, its fragment was inactive, or the value is
// not kept any more.
type DebugRow struct {
	Time   float64 // of the net: s since its start
	Cycle  uint64
	Values []string
	Given  []bool
}

// Debug returns what is recorded of the cycles after some cycle, as one moment left it; the net is not disturbed. It is there
// until the net is unloaded, and whoever has it may keep it. It is ErrBusy when the net overwrites the few cycles that are kept
// faster than they can be copied.
func (n *Net) Debug(after uint64) (*DebugLog, error) {
	d := &DebugLog{period: n.period}
	if n.program == nil || n.program.Recorder == nil {
		return d, nil
	}
	r := n.program.Recorder
	d.Bytes = r.Bytes()
	for _, p := range r.Ports() {
		d.Ports = append(d.Ports, DebugPort{
			Name: clean(p.Name), Type: string(p.Type),
			Asked: time.Duration(p.Asked) * n.period, Kept: time.Duration(p.Kept) * n.period,
		})
	}
	var ok bool
	if d.recording, ok = r.Copy(after); !ok {
		return nil, refuse(ErrBusy, n.place(), "its cycles overwrite the debug log while it is read; record for longer, or try again")
	}
	return d, nil
}

// Recorded is how many ports of the net are recorded.
func (n *Net) Recorded() int {
	if n.program == nil || n.program.Recorder == nil {
		return 0
	}
	return len(n.program.Recorder.Ports())
}

// Debugged is the number of the newest cycle that is recorded, 0 for none.
func (n *Net) Debugged() uint64 {
	if n.program == nil || n.program.Recorder == nil {
		return 0
	}
	return n.program.Recorder.Newest()
}

// clean keeps names from looking like more than one column or row.
func clean(name string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, name)
}

// Shortened reports whether ports are kept for a shorter time than was asked for.
func (d *DebugLog) Shortened() bool {
	for i := range d.Ports {
		if d.Ports[i].Kept < d.Ports[i].Asked {
			return true
		}
	}
	return false
}

// Cycles returns the numbers of the first and the last cycle; the first is behind the last when there is none.
func (d *DebugLog) Cycles() (first, last uint64) {
	if d.recording == nil {
		return 1, 0
	}
	return d.recording.Cycles()
}

// Rows are the cycles from the first to the last. A row is valid until the next one.
func (d *DebugLog) Rows() iter.Seq[*DebugRow] {
	return func(yield func(*DebugRow) bool) {
		row := DebugRow{Values: make([]string, len(d.Ports)), Given: make([]bool, len(d.Ports))}
		var text []byte
		first, last := d.Cycles()
		for n := first; n <= last; n++ {
			row.Time, row.Cycle = d.time(n), n
			for i := range d.Ports {
				text, row.Given[i] = d.recording.Text(text[:0], n, i)
				row.Values[i] = string(text)
			}
			if !yield(&row) {
				return
			}
		}
	}
}

// time is that of the net in a cycle: the logical one, which passes by one cycle time each.
func (d *DebugLog) time(cycle uint64) float64 { return (time.Duration(cycle-1) * d.period).Seconds() }

// AppendHeader appends the names of the table's columns, a line.
func (d *DebugLog) AppendHeader(dst []byte) []byte {
	dst = append(dst, "time\tcycle"...)
	for i := range d.Ports {
		dst = append(append(dst, '\t'), d.Ports[i].Name...)
	}
	return append(dst, '\n')
}

// AppendTable appends the rows separated by tabs, a line for each cycle: its time in seconds, its number, the ports. Where there
// is no value there is nothing.
func (d *DebugLog) AppendTable(dst []byte) []byte {
	first, last := d.Cycles()
	for n := first; n <= last; n++ {
		dst = strconv.AppendFloat(dst, d.time(n), 'f', -1, 64)
		dst = strconv.AppendUint(append(dst, '\t'), n, 10)
		for i := range d.Ports {
			dst, _ = d.recording.Text(append(dst, '\t'), n, i)
		}
		dst = append(dst, '\n')
	}
	return dst
}
