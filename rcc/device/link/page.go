package link

import (
	"encoding/xml"
	"time"

	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Linked is a device with a wire.
type Linked interface {
	device.Device
	// Link does not change while the device exists (any).
	Link() *Link
}

// Page is the address below a Linked device that tells about its wire. Types of such devices have it among their pages.
func Page() device.Page {
	return device.DeclarePage(device.Sheet[Linked, device.Nothing]{
		Path: "link", Doc: "the wire: who calls, how regularly, how fast he is answered, and how sessions have ended",
		Show: func(d Linked, _ device.Question) (any, error) { return viewOf(d.Link()), nil },
	})
}

// view is what the page shows.
type view struct {
	XMLName  xml.Name      `xml:"link" json:"-"`
	Listens  string        `xml:"listens,attr" json:"listens"`
	Caller   string        `xml:"caller,attr,omitempty" json:"caller,omitempty"`
	Cycle    string        `xml:"cycle,attr" json:"cycle"`
	Thread   string        `xml:"thread,attr" json:"thread"`
	Reason   string        `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Figures  []countView   `xml:"figure" json:"figures"`
	Times    []timesView   `xml:"times" json:"times"`
	Sessions []sessionView `xml:"session" json:"sessions"`
}

type countView struct {
	What  string `xml:"what,attr" json:"what"`
	Count uint64 `xml:"count,attr" json:"count"`
}

type timesView struct {
	What   string `xml:"what,attr" json:"what"`
	Count  uint64 `xml:"count,attr" json:"count"`
	Mean   string `xml:"mean,attr" json:"mean"`
	Median string `xml:"p50,attr" json:"p50"`
	P99    string `xml:"p99,attr" json:"p99"`
	P999   string `xml:"p99.9,attr" json:"p99.9"`
	Max    string `xml:"max,attr" json:"max"`
}

type sessionView struct {
	Begin     string `xml:"begin,attr" json:"begin"`
	Lasted    string `xml:"lasted,attr" json:"lasted"`
	Peer      string `xml:"peer,attr" json:"peer"`
	Telegrams uint64 `xml:"telegrams,attr" json:"telegrams"`
	Lost      uint64 `xml:"lost,attr" json:"lost"`
	Ended     string `xml:"ended,attr" json:"ended"`
}

func viewOf(l *Link) *view {
	s := l.Statistics()
	x := l.Execution()
	v := &view{Listens: l.Address().String(), Cycle: l.Cycle().String(), Thread: x.String()}
	if x.Ordinary != nil {
		v.Reason = x.Ordinary.Error()
	}
	if peer, calls := l.Calling(); calls {
		v.Caller = peer.String()
	}
	for _, c := range s.counts() {
		v.Figures = append(v.Figures, countView{c.what, c.n})
	}
	for _, t := range []struct {
		what string
		of   *figures.Distribution
	}{{"cycle", &s.Cycle}, {"jitter", &s.Jitter}, {"answer", &s.Answer}} {
		v.Times = append(v.Times, timesOf(t.what, t.of))
	}
	for _, session := range l.Sessions() {
		v.Sessions = append(v.Sessions, sessionOf(&session))
	}
	return v
}

func timesOf(what string, d *figures.Distribution) timesView {
	return timesView{
		What: what, Count: d.Count, Mean: d.Mean.String(), Median: d.Quantile(0.5).String(),
		P99: d.Quantile(0.99).String(), P999: d.Quantile(0.999).String(), Max: d.Max.String(),
	}
}

func sessionOf(s *Session) sessionView {
	v := sessionView{
		Begin: s.Begin.UTC().Format(time.RFC3339Nano), Peer: s.Peer.String(), Telegrams: s.Telegrams, Lost: s.Lost, Ended: s.Why,
	}
	if s.Cause != Alive {
		v.Lasted = s.End.Sub(s.Begin).String()
	}
	return v
}

// count is a counter with its name.
type count struct {
	what string
	n    uint64
}

// counts are all counters, in the order in which people want to see them.
func (s *Statistics) counts() []count {
	return append([]count{{"sessions", s.Sessions}, {"silent", s.Silent}}, s.telegrams()...)
}

// telegrams are the counters of telegrams.
func (s *Statistics) telegrams() []count {
	return []count{
		{"received", s.Received},
		{"answered", s.Answered},
		{"unsent", s.Unsent},
		{"lost", s.Lost},
		{"late", s.Late},
		{"repeated", s.Repeated},
		{"outdated", s.Outdated},
		{"foreign", s.Foreign},
		{"garbage", s.Garbage},
		{"too long", s.TooLong},
	}
}
