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

// Page returns the page of a Linked device that shows its wire. Types of such devices have it among their pages.
func Page() device.Page {
	return device.DeclarePage(device.Sheet[Linked, device.Nothing]{
		Path: "link", Doc: "the wire: who calls, how regularly, how fast he is answered, and how sessions have ended",
		Show: func(d Linked, _ device.Question) (any, error) { return viewOf(d.Link()), nil },
	})
}

// view is what the page shows.
type view struct {
	XMLName  xml.Name       `xml:"link" json:"-"`
	Listens  string         `xml:"listens,attr" json:"listens"`
	Caller   string         `xml:"caller,attr,omitempty" json:"caller,omitempty"`
	Cycle    string         `xml:"cycle,attr" json:"cycle"`
	Thread   string         `xml:"thread,attr" json:"thread"`
	Reason   string         `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Figures  []device.Count `xml:"figure" json:"figures"`
	Times    []device.Times `xml:"times" json:"times"`
	Sessions []sessionView  `xml:"session" json:"sessions"`
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
	v.Figures = s.counts()
	for _, t := range []struct {
		what string
		of   *figures.Distribution
	}{{"cycle", &s.Cycle}, {"jitter", &s.Jitter}, {"answer", &s.Answer}} {
		v.Times = append(v.Times, device.TimesOf(t.what, t.of))
	}
	for _, session := range l.Sessions() {
		v.Sessions = append(v.Sessions, sessionOf(&session))
	}
	return v
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

// counts returns all counters, in the order in which people want to see them.
func (s *Statistics) counts() []device.Count {
	return append([]device.Count{{What: "sessions", Count: s.Sessions}, {What: "silent", Count: s.Silent}}, s.telegrams()...)
}

// telegrams returns the counters of telegrams.
func (s *Statistics) telegrams() []device.Count {
	return []device.Count{
		{What: "received", Count: s.Received},
		{What: "answered", Count: s.Answered},
		{What: "unsent", Count: s.Unsent},
		{What: "lost", Count: s.Lost},
		{What: "late", Count: s.Late},
		{What: "repeated", Count: s.Repeated},
		{What: "outdated", Count: s.Outdated},
		{What: "foreign", Count: s.Foreign},
		{What: "garbage", Count: s.Garbage},
		{What: "too long", Count: s.TooLong},
	}
}
