package ecslave

import (
	"encoding/xml"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Status returns the state of the slave, with the reason if it cannot be used (any).
func (s *Slave) Status() device.Status {
	l := s.layout.Load()
	return s.Standing(s.Named.Trouble(), l != nil && len(l.entries) > 0)
}

// EntryName returns what the configuration, the description or the objects of the slave call an entry (any).
func (s *Slave) EntryName(slave ecat.Label, index uint16, sub uint8) (name, typ string, ok bool) {
	is, l := s.Slave(), s.layout.Load()
	if is == nil || l == nil || is.About().Position != slave.Position {
		return "", "", false
	}
	address := ecat.FormatObject(index, sub)
	for i := range l.entries {
		if e := &l.entries[i]; e.Address == address {
			return e.Name, e.Type, true
		}
	}
	return "", "", false
}

// Metrics returns losses (any).
func (s *Slave) Metrics() []device.Metric {
	return []device.Metric{{Name: "slave_losses_total", Help: "How often the slave has dropped out of the exchange.", Value: float64(s.Losses())}}
}

// page shows the slave to those who look for what is wrong with it.
var page = device.DeclarePage(device.Sheet[*Slave, device.Nothing]{
	Path: "slave", Doc: "which slave of the bus it is, and where its entries are in the process data",
	Show: func(s *Slave, _ device.Question) (any, error) { return s.view(), nil },
})

// view is what the page shows.
type view struct {
	XMLName  xml.Name    `xml:"slave" json:"-"`
	Bus      string      `xml:"bus,attr" json:"bus"`
	Slave    int         `xml:"slave,attr,omitempty" json:"slave,omitempty"`
	Name     string      `xml:"name,attr,omitempty" json:"name,omitempty"`
	Vendor   string      `xml:"vendor,attr,omitempty" json:"vendor,omitempty"`
	Product  string      `xml:"product,attr,omitempty" json:"product,omitempty"`
	Revision string      `xml:"revision,attr,omitempty" json:"revision,omitempty"`
	Serial   uint32      `xml:"serial,attr,omitempty" json:"serial,omitempty"`
	Status   string      `xml:"status,attr" json:"status"`
	Cause    string      `xml:"cause,attr,omitempty" json:"cause,omitempty"`
	State    string      `xml:"state,attr,omitempty" json:"state,omitempty"` // of the slave
	Quality  string      `xml:"quality,attr" json:"quality"`
	Losses   uint64      `xml:"losses,attr" json:"losses"`
	Places   []placeView `xml:"place" json:"places"`
}

type placeView struct {
	Direction string `xml:"direction,attr" json:"direction"`
	Byte      int    `xml:"byte,attr" json:"byte"`
	Bit       int    `xml:"bit,attr" json:"bit"`
	Bits      int    `xml:"bits,attr" json:"bits"`
	Type      string `xml:"type,attr" json:"type"`
	Address   string `xml:"address,attr" json:"address"`
	Name      string `xml:"name,attr" json:"name"`
}

func (s *Slave) view() *view {
	now := s.Status()
	v := &view{Bus: s.cfg.Bus, Status: now.State.String(), Cause: now.Cause, Quality: s.Inputs().String(), Losses: s.Losses(), Places: []placeView{}}
	if is := s.Slave(); is != nil {
		about := is.About()
		id := about.Identity
		v.Slave, v.Name, v.Serial, v.State = about.Number(), about.Name, id.Serial, is.Status().State.String()
		v.Vendor, v.Product, v.Revision = fmt.Sprintf("0x%08x", id.Vendor), fmt.Sprintf("0x%08x", id.Product), fmt.Sprintf("0x%08x", id.Revision)
	}
	l := s.layout.Load()
	if l == nil {
		return v
	}
	for _, d := range []struct {
		name   string
		places []place
	}{{"out", l.outputs}, {"in", l.inputs}} {
		for _, p := range d.places {
			e := &l.entries[p.entry]
			v.Places = append(v.Places, placeView{d.name, p.at / 8, p.at % 8, p.bits, e.Type, e.Address, e.Name})
		}
	}
	return v
}
