package ethercat

import (
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// connect finds out what is connected to what (facts of topology). In the order in which frames pass, each slave hangs at the
// newest one before it that still has an open port to which no slave is connected.
func connect(slaves []*Slave) {
	free := make([][]int, len(slaves)) // ports, in the order of frames
	var branches []int                 // slaves with free ports, the newest last
	for i, s := range slaves {
		s.Parent, s.ParentPort = -1, 0
		for len(branches) > 0 && len(free[branches[len(branches)-1]]) == 0 {
			branches = branches[:len(branches)-1]
		}
		if n := len(branches); n > 0 {
			s.Parent = branches[n-1]
			s.ParentPort, free[s.Parent] = free[s.Parent][0], free[s.Parent][1:]
		}
		s.EntryPort = entry(s.Links)
		free[i] = behind(s.Links, s.EntryPort)
		branches = append(branches, i)
	}
}

// entry returns the port by which frames come: port 0, or in a slave that is wired backwards the first open one.
func entry(l wire.LinkStatus) int {
	for _, p := range wire.PortOrder {
		if l.Open(p) {
			return p
		}
	}
	return 0
}

// behind returns the open ports other than the entry, in the order in which frames leave through them.
func behind(l wire.LinkStatus, entry int) (ports []int) {
	begin := slices.Index(wire.PortOrder[:], entry)
	for i := 1; i < wire.Ports; i++ {
		if p := wire.PortOrder[(begin+i)%wire.Ports]; l.Open(p) {
			ports = append(ports, p)
		}
	}
	return ports
}
