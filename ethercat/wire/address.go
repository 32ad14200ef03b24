package wire

// Address is the address field of a datagram. Its meaning depends on the command.
type Address uint32

// Position addresses a slave by its place in the line, from 0 (APRD, APWR, APRW, ARMW).
func Position(n int, r Register) Address { return Address(uint16(-n)) | Address(r)<<16 }

// Station addresses a slave by its station address or its alias (FPRD, FPWR, FPRW, FRMW).
func Station(s uint16, r Register) Address { return Address(s) | Address(r)<<16 }

// Broadcast addresses all slaves (BRD, BWR, BRW).
func Broadcast(r Register) Address { return Address(r) << 16 }

// Logical addresses bytes of the process image (LRD, LWR, LRW).
func Logical(at uint32) Address { return Address(at) }

// ADP returns the half of the address that says which slave. After a broadcast it is the number of slaves.
func (a Address) ADP() uint16 { return uint16(a) }

// Register returns the half that says where in its memory.
func (a Address) Register() Register { return Register(a >> 16) }

// Logical returns the address as one in the process image.
func (a Address) Logical() uint32 { return uint32(a) }

// Counted returns the address behind a slave that has added one to the position.
func (a Address) Counted() Address { return a&^0xffff | Address(uint16(a)+1) }
