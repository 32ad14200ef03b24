package pages

import (
	"encoding/xml"
	"net/http"
)

// slotsView is the table of §8.3.
type slotsView struct {
	XMLName xml.Name   `xml:"slots" json:"-"`
	Slots   []slotView `xml:"slot" json:"slots"`
}

// slotView is a row: nets that never run at once, as all of them need the common resources.
type slotView struct {
	Number   int            `xml:"number,attr" json:"number"`
	Period   string         `xml:"period,attr" json:"period"`
	Realtime bool           `xml:"realtime,attr" json:"realtime"`
	CPU      *int           `xml:"cpu,attr,omitempty" json:"cpu,omitempty"` // nothing is any CPU
	Nets     []slotNet      `xml:"net" json:"nets"`
	Common   []slotResource `xml:"resource" json:"common"`
}

type slotNet struct {
	URI   string `xml:"uri,attr" json:"uri"`
	Name  string `xml:"name,attr" json:"name"`
	State string `xml:"status,attr" json:"state"`
}

type slotResource struct {
	Device  string `xml:"device,attr" json:"device"`
	Channel string `xml:"channel,attr,omitempty" json:"channel,omitempty"`
}

func listSlots(x *exchange) error {
	view := slotsView{Slots: []slotView{}}
	for _, s := range x.core.Executors.Slots() {
		row := slotView{Number: s.Number, Period: s.Period.String(), Realtime: s.Realtime, Nets: []slotNet{}, Common: []slotResource{}}
		if s.CPU >= 0 {
			row.CPU = &s.CPU
		}
		for _, n := range s.Nets {
			row.Nets = append(row.Nets, slotNet{netURI(n.Name()), n.Name(), n.State().String()})
		}
		for _, r := range s.Common {
			row.Common = append(row.Common, slotResource(r))
		}
		view.Slots = append(view.Slots, row)
	}
	return x.show(http.StatusOK, "slots", view)
}
