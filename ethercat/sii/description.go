package sii

// Description is the contents of an image.
type Description struct {
	PDIControl  uint8
	PDIConfig   uint8  // register 0x0141: bit 0 is device emulation
	Sync        uint16 // how SYNC and latch are wired
	SyncPulse   uint16 // ×10 ns
	PDIConfig2  uint16
	Alias       uint16
	Identity    Identity
	BootMailbox Mailbox
	Mailbox     Mailbox
	Protocols   Protocols
	Size        int // of the memory, in bytes
	Version     uint16

	General      *General // nil where the category is missing
	FMMUs        []FMMU
	SyncManagers []SyncManager
	TxPDOs       []PDO // from the slave to the master: inputs
	RxPDOs       []PDO // from the master to the slave: outputs
	Clocks       []Clock
	Others       []Category

	// Problems are the mistakes in the image; an image that was written by this package has none.
	Problems []string
}

// Identity identifies the device.
type Identity struct{ Vendor, Product, Revision, Serial uint32 }

// Mailbox is the places of the areas of a mailbox: out is written by the master, in is read by it. Sizes of zero mean that there
// is none.
type Mailbox struct{ Out, OutSize, In, InSize uint16 }

// Protocols are the protocols of a mailbox.
type Protocols uint16

// Protocols.
const (
	AoE Protocols = 1 << iota
	EoE
	CoE
	FoE
	SoE
	VoE
)

// General is the category of that name.
type General struct {
	Group, Image, Order, Name string
	CoE                       CoEDetails
	FoE, EoE                  bool
	SoEChannels, DSChannels   uint8 // DSChannels are axes of CiA 402
	Flags                     Flags
	Current                   int16    // from the E-bus, in mA; negative where the slave feeds it
	Ports                     [4]uint8 // 0 not used, 1 MII, 3 E-bus, 4 fast hot connect
}

// CoEDetails are what the dictionary can do.
type CoEDetails uint8

// Details.
const (
	SDO CoEDetails = 1 << iota
	SDOInfo
	PDOAssign
	PDOConfig
	UploadAtStart
	CompleteAccess
)

// Flags are those of the general category.
type Flags uint8

// Flags.
const (
	EnableSafeOp Flags = 1 << iota
	NoLRW
	MailboxDLL
	IDInStatus
)

// FMMU is the use of an FMMU.
type FMMU uint8

// Uses of FMMUs.
const (
	FMMUUnused  FMMU = 0
	FMMUOutputs FMMU = 1
	FMMUInputs  FMMU = 2
	FMMUMailbox FMMU = 3 // the state of the mailbox
)

// SyncManager is the settings of a SyncManager.
type SyncManager struct {
	Start, Length           uint16
	Control, Status, Enable uint8
	Use                     Use
}

// Bits of Enable.
const (
	Enabled  = 1 << 0
	Fixed    = 1 << 1 // contents are given
	Virtual  = 1 << 2 // there is no part of this kind
	OnlyInOp = 1 << 3
)

// Use is the use of a SyncManager.
type Use uint8

// Uses of SyncManagers.
const (
	Unused Use = iota
	MailOut
	MailIn
	Outputs
	Inputs
)

// NoSyncManager stands for a PDO that is not assigned.
const NoSyncManager = 0xff

// PDO is a process data object.
type PDO struct {
	Index       uint16
	SyncManager uint8 // NoSyncManager when it is not assigned
	Sync        uint8
	Name        string
	Flags       uint16
	Entries     []Entry
}

// Entry is a part of a PDO. Those with index 0 fill gaps.
type Entry struct {
	Index uint16
	Sub   uint8
	Name  string
	Type  uint8 // number of the data type, ETG.1000.6 table 64
	Bits  uint8
	Flags uint16
}

// Bits returns the length of the object.
func (p *PDO) Bits() (n int) {
	for _, e := range p.Entries {
		n += int(e.Bits)
	}
	return n
}

// Clock is a mode of the distributed clock.
type Clock struct {
	Cycle0         uint32 // ns; 0 is the cycle of the master
	Shift0, Shift1 int32
	Factor1        int16
	Activate       uint16 // AssignActivate
	Factor0        int16
	Name, About    string
}

// Category is a category that this package does not decode.
type Category struct {
	Type uint16
	Data []byte
}
