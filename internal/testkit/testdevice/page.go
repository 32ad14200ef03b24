package testdevice

import (
	"encoding/xml"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// channelsView is what the page of the channels shows.
type channelsView struct {
	XMLName  xml.Name      `xml:"channels" json:"-"`
	Recorded uint64        `xml:"recorded,attr" json:"recorded"`
	Channels []channelView `xml:"channel" json:"channels"`
}

// channelView is a sensor with the actuator of the same number.
type channelView struct {
	Number    int         `xml:"nr,attr" json:"nr"`
	Sensor    device.Num  `xml:"sensor,attr" json:"sensor" unit:"1"`
	Commanded *device.Num `xml:"commanded,attr,omitempty" json:"commanded,omitempty"` // what was last, if it is still kept
}

// setting is what the page takes.
type setting struct {
	Channel int     `rcc:"channel" required:"true" min:"0" doc:"number of the sensor"`
	Value   float64 `rcc:"value" required:"true" doc:"what it reads from now on"`
}

var channelsPage = device.DeclarePage(device.Sheet[*Device, setting]{
	Path: "channels", Doc: "what the sensors read and the actuators were told last",
	Show: func(d *Device, _ device.Question) (any, error) { return d.view(), nil },
	Take: func(d *Device, told *setting) error {
		if told.Channel >= d.Channels() {
			return device.ParamError{Name: "channel", Err: fmt.Errorf("only 0 to %d exist", d.Channels()-1)}
		}
		d.Set(told.Channel, told.Value)
		return nil
	},
})

func (d *Device) view() *channelsView {
	v := &channelsView{Recorded: d.Recorded(), Channels: make([]channelView, d.Channels())}
	for i := range v.Channels {
		v.Channels[i] = channelView{Number: i, Sensor: device.Num(d.value(i))}
	}
	for _, r := range d.Records(0) {
		if r.Channel < len(v.Channels) && !r.Null {
			value := device.Num(r.Value)
			v.Channels[r.Channel].Commanded = &value
		}
	}
	return v
}
