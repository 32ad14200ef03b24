package wire

import "strconv"

// Register is an offset in the memory of a slave (ETG.1000.4 §6).
type Register uint16

// Registers. The size stands behind each, in bytes.
const (
	RegType          Register = 0x0000 // 1
	RegRevision      Register = 0x0001 // 1
	RegBuild         Register = 0x0002 // 2
	RegFMMUs         Register = 0x0004 // 1
	RegSyncManagers  Register = 0x0005 // 1
	RegRAM           Register = 0x0006 // 1, in kB
	RegPorts         Register = 0x0007 // 1
	RegFeatures      Register = 0x0008 // 2
	RegStation       Register = 0x0010 // 2
	RegAlias         Register = 0x0012 // 2
	RegReset         Register = 0x0040 // 1
	RegLinkControl   Register = 0x0100 // 4
	RegLinkStatus    Register = 0x0110 // 2
	RegControl       Register = 0x0120 // 2, of the application layer
	RegStatus        Register = 0x0130 // 2
	RegStatusCode    Register = 0x0134 // 2
	RegPDIControl    Register = 0x0140 // 1
	RegPDIConfig     Register = 0x0141 // 1
	RegEventMask     Register = 0x0200 // 2
	RegEvents        Register = 0x0210 // 2
	RegErrors        Register = 0x0300 // 8: per port invalid frames and errors
	RegForwarded     Register = 0x0308 // 4: per port errors that were detected before
	RegUnitErrors    Register = 0x030c // 1
	RegPDIErrors     Register = 0x030d // 1
	RegLostLinks     Register = 0x0310 // 4
	RegDivider       Register = 0x0400 // 2, of watchdogs
	RegPDIWatchdog   Register = 0x0410 // 2
	RegWatchdog      Register = 0x0420 // 2, of process data
	RegWatchdogState Register = 0x0440 // 2
	RegExpired       Register = 0x0442 // 1: how often the watchdog of process data has expired
	RegSIIOwner      Register = 0x0500 // 1
	RegSIIControl    Register = 0x0502 // 2
	RegSIIAddress    Register = 0x0504 // 4, in words
	RegSIIData       Register = 0x0508 // 8
	RegFMMU          Register = 0x0600 // 16 each
	RegSyncManager   Register = 0x0800 // 8 each
	RegMemory        Register = 0x1000 // process RAM
)

// Registers of the clock (ETG.1000.4 §6.8).
const (
	RegReceived     Register = 0x0900 // 4 per port; a write latches all
	RegSystemTime   Register = 0x0910 // 8
	RegReceivedUnit Register = 0x0918 // 8
	RegOffset       Register = 0x0920 // 8
	RegDelay        Register = 0x0928 // 4
	RegDifference   Register = 0x092c // 4
	RegSpeed        Register = 0x0930 // 2
	RegFilter       Register = 0x0934 // 1
	RegSpeedFilter  Register = 0x0935 // 1
	RegSyncOwner    Register = 0x0980 // 1
	RegActivation   Register = 0x0981 // 1
	RegPulse        Register = 0x0982 // 2
	RegSync0Status  Register = 0x098e // 1
	RegSync1Status  Register = 0x098f // 1
	RegSyncStart    Register = 0x0990 // 8; reads as the next SYNC0
	RegNextSync1    Register = 0x0998 // 8
	RegSync0Cycle   Register = 0x09a0 // 4
	RegSync1Cycle   Register = 0x09a4 // 4
)

func (r Register) String() string { return inHex(uint64(r), 4) }

// FMMUAt returns where the settings of an FMMU begin.
func FMMUAt(n int) Register { return RegFMMU + Register(n*FMMUSize) }

// SyncManagerAt returns where the settings of a SyncManager begin.
func SyncManagerAt(n int) Register { return RegSyncManager + Register(n*SyncManagerSize) }

// Features (register 0x0008).
const (
	FeatureByteFMMU   = 1 << 0 // FMMUs map whole bytes only
	FeatureClock      = 1 << 2
	FeatureClock64    = 1 << 3
	FeatureErrorsFCS  = 1 << 7
	FeatureClockSync  = 1 << 8
	FeatureNoLRW      = 1 << 9
	FeatureNoRW       = 1 << 10 // neither BRW, APRW nor FPRW
	FeatureFixedFMMUs = 1 << 11
)

