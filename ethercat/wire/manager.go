package wire

import "encoding/binary"

// Sizes of settings in the memory of a slave.
const (
	SyncManagerSize = 8
	FMMUSize        = 16
)

// SyncManager is the settings of a SyncManager: an area of memory that is handed over as a whole (ETG.1000.4 §6.7.2).
type SyncManager struct {
	Start, Length uint16
	Control       SyncControl
	Status        uint8
	Activate      uint8
	PDIControl    uint8
}

// SyncControl is the control byte of a SyncManager.
type SyncControl uint8

// Bits of it.
const (
	SyncMailbox  SyncControl = 2 << 0 // otherwise three buffers
	SyncModes    SyncControl = 3 << 0
	SyncWritten  SyncControl = 1 << 2 // the master writes, otherwise it reads
	SyncEventBus SyncControl = 1 << 4
	SyncEventPDI SyncControl = 1 << 5
	SyncWatchdog SyncControl = 1 << 6
)

// Mailbox reports whether the area holds mail, one at a time.
func (c SyncControl) Mailbox() bool { return c&SyncModes == SyncMailbox }

// Written reports whether the master writes the area.
func (c SyncControl) Written() bool { return c&SyncWritten != 0 }

// Control bytes as slaves usually have them.
const (
	ControlMailOut      SyncControl = 0x26
	ControlMailIn       SyncControl = 0x22
	ControlOutputs      SyncControl = 0x64 // with watchdog
	ControlOutputsLoose SyncControl = 0x24
	ControlInputs       SyncControl = 0x20
	ControlDigitalOut   SyncControl = 0x44
	ControlDigitalIn    SyncControl = 0x00
)

// Bits of the other bytes.
const (
	SyncFull         = 1 << 3 // Status: there is mail
	SyncEnable       = 1 << 0 // Activate
	SyncRepeat       = 1 << 1 // Activate: toggled to have mail repeated
	SyncClosed       = 1 << 0 // PDIControl: the slave has switched it off
	SyncRepeated     = 1 << 1 // PDIControl: has followed
	SyncStatusOffset = 5      // of Status in the settings
	SyncUseOffset    = 6      // of Activate
)

// ParseSyncManager reads settings; what is missing is zero.
func ParseSyncManager(b []byte) (s SyncManager) {
	if len(b) >= SyncManagerSize {
		s = SyncManager{
			binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:]), SyncControl(b[4]), b[5], b[6], b[7],
		}
	}
	return s
}

// Put writes settings into at least SyncManagerSize bytes.
func (s SyncManager) Put(b []byte) {
	if len(b) < SyncManagerSize {
		return
	}
	binary.LittleEndian.PutUint16(b, s.Start)
	binary.LittleEndian.PutUint16(b[2:], s.Length)
	b[4], b[5], b[6], b[7] = byte(s.Control), s.Status, s.Activate, s.PDIControl
}

// FMMU maps bits of the process image to bits of the memory of a slave (ETG.1000.4 §6.6).
type FMMU struct {
	Logical          uint32
	Length           uint16 // bytes of the process image that it touches
	StartBit, EndBit uint8  // of the first and of the last of these bytes
	Physical         uint16
	PhysicalBit      uint8
	Type             FMMUType
	Active           bool
}

// FMMUType is the direction in which an FMMU maps.
type FMMUType uint8

// Types of FMMUs. There are parts that map both.
const (
	FMMURead  FMMUType = 1
	FMMUWrite FMMUType = 2
)

// ParseFMMU reads settings; what is missing is zero.
func ParseFMMU(b []byte) (f FMMU) {
	if len(b) >= FMMUSize {
		f = FMMU{
			Logical: binary.LittleEndian.Uint32(b), Length: binary.LittleEndian.Uint16(b[4:]), StartBit: b[6] & 7, EndBit: b[7] & 7,
			Physical: binary.LittleEndian.Uint16(b[8:]), PhysicalBit: b[10] & 7, Type: FMMUType(b[11] & 3), Active: b[12]&1 != 0,
		}
	}
	return f
}

// Put writes settings into at least FMMUSize bytes.
func (f FMMU) Put(b []byte) {
	if len(b) < FMMUSize {
		return
	}
	clear(b[:FMMUSize])
	binary.LittleEndian.PutUint32(b, f.Logical)
	binary.LittleEndian.PutUint16(b[4:], f.Length)
	b[6], b[7] = f.StartBit, f.EndBit
	binary.LittleEndian.PutUint16(b[8:], f.Physical)
	b[10], b[11] = f.PhysicalBit, byte(f.Type)
	if f.Active {
		b[12] = 1
	}
}

// Bits returns the number of mapped bits.
func (f FMMU) Bits() int {
	if f.Length == 0 {
		return 0
	}
	return max(0, (int(f.Length)-1)*8+int(f.EndBit)-int(f.StartBit)+1)
}

// MapBytes returns an FMMU for whole bytes.
func MapBytes(logical uint32, physical uint16, size int, t FMMUType) FMMU {
	return FMMU{Logical: logical, Length: uint16(size), EndBit: 7, Physical: physical, Type: t, Active: true}
}
