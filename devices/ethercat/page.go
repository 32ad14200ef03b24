package ethercat

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/device"
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
		Path: "pdos", Doc: "process data of the slaves, entry by entry",
		Asks: func(*Bus) []device.Param { return pdoQuestion },
		Show: func(b *Bus, q device.Question) (any, error) { return b.pdosView(q) },
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
	Ask string `rcc:"ask" default:"retry" enum:"retry restart preop op" doc:"retry: what has failed is tried at once; restart: the bus is started again, whatever is lost by it; preop: it is left until op"`
}

func (w *wish) order() uint32 {
	return map[string]uint32{"retry": orderRetry, "restart": orderRestart, "preop": orderRest, "op": orderRun}[w.Ask]
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

// memories returns the SIIs of the slaves.
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
