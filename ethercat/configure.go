package ethercat

import (
	"encoding/binary"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// layOut gives each slave its part of the process image.
func (m *Master) layOut(slaves []*Slave) (*image.Layout, error) {
	needs := make([]image.Slave, len(slaves))
	for i, s := range slaves {
		needs[i] = image.Slave{Outputs: lengthOf(s.Outputs), Inputs: lengthOf(s.Inputs), NoLRW: s.withoutLRW()}
	}
	l, err := image.Plan(needs, mostSegment)
	if err != nil {
		return nil, err
	}
	for i, s := range slaves {
		s.place = l.Places[i]
	}
	return l, nil
}

// withoutLRW: the part says so, or the SII.
func (s *Slave) withoutLRW() bool {
	return s.Features&wire.FeatureNoLRW != 0 || s.SII.General != nil && s.SII.General.Flags&sii.NoLRW != 0
}

func lengthOf(areas []ecat.Area) (n int) {
	for _, a := range areas {
		n += a.Length
	}
	return n
}

// ticks of watchdogs are 100 µs with the usual divider.
const (
	usualDivider = 2498
	tick         = 100 * time.Microsecond
)

// settings are SyncManagers, FMMUs and watchdog for process data, in Pre-Op.
func (s *Slave) settings() []datagram {
	list := s.mappings()
	if w := s.Setup.Watchdog; w > 0 {
		ticks := uint16(min(w/tick, 0xffff))
		list = append(list, writeTo(s.Station, wire.RegDivider, binary.LittleEndian.AppendUint16(nil, usualDivider)...),
			writeTo(s.Station, wire.RegWatchdog, binary.LittleEndian.AppendUint16(nil, ticks)...))
	}
	return list
}

// mappings returns its SyncManagers and FMMUs for process data.
func (s *Slave) mappings() (list []datagram) {
	fmmu := 0
	add := func(areas []ecat.Area, at int, t wire.FMMUType) {
		for _, a := range areas {
			d := make([]byte, wire.SyncManagerSize)
			wire.SyncManager{Start: a.Start, Length: uint16(a.Length), Control: a.Control, Activate: wire.SyncEnable}.Put(d)
			list = append(list, writeTo(s.Station, wire.SyncManagerAt(a.SyncManager), d...))
			f := make([]byte, wire.FMMUSize)
			wire.MapBytes(logicalBase+uint32(at), a.Start, a.Length, t).Put(f)
			list = append(list, writeTo(s.Station, wire.FMMUAt(fmmu), f...))
			at += a.Length
			fmmu++
		}
	}
	add(s.Outputs, s.place.Outputs.From, wire.FMMUWrite)
	add(s.Inputs, s.place.Inputs.From, wire.FMMURead)
	return list
}
