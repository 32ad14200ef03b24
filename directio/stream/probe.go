package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc"
)

// ProbeRequest asks for the values of ports of a net.
type ProbeRequest struct {
	Net    string      `json:"net"`
	Ports  []ProbePort `json:"ports"`
	Rate   float64     `json:"rate,omitempty"`   // messages a second at most, 20
	Pixels int         `json:"pixels,omitempty"` // of the window, 600
	Window float64     `json:"window,omitempty"` // s, 10
}

// ProbePort names a port as the graph of the net does.
type ProbePort struct {
	Path string `json:"path"`
	Port string `json:"port"`
	Norm bool   `json:"norm,omitempty"` // of a vector, position, velocity or force, after its components
}

// Probing is the answer: the columns of the samples to come.
type Probing struct {
	ID    uint32      `json:"id"`
	Probe ProbedPorts `json:"probe"`
}

// ProbedPorts are the ports in the order of the request.
type ProbedPorts struct {
	Ports []ProbedPort `json:"ports"`
}

// ProbedPort is a column.
type ProbedPort struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"`                 // empty for a port that is connected to nothing
	Numbers    int      `json:"numbers"`              // in a row, with the norm; none for a constant
	Components []string `json:"components,omitempty"` // names of the numbers, if they have any
	Constant   bool     `json:"constant,omitempty"`
	Value      string   `json:"value,omitempty"` // of a constant
}

const (
	mostRate   = 50
	mostPixels = 10_000
	mostWindow = 24 * 60 * 60
	mostPorts  = 512

	// keepTime is how long samples wait for a client, and readTime how often they are taken in at least: a client may be told rarely.
	keepTime = 500 * time.Millisecond
	readTime = 100 * time.Millisecond
	// attachTime is how long a probe may take to be attached.
	attachTime = 10 * time.Second
)

// check completes a request, or says what is wrong with it.
func (q *ProbeRequest) check() error {
	refuse := func(where, format string, args ...any) error {
		return pages.Refuse(pages.CodeRequest, "probe."+where, format, args...)
	}
	if q.Rate == 0 {
		q.Rate = 20
	}
	if q.Pixels == 0 {
		q.Pixels = 600
	}
	if q.Window == 0 {
		q.Window = 10
	}
	switch {
	case q.Net == "":
		return refuse("net", "it is missing")
	case len(q.Ports) == 0 || len(q.Ports) > mostPorts:
		return refuse("ports", "there are %d, a probe has 1 to %d", len(q.Ports), mostPorts)
	case !(0.01 <= q.Rate && q.Rate <= mostRate):
		return refuse("rate", "%v messages a second are outside 0.01..%d", q.Rate, mostRate)
	case q.Pixels < 1 || q.Pixels > mostPixels:
		return refuse("pixels", "%d pixels are outside 1..%d", q.Pixels, mostPixels)
	case !(0.001 <= q.Window && q.Window <= mostWindow):
		return refuse("window", "%v s are outside 0.001..%d", q.Window, mostWindow)
	}
	return nil
}

// width is that of a pixel in ns.
func (q *ProbeRequest) width() int64 { return max(1, int64(q.Window*1e9/float64(q.Pixels))) }

// probe is the job of a client that watches ports.
type probe struct {
	shared  *sharedProbe
	every   time.Duration
	next    time.Time // when samples may be told again
	look    time.Time // when they are taken in again
	after   uint64    // cycle that was read last
	begun   bool
	samples rcc.Samples
	pixels  pixels
	lost    uint64 // cycles, not told yet
}

