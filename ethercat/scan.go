package ethercat

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// firstStation is the station address of the first slave; the others follow.
const firstStation = 0x1001

// mostSlaves is how many there may be.
const mostSlaves = 4096

// countSlaves returns how many slaves there are.
func (m *Master) countSlaves() (int, error) {
	list := []datagram{readAll(wire.RegType, 1)}
	if err := m.do(list...); err != nil {
		return 0, err
	}
	n := int(list[0].counter)
	if n > mostSlaves {
		return 0, fmt.Errorf("%d slaves; at most %d are possible", n, mostSlaves)
	}
	return n, nil
}

// scan finds out which slaves there are (facts of the state machine, steps 1 to 3). All of them are in Init afterwards.
func (m *Master) scan(ctx context.Context) ([]*Slave, error) {
	n, err := m.countSlaves()
	if err != nil {
		return nil, err
	}
	if err := m.reset(n); err != nil {
		return nil, err
	}
	slaves := make([]*Slave, n)
	for i := range slaves {
		slaves[i] = &Slave{Label: ecat.Label{Position: i, Station: uint16(firstStation + i)}, master: m, Parent: -1}
	}
	if err := m.address(slaves); err != nil {
		return nil, err
	}
	if err := m.look(slaves); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := m.readSII(ctx, slaves); err != nil {
		return nil, err
	}
	for _, s := range slaves {
		s.identify()
	}
	connect(slaves)
	return slaves, nil
}

// reset brings all slaves to Init and forgets what an earlier master has left in them.
func (m *Master) reset(n int) error {
	const loopAuto, errorAck = 0, byte(wire.Init | wire.ErrorBit)
	zero := make([]byte, 8)
	list := []datagram{
		writeAll(wire.RegLinkControl+1, loopAuto),
		writeAll(wire.RegLinkControl+3, 0), // alias off
		writeAll(wire.RegControl, errorAck, 0),
		writeAll(wire.RegControl, errorAck, 0),
		writeAll(wire.RegControl, byte(wire.Init), 0), // parts without a processor would copy the bit and look as if in error
		writeAll(wire.RegErrors, zero...),
		writeAll(wire.RegActivation, 0),
		writeAll(wire.RegSpeed, 0x00, 0x10),
		writeAll(wire.RegFilter, 4, 12),
		writeAll(wire.RegSIIOwner, 2), // force it back, then take it
		writeAll(wire.RegSIIOwner, 0),
	}
	list = append(list, blank(mostUnits, mostUnits, writeAll)...)
	if err := m.do(list...); err != nil {
		return err
	}
	ok, err := m.waitFor(3*time.Second, func() (bool, error) {
		states := []datagram{readAll(wire.RegStatus, 2)}
		err := m.do(states...)
		return int(states[0].counter) == n && wire.State(states[0].data[0]) == wire.Init, err
	})
	if err == nil && !ok {
		return fmt.Errorf("some of the %d slaves do not go to Init", n)
	}
	return err
}

// mostUnits is how many FMMUs and SyncManagers there can be (ETG.1000.4 tables 57 and 59).
const mostUnits = 16

// blank clears FMMUs and SyncManagers one by one: there are parts that take no write that goes beyond those that they have.
func blank(fmmus, managers int, write func(r wire.Register, data ...byte) datagram) (list []datagram) {
	for i := range min(fmmus, mostUnits) {
		list = append(list, write(wire.FMMUAt(i), make([]byte, wire.FMMUSize)...))
	}
	for i := range min(managers, mostUnits) {
		list = append(list, write(wire.SyncManagerAt(i), make([]byte, wire.SyncManagerSize)...))
	}
	return list
}

// address gives station addresses by position.
func (m *Master) address(slaves []*Slave) error {
	var list []datagram
	for _, s := range slaves {
		list = append(list, writeAt(s.Position, wire.RegStation, byte(s.Station), byte(s.Station>>8)))
	}
	return m.ask(list...)
}

// look reads what parts are.
func (m *Master) look(slaves []*Slave) error {
	const each = 4
	var list []datagram
	for _, s := range slaves {
		list = append(list, readFrom(s.Station, wire.RegType, 10), readFrom(s.Station, wire.RegLinkStatus, 2),
			readFrom(s.Station, wire.RegAlias, 2), readFrom(s.Station, wire.RegPDIConfig, 1))
	}
	if err := m.ask(list...); err != nil {
		return err
	}
	for i, s := range slaves {
		part, link, alias, config := list[each*i].data, list[each*i+1].data, list[each*i+2].data, list[each*i+3].data
		s.Chip, s.FMMUs, s.SyncManagers, s.Ports = part[0], min(int(part[4]), mostUnits), min(int(part[5]), mostUnits), part[7]
		s.Features = binary.LittleEndian.Uint16(part[8:])
		s.Links = wire.LinkStatus(binary.LittleEndian.Uint16(link))
		s.Alias = binary.LittleEndian.Uint16(alias)
		s.Emulation = config[0]&wire.DeviceEmulation != 0
		s.status.State = wire.Init
		s.heard.Store(m.now())
	}
	return m.lookForTime(slaves)
}

// lookForTime finds out which of those that say they have a clock have a system time. The others measure delays only: what is written
// to their clock does not count, and none of them can be the reference.
func (m *Master) lookForTime(slaves []*Slave) error {
	const least = 4 // bytes, of small parts
	var list []datagram
	for _, s := range slaves {
		list = append(list, readFrom(s.Station, wire.RegSystemTime, least))
	}
	if err := m.do(list...); err != nil {
		return err
	}
	for i, s := range slaves {
		s.SystemTime = list[i].counter == 1
	}
	return nil
}

// identify reads the SII as a description.
func (s *Slave) identify() {
	d, err := sii.Decode(s.Image)
	if err != nil {
		s.status.Trouble = err.Error()
		s.SII = &sii.Description{}
		return
	}
	s.SII, s.Identity = d, d.Identity
	if n := len(d.SyncManagers); n > mostUnits {
		s.status.Trouble = fmt.Sprintf("its SII lists %d SyncManagers; at most %d are possible", n, mostUnits)
		d.SyncManagers = d.SyncManagers[:mostUnits]
	}
	if d.General != nil {
		if s.Name = d.General.Order; s.Name == "" {
			s.Name = d.General.Name
		}
	}
	s.mailbox = s.newMailbox()
}
