package sim

import (
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// mailbox is SyncManagers 0 and 1 of a slave, and the server behind them.
type mailbox struct {
	slave   *Slave
	server  *coe.Server
	request []byte // that is being answered
	due     int64  // when it is
	waiting bool
	last    []byte // was read last, for repetition
	now     []byte // to be read
	behind  []byte // waits while an older one is repeated
	open    bool   // the slave is beyond Init
}

// The SyncManagers of a mailbox.
const (
	mailOut = 0
	mailIn  = 1
)

func (b *mailbox) powerOn(s *Slave) {
	*b = mailbox{slave: s}
	if size := s.kind.description.Mailbox.InSize; size > 0 {
		b.server = coe.NewServer(&s.objects, int(size))
		b.server.NoInfo = s.given.noInfo
	}
}

// check compares the settings of the master with the SII.
func (b *mailbox) check() wire.Code {
	if b.server == nil {
		return wire.NoCode
	}
	want, have := b.slave.kind.description.Mailbox, b.slave.data.managers
	o, i := have[mailOut], have[mailIn]
	if !o.covers() || !i.covers() || o.Start != want.Out || o.Length != want.OutSize || i.Start != want.In || i.Length != want.InSize ||
		!o.Control.Mailbox() || !i.Control.Mailbox() || !o.Control.Written() || i.Control.Written() {
		return wire.CodeMailbox
	}
	return wire.NoCode
}

// start and stop belong to the way between Init and Pre-Op: counters begin again.
func (b *mailbox) start() {
	if b.server != nil {
		b.server.Reset()
		b.slave.data.open(mailOut, mailIn+1)
		b.open, b.waiting, b.last, b.now, b.behind = true, false, nil, nil, nil
		b.setFull(mailOut, false)
		b.setFull(mailIn, false)
	}
}

func (b *mailbox) stop() { b.open = false }

// setFull writes the bit that says whether there is mail.
func (b *mailbox) setFull(n int, full bool) {
	m := &b.slave.data.managers[n]
	if m.Status &^= wire.SyncFull; full {
		m.Status |= wire.SyncFull
		b.slave.raise(eventMail << n)
	} else {
		b.slave.lower(eventMail << n)
	}
	b.slave.memory[int(wire.SyncManagerAt(n))+wire.SyncStatusOffset] = m.Status
}

func (b *mailbox) full(n int) bool { return b.slave.data.managers[n].Status&wire.SyncFull != 0 }

// area returns the memory of a mailbox.
func (b *mailbox) area(n int) []byte {
	m, memory := &b.slave.data.managers[n], b.slave.memory
	return memory[min(int(m.Start), len(memory)):min(m.end(), len(memory))]
}

// haveWritten takes a request when its last byte has come.
func (b *mailbox) haveWritten(now int64, at, end int) {
	if !b.open {
		return
	}
	m := &b.slave.data.managers[mailOut]
	if !m.enabled() || m.begun || !covers(at, end, wire.Register(m.end()-1)) {
		return
	}
	b.setFull(mailOut, true)
	b.request, b.due, b.waiting = append([]byte{}, b.area(mailOut)...), now+b.slave.given.mailDelay, true
	b.advance(now)
}

// haveRead frees the mailbox when its last byte was read.
func (b *mailbox) haveRead(at, end int) {
	if !b.open {
		return
	}
	m := &b.slave.data.managers[mailIn]
	if m.enabled() && b.full(mailIn) && covers(at, end, wire.Register(m.end()-1)) {
		b.last, b.now = b.now, nil
		b.setFull(mailIn, false)
		b.fill()
	}
}

// configured looks for a request to repeat what was read last: its frame was lost on the way back.
func (b *mailbox) configured() {
	if !b.open {
		return
	}
	m := &b.slave.data.managers[mailIn]
	if !m.enabled() {
		b.now = nil // what was in it is gone
		return
	}
	if (m.Activate^m.PDIControl)&wire.SyncRepeat == 0 {
		return
	}
	m.PDIControl ^= wire.SyncRepeated
	b.slave.memory[int(wire.SyncManagerAt(mailIn))+7] = m.PDIControl
	if b.last != nil {
		b.behind = b.now
		b.put(b.last)
	}
}

// advance answers what is due.
func (b *mailbox) advance(now int64) {
	if !b.open {
		return
	}
	if b.waiting && now >= b.due {
		b.waiting = false
		b.setFull(mailOut, false)
		b.server.Handle(b.request)
	}
	b.fill()
}

// fill makes the next mail readable.
func (b *mailbox) fill() {
	if b.full(mailIn) || !b.slave.data.managers[mailIn].enabled() {
		return
	}
	if b.behind != nil {
		b.put(b.behind)
		b.behind = nil
		return
	}
	for {
		mail, ok := b.server.Next()
		if !ok {
			return
		}
		if f := &b.slave.faults; f.loseMail > 0 {
			f.loseMail--
			continue
		}
		b.put(mail)
		return
	}
}

func (b *mailbox) put(mail []byte) {
	b.now = mail
	area := b.area(mailIn)
	clear(area[copy(area, mail):])
	b.setFull(mailIn, true)
}

// emergency sends the master a message, if there is a mailbox.
func (b *mailbox) emergency(e coe.Emergency) {
	if b.open && b.server != nil {
		b.server.Emergency(e)
		b.fill()
	}
}
