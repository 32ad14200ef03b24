package rcc

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Debugging says which in ports of nets are recorded (§7.7.1), and how much memory that may take. Each net takes its memory when
// it is loaded and gives it back when it is unloaded. A net that asks for more than is left is not refused: its ports are kept
// for a shorter time, because debugging must not keep a net from doing its work.
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

// DebugLog has the values of in ports of a net in its newest cycles: a copy that belongs to one reader.
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
	Kept  time.Duration // how long it is kept: less when memory is short
}

// DebugRow is a cycle. Values are in text form; a value is empty when the port was null, its fragment was inactive, or the value
// is not kept any more.
type DebugRow struct {
	Time   float64 // of the net: s since its start
	Cycle  uint64
	Values []string
	Given  []bool
}

// Debug returns the record of the cycles after some cycle, at one moment; the net is not disturbed. The record exists until the
// net is unloaded; the copy belongs to the caller. The error is ErrBusy when the net overwrites the few cycles that are kept
// faster than they can be copied.
func (n *Net) Debug(after uint64) (*DebugLog, error) {
	d := &DebugLog{period: n.period}
	if n.program == nil || n.program.Markers == nil {
		return d, nil
	}
	r := n.program.Markers.Recorder
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

// Recorded returns how many ports of the net are recorded.
func (n *Net) Recorded() int {
	if n.program == nil || n.program.Markers == nil {
		return 0
	}
	return len(n.program.Markers.Recorder.Ports())
}

// Debugged returns the number of the newest recorded cycle, 0 for none.
func (n *Net) Debugged() uint64 {
	if n.program == nil || n.program.Markers == nil {
		return 0
	}
	return n.program.Markers.Recorder.Newest()
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

// AppendHeader appends a line with the names of the table's columns.
func (d *DebugLog) AppendHeader(dst []byte) []byte {
	dst = append(dst, "time\tcycle"...)
	for i := range d.Ports {
		dst = append(append(dst, '\t'), d.Ports[i].Name...)
	}
	return append(dst, '\n')
}

// AppendTable appends a line for each cycle, separated by tabs: its time in seconds, its number, the ports. A missing value is
// empty.
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

// Probing bounds the cost of all probes that are attached at a time. A probe that would cost more is refused.
type Probing struct {
	NetWords int // of one net in a cycle, 1024 when zero
	Words    int // of all nets in their cycles, 8192 when zero
	Bytes    int // of memory, 64 MiB when zero; one probe may have a quarter of them
}

// Of what probes consist.
type (
	ProbePort = net.PortName
	Probed    = net.FoundPort
	Samples   = spec.Samples
	Column    = spec.Column
)

// Probe watches ports of a net from some tick on, in every cycle, until it is closed or the net ends. All methods may be called from any
// goroutine, but a Samples is for one at a time.
type Probe struct {
	net      *Net
	id       sched.ProbeID
	ports    []Probed
	words    int
	account  *budget.Account
	recorder *spec.Recorder

	// under ground.mu
	bytes  int64
	over   error // why there will be no more samples
	closed bool
	gone   bool // the cycle has forgotten it
}

// probes are those of all nets that have not been closed, or that the cycle knows; under ground.mu.
type probes struct {
	byID map[sched.ProbeID]*Probe
	last sched.ProbeID
}

const (
	leastKept = 16               // cycles that a probe keeps at least
	mostKept  = 10 * time.Second // for which it does at most
)

// Probe attaches a probe to ports of a net that runs, or of one that has not been started: then it waits for the start. Samples are kept
// for the time keep, or for less when memory is short; a reader that is slower loses cycles.
func (n *Net) Probe(ctx context.Context, ports []ProbePort, keep time.Duration) (*Probe, error) {
	switch most := n.nets.cfg.Probes.NetWords; {
	case n.program == nil:
		return nil, refuse(ErrState, n.place(), "it has no cycles while %s", n.State())
	case len(ports) == 0:
		return nil, refuse(ErrValue, n.place(), "a probe needs a port")
	case len(ports) > most:
		return nil, refuse(ErrTooMany, n.place(), "%d ports are too many for a probe, %d are allowed", len(ports), most)
	}
	p := &Probe{net: n, account: n.nets.memory.accountOf("a probe of "+n.name, "", 0)}
	var made *net.Probe
	err := n.WithTree(func(root *grammar.Node) (err error) {
		made, err = p.prepare(root, ports, max(leastKept, int(min(keep, mostKept)/n.period)))
		return err
	})
	if err == nil {
		p.recorder = made.Recorder
		err = n.nets.explain(n.nets.sched.Attach(ctx, p.id, n.ref, made), n.place())
	}
	if err != nil {
		n.nets.mu.Lock()
		defer n.nets.mu.Unlock()
		p.closed, p.gone = true, true
		p.drop()
		return nil, err
	}
	return p, nil
}

// prepare makes what the cycle is to execute.
func (p *Probe) prepare(root *grammar.Node, ports []ProbePort, cycles int) (*net.Probe, error) {
	n := p.net
	found, err := n.program.Find(root, p.account, ports)
	var missing *net.MissingError
	switch {
	case errors.As(err, &missing):
		return nil, refuse(ErrNoPort, n.place(), "%v", err)
	case err != nil:
		return nil, refuse(ErrState, n.place(), "%v", err)
	}
	p.ports, p.words = found.Ports, found.Words()
	if err := p.register(); err != nil {
		return nil, err
	}
	made, err := found.Probe(cycles, p.grant)
	if err != nil {
		return nil, n.nets.memory.short(n.place(), err)
	}
	if kept := made.Recorder.Ports()[0].Kept; kept < leastKept {
		return nil, refuse(ErrMemory, n.place(), "a probe keeps at least %d cycles, and of the %s for all probes there is only enough for %d of them",
			leastKept, budget.Size(int64(n.nets.cfg.Probes.Bytes)), kept)
	}
	return made, nil
}

// register finds room for the words of a probe.
func (p *Probe) register() error {
	ns := p.net.nets
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ofNet, ofAll := 0, 0
	for _, other := range ns.probes.byID {
		switch {
		case other.gone:
		case other.net == p.net:
			ofNet += other.words
			fallthrough
		default:
			ofAll += other.words
		}
	}
	const tooMany = "the probe takes %d words a cycle, %d are allowed for %s, %d are in use"
	switch most := &ns.cfg.Probes; {
	case ns.closing:
		return refuse(ErrClosed, p.net.place(), "")
	case p.words > most.NetWords-ofNet:
		return refuse(ErrTooMany, p.net.place(), tooMany, p.words, most.NetWords, "a net", ofNet)
	case p.words > most.Words-ofAll:
		return refuse(ErrTooMany, p.net.place(), tooMany, p.words, most.Words, "all nets", ofAll)
	}
	ns.probes.last++
	p.id = ns.probes.last
	ns.probes.byID[p.id] = p
	return nil
}

// grant lends a probe memory for its rows, as much as there is of what it wants.
func (p *Probe) grant(wanted int64) int64 {
	ns := p.net.nets
	ns.mu.Lock()
	defer ns.mu.Unlock()
	most := int64(ns.cfg.Probes.Bytes)
	left := most
	for _, other := range ns.probes.byID {
		left -= other.bytes
	}
	p.bytes = max(0, min(wanted, left, most/4))
	return p.bytes
}

// drop gives back what a probe has taken, when it is closed and the cycle has forgotten it. ground.mu is held.
func (p *Probe) drop() {
	if p.closed && p.gone {
		delete(p.net.nets.probes.byID, p.id)
		p.account.Close()
	}
}

// probeGone hears that the cycle has forgotten a probe. ground.mu is held.
func (ns *Nets) probeGone(id sched.ProbeID) {
	if p := ns.probes.byID[id]; p != nil {
		p.gone = true
		p.drop()
	}
}

// endProbes notes why the probes of a net see nothing more. ground.mu is held.
func (n *Net) endProbes(why error) {
	for _, p := range n.nets.probes.byID {
		if p.net == n && p.over == nil {
			p.over = why
		}
	}
}

// Ports returns the ports of the probe, in the order of the request.
func (p *Probe) Ports() []Probed { return p.ports }

// Kept returns how long samples are kept.
func (p *Probe) Kept() time.Duration { return time.Duration(p.recorder.Ports()[0].Kept) * p.net.period }

// Read reads the samples of the cycles after some cycle, as far as they are still kept. Each port has a column; that of a port that is
// constant or not connected has no words. When no more samples will come, the error says why.
func (p *Probe) Read(after uint64, s *Samples) error {
	over := p.why()
	if p.recorder.Sample(after, s); len(s.Cycle) > 0 {
		return nil
	}
	return over
}

// why says why there will be no more samples, nil while there may be.
func (p *Probe) why() error {
	p.net.nets.mu.Lock()
	defer p.net.nets.mu.Unlock()
	if p.closed {
		return refuse(ErrState, p.net.place(), "the probe is closed")
	}
	return p.over
}

// Close detaches the probe. It may be called more than once.
func (p *Probe) Close() {
	ns := p.net.nets
	ns.mu.Lock()
	again := p.closed
	p.closed = true
	p.drop()
	ns.mu.Unlock()
	if !again {
		_ = ns.sched.Detach(context.Background(), p.id) // it may be gone, or everything closed
	}
}
