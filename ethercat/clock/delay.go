package clock

import "github.com/softrobot-rcc/rccd/ethercat/wire"

// Slave is a slave with the times at which the same frame passed its ports (register 0x0900). Slaves
// stand in the order in which frames pass them.
type Slave struct {
	Parent, ParentPort int // where it is connected; Parent is -1 for those at the master
	Entry              int // port by which frames come
	Open               [wire.Ports]bool
	HasClock           bool
	Received           [wire.Ports]uint32 // ns of its own clock
}

// NoParent is the Parent of slaves at the master.
const NoParent = -1

// ports returns the open ones in the order in which a frame passes them, beginning with the entry.
func (s *Slave) ports() (list []int) {
	begin := 0
	for i, p := range wire.PortOrder {
		if p == s.Entry {
			begin = i
		}
	}
	for i := range wire.Ports {
		p := wire.PortOrder[(begin+i)%wire.Ports]
		if p == s.Entry || s.Open[p] {
			list = append(list, p)
		}
	}
	return list
}

// since returns the time between a frame passing one port and another one, whatever the 32 bits do.
func (s *Slave) since(from, to int) int64 { return int64(s.Received[to] - s.Received[from]) }

// own returns the time that a frame needs for all that is behind a slave.
func (s *Slave) own() int64 {
	list := s.ports()
	return s.since(s.Entry, list[len(list)-1])
}

// loop returns what is behind a port: when a frame has left for it, counted from when it came in, and how long it stayed away.
func (s *Slave) loop(port int) (before, away int64) {
	list := s.ports()
	for i, p := range list {
		if p == port && i > 0 {
			return s.since(s.Entry, list[i-1]), s.since(list[i-1], p)
		}
	}
	return 0, 0
}

// Delays returns the delay of a frame from the reference, the first slave with a clock, to each slave (facts of delay
// measurement). Slaves without a clock have 0: they count as part of the cable. Where several clocks are behind a branch that
// has none, their cables are taken to be equally long.
func Delays(slaves []Slave) []int64 {
	delays := make([]int64, len(slaves))
	type place struct{ slave, port int }
	behind := map[place][]int{}
	var places []place
	for i := range slaves {
		if !slaves[i].HasClock {
			continue
		}
		at := place{slaves[i].Parent, slaves[i].ParentPort}
		for at.slave >= 0 && at.slave < i && !slaves[at.slave].HasClock {
			at = place{slaves[at.slave].Parent, slaves[at.slave].ParentPort}
		}
		if at.slave < 0 || at.slave >= i {
			at = place{NoParent, 0}
		}
		if behind[at] == nil {
			places = append(places, at)
		}
		behind[at] = append(behind[at], i)
	}
	for _, at := range places { // parents come before their children
		children := behind[at]
		var begin, cable int64
		if at.slave >= 0 {
			before, away := slaves[at.slave].loop(at.port)
			for _, c := range children {
				away -= slaves[c].own()
			}
			cable = max(0, away/int64(2*len(children)))
			begin = delays[at.slave] + before
		}
		for _, c := range children {
			delays[c] = begin + cable
			begin += slaves[c].own() + 2*cable
		}
	}
	return delays
}
