package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Objects of process data (ETG.1000.6 table 67).
const assignment = 0x1c10 // plus the number of the SyncManager

// refused reports whether a slave has answered that it does not do that.
func refused(err error) bool {
	var abort coe.Abort
	return errors.As(err, &abort) && abort != coe.AbortTimeout
}

// prepare writes what the configuration wants in Pre-Op, and finds out which process data there are.
func (s *Slave) prepare(ctx context.Context) error {
	for _, w := range s.Setup.Start {
		if err := s.Download(ctx, w.Index, w.Sub, w.Complete, w.Data); err != nil {
			return s.fail("writing start-up objects", err)
		}
	}
	for _, d := range []struct {
		use  sii.Use
		pdos []ecat.PDO
	}{{sii.Outputs, s.Setup.Outputs}, {sii.Inputs, s.Setup.Inputs}} {
		if d.pdos == nil {
			continue
		}
		if err := s.assign(ctx, s.managerFor(d.use), d.pdos); err != nil {
			return s.fail("assigning process data", err)
		}
	}
	outputs, inputs, err := s.findAreas(ctx)
	if err != nil {
		return s.fail("reading the layout of process data", err)
	}
	s.unused = s.unassigned(outputs, inputs)
	s.setFault(s.unused)
	return s.fail("configuring it again", s.settle(outputs, inputs))
}

// unassigned says which SyncManagers carry nothing although the SII gives them a length, and it was not requested. The slave gets to Op
// nevertheless, and would look as if it were of use.
func (s *Slave) unassigned(outputs, inputs []ecat.Area) string {
	carries := func(manager int) bool {
		return slices.ContainsFunc(append(outputs[:len(outputs):len(outputs)], inputs...), func(a ecat.Area) bool { return a.SyncManager == manager })
	}
	var list []string
	for i, sm := range s.SII.SyncManagers {
		chosen := sm.Use == sii.Outputs && s.Setup.Outputs != nil || sm.Use == sii.Inputs && s.Setup.Inputs != nil
		if exchanged(&sm) && sm.Length > 0 && !chosen && !carries(i) {
			list = append(list, fmt.Sprintf("no PDO is assigned to SyncManager %d (0x%04x), for which its SII has %d bytes", i, assignment+i, sm.Length))
		}
	}
	return strings.Join(list, "; ")
}

// exchanged reports whether a SyncManager is for process data.
func exchanged(sm *sii.SyncManager) bool {
	return (sm.Use == sii.Outputs || sm.Use == sii.Inputs) && sm.Enable&sii.Virtual == 0
}

// settle keeps the areas. A slave that is configured again while others go on must have those that it had: they have their place in
// the image.
func (s *Slave) settle(outputs, inputs []ecat.Area) error {
	if !s.placed {
		s.Outputs, s.Inputs = outputs, inputs
		return nil
	}
	if lengthOf(outputs) != lengthOf(s.Outputs) || lengthOf(inputs) != lengthOf(s.Inputs) {
		return s.noPlace(outputs, inputs)
	}
	return nil
}

// managerFor returns the first SyncManager of a use; where the SII does not say, the usual one.
func (s *Slave) managerFor(use sii.Use) int {
	for i, sm := range s.SII.SyncManagers {
		if sm.Use == use {
			return i
		}
	}
	if use == sii.Outputs {
		return 2
	}
	return 3
}

// assign writes which PDOs a SyncManager carries, and what is mapped into them. The number of entries is 0 in the meantime.
func (s *Slave) assign(ctx context.Context, manager int, pdos []ecat.PDO) error {
	index := uint16(assignment + manager)
	var list []byte
	for _, p := range pdos {
		list = binary.LittleEndian.AppendUint16(list, p.Index)
	}
	if err := s.Download(ctx, index, 0, false, []byte{0}); err != nil {
		return err
	}
	for _, p := range pdos {
		if p.Entries == nil {
			continue
		}
		var entries []byte
		for _, e := range p.Entries {
			entries = binary.LittleEndian.AppendUint32(entries, uint32(e))
		}
		if err := s.Download(ctx, p.Index, 0, false, []byte{0}); err != nil {
			return err
		}
		if err := s.writeList(ctx, p.Index, entries, 4); err != nil {
			return err
		}
	}
	return s.writeList(ctx, index, list, 2)
}

