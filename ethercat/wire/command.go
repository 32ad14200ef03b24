package wire

// Command says which slaves take part in a datagram, and how (ETG.1000.4 §5.4).
type Command uint8

// Commands: A by position, F by station address, B for all, L by logical address; RD reads, WR writes, RW does both, RMW reads
// in one slave and writes in all later ones.
const (
	NOP Command = iota
	APRD
	APWR
	APRW
	FPRD
	FPWR
	FPRW
	BRD
	BWR
	BRW
	LRD
	LWR
	LRW
	ARMW
	FRMW
)

var commands = [...]string{
	"NOP", "APRD", "APWR", "APRW", "FPRD", "FPWR", "FPRW", "BRD", "BWR", "BRW", "LRD", "LWR", "LRW", "ARMW", "FRMW",
}

func (c Command) String() string {
	if int(c) < len(commands) {
		return commands[c]
	}
	return "command " + inHex(uint64(c), 2)
}

// Known reports whether the command exists.
func (c Command) Known() bool { return int(c) < len(commands) }

// Reads reports whether data comes from slaves (cycle).
func (c Command) Reads() bool {
	switch c {
	case APRD, APRW, FPRD, FPRW, BRD, BRW, LRD, LRW, ARMW, FRMW:
		return true
	}
	return false
}

// Writes reports whether data goes to slaves (cycle).
func (c Command) Writes() bool {
	switch c {
	case APWR, APRW, FPWR, FPRW, BWR, BRW, LWR, LRW, ARMW, FRMW:
		return true
	}
	return false
}

// Logical reports whether the address is one of the process image (cycle).
func (c Command) Logical() bool { return c == LRD || c == LWR || c == LRW }

// Counts reports whether every slave adds one to the position in the address as the datagram passes (cycle).
func (c Command) Counts() bool {
	switch c {
	case APRD, APWR, APRW, BRD, BWR, BRW, ARMW:
		return true
	}
	return false
}

// Counters are what a slave adds to the working counter of a datagram of commands that do both.
const (
	CountRead  = 1
	CountWrite = 1
	// CountBoth is for reading and writing in one datagram: writing counts twice, so that it is known which part failed.
	CountBoth = 3
	// CountLogicalWrite is the part of LRW that writes.
	CountLogicalWrite = 2
)
