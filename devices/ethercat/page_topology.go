package ethercat

import (
	"encoding/xml"
	"fmt"
	"strconv"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// topologyView is the bus drawn.
type topologyView struct {
	XMLName  xml.Name    `xml:"bus" json:"-"`
	Phase    string      `xml:"phase,attr" json:"phase"`
	Topology device.Tree `xml:"topology" json:"topology"`
}

func (b *Bus) topology() *topologyView {
	t, _ := b.state()
	v := &topologyView{Phase: t.phase.String()}
	list, gone := b.slaves()
	for _, sl := range list {
		st := sl.Status()
		n := device.Node{Name: fmt.Sprintf("%d %s", sl.Number(), sl.Name), State: st.State.String(), Mood: device.Good, Parent: sl.Parent}
		if sl.Parent >= 0 {
			n.Way = "port " + strconv.Itoa(sl.ParentPort)
		}
		n.Detail = trouble(sl)
		switch {
		case gone:
			n.Mood, n.Detail = device.Bad, b.lastKnown(sl)
		case st.Lost:
			n.State, n.Mood = "lost", device.Bad
		case st.Configuring && st.State != wire.Op:
			n.Mood = device.Busy
		case st.State.Error():
			n.Mood = device.Bad
		case sl.Unheard() || st.State == wire.Op && st.Fault != "":
			n.Mood = device.Bad
		case st.State != wire.Op:
			n.Mood = device.Busy
		}
		v.Topology.Nodes = append(v.Topology.Nodes, n)
	}
	return v
}
