package sim

import (
	"encoding/binary"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// siiUnit is the part that reads and writes the SII for the master (registers 0x0500 to 0x050f).
type siiUnit struct {
	until   int64 // busy up to here
	busy    bool
	stuck   bool // a fault: never ends
	refuse  int  // a fault: this many accesses are not acknowledged
	command uint16
	errors  uint16
	bad     bool // check sum
}

// written takes a command, which may come with the address in one access or after it.
func (u *siiUnit) written(s *Slave, now int64, at, end int) {
	if covers(at, end, wire.RegSIIOwner) && s.memory[wire.RegSIIOwner]&2 != 0 {
		s.memory[wire.RegSIIOwner] &^= 3 // taken back by force
	}
	if !covers(at, end, wire.RegSIIControl+1) {
		return
	}
	control := s.word(wire.RegSIIControl)
	u.command = control & wire.SIICommands
	switch {
	case u.busy:
	case u.command == 0:
		u.errors = 0
	case s.memory[wire.RegSIIOwner]&1 != 0: // belongs to the slave
		u.errors |= wire.SIICommandError
	case u.command == wire.SIIWrite && control&wire.SIIWritable == 0:
		u.errors |= wire.SIIWriteError
	default:
		u.busy, u.until, u.errors = true, now+s.given.siiDelay, 0
	}
	u.show(s, now)
}

// show completes what is due and writes the status register.
func (u *siiUnit) show(s *Slave, now int64) {
	if u.busy && now >= u.until && !u.stuck {
		u.busy = false
		u.execute(s)
	}
	status := u.errors
	if u.busy {
		status |= wire.SIIBusy | u.command
	}
	if !s.given.four {
		status |= wire.SIIEight
	}
	if u.bad {
		status |= wire.SIICheckSum
	}
	s.setWord(wire.RegSIIControl, status)
}

func (u *siiUnit) execute(s *Slave) {
	at := 2 * int64(s.long(wire.RegSIIAddress))
	if u.refuse > 0 {
		u.refuse--
		u.errors, u.command = u.errors|wire.SIICommandError, 0
		return
	}
	switch u.command {
	case wire.SIIRead:
		size := int64(8)
		if s.given.four {
			size = 4
		}
		data := s.memory[wire.RegSIIData : int64(wire.RegSIIData)+size]
		for i := range data {
			data[i] = 0xff
			if j := at + int64(i); j < int64(len(s.image)) {
				data[i] = s.image[j]
			}
		}
	case wire.SIIWrite:
		if at+2 > int64(len(s.image)) {
			u.errors |= wire.SIICommandError
			return
		}
		copy(s.image[at:at+2], s.memory[wire.RegSIIData:])
	case wire.SIIReload:
		if len(s.image) >= 10 {
			s.setWord(wire.RegAlias, binary.LittleEndian.Uint16(s.image[8:]))
		}
	default:
		u.errors |= wire.SIICommandError
	}
	u.command = 0
}
