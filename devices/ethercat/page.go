package ethercat

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// pages of a bus.
var pages = []device.Page{
	device.DeclarePage(device.Sheet[*Bus, device.Nothing]{
		Doc:  "what is connected to what",
		Show: func(b *Bus, _ device.Question) (any, error) { return b.topology(), nil },
	}),
	device.DeclarePage(device.Sheet[*Bus, wish]{
		Path: "state", Doc: "where the bus is, what it waits for, which devices are on it; restart, retry, preop and op can be asked for",
		Show: func(b *Bus, _ device.Question) (any, error) { return b.stateView(), nil },
		Take: func(b *Bus, w *wish) error { b.keeper.order(w.order()); return nil },
	}),
	device.DeclarePage(device.Sheet[*Bus, device.Nothing]{
		Path: "slaves", Doc: "slaves with their identity, state and what to do about it, and errors of their ports",
		Show: func(b *Bus, _ device.Question) (any, error) { return b.slavesView(), nil },
	}),
	device.DeclarePage(device.Sheet[*Bus, device.Nothing]{
		Path: "frames", Doc: "frames, working counters, how long they are under way, what has happened lately, and the process image",
		Show: func(b *Bus, _ device.Question) (any, error) { return b.framesView(), nil },
	}),
	device.DeclarePage(device.Sheet[*Bus, device.Nothing]{
		Path: "clocks", Doc: "distributed clocks: reference, delays, and how far they are apart",
		Show: func(b *Bus, _ device.Question) (any, error) { return b.clocksView(), nil },
	}),
	device.DeclarePage(device.Sheet[*Bus, entry]{
		Path: "objects", Doc: "objects of a slave (CoE): the list of them, an entry that is asked for, and one to be written",
		Asks: func(*Bus) []device.Param { return objectQuestion },
		Show: func(b *Bus, q device.Question) (any, error) { return b.objectsView(q) },
		Take: func(b *Bus, e *entry) error { return b.write(e) },
	}),
	device.DeclarePage(device.Sheet[*Bus, command]{
		Path: "rack", Doc: "slaves that are simulated: what happens to them",
		Show: func(b *Bus, _ device.Question) (any, error) { return b.rackView() },
		Take: func(b *Bus, c *command) error { return b.doRack(c.Text) },
	}),
	device.FilesPage("sii-files", "memories of the slaves (SII) as they were read", func(b *Bus) ([]device.File, error) { return b.memories(), nil }),
	device.FilesPage("frame-files", "newest frames (parameter record) as pcap for Wireshark",
		func(b *Bus) ([]device.File, error) { return b.recording() }),
}

// wish is what people want of a bus.
type wish struct {
	Ask string `rcc:"ask" default:"retry" enum:"retry restart preop op" doc:"retry: what has failed is tried at once; restart: the bus is started anew, whoever has something to lose; preop: it is left until op"`
}

func (w *wish) order() uint32 {
	return map[string]uint32{"retry": orderRetry, "restart": orderRestart, "preop": orderRest, "op": orderRun}[w.Ask]
}

// topologyView is the bus drawn.
type topologyView struct {
	XMLName  xml.Name    `xml:"bus" json:"-"`
	Phase    string      `xml:"phase,attr" json:"phase"`
	Topology device.Tree `xml:"topology" json:"topology"`
}

func (b *Bus) topology() *topologyView {
	t, s := b.state()
	v := &topologyView{Phase: t.phase.String()}
	if s == nil {
		return v
	}
	for _, sl := range s.master.Slaves() {
		st := sl.Status()
		n := device.Node{Name: fmt.Sprintf("%d %s", sl.Number(), sl.Name), State: st.State.String(), Mood: device.Good, Parent: sl.Parent}
		if sl.Parent >= 0 {
			n.Way = "port " + strconv.Itoa(sl.ParentPort)
		}
		switch {
		case st.Lost:
			n.State, n.Mood = "lost", device.Bad
		case st.State.Error():
			n.Mood = device.Bad
		case st.State != wire.Op:
			n.Mood = device.Busy
		}
		n.Detail = trouble(sl)
		v.Topology.Nodes = append(v.Topology.Nodes, n)
	}
	return v
}

