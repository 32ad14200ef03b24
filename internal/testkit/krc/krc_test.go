package krc

import (
	"fmt"
	"net/netip"
	"regexp"
	"testing"
)

// ipocOf reads the stamp of a telegram.
var ipocOf = regexp.MustCompile(`<IPOC>(\d+)</IPOC>`)

// echo answers with corrections.
func echo(telegram []byte, by [Axes]float64) []byte {
	return fmt.Appendf(nil, `<Sen Type="ImFree"><AK A1="%.4f" A2="%.4f" A3="%.4f" A4="%.4f" A5="%.4f" A6="%.4f"/><IPOC>%s</IPOC></Sen>`,
		by[0], by[1], by[2], by[3], by[4], by[5], ipocOf.FindSubmatch(telegram)[1])
}

// TestStandStill: a driver that always corrects by nothing never violates anything in any scenario.
func TestStandStill(t *testing.T) {
	Sweep(t, ProtocolRSI, func(t testing.TB, s *Scenario) Driver {
		return Driver{Answer: func(_ netip.AddrPort, telegram []byte, _, _ int64) []byte {
			if !ipocOf.Match(telegram) {
				return nil
			}
			return echo(telegram, [Axes]float64{})
		}}
	})
}

// TestJump: one impossible answer is one violation, and ends the run.
func TestJump(t *testing.T) {
	n := 0.0
	r := Play(Scenario{Cycles: 1000}, Driver{Answer: func(_ netip.AddrPort, telegram []byte, _, _ int64) []byte {
		n++
		if n == 500 {
			return echo(telegram, [Axes]float64{1})
		}
		return echo(telegram, [Axes]float64{})
	}})
	if r.Violations != 1 || r.RSI.Cycles() != 500 {
		t.Errorf("%d violations in cycle %d", r.Violations, r.RSI.Cycles())
	}
}
