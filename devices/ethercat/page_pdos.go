package ethercat

import (
	"encoding/xml"
	"fmt"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// pdoQuestion is what can be asked about process data.
var pdoQuestion = []device.Param{{Name: "slave", Type: value.TypeDouble, Min: "1", Max: "65535", Doc: "from 1; all of them if left out"}}

// pdosView is what the page pdos shows: an entry of process data in each line.
type pdosView struct {
	XMLName xml.Name       `xml:"pdos" json:"-"`
	Entries []pdoEntryView `xml:"entry" json:"entries"`
}

type pdoEntryView struct {
	Slave     int    `xml:"slave,attr" json:"slave"`
	Name      string `xml:"name,attr" json:"name"`
	Manager   int    `xml:"syncmanager,attr" json:"syncManager"`
	Direction string `xml:"direction,attr" json:"direction"`
	PDO       string `xml:"pdo,attr" json:"pdo"`
	Title     string `xml:"title,attr" json:"title"` // of the PDO
	Place     string `xml:"place,attr" json:"place"` // byte.bit of the area
	Bits      int    `xml:"bits,attr" json:"bits"`
	Object    string `xml:"object,attr" json:"object"`
	Entry     string `xml:"entry,attr" json:"entry"`
	Type      string `xml:"type,attr" json:"type"`
}

func (b *Bus) pdosView(q device.Question) (*pdosView, error) {
	v := &pdosView{Entries: []pdoEntryView{}}
	if number, asked := q["slave"]; asked {
		_, s, err := b.slave(int(number))
		if err != nil {
			return nil, err
		}
		v.add(s, b.roster.name)
		return v, nil
	}
	m := b.master()
	if m == nil {
		return nil, errDown
	}
	for _, s := range m.Slaves() {
		v.add(s, b.roster.name)
	}
	return v, nil
}

func (v *pdosView) add(s *ethercat.Slave, named func(ecat.Label, uint16, uint8) (name, typ string, ok bool)) {
	outputs, inputs := s.Layout()
	for _, d := range []struct {
		name  string
		areas []ecat.Area
	}{{"out", outputs}, {"in", inputs}} {
		for _, a := range d.areas {
			line := pdoEntryView{Slave: s.Number(), Name: s.Name, Manager: a.SyncManager, Direction: d.name, Place: "0.0"}
			if len(a.PDOs) == 0 {
				line.Bits = 8 * a.Length
				v.Entries = append(v.Entries, line)
			}
			at := 0
			for _, p := range a.PDOs {
				line.PDO, line.Title = fmt.Sprintf("0x%04x", p.Index), p.Name
				for i, e := range p.Entries {
					line.Place, line.Bits = fmt.Sprintf("%d.%d", at/8, at%8), int(e.Bits())
					line.Object, line.Entry, line.Type = "", "", "gap"
					if e.Index() != 0 {
						line.Object = ecat.FormatObject(e.Index(), e.Sub())
						line.Entry, line.Type = inMemory(s.SII, p.Index, i, e)
						if name, typ, ok := named(s.Label, e.Index(), e.Sub()); ok && line.Entry == "" {
							line.Entry, line.Type = name, typ
						}
					}
					v.Entries = append(v.Entries, line)
					at += int(e.Bits())
				}
			}
		}
	}
}

// name asks the devices for name and type of an entry.
func (r *roster) name(slave ecat.Label, index uint16, sub uint8) (name, typ string, ok bool) {
	for _, m := range r.list() {
		if n, is := m.device.(ecat.Namer); is {
			if name, typ, ok = n.EntryName(slave, index, sub); ok {
				return name, typ, true
			}
		}
	}
	return "", "", false
}

// inMemory are name and type of an entry in the SII: those at its place in the PDO, otherwise those of the same object in any PDO, as
// what is mapped may be something else by now.
func inMemory(d *sii.Description, pdo uint16, i int, is coe.Mapping) (name, typ string) {
	if d == nil {
		return "", ""
	}
	var found *sii.Entry
	for _, list := range [][]sii.PDO{d.RxPDOs, d.TxPDOs} {
		for p := range list {
			for k := range list[p].Entries {
				e := &list[p].Entries[k]
				if e.Index != is.Index() || e.Sub != is.Sub() || e.Bits != is.Bits() {
					continue
				}
				if found == nil || list[p].Index == pdo && k == i {
					found = e
				}
			}
		}
	}
	if found == nil {
		return "", ""
	}
	typ, _ = coe.DataType(found.Type).Plain()
	return found.Name, typ
}