// stateView is what the page state shows.
type stateView struct {
	XMLName xml.Name     `xml:"state" json:"-"`
	Phase   string       `xml:"phase,attr" json:"phase"`
	Trouble string       `xml:"trouble,attr,omitempty" json:"trouble,omitempty"`
	Tending string       `xml:"tending,attr,omitempty" json:"tending,omitempty"`
	Waiting string       `xml:"waiting,attr,omitempty" json:"waiting,omitempty"`
	Thread  string       `xml:"thread,attr" json:"thread"`
	Reason  string       `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Devices []memberView `xml:"device" json:"devices"`
}

type memberView struct {
	Name   string `xml:"name,attr" json:"name"`
	Slaves string `xml:"slaves,attr" json:"slaves"`
	State  string `xml:"state,attr" json:"state"`
}

func (b *Bus) stateView() *stateView {
	t, _ := b.state()
	x := b.ground.execution()
	v := &stateView{Phase: t.phase.String(), Trouble: t.trouble, Tending: t.tending, Waiting: t.waiting, Thread: x.String()}
	if x.Ordinary != nil {
		v.Reason = x.Ordinary.Error()
	}
	for _, m := range b.roster.list() {
		v.Devices = append(v.Devices, m.view())
	}
	return v
}

func (m *member) view() memberView {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := memberView{Name: m.name, Slaves: strings.Join(m.slaves, ", "), State: "takes part"}
	switch {
	case m.err != nil:
		v.State = m.err.Error()
	case !m.started:
		v.State = "waits for the next start"
	}
	return v
}

// slavesView is what the page slaves shows.
type slavesView struct {
	XMLName     xml.Name        `xml:"slaves" json:"-"`
	Slaves      []slaveView     `xml:"slave" json:"slaves"`
	Ports       []portView      `xml:"port" json:"ports"`
	Emergencies []emergencyView `xml:"emergency" json:"emergencies"`
}

type slaveView struct {
	Number   int    `xml:"number,attr" json:"number"`
	Name     string `xml:"name,attr" json:"name"`
	State    string `xml:"state,attr" json:"state"`
	Trouble  string `xml:"trouble,attr" json:"trouble"`
	Inputs   string `xml:"inputs,attr" json:"inputs"`
	Vendor   string `xml:"vendor,attr" json:"vendor"`
	Product  string `xml:"product,attr" json:"product"`
	Revision string `xml:"revision,attr" json:"revision"`
	Serial   uint32 `xml:"serial,attr" json:"serial"`
	Station  string `xml:"station,attr" json:"station"`
	Alias    uint16 `xml:"alias,attr" json:"alias"`
	Returns  int    `xml:"recoveries,attr" json:"recoveries"`
}

type portView struct {
	Slave     int    `xml:"slave,attr" json:"slave"`
	Port      int    `xml:"port,attr" json:"port"`
	Link      string `xml:"link,attr" json:"link"`
	Invalid   uint64 `xml:"invalid,attr" json:"invalid"`
	Errors    uint64 `xml:"errors,attr" json:"errors"`
	Forwarded uint64 `xml:"forwarded,attr" json:"forwarded"`
	Lost      uint64 `xml:"lost,attr" json:"lost"`
}

type emergencyView struct {
	Slave    int    `xml:"slave,attr" json:"slave"`
	Code     string `xml:"code,attr" json:"code"`
	Register string `xml:"register,attr" json:"register"`
	Data     string `xml:"data,attr" json:"data"`
}

func long(v uint32) string { return fmt.Sprintf("0x%08x", v) }

func (b *Bus) slavesView() *slavesView {
	v := &slavesView{}
	m := b.master()
	if m == nil {
		return v
	}
	for _, s := range m.Slaves() {
		st, id := s.Status(), s.Identity
		line := slaveView{
			Number: s.Number(), Name: s.Name, State: st.State.String(), Trouble: trouble(s), Inputs: s.Quality().String(), Vendor: long(id.Vendor),
			Product: long(id.Product), Revision: long(id.Revision), Serial: id.Serial, Station: fmt.Sprintf("0x%04x", s.Station), Alias: s.Alias,
			Returns: st.Recoveries,
		}
		if st.Lost {
			line.State = "lost"
		}
		if at := s.Place(); at.Outputs.Length+at.Inputs.Length == 0 {
			line.Inputs = "none" // nor outputs
		}
		v.Slaves = append(v.Slaves, line)
		v.ports(s)
		for _, e := range s.Emergencies() {
			v.Emergencies = append(v.Emergencies, emergencyView{
				s.Number(), fmt.Sprintf("0x%04x", e.Code), fmt.Sprintf("0x%02x", e.Register), hex.EncodeToString(e.Data[:]),
			})
		}
	}
	return v
}

// ports are those of a slave that are in use, or have been.
func (v *slavesView) ports(s *ethercat.Slave) {
	h := s.Health()
	for p, is := range h.Ports {
		link := "none"
		switch {
		case h.Links.Open(p):
			link = "open"
		case h.Links.Physical(p):
			link = "signal"
		}
		if h.Read && (link != "none" || is != (ethercat.PortHealth{})) {
			v.Ports = append(v.Ports, portView{s.Number(), p, link, is.Invalid, is.Errors, is.Forwarded, is.LostLinks})
		}
	}
}

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

// clocksView is what the page clocks shows.
type clocksView struct {
	XMLName    xml.Name     `xml:"clocks" json:"-"`
	Reference  string       `xml:"reference,attr" json:"reference"`
	Bits       int          `xml:"bits,attr" json:"bits"`
	Time       string       `xml:"time,attr" json:"time"`
	Error      string       `xml:"error,attr" json:"error"`
	Correction string       `xml:"correction,attr" json:"correction"`
	Settled    int64        `xml:"settled,attr" json:"settled"`
	Answering  int          `xml:"answering,attr" json:"answering"`
	Clocks     []clockView  `xml:"clock" json:"clocks"`
	History    device.Chart `xml:"history" json:"history"`
}

type clockView struct {
	Slave      int    `xml:"slave,attr" json:"slave"`
	Name       string `xml:"name,attr" json:"name"`
	Bits       int    `xml:"bits,attr" json:"bits"`
	Delay      int64  `xml:"delay,attr" json:"delay"`
	Difference int32  `xml:"difference,attr" json:"difference"`
	Sync       bool   `xml:"sync,attr" json:"sync"`
}

func bitsOf(wide bool) int {
	if wide {
		return 64
	}
	return 32
}

func (b *Bus) clocksView() *clocksView {
	v := &clocksView{Reference: "none in use"}
	m := b.master()
	if m == nil {
		return v
	}
	c, slaves := m.Clocks(), m.Slaves()
	if c.Reference >= 0 && c.Reference < len(slaves) {
		v.Reference, v.Bits = slaves[c.Reference].Label.String(), bitsOf(c.Wide)
		v.Time = time.Unix(0, c.System+zeroOfBus).UTC().Format(time.RFC3339Nano)
		v.Error, v.Correction, v.Settled, v.Answering = c.Error.String(), c.Correction.String(), c.Settled, c.Answering
	}
	for _, s := range slaves {
		if s.HasClock() {
			v.Clocks = append(v.Clocks, clockView{s.Number(), s.Name, bitsOf(s.Wide()), s.Delay(), s.Status().Difference, s.Setup.Clock != nil})
		}
	}
	v.History = b.errors.chart(b.ground.now())
	return v
}

// chart draws the last minute.
func (h *history) chart(now int64) device.Chart {
	apart, phase := device.Curve{Name: "farthest clock"}, device.Curve{Name: "phase of frames"}
	for _, s := range h.list() {
		at := device.Num(float64(s.at-now) * 1e-9)
		apart.X, apart.Y = append(apart.X, at), append(apart.Y, device.Num(s.difference.Nanoseconds()))
		phase.X, phase.Y = append(phase.X, at), append(phase.Y, device.Num(s.error.Nanoseconds()))
	}
	return device.Chart{Across: "s", Up: "ns", Lines: []device.Curve{apart, phase}}
}

// objectQuestion is what can be asked about objects.
var objectQuestion = []device.Param{
	{Name: "slave", Type: value.TypeDouble, Min: "1", Max: "65535", Doc: "from 1"},
	{Name: "index", Type: value.TypeDouble, Min: "0", Max: "65535", Doc: "of the object, such as 4120 or 0x1018"},
	{Name: "sub", Type: value.TypeDouble, Min: "0", Max: "255", Doc: "subindex, 0 if left out"},
	{Name: "complete", Type: value.TypeDouble, Min: "0", Max: "1", Doc: "1: all entries from the subindex on"},
}

// objectsView is what the page objects shows.
type objectsView struct {
	XMLName xml.Name     `xml:"objects" json:"-"`
	Slave   string       `xml:"slave,attr" json:"slave"`
	Entry   string       `xml:"entry,attr,omitempty" json:"entry,omitempty"`
	Name    string       `xml:"name,attr,omitempty" json:"name,omitempty"`
	Value   string       `xml:"value,attr,omitempty" json:"value,omitempty"`
	Number  string       `xml:"number,attr,omitempty" json:"number,omitempty"`
	Text    string       `xml:"text,attr,omitempty" json:"text,omitempty"`
	Known   string       `xml:"known,attr,omitempty" json:"known,omitempty"`
	Objects []objectView `xml:"object" json:"objects"`
}

type objectView struct {
	Index   string `xml:"index,attr" json:"index"`
	Name    string `xml:"name,attr" json:"name"`
	Type    string `xml:"type,attr" json:"type"`
	Entries int    `xml:"entries,attr" json:"entries"`
}

// transferTime is how long a transfer may take that somebody waits for.
const transferTime = 10 * time.Second

func (b *Bus) objectsView(q device.Question) (*objectsView, error) {
	number, asked := q["slave"]
	if !asked {
		return &objectsView{Slave: "say which one"}, nil
	}
	s, sl, err := b.slave(int(number))
	if err != nil {
		return nil, err
	}
	v := &objectsView{Slave: sl.Label.String()}
	if !sl.HasCoE() {
		v.Known = "it has no objects"
		return v, nil
	}
	if index, asked := q["index"]; asked {
		ctx, cancel := context.WithTimeout(s.ended, transferTime)
		defer cancel()
		data, err := sl.Upload(ctx, uint16(index), uint8(q["sub"]), q["complete"] != 0)
		if err != nil {
			return nil, refusedObject(sl, uint16(index), uint8(q["sub"]), err)
		}
		v.entry(ctx, sl, uint16(index), uint8(q["sub"]), data)
		return v, nil
	}
	v.list(s.dictionary(sl))
	return v, nil
}

// entry shows one.
func (v *objectsView) entry(ctx context.Context, s *ethercat.Slave, index uint16, sub uint8, data []byte) {
	v.Entry, v.Value = fmt.Sprintf("0x%04x:%d", index, sub), hex.EncodeToString(data)
	if n := len(data); n > 0 && n <= 8 {
		var u uint64
		for i, b := range data {
			u |= uint64(b) << (8 * i)
		}
		v.Number = fmt.Sprintf("%d, 0x%0*x", u, 2*n, u)
		if signed := int64(u<<(64-8*n)) >> (64 - 8*n); signed < 0 {
			v.Number += ", " + strconv.FormatInt(signed, 10)
		}
	}
	if text := strings.TrimRight(string(data), "\x00"); len(text) > 1 && printable(text) {
		v.Text = text
	}
	if e, err := s.Entry(ctx, index, sub); err == nil {
		v.Name = e.Name
	}
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// list shows what is known of the objects.
func (v *objectsView) list(d *dictionary) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.err != nil:
		v.Known = fmt.Sprintf("%d of %d, then %v", len(d.objects), len(d.indexes), d.err)
	case d.ended:
		v.Known = strconv.Itoa(len(d.objects))
	default:
		v.Known = fmt.Sprintf("%d of %d so far", len(d.objects), len(d.indexes))
	}
	for _, o := range d.objects {
		v.Objects = append(v.Objects, objectView{fmt.Sprintf("0x%04x", o.Index), o.Name, fmt.Sprintf("0x%04x", uint16(o.Type)), int(o.MaxSub)})
	}
}

var errDown = errors.New("the bus has not been scanned")

// slave finds one by its number.
func (b *Bus) slave(number int) (*session, *ethercat.Slave, error) {
	_, s := b.state()
	if s == nil {
		return nil, nil, errDown
	}
	slaves := s.master.Slaves()
	if number < 1 || number > len(slaves) {
		return nil, nil, device.ParamError{Name: "slave", Err: fmt.Errorf("there is no slave %d, the bus has %d", number, len(slaves))}
	}
	return s, slaves[number-1], nil
}

// entry is one that is to be written.
type entry struct {
	Slave int    `rcc:"slave" required:"true" min:"1" max:"65535" doc:"from 1"`
	Index string `rcc:"index" required:"true" doc:"of the object, such as 0x6060"`
	Sub   int    `rcc:"sub" default:"0" min:"0" max:"255" doc:"subindex"`
	All   bool   `rcc:"complete" default:"false" doc:"all entries from the subindex on"`
	Data  string `rcc:"data" required:"true" doc:"bytes in hexadecimal, the lowest first, such as e803 for 1000 in two bytes"`
}

func (b *Bus) write(e *entry) error {
	index, err := strconv.ParseUint(e.Index, 0, 16)
	if err != nil {
		return device.ParamError{Name: "index", Err: fmt.Errorf("%q is no number such as 0x6060", e.Index)}
	}
	data, err := hex.DecodeString(strings.ReplaceAll(e.Data, " ", ""))
	if err != nil || len(data) == 0 {
		return device.ParamError{Name: "data", Err: fmt.Errorf("%q is no bytes such as e803", e.Data)}
	}
	s, sl, err := b.slave(e.Slave)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ended, transferTime)
	defer cancel()
	if err := sl.Download(ctx, uint16(index), uint8(e.Sub), e.All, data); err != nil {
		return refusedObject(sl, uint16(index), uint8(e.Sub), err)
	}
	return nil
}

// refusedObject is why an object was not read or written.
func refusedObject(s *ethercat.Slave, index uint16, sub uint8, err error) error {
	var abort coe.Abort
	if errors.As(err, &abort) {
		err = abort // which object it was is said once
	}
	return fmt.Errorf("%v: object 0x%04x:%d: %w", s.Label, index, sub, err)
}

// command is for simulated slaves.
type command struct {
	Text string `rcc:"do" required:"true" doc:"one of the commands"`
}

// rackView is what the page rack shows.
type rackView struct {
	XMLName  xml.Name      `xml:"rack" json:"-"`
	Commands []commandView `xml:"command" json:"commands"`
}

type commandView struct {
	Command string `xml:"command,attr" json:"command"`
}

var errReal = errors.New("the slaves are real ones")

// within does something with simulated slaves while no frame passes them.
func (s *session) within(f func()) {
	if l, ok := s.link.(*link.Local); ok {
		l.Within(f)
		return
	}
	f()
}

func (b *Bus) rackView() (*rackView, error) {
	_, s := b.state()
	if s == nil || s.chain == nil {
		return nil, errReal
	}
	v := &rackView{}
	s.within(func() {
		for _, c := range s.chain.Commands() {
			v.Commands = append(v.Commands, commandView{c})
		}
	})
	return v, nil
}

func (b *Bus) doRack(line string) (err error) {
	_, s := b.state()
	if s == nil || s.chain == nil {
		return errReal
	}
	s.within(func() { err = s.chain.Do(line) })
	return err
}

// memories are the SIIs of the slaves.
func (b *Bus) memories() (list []device.File) {
	m := b.master()
	if m == nil {
		return nil
	}
	for _, s := range m.Slaves() {
		list = append(list, device.File{
			Name: fmt.Sprintf("slave%d.sii", s.Number()), Doc: s.Label.String(), Data: s.Image,
		})
	}
	return list
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

// Metrics are the figures of the bus (any).
func (b *Bus) Metrics() []device.Metric {
	t, s := b.state()
	up, missing, apart, phase := 0.0, 0.0, 0.0, 0.0
	var st ethercat.Statistics
	var trips, wakes figures.Distribution
	if s != nil {
		if t.phase == running && t.trouble == "" {
			up = 1
		}
		st, trips, wakes = s.master.Statistics(), s.master.RoundTrips(), s.wakes.Read()
		missing, apart, phase = float64(len(troubles(s.master))), worst(s.master).Seconds(), s.master.Clocks().Error.Seconds()
	}
	list := []device.Metric{
		{Name: "bus_running", Help: "Whether process data are exchanged.", Value: up},
		{Name: "bus_slaves_not_in_op", Help: "Slaves that are not in Op.", Value: missing},
		{Name: "bus_clock_difference_seconds", Help: "Difference of the clock that is farthest from the reference.", Value: apart},
		{Name: "bus_phase_error_seconds", Help: "By how much the newest frame was behind its phase of SYNC0.", Value: phase},
	}
	for _, c := range countsOf(&st) {
		list = append(list, device.Metric{Name: "bus_events_total", Help: "Frames and cycles by what became of them.", Which: c.What, Value: float64(c.Count)})
	}
	return append(list,
		device.Metric{Name: "bus_round_trip_seconds", Help: "Time until all frames of a cycle are back.", Times: &trips},
		device.Metric{Name: "bus_late_seconds", Help: "By how much cycles begin too late.", Times: &wakes},
	)
}
