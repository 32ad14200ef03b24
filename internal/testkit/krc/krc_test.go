package krc

import (
	"net/netip"
	"strconv"
	"testing"
)

// standing answers every telegram with no correction.
func standing(_ netip.AddrPort, telegram []byte, _, _ int64) []byte {
	m := ipocOf.FindSubmatch(telegram)
	if m == nil {
		return nil
	}
	ipoc, _ := strconv.ParseUint(string(m[1]), 10, 64)
	return sen(ipoc, [Axes]float64{})
}

// TestStandStill: a driver that always corrects by nothing violates nothing in any scenario.
func TestStandStill(t *testing.T) {
	Sweep(t, ProtocolRSI, func(testing.TB, *Scenario) Driver { return Driver{Answer: standing} })
}

// TestJump: one impossible answer is one violation, and ends the run.
func TestJump(t *testing.T) {
	n := 0
	r := Play(Scenario{Cycles: 1000}, Driver{Answer: func(from netip.AddrPort, telegram []byte, arrived, taken int64) []byte {
		if n++; n == 500 {
			m := ipocOf.FindSubmatch(telegram)
			ipoc, _ := strconv.ParseUint(string(m[1]), 10, 64)
			return sen(ipoc, [Axes]float64{1})
		}
		return standing(from, telegram, arrived, taken)
	}})
	if r.Violations != 1 || r.RSI.Cycles() != 500 {
		t.Errorf("%d violations in cycle %d", r.Violations, r.RSI.Cycles())
	}
}
