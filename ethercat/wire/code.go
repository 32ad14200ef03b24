package wire

// Code is an AL status code (ETG.1000.6 table 11): why a slave is not in the requested state.
type Code uint16

// Codes that programs look for. All are in the table below.
const (
	NoCode           Code = 0
	CodeUnspecified  Code = 0x0001
	CodeTransition   Code = 0x0011
	CodeUnknownState Code = 0x0012
	CodeNoBoot       Code = 0x0013
	CodeMailboxBoot  Code = 0x0015
	CodeMailbox      Code = 0x0016
	CodeSyncManager  Code = 0x0017
	CodeNoInputs     Code = 0x0018
	CodeNoOutputs    Code = 0x0019
	CodeSyncErrors   Code = 0x001a
	CodeWatchdog     Code = 0x001b
	CodeOutputs      Code = 0x001d
	CodeInputs       Code = 0x001e
	CodeWatchdogSet  Code = 0x001f
	CodeFatalSync    Code = 0x002c
	CodeNoSync       Code = 0x002d
	CodeClockSync    Code = 0x0030
	CodePLL          Code = 0x0032
	CodeClockCycle   Code = 0x0035
	CodeSync0Cycle   Code = 0x0036
	CodeRestarted    Code = 0x0060
	CodeModules      Code = 0x0070
	CodeOfMaker      Code = 0x8000 // from here on
)

// strange is the remedy for protocols of the mailbox.
const strange = "look at what was sent to the mailbox"

// meaning is what a code says and what to do about it.
type meaning struct{ text, remedy string }

var codes = map[Code]meaning{
	0x0000: {"no error", "if the slave stays in Safe-Op it waits, for SYNC0 or for outputs"},
	0x0001: {"unspecified error", "read the log of the device"},
	0x0002: {"no memory", "ask for fewer or shorter process data objects"},
	0x0003: {"invalid set-up of the device", "look at its own configuration"},
	0x0004: {"wrong revision", "the configuration is for another one"},
	0x0006: {"SII does not match the firmware", "update one of the two"},
	0x0007: {"update of the firmware failed", "repeat it"},
	0x0011: {"transition not allowed", "a state was skipped, or the slave has fallen back in the meantime"},
	0x0012: {"unknown state", "the master asked for a state that does not exist"},
	0x0013: {"no Boot state", "this slave is updated in another way"},
	0x0014: {"no valid firmware", "update it"},
	0x0015: {"mailbox for Boot is wrong", "SyncManagers 0 and 1 must be as the SII says"},
	0x0016: {"mailbox is wrong", "SyncManagers 0 and 1 must be as the SII says"},
	0x0017: {"SyncManagers are wrong", "compare start, length and control with the SII"},
	0x0018: {"no valid inputs", "look at what is connected to the slave"},
	0x0019: {"no valid outputs", "send outputs before asking for Op"},
	0x001a: {"several synchronization errors", "frames come with too much jitter"},
	0x001b: {"SyncManager watchdog", "no outputs came for too long: acknowledge, then ask for Op again"},
	0x001c: {"types of SyncManagers are wrong", "compare them with the SII"},
	0x001d: {"outputs are wrong", "length of the process data and of SyncManager 2 differ"},
	0x001e: {"inputs are wrong", "length of the process data and of SyncManager 3 differ"},
	0x001f: {"watchdog is set wrongly", "look at registers 0x0400 and 0x0420"},
	0x0020: {"needs a cold start", "switch it off and on"},
	0x0021: {"needs Init", "go to Init first"},
	0x0022: {"needs Pre-Op", "go to Pre-Op first"},
	0x0023: {"needs Safe-Op", "go to Safe-Op first"},
	0x0024: {"mapping of inputs is wrong", "look at 0x1C13 and 0x1A00 and following"},
	0x0025: {"mapping of outputs is wrong", "look at 0x1C12 and 0x1600 and following"},
	0x0026: {"settings contradict each other", "look at 0x1C12, 0x1C13 and the parameters of the device"},
	0x0027: {"free run is not supported", "use distributed clocks"},
	0x0028: {"synchronization is not supported", "use a mode from its description"},
	0x0029: {"needs three buffers", "look at the control bytes of its SyncManagers"},
	0x002a: {"background watchdog", "look at the application of the slave"},
	0x002b: {"no valid inputs and outputs", "look at both sides"},
	0x002c: {"fatal synchronization error: SYNC0 is lost", "frames have drifted into SYNC0"},
	0x002d: {"SYNC0 does not come", "look at 0x0981, and whether the start time was past already"},
	0x002e: {"cycle is too short", "take a longer one"},
	0x0030: {"SYNC0 is set wrongly", "this cycle is not supported, or the start time was past"},
	0x0031: {"latch is set wrongly", "look at 0x09a8"},
	0x0032: {"cannot follow the clock", "frames and SYNC0 are not in phase"},
	0x0033: {"inputs and outputs lost the clock", "acknowledge and start again"},
	0x0034: {"clock time-out", "acknowledge and start again"},
	0x0035: {"cycle of the clock is wrong", "this cycle is not supported"},
	0x0036: {"cycle of SYNC0 does not fit the application", "it must be the one of the application"},
	0x0037: {"cycle of SYNC1 does not fit the application", "it must be the one of the application"},
	0x0041: {"mailbox AoE", strange},
	0x0042: {"mailbox EoE", strange},
	0x0043: {"mailbox CoE", strange},
	0x0044: {"mailbox FoE", strange},
	0x0045: {"mailbox SoE", strange},
	0x004f: {"mailbox VoE", strange},
	0x0050: {"EEPROM cannot be accessed", "give it back to the slave (0x0500)"},
	0x0051: {"EEPROM error", "write it again"},
	0x0060: {"restarted locally", "start it again"},
	0x0061: {"device identification has changed", "look at its switches"},
	0x0070: {"modules are not those that are configured", "compare 0xF030 (configured) with 0xF050 (detected)"},
}

// Known reports whether the code is of the standard.
func (c Code) Known() bool { _, ok := codes[c]; return ok }

// String returns the code with its meaning.
func (c Code) String() string {
	if m, ok := codes[c]; ok {
		return inHex(uint64(c), 4) + " " + m.text
	}
	if c >= CodeOfMaker {
		return inHex(uint64(c), 4) + " vendor-specific"
	}
	return inHex(uint64(c), 4)
}

// Remedy returns what to do about it.
func (c Code) Remedy() string {
	if m, ok := codes[c]; ok {
		return m.remedy
	}
	return "read the manual of the device"
}