func (c *conversation) probe(ctx context.Context, id uint32, q *ProbeRequest) (job, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	n, err := c.server.core.Nets.Get(q.Net)
	if err != nil {
		return nil, err
	}
	shared, err := c.server.probes.attach(ctx, n, q.Ports)
	if err != nil {
		return nil, err
	}
	p := &probe{shared: shared, every: time.Duration(float64(time.Second) / q.Rate), pixels: pixels{width: q.width()}}
	told := Probing{ID: id}
	for i, port := range shared.probe.Ports() {
		column := pixelColumn{of: port.Type, words: port.Words, norm: q.Ports[i].Norm}
		if port.Constant || port.Type == "" {
			column.words, column.norm = 0, false
		}
		if column.norm && port.Type.Normed() == 0 {
			shared.detach()
			return nil, pages.Refuse(pages.CodeRequest, "probe.ports", "%s is of type %s, which has no norm", shorten(port.Name), port.Type)
		}
		p.pixels.columns = append(p.pixels.columns, column)
		told.Probe.Ports = append(told.Probe.Ports, ProbedPort{
			Name: port.Name, Type: string(port.Type), Numbers: column.numbers(), Components: componentsOf(&column),
			Constant: port.Constant, Value: port.Value,
		})
	}
	c.say(told)
	return p, nil
}

// componentsOf names the numbers of a column.
func componentsOf(c *pixelColumn) []string {
	names := c.of.Components()
	if c.words == 0 || names == nil {
		return nil
	}
	if c.norm {
		names = append(names, "norm")
	}
	return names
}

func (p *probe) end() { p.shared.detach() }

func (p *probe) due() (time.Time, bool) { return p.look, true }

func (p *probe) tell(to *teller) (more bool) {
	now := time.Now()
	if now.Before(p.look) {
		return false
	}
	over := p.read()
	p.look = now.Add(min(p.every, readTime))
	if ready := over != nil || !now.Before(p.next); ready && p.pixels.rows() > 0 {
		p.next = now.Add(p.every)
		to.write(to.conn.WriteBinary, func(room []byte) []byte { return p.pixels.append(room, to.id, p.lost) })
		p.pixels.forget()
		p.lost = 0
	}
	if over != nil {
		to.ended(reasonOf(over))
	}
	return false
}

// read takes in what there is. Cycles before the client has asked are not lost.
func (p *probe) read() error {
	over := p.shared.probe.Read(p.after, &p.samples)
	if n := len(p.samples.Cycle); n > 0 {
		if p.begun {
			p.lost += p.samples.Lost
		}
		p.after, p.begun = p.samples.Cycle[n-1], true
		p.pixels.add(&p.samples)
	}
	return over
}

// reasonOf is why a probe sees nothing more.
func reasonOf(err error) string {
	var refused *rcc.Error
	if errors.As(err, &refused) {
		return refused.Place + ": " + refused.Reason
	}
	return err.Error()
}

// probes are those that clients have, each once: who looks at the same ports of a net shares what it costs.
type probes struct {
	mu    sync.Mutex
	byKey map[string]*sharedProbe
}

// sharedProbe is a probe that some clients read, each at its own pace.
type sharedProbe struct {
	of      *probes
	key     string
	clients int
	ready   chan struct{} // closed when it is attached, or could not be
	probe   *rcc.Probe
	err     error
}

// attach returns a probe of some ports of a net. It is to be detached.
func (ps *probes) attach(ctx context.Context, n *rcc.Net, ports []ProbePort) (*sharedProbe, error) {
	var key strings.Builder
	fmt.Fprintf(&key, "%p", n)
	list := make([]rcc.ProbePort, len(ports))
	for i, port := range ports {
		list[i] = rcc.ProbePort{Path: port.Path, Port: port.Port}
		fmt.Fprintf(&key, " %q %q", port.Path, port.Port)
	}
	ps.mu.Lock()
	s := ps.byKey[key.String()]
	if s != nil {
		s.clients++
		ps.mu.Unlock()
		<-s.ready
	} else {
		s = &sharedProbe{of: ps, key: key.String(), clients: 1, ready: make(chan struct{})}
		ps.byKey[s.key] = s
		ps.mu.Unlock()
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), attachTime) // others may wait for it too
		s.probe, s.err = n.Probe(ctx, list, keepTime)
		stop()
		close(s.ready)
	}
	if s.err != nil {
		s.detach()
		return nil, s.err
	}
	return s, nil
}

// detach gives a probe back. The last client closes it.
func (s *sharedProbe) detach() {
	s.of.mu.Lock()
	s.clients--
	last := s.clients == 0
	if last && s.of.byKey[s.key] == s {
		delete(s.of.byKey, s.key)
	}
	s.of.mu.Unlock()
	if last && s.probe != nil {
		s.probe.Close()
	}
}
