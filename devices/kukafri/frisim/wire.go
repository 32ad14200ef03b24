package frisim

import (
	"net/netip"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// Wire is a controller in a network without a wire: what happens in it happens in its own time, without waiting.
type Wire struct {
	*KRC
	net      *link.Virtual
	from, to netip.AddrPort
	next     int64 // when the controller steps
	room     [wire.MeasurementSize + 1]byte
}

// Connect lets a controller send from an address to another one.
func Connect(k *KRC, net *link.Virtual, from, to netip.AddrPort) *Wire {
	return &Wire{KRC: k, net: net, from: from, to: to, next: net.Now() + int64(k.Cycle())}
}

// Run lets time go on.
func (w *Wire) Run(d time.Duration) {
	for goal := w.net.Now() + int64(d); ; {
		at := w.next
		if due, ok := w.Due(); ok && due < at {
			at = due
		}
		if at > goal {
			w.net.Advance(time.Duration(goal - w.net.Now()))
			return
		}
		w.net.Advance(time.Duration(at - w.net.Now()))
		if at == w.next {
			w.Step(at)
			w.next += int64(w.Cycle())
		}
		w.deliver(at)
	}
}

// deliver brings telegrams to the PC, and its answers back.
func (w *Wire) deliver(now int64) {
	for {
		n, ok := w.Next(now, w.room[:])
		if !ok {
			break
		}
		if answer := w.net.Send(w.from, w.to, w.room[:n]); answer != nil {
			w.Receive(answer, now)
		}
	}
	w.network.settle(w.KRC, now)
}
