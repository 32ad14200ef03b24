package cia402_test

import (
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
)

// TestStates: every statusword is of one state, whatever its other bits are, and the table of CiA 402 is the one here.
func TestStates(t *testing.T) {
	for _, tt := range []struct {
		mask, want uint16
		state      cia402.State
	}{
		{0x4f, 0x40, cia402.SwitchOnDisabled},
		{0x6f, 0x21, cia402.ReadyToSwitchOn},
		{0x6f, 0x23, cia402.SwitchedOn},
		{0x6f, 0x27, cia402.OperationEnabled},
		{0x6f, 0x07, cia402.QuickStopActive},
		{0x4f, 0x0f, cia402.FaultReaction},
		{0x4f, 0x08, cia402.Fault},
		{0x4f, 0x00, cia402.NotReady},
	} {
		n := 0
		for word := range 1 << 16 {
			if w := uint16(word); w&tt.mask == tt.want {
				n++
				if got := cia402.StateOf(w); got != tt.state {
					t.Fatalf("%04x is %v, not %v", w, got, tt.state)
				}
			}
		}
		if n == 0 {
			t.Errorf("%v has no word", tt.state)
		}
		if got := cia402.StateOf(tt.state.Status() | cia402.VoltageEnabled | cia402.Remote | cia402.Follows); got != tt.state {
			t.Errorf("the word of %v is that of %v", tt.state, got)
		}
		if strings.HasPrefix(tt.state.String(), "state") {
			t.Errorf("%v has no name", tt.state)
		}
	}
}

func TestInterpolation(t *testing.T) {
	for _, tt := range []struct {
		cycle    time.Duration
		value    uint8
		exponent int8
		ok       bool
	}{
		{4 * time.Millisecond, 4, -3, true},
		{time.Millisecond, 1, -3, true},
		{10 * time.Millisecond, 10, -3, true},
		{500 * time.Microsecond, 5, -4, true},
		{125 * time.Microsecond, 125, -6, true},
		{250 * time.Microsecond, 25, -5, true},
		{62500 * time.Nanosecond, 0, 0, false},
		{time.Second, 1, 0, true},
		{333 * time.Microsecond, 0, 0, false},
		{0, 0, 0, false},
		{-time.Millisecond, 0, 0, false},
	} {
		value, exponent, ok := cia402.Interpolation(tt.cycle)
		if ok != tt.ok || ok && (value != tt.value || exponent != tt.exponent || cia402.InterpolationOf(value, exponent) != tt.cycle) {
			t.Errorf("%v is %d·10^%d, %v", tt.cycle, value, exponent, ok)
		}
	}
}

func TestObjects(t *testing.T) {
	for axis, want := range map[int]uint16{0: 0x607a, 1: 0x687a, 5: 0x887a} {
		if got := cia402.Of(cia402.TargetPosition, axis); got != want {
			t.Errorf("axis %d: %04x", axis, got)
		}
	}
	if cia402.CyclicPosition.Supported() != 1<<7 || cia402.Mode(0).Supported() != 0 || cia402.Mode(-3).Supported() != 0 {
		t.Error("bits of supported modes")
	}
	for mode, want := range map[cia402.Mode]string{8: "cyclic synchronous position", -2: "mode -2", 0: "no mode"} {
		if got := mode.String(); got != want {
			t.Errorf("%d: %s", mode, got)
		}
	}
}

func TestErrors(t *testing.T) {
	for code, want := range map[uint16]string{
		0: "no error", 0x8611: "following error", 0x7305: "first encoder", 0x2311: "overcurrent", 0x43ff: "temperature of the drive",
		0x0042: "error 0x0042", 0xff17: "error of the maker's own", 0x9abc: "external error",
	} {
		if got := cia402.ErrorText(code); got != want {
			t.Errorf("%04x: %s, want %s", code, got, want)
		}
	}
}