// LinkControl: bits of register 0x0100. Loops have two bits per port from bit 8 on.
const (
	LinkForwardOwn = 1 << 0 // only frames of EtherCAT
	LinkTemporary  = 1 << 1
	LinkAlias      = 1 << 24
)

// Loop is the setting of the loop of a port.
type Loop uint8

// Loops.
const (
	LoopAuto Loop = iota
	LoopAutoClose
	LoopOpen
	LoopClosed
)

// LoopOf returns the setting of a port in register 0x0100.
func LoopOf(control uint32, port int) Loop { return Loop(control >> (8 + 2*port) & 3) }

// Ports is the largest number of ports of a slave.
const Ports = 4

// LinkStatus is register 0x0110.
type LinkStatus uint16

// Bits of it that are not of ports.
const (
	LinkReady       LinkStatus = 1 << 0 // the SII is loaded
	LinkPDIWatchdog LinkStatus = 1 << 1
)

// Physical reports whether there is a signal at a port.
func (l LinkStatus) Physical(port int) bool { return l>>(4+port)&1 != 0 }

// Closed reports whether frames do not leave through a port.
func (l LinkStatus) Closed(port int) bool { return l>>(8+2*port)&1 != 0 }

// Communication reports whether a port is connected.
func (l LinkStatus) Communication(port int) bool { return l>>(9+2*port)&1 != 0 }

// Open reports whether frames go on through a port.
func (l LinkStatus) Open(port int) bool { return !l.Closed(port) && l.Communication(port) }

// OpenPorts returns the number of open ports: 1 at the end of a line, 2 in it, 3 and 4 where there are branches (facts of topology).
func (l LinkStatus) OpenPorts() (n int) {
	for port := range Ports {
		if l.Open(port) {
			n++
		}
	}
	return n
}

// WithPort returns the status with a port that is open, or closed because nothing is connected.
func (l LinkStatus) WithPort(port int, open bool) LinkStatus {
	link, loop, talks := LinkStatus(1)<<(4+port), LinkStatus(1)<<(8+2*port), LinkStatus(1)<<(9+2*port)
	l &^= link | loop | talks
	if open {
		return l | link | talks
	}
	return l | loop
}

// PortOrder is the order in which a frame leaves through the ports of a slave; behind the last it goes back through port 0.
var PortOrder = [Ports]int{0, 3, 1, 2}

// PortKind is the kind of a port, two bits each in register 0x0007.
type PortKind uint8

// Kinds of ports.
const (
	PortAbsent PortKind = iota
	PortNotConfigured
	PortEBus
	PortMII
)

// PortKindOf returns the kind of a port in register 0x0007.
func PortKindOf(descriptor uint8, port int) PortKind { return PortKind(descriptor >> (2 * port) & 3) }

// SII: bits of register 0x0502.
const (
	SIIWritable     = 1 << 0
	SIIEight        = 1 << 6 // eight bytes per read, otherwise four
	SIIRead         = 1 << 8
	SIIWrite        = 2 << 8
	SIIReload       = 4 << 8
	SIICommands     = 7 << 8
	SIICheckSum     = 1 << 11
	SIINotLoaded    = 1 << 12
	SIICommandError = 1 << 13
	SIIWriteError   = 1 << 14
	SIIBusy         = 1 << 15
	SIIErrors       = SIICheckSum | SIINotLoaded | SIICommandError | SIIWriteError
)

// DeviceEmulation is the bit of register 0x0141 that says that the status mirrors the control.
const DeviceEmulation = 1 << 0

// Activation: bits of register 0x0981.
const (
	SyncCyclic  = 1 << 0
	Sync0       = 1 << 1
	Sync1       = 1 << 2
	SyncOnStart = 1 << 3 // writing the start time activates
)

// Difference returns the value of register 0x092c, in ns: how far the copy of a slave is ahead of the system time. On the wire it is
// sign and magnitude (facts of clocks).
func Difference(raw uint32) int32 {
	const sign = 1 << 31
	if raw&sign != 0 {
		return -int32(raw &^ sign)
	}
	return int32(raw)
}

// RawDifference returns the other direction.
func RawDifference(ns int32) uint32 {
	const sign, most = 1 << 31, 1<<31 - 1
	if ns < 0 {
		return sign | uint32(min(-int64(ns), most))
	}
	return uint32(ns)
}

// inHex writes a number like 0x0130.
func inHex(v uint64, digits int) string {
	text := strconv.FormatUint(v, 16)
	for len(text) < digits {
		text = "0" + text
	}
	return "0x" + text
}
