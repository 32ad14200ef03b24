package ethercat

import (
	"bytes"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// framesView is what the page frames shows.
type framesView struct {
	XMLName   xml.Name       `xml:"frames" json:"-"`
	Process   []processView  `xml:"process" json:"process"`
	Figures   []countView    `xml:"figure" json:"figures"`
	Times     []timesView    `xml:"times" json:"times"`
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

type datagramView struct {
	Command  string `xml:"command,attr" json:"command"`
	Address  string `xml:"address,attr" json:"address"`
	Bytes    int    `xml:"bytes,attr" json:"bytes"`
	Expected uint16 `xml:"expected,attr" json:"expected"`
	Got      uint16 `xml:"counter,attr" json:"counter"`
}

type incidentView struct {
	Time  string `xml:"time,attr" json:"time"`
	Cycle uint64 `xml:"cycle,attr" json:"cycle"`
	What  string `xml:"what,attr" json:"what"`
	Value int64  `xml:"value,attr" json:"value"`
}

func (b *Bus) framesView() *framesView {
	v := &framesView{}
	_, s := b.state()
	if s == nil {
		return v
	}
	v.Process = processOf(s.master)
	st := s.master.Statistics()
	v.Figures = countsOf(&st)
	trips, wakes := s.master.RoundTrips(), s.wakes.Read()
	v.Times = []timesView{timesOf("round trip", &trips), timesOf("late beginning", &wakes)}
	for _, d := range s.master.Datagrams() {
		v.Datagrams = append(v.Datagrams, datagramView{d.Command.String(), long(d.Address), d.Length, d.Expected, d.Got})
	}
	list := s.master.Incidents()
	const most = 50
	for i := len(list) - 1; i >= 0 && len(v.Incidents) < most; i-- {
		n := list[i]
		v.Incidents = append(v.Incidents, incidentView{
			time.Unix(0, b.ground.unix(n.Time)).UTC().Format(time.RFC3339Nano), n.Cycle, n.Kind.String(), n.Value,
		})
	}
	return v
}

// processOf takes the image of a cycle apart.
func processOf(m *ethercat.Master) (list []processView) {
	out, in := m.Image()
	for _, s := range m.Slaves() {
		at := s.Place()
		if at.Outputs.Length+at.Inputs.Length == 0 || at.Outputs.End() > len(out) || at.Inputs.End() > len(in) {
			continue // it has none, or the bus is being started anew just now
		}
		list = append(list, processView{
			s.Number(), s.Name, hex.EncodeToString(out[at.Outputs.From:at.Outputs.End()]), hex.EncodeToString(in[at.Inputs.From:at.Inputs.End()]),
		})
	}
	return list
}

func countsOf(s *ethercat.Statistics) []countView {
	return []countView{
		{"cycles", s.Cycles},
		{"sent", s.Sent},
		{"not sent", s.Unsent},
		{"received", s.Received},
		{"lost", s.Lost},
		{"late", s.Late},
		{"twice", s.Twice},
		{"broken", s.Broken},
		{"foreign", s.Foreign},
		{"echoes", s.Echoes},
		{"wrong counter", s.WrongCounter},
		{"unexplained", s.Unexplained},
		{"incomplete", s.Incomplete},
		{"invalid", s.Invalid},
		{"retries", s.Retries},
		{"mailbox timeouts", s.TimeOuts},
		{"emergencies", s.Emergencies},
		{"recovered", s.Recovered},
	}
}

func timesOf(what string, d *figures.Distribution) timesView {
	return timesView{
		What: what, Count: d.Count, Mean: d.Mean.String(), Median: d.Quantile(0.5).String(), P99: d.Quantile(0.99).String(),
		P999: d.Quantile(0.999).String(), Max: d.Max.String(),
	}
}

// recording is the newest frames.
func (b *Bus) recording() ([]device.File, error) {
	_, s := b.state()
	if s == nil || s.recorder == nil {
		return nil, errors.New("nothing is recorded: the parameter record says how many frames are kept")
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
