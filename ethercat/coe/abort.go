package coe

import "fmt"

// Abort is the reason why one side ended a transfer (ETG.1000.6 table 41). Zero is none.
type Abort uint32

// Abort codes.
const (
	AbortToggle       Abort = 0x05030000
	AbortTimeout      Abort = 0x05040000
	AbortCommand      Abort = 0x05040001
	AbortMemory       Abort = 0x05040005
	AbortAccess       Abort = 0x06010000
	AbortWriteOnly    Abort = 0x06010001
	AbortReadOnly     Abort = 0x06010002
	AbortSubZero      Abort = 0x06010003
	AbortComplete     Abort = 0x06010004
	AbortTooLong      Abort = 0x06010005
	AbortMapped       Abort = 0x06010006
	AbortNoObject     Abort = 0x06020000
	AbortNotMappable  Abort = 0x06040041
	AbortPDOLength    Abort = 0x06040042
	AbortIncompatible Abort = 0x06040043
	AbortInternal     Abort = 0x06040047
	AbortHardware     Abort = 0x06060000
	AbortLength       Abort = 0x06070010
	AbortLengthHigh   Abort = 0x06070012
	AbortLengthLow    Abort = 0x06070013
	AbortNoSub        Abort = 0x06090011
	AbortRange        Abort = 0x06090030
	AbortHigh         Abort = 0x06090031
	AbortLow          Abort = 0x06090032
	AbortMaxMin       Abort = 0x06090036
	AbortGeneral      Abort = 0x08000000
	AbortStore        Abort = 0x08000020
	AbortStoreLocal   Abort = 0x08000021
	AbortStoreState   Abort = 0x08000022
	AbortNoDictionary Abort = 0x08000023
)

var aborts = map[Abort]string{
	AbortToggle: "toggle bit did not change", AbortTimeout: "time-out", AbortCommand: "command is unknown", AbortMemory: "out of memory",
	AbortAccess: "access is not supported", AbortWriteOnly: "can only be written", AbortReadOnly: "can only be read",
	AbortSubZero: "subindex 0 must be written with 0 first", AbortComplete: "complete access is not supported",
	AbortTooLong: "longer than the mailbox", AbortMapped: "is mapped to a PDO and cannot be written", AbortNoObject: "object does not exist",
	AbortNotMappable: "cannot be mapped to a PDO", AbortPDOLength: "PDO would be too long", AbortIncompatible: "parameters do not fit each other",
	AbortInternal: "device is not compatible in itself", AbortHardware: "hardware has failed", AbortLength: "length is wrong",
	AbortLengthHigh: "too long", AbortLengthLow: "too short", AbortNoSub: "subindex does not exist", AbortRange: "value is out of range",
	AbortHigh: "value is too high", AbortLow: "value is too low", AbortMaxMin: "maximum is below minimum", AbortGeneral: "general error",
	AbortStore: "cannot be stored", AbortStoreLocal: "cannot be stored because of local control",
	AbortStoreState: "cannot be stored in this state of the device", AbortNoDictionary: "there is no dictionary",
}

// Known reports whether the code is of the standard.
func (a Abort) Known() bool { _, ok := aborts[a]; return ok }

func (a Abort) Error() string {
	if text, ok := aborts[a]; ok {
		return fmt.Sprintf("abort %08x: %s", uint32(a), text)
	}
	return fmt.Sprintf("abort %08x", uint32(a))
}

// TransferError is a failed transfer.
type TransferError struct {
	Index uint16
	Sub   uint8
	Err   error // an Abort, a MailError, or what the client did not understand
}

func (e *TransferError) Error() string {
	return fmt.Sprintf("object 0x%04x:%02x: %v", e.Index, e.Sub, e.Err)
}

func (e *TransferError) Unwrap() error { return e.Err }
