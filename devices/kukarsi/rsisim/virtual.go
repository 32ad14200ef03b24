package rsisim

import (
	"net/netip"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Virtual is the network of package link: without wires, in a time that goes on as cycles pass.
type Virtual struct {
	net     *link.Virtual
	from    netip.AddrPort
	other   netip.AddrPort
	to      netip.AddrPort
	answers [][]byte
}

// NewVirtual reaches a link at an address.
func NewVirtual(n *link.Virtual, to netip.AddrPort) *Virtual {
	host := netip.MustParseAddr("192.168.10.2")
	return &Virtual{
		net: n, to: to, from: netip.AddrPortFrom(host, 50_000),
		other: netip.AddrPortFrom(netip.MustParseAddr("192.168.10.66"), 4242),
	}
}

// Now returns the time.
func (v *Virtual) Now() int64 { return v.net.Now() }

// Send sends a telegram. It is answered at once.
func (v *Virtual) Send(telegram []byte, foreign bool) {
	if foreign {
		v.net.Send(v.other, v.to, telegram)
		return
	}
	if answer := v.net.Send(v.from, v.to, telegram); answer != nil {
		v.answers = append(v.answers, slices.Clone(answer))
	}
}

// Wait returns an answer, or lets time go on.
func (v *Virtual) Wait(until int64) []byte {
	if len(v.answers) > 0 {
		answer := v.answers[0]
		v.answers = v.answers[1:]
		return answer
	}
	v.net.Advance(time.Duration(until - v.net.Now()))
	return nil
}

// Renew takes another port. Answers to the old one are lost.
func (v *Virtual) Renew() {
	v.from = netip.AddrPortFrom(v.from.Addr(), 50_000+(v.from.Port()-50_000+1)%10_000)
	v.answers = nil
}

// From returns the address of the controller.
func (v *Virtual) From() netip.AddrPort { return v.from }

// To returns the address of the driver.
func (v *Virtual) To() netip.AddrPort { return v.to }
