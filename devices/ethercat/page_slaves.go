package ethercat

import (
	"encoding/hex"
	"encoding/xml"
	"fmt"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

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

	Age          float64 `xml:"age,attr" json:"age"`                   // s since it was heard
	Reconfigured int     `xml:"reconfigured,attr" json:"reconfigured"` // while it was in Op
	Reopened     int     `xml:"reopened,attr" json:"reopened"`         // mailboxes that were lost and written again
	Misnamed     int     `xml:"misnamed,attr" json:"misnamed"`         // aborts that came as responses
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

// noInputs is what a slave has that has no outputs either.
const noInputs = "none"

func long(v uint32) string { return fmt.Sprintf("0x%08x", v) }

func (b *Bus) slavesView() *slavesView {
	v := &slavesView{}
	list, gone := b.slaves()
	for _, s := range list {
		st, id := s.Status(), s.Identity
		line := slaveView{
			Number: s.Number(), Name: s.Name, State: st.State.String(), Trouble: trouble(s), Inputs: s.Quality().String(), Vendor: long(id.Vendor),
			Product: long(id.Product), Revision: long(id.Revision), Serial: id.Serial, Station: fmt.Sprintf("0x%04x", s.Station), Alias: s.Alias,
			Returns: st.Recoveries, Age: rounded(s.Age()).Seconds(), Reconfigured: st.Reconfigured, Reopened: st.Reopened, Misnamed: st.Misnamed,
		}
		if at := s.Place(); at.Outputs.Length+at.Inputs.Length == 0 {
			line.Inputs = noInputs
		}
		switch {
		case gone:
			line.Trouble, line.Age = b.lastKnown(s), rounded(b.age(s)).Seconds()
			if line.Inputs != noInputs {
				line.Inputs = ecat.Invalid.String()
			}
		case st.Lost:
			line.State = "lost"
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
