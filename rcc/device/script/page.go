package script

import (
	"encoding/xml"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Played is a device to which things happen.
type Played interface {
	device.Device
	Script() *Script
}

// Page lets people and tests make things happen at once.
var Page = device.DeclarePage(device.Sheet[Played, sudden]{
	Path: "happen", Doc: "what may happen to the simulated device: what is sent happens at once",
	Show: func(d Played, _ device.Question) (any, error) {
		v := &view{}
		for _, w := range d.Script().Words() {
			v.Words = append(v.Words, wordView{w})
		}
		return v, nil
	},
	Take: func(d Played, told *sudden) error {
		if err := d.Script().Happen(told.What); err != nil {
			return device.ParamError{Name: "what", Err: err}
		}
		return nil
	},
})

type sudden struct {
	What string `rcc:"what" required:"true" doc:"a word with its numbers, such as off, on, estop, release or fail 1"`
}

type view struct {
	XMLName xml.Name   `xml:"happen" json:"-"`
	Words   []wordView `xml:"word" json:"words"`
}

type wordView struct {
	Form string `xml:"form,attr" json:"form"`
}