// writeList writes entries from 1 on, then their number.
func (s *Slave) writeList(ctx context.Context, index uint16, entries []byte, size int) error {
	n := len(entries) / size
	for i := range n {
		if err := s.Download(ctx, index, uint8(i+1), false, entries[i*size:(i+1)*size]); err != nil {
			return err
		}
	}
	return s.Download(ctx, index, 0, false, []byte{byte(n)})
}

// findAreas finds out which memory carries process data: which PDOs are assigned is asked of the slave when it has objects.
// Slaves without, and those that lack just this one (an analog input has no outputs), are as their SII says.
func (s *Slave) findAreas(ctx context.Context) (outputs, inputs []ecat.Area, err error) {
	for i, sm := range s.SII.SyncManagers {
		if !exchanged(&sm) {
			continue
		}
		a := ecat.Area{SyncManager: i, Start: sm.Start, Control: wire.SyncControl(sm.Control)}
		known := false
		if s.HasCoE() {
			if a.PDOs, err = s.assigned(ctx, i); err != nil && !refused(err) {
				return nil, nil, err
			}
			known = err == nil
		}
		if !known {
			a.PDOs = s.assignedBySII(i, sm.Use)
		}
		for _, p := range a.PDOs {
			a.Bits += p.Bits()
		}
		a.Length = (a.Bits + 7) / 8
		if !known && len(a.PDOs) == 0 {
			a.Length = int(sm.Length)
			a.Bits = 8 * a.Length
		}
		if a.Length == 0 {
			continue
		}
		if sm.Use == sii.Outputs {
			outputs = append(outputs, a)
		} else {
			inputs = append(inputs, a)
		}
	}
	if n := len(outputs) + len(inputs); n > s.FMMUs {
		return nil, nil, fmt.Errorf("%d areas of process data need as many FMMUs; the slave has %d", n, s.FMMUs)
	}
	return outputs, inputs, nil
}

func (s *Slave) assignedBySII(manager int, use sii.Use) (list []ecat.Assigned) {
	pdos := s.SII.TxPDOs
	if use == sii.Outputs {
		pdos = s.SII.RxPDOs
	}
	for _, p := range pdos {
		if int(p.SyncManager) == manager {
			a := ecat.Assigned{Index: p.Index, Name: p.Name}
			for _, e := range p.Entries {
				a.Entries = append(a.Entries, coe.Map(e.Index, e.Sub, e.Bits))
			}
			list = append(list, a)
		}
	}
	return list
}

// assigned asks which PDOs a SyncManager has and what is in them.
func (s *Slave) assigned(ctx context.Context, manager int) (list []ecat.Assigned, err error) {
	indexes, err := s.uploadList(ctx, uint16(assignment+manager), 2)
	if err != nil {
		return nil, err
	}
	for _, i := range indexes {
		a := ecat.Assigned{Index: uint16(i), Name: s.pdoName(uint16(i))}
		entries, err := s.uploadList(ctx, a.Index, 4)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			a.Entries = append(a.Entries, coe.Mapping(e))
		}
		list = append(list, a)
	}
	return list, nil
}

func (s *Slave) pdoName(index uint16) string {
	for _, list := range [][]sii.PDO{s.SII.TxPDOs, s.SII.RxPDOs} {
		for _, p := range list {
			if p.Index == index {
				return p.Name
			}
		}
	}
	return ""
}

// uploadList reads the entries of an object: at once where the slave says that it can, otherwise, or when it has not room for as many as it
// counts, one by one. Subindex 0 takes 16 bits of a complete access (ETG.1000.6 §5.6.2.4); a stack in wide use sends 8.
func (s *Slave) uploadList(ctx context.Context, index uint16, size int) (list []uint32, err error) {
	number := func(b []byte) uint32 {
		var word [4]byte
		copy(word[:], b)
		return binary.LittleEndian.Uint32(word[:])
	}
	if g := s.SII.General; g != nil && g.CoE&sii.CompleteAccess != 0 {
		all, err := s.Upload(ctx, index, 0, true)
		switch {
		case err == nil && len(all) >= 2 && all[1] == 0 && 2+int(all[0])*size <= len(all):
			for entries := all[2 : 2+int(all[0])*size]; len(entries) > 0; entries = entries[size:] {
				list = append(list, number(entries[:size]))
			}
			return list, nil
		case err != nil && !refused(err):
			return nil, err
		}
	}
	count, err := s.Upload(ctx, index, 0, false)
	if err != nil {
		return nil, err
	}
	for i := range number(count) & 0xff {
		b, err := s.Upload(ctx, index, uint8(i+1), false)
		if err != nil {
			return nil, err
		}
		list = append(list, number(b))
	}
	return list, nil
}
