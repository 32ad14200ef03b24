package ethercat

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// framesView is what the page frames shows.
type framesView struct {
	XMLName   xml.Name       `xml:"frames" json:"-"`
	Process   []processView  `xml:"process" json:"process"`
	Figures   []device.Count `xml:"figure" json:"figures"`
	Times     []device.Times `xml:"times" json:"times"`
	Datagrams []datagramView `xml:"datagram" json:"datagrams"`
	Incidents []incidentView `xml:"incident" json:"incidents"`
}

// processView is the process data of a slave in the newest cycle.
type processView struct {
	Slave   int    `xml:"slave,attr" json:"slave"`
	Name    string `xml:"name,attr" json:"name"`
	Outputs string `xml:"outputs,attr" json:"outputs"`
	Inputs  string `xml:"inputs,attr" json:"inputs"`
}

type datagramView struct {
	Command  string `xml:"command,attr" json:"command"`
	Address  string `xml:"address,attr" json:"address"`
	Bytes    int    `xml:"bytes,attr" json:"bytes"`
	Expected uint16 `xml:"expected,attr" json:"expected"`
	Got      uint16 `xml:"counter,attr" json:"counter"`
}

// incidentView is something that has happened. Slaves are counted from 1, as everywhere where people count them; what an incident does not have is nil.
type incidentView struct {
	Time  string   `xml:"time,attr" json:"time"`
	Cycle *uint64  `xml:"cycle,attr,omitempty" json:"cycle,omitempty"` // of those that the cycle has noticed
	What  string   `xml:"what,attr" json:"what"`
	Value *int64   `xml:"value,attr,omitempty" json:"value,omitempty"` // how many; of a slave its number
	Slave *int     `xml:"slave,attr,omitempty" json:"slave,omitempty"`
	Name  string   `xml:"name,attr,omitempty" json:"name,omitempty"`
	Cause string   `xml:"cause,attr,omitempty" json:"cause,omitempty"` // of a repair: why it was needed
	Done  string   `xml:"done,attr,omitempty" json:"done,omitempty"`   // what was done, or why that has not helped
	Took  *float64 `xml:"took,attr,omitempty" json:"took,omitempty"`   // s
}

func (b *Bus) framesView() *framesView {
	v := &framesView{}
	_, s := b.state()
	v.Incidents = b.incidents(s)
	if s == nil {
		return v
	}
	v.Process = processOf(s.master)
	st := s.master.Statistics()
	v.Figures = countsOf(&st)
	trips, wakes := s.master.RoundTrips(), s.wakes.Read()
	v.Times = []device.Times{device.TimesOf("round trip", &trips), device.TimesOf("late beginning", &wakes)}
	for _, d := range s.master.Datagrams() {
		v.Datagrams = append(v.Datagrams, datagramView{d.Command.String(), long(d.Address), d.Length, d.Expected, d.Got})
	}
	return v
}

// incidents returns what the cycle has noticed and what was done about slaves, the newest first: a number of each, so that
// neither pushes out the other.
func (b *Bus) incidents(s *session) (views []incidentView) {
	const most, mostEvents = 50, 20
	type dated struct {
		at   int64
		view incidentView
	}
	var all []dated
	if s != nil {
		list, slaves := s.master.Incidents(), s.master.Slaves()
		for _, n := range list[max(0, len(list)-most):] {
			v := incidentView{Cycle: &n.Cycle, What: n.Kind.String(), Value: &n.Value}
			if n.Kind.OfSlave() && n.Value >= 0 && int(n.Value) < len(slaves) {
				is := slaves[n.Value].Label
				number := is.Number()
				*v.Value = int64(number)
				v.Slave, v.Name = &number, is.Name
			}
			all = append(all, dated{n.Time, v})
		}
	}
	events := b.events()
	for _, e := range events[max(0, len(events)-mostEvents):] {
		v := incidentView{What: e.text}
		if r := e.repair; r != nil {
			number, took := r.Slave.Number(), r.Took.Round(time.Millisecond).Seconds()
			v = incidentView{What: "slave repaired", Slave: &number, Name: r.Slave.Name, Cause: r.Cause, Done: r.Done, Took: &took}
			if r.Err != nil {
				v.What, v.Done = "slave not repaired", oneLine(r.Err)
			}
		}
		all = append(all, dated{e.at, v})
	}
	slices.SortStableFunc(all, func(x, y dated) int { return cmp.Compare(y.at, x.at) })
	for _, d := range all {
		d.view.Time = b.when(d.at).Format(time.RFC3339Nano)
		views = append(views, d.view)
	}
	return views
}

// processOf takes the image of a cycle apart.
func processOf(m *ethercat.Master) (list []processView) {
	out, in := m.Image()
	for _, s := range m.Slaves() {
		at := s.Place()
		if at.Outputs.Length+at.Inputs.Length == 0 || at.Outputs.End() > len(out) || at.Inputs.End() > len(in) {
			continue // it has none, or the bus is being started again just now
		}
		list = append(list, processView{
			s.Number(), s.Name, hex.EncodeToString(out[at.Outputs.From:at.Outputs.End()]), hex.EncodeToString(in[at.Inputs.From:at.Inputs.End()]),
		})
	}
	return list
}

func countsOf(s *ethercat.Statistics) []device.Count {
	return []device.Count{
		{What: "cycles", Count: s.Cycles},
		{What: "sent", Count: s.Sent},
		{What: "not sent", Count: s.Unsent},
		{What: "received", Count: s.Received},
		{What: "late", Count: s.Late},
		{What: "lost", Count: s.Lost},
		{What: "overdue", Count: s.Overdue},
		{What: "twice", Count: s.Twice},
		{What: "broken", Count: s.Broken},
		{What: "foreign", Count: s.Foreign},
		{What: "echoes", Count: s.Echoes},
		{What: "wrong counter", Count: s.WrongCounter},
		{What: "unexplained", Count: s.Unexplained},
		{What: "incomplete", Count: s.Incomplete},
		{What: "invalid", Count: s.Invalid},
		{What: "retries", Count: s.Retries},
		{What: "mailbox timeouts", Count: s.TimeOuts},
		{What: "unasked mails", Count: s.Unasked},
		{What: "emergencies", Count: s.Emergencies},
		{What: "recovered", Count: s.Recovered},
		{What: "reconfigured", Count: s.Reconfigured},
		{What: "reopened mailboxes", Count: s.Reopened},
	}
}

// recording returns the newest frames.
func (b *Bus) recording() ([]device.File, error) {
	_, s := b.state()
	if s == nil || s.recorder == nil {
		return nil, errors.New("nothing is recorded; set the parameter record to the number of frames to keep")
	}
	s.mu.Lock()
	tape := s.tape
	s.mu.Unlock()
	var w bytes.Buffer
	if err := link.WritePcap(&w, tape); err != nil {
		return nil, err
	}
	doc := fmt.Sprintf("%d frames, %d found no room", len(tape), s.recorder.Missed())
	return []device.File{{Name: "frames.pcap", Doc: doc, Data: w.Bytes()}}, nil
}
