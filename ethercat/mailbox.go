package ethercat

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// mailbox is the way to a slave's objects. One transfer at a time goes over it.
type mailbox struct {
	fresh   atomic.Bool // the slave has been in Init: counters begin again
	mu      sync.Mutex
	client  *coe.Client
	area    sii.Mailbox
	out, in int // SyncManagers
	control [2]wire.SyncControl
}

// Errors of mailboxes.
var (
	ErrNoMailbox = errors.New("the slave has no mailbox with CoE")
	ErrMailbox   = errors.New("the mailbox does not answer")
)

// newMailbox returns the mailbox that the SII describes, or nil. A slave keeps it from the scan on: a goroutine that talks to
// it may still do so when the slave is taken through Init.
func (s *Slave) newMailbox() *mailbox {
	if !s.HasMailbox() {
		return nil
	}
	b := &mailbox{area: s.SII.Mailbox, out: 0, in: 1, client: coe.NewClient(int(s.SII.Mailbox.OutSize))}
	b.control = [2]wire.SyncControl{wire.ControlMailOut, wire.ControlMailIn}
	for i, sm := range s.SII.SyncManagers {
		switch sm.Use {
		case sii.MailOut:
			b.out, b.control[0] = i, wire.SyncControl(sm.Control)
		case sii.MailIn:
			b.in, b.control[1] = i, wire.SyncControl(sm.Control)
		}
	}
	return b
}

// openMailbox writes its SyncManagers, in Init.
func (s *Slave) openMailbox() []datagram {
	if s.mailbox == nil {
		return nil
	}
	s.mailbox.fresh.Store(true)
	s.box = boxHealth{}
	return s.managers()
}

// voice returns who speaks for the master over a mailbox, whose lock is held.
func (b *mailbox) voice() *coe.Client {
	if b.fresh.Swap(false) {
		b.client = coe.NewClient(int(b.area.OutSize))
	}
	return b.client
}

// managers returns the settings of the SyncManagers of its mailbox.
func (s *Slave) managers() []datagram {
	b := s.mailbox
	if b == nil {
		return nil
	}
	manager := func(n int, start, length uint16, c wire.SyncControl) datagram {
		d := make([]byte, wire.SyncManagerSize)
		wire.SyncManager{Start: start, Length: length, Control: c, Activate: wire.SyncEnable}.Put(d)
		return writeTo(s.Station, wire.SyncManagerAt(n), d...)
	}
	return []datagram{
		manager(b.out, b.area.Out, b.area.OutSize, b.control[0]), manager(b.in, b.area.In, b.area.InSize, b.control[1]),
	}
}

// transfer carries one out, from beginning to end.
func (s *Slave) transfer(ctx context.Context, begin, end func(c *coe.Client)) error {
	b := s.mailbox
	if b == nil || !s.HasCoE() {
		return ErrNoMailbox
	}
	p := s.master.speaker(ctx)
	if p.lane == nil {
		b.mu.Lock()
	}
	for p.lane != nil && !b.mu.TryLock() { // the one that talks to it may be in another lane
		p.sleep(glance)
	}
	defer b.mu.Unlock()
	c := b.voice()
	begin(c)
	if err := s.converse(ctx, p, b, c); err != nil {
		return err
	}
	if err := c.Err(); err != nil {
		return err
	}
	end(c)
	return nil
}

// converse sends and receives until the transfer is over. A slave that does not answer is informed that the master has given up; what
// it says in the meantime about other things, such as emergencies, does not make the wait longer.
func (s *Slave) converse(ctx context.Context, p speaker, b *mailbox, c *coe.Client) error {
	limit := int64(s.master.options.Mailbox)
	until := s.master.now() + limit
	for !c.Done() {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, s.giveUp(p, b, c))
		}
		if mail, ok := c.Request(); ok {
			stale, err := s.put(p, b, mail)
			if err == nil && stale {
				err = s.drop(p, b, c)
			}
			if err != nil {
				return errors.Join(err, s.giveUp(p, b, c))
			}
			until = s.master.now() + limit
			continue
		}
		mail, err := s.fetch(p, b, time.Duration(until-s.master.now()))
		if errors.Is(err, ErrMailbox) && c.Again(s.master.shares()) {
			continue
		}
		if err != nil {
			return errors.Join(err, s.giveUp(p, b, c))
		}
		mine := c.Answer(mail)
		s.collect(c)
		switch now := s.master.now(); {
		case mine:
			until = now + limit
		case now > until && !c.Again(s.master.shares()):
			return errors.Join(ErrMailbox, s.giveUp(p, b, c))
		}
	}
	return nil
}

// shares reports whether another master has shown itself on the cable.
func (m *Master) shares() bool { return m.count.foreign.Load()+m.count.unasked.Load() > 0 }

// giveUp ends a transfer. Whether the slave still hears of it does not matter: late answers are dropped.
func (s *Slave) giveUp(p speaker, b *mailbox, c *coe.Client) error {
	s.master.count.timeouts.Add(1)
	s.suspect.Store(true)
	c.GiveUp(coe.AbortTimeout)
	mail, ok := c.Request()
	if !ok {
		return nil
	}
	d := s.written(b, mail)
	_, err := p.once(&d)
	if errors.Is(err, ErrNoAnswer) {
		return nil
	}
	return err
}

// collect keeps what a client has noticed beside its transfer.
func (s *Slave) collect(c *coe.Client) {
	if n := c.Misnamed(); n > 0 {
		s.change(func(st *ecat.Status) { st.Misnamed += n })
	}
	list := c.Emergencies()
	if len(list) == 0 {
		return
	}
	s.master.count.emergencies.Add(uint64(len(list)))
	s.mu.Lock()
	defer s.mu.Unlock()
	const most = 64
	s.status.Emergencies += len(list)
	s.emergencies = append(s.emergencies, list...)
	if n := len(s.emergencies); n > most {
		s.emergencies = append(s.emergencies[:0], s.emergencies[n-most:]...)
	}
}

// written returns a datagram with a mail. The whole area is written: its last byte hands it over.
func (s *Slave) written(b *mailbox, mail []byte) datagram {
	d := make([]byte, b.area.OutSize)
	copy(d, mail)
	return writeTo(s.Station, wire.Register(b.area.Out), d...)
}

// put writes a mail as soon as there is room for it. When a frame is lost it is written again: a slave knows by its counter
// when it comes twice. In front of it goes the question whether there is mail already, which then is stale: it cannot be the answer.
func (s *Slave) put(p speaker, b *mailbox, mail []byte) (stale bool, err error) {
	first := true // no mail before can have arrived
	ok, err := p.waitFor(s.master.options.Mailbox, func() (bool, error) {
		look, d := s.asksFull(b), s.written(b, mail)
		if err := p.carry([]*datagram{&look, &d}); err != nil {
			return false, err
		}
		stale = first && !look.lost && look.counter > 0 && look.data[0]&wire.SyncFull != 0
		first = first && !d.lost
		return !d.lost && d.counter > 0, nil
	})
	if err == nil && !ok {
		return false, ErrMailbox
	}
	return stale, err
}

// drop takes a mail that was there before a request.
func (s *Slave) drop(p speaker, b *mailbox, c *coe.Client) error {
	mail, err := s.read(p, b)
	if err == nil && mail != nil {
		s.unasked(c, mail)
	}
	return err
}

// unasked takes a mail that is not an answer.
func (s *Slave) unasked(c *coe.Client, mail []byte) {
	if !c.Unasked(mail) {
		s.master.count.unasked.Add(1)
	}
	s.collect(c)
}

// fetch waits for a mail and reads it. While nothing is cyclic it is tried without asking whether there is one, which the working counter
// does as well; frames of the cycle have no room for mailboxes that turn out to be empty.
func (s *Slave) fetch(p speaker, b *mailbox, limit time.Duration) (mail []byte, err error) {
	ok, err := p.waitFor(limit, func() (bool, error) {
		if s.master.cyclic.Load() {
			full, err := s.full(p, b)
			if err != nil || !full {
				return false, err
			}
		}
		var err error
		mail, err = s.read(p, b)
		return mail != nil, err
	})
	if err == nil && !ok {
		return nil, ErrMailbox
	}
	return mail, err
}

// asksFull returns the question whether there is mail.
func (s *Slave) asksFull(b *mailbox) datagram {
	return readFrom(s.Station, wire.SyncManagerAt(b.in)+wire.SyncStatusOffset, 1)
}

// full reports whether there is mail.
func (s *Slave) full(p speaker, b *mailbox) (bool, error) {
	d := []datagram{s.asksFull(b)}
	err := p.ask(d...)
	return err == nil && d[0].data[0]&wire.SyncFull != 0, err
}

// read takes a mail; nil is none. When the frame with it is lost the slave has to repeat it: reading again would bring the next.
func (s *Slave) read(p speaker, b *mailbox) ([]byte, error) {
	for range tries {
		d := readFrom(s.Station, wire.Register(b.area.In), int(b.area.InSize))
		back, err := p.once(&d)
		if err != nil {
			return nil, err
		}
		if back {
			if d.counter == 0 {
				return nil, nil
			}
			return d.data, nil
		}
		s.master.count.retries.Add(1)
		if err := s.repeat(p, b); err != nil {
			return nil, err
		}
	}
	return nil, ErrNoAnswer
}

// repeat asks for the newest mail again, by the bit in the SyncManager that the slave has to follow (ETG.1000.4 §6.7). It is a change
// that counts, and another master may have changed the bit: so from what is there.
func (s *Slave) repeat(p speaker, b *mailbox) error {
	at := wire.SyncManagerAt(b.in) + wire.SyncUseOffset
	was := []datagram{readFrom(s.Station, at, 1)}
	if err := p.ask(was...); err != nil {
		return err
	}
	bit := ^was[0].data[0] & wire.SyncRepeat
	if err := p.ask(writeTo(s.Station, at, wire.SyncEnable|bit)); err != nil {
		return err
	}
	ok, err := p.waitFor(s.master.options.Mailbox, func() (bool, error) {
		d := []datagram{readFrom(s.Station, at+1, 1)}
		err := p.ask(d...)
		return d[0].data[0]&wire.SyncRepeated == bit, err
	})
	if err == nil && !ok {
		return ErrMailbox
	}
	return err
}

// listenAll takes mails that come without having been asked for, of those slaves that have some.
func (m *Master) listenAll() error {
	var these []*Slave
	var list []datagram
	for _, s := range m.slaves {
		if s.speaks() {
			these, list = append(these, s), append(list, s.asksFull(s.mailbox))
		}
	}
	if err := m.do(list...); err != nil {
		return err
	}
	var errs []error
	for i, s := range these {
		if list[i].counter > 0 && list[i].data[0]&wire.SyncFull != 0 {
			errs = append(errs, s.fail("reading its mailbox", s.listen()))
		}
	}
	return errors.Join(errs...)
}

// listen takes mails that come without having been asked for, also those that another master has left.
func (s *Slave) listen() error {
	b := s.mailbox
	if b == nil || !b.mu.TryLock() {
		return nil // a transfer in progress reads the mail
	}
	defer b.mu.Unlock()
	p := speaker{m: s.master}
	const most = 8
	for range most {
		full, err := s.full(p, b)
		if err != nil || !full {
			return err
		}
		mail, err := s.read(p, b)
		if err != nil || mail == nil {
			return err
		}
		s.unasked(b.voice(), mail)
	}
	return nil
}

// Upload reads an entry of an object, or with complete access all of them from a subindex on, 0 or 1.
func (s *Slave) Upload(ctx context.Context, index uint16, sub uint8, complete bool) (data []byte, err error) {
	err = s.transfer(ctx, func(c *coe.Client) { c.Upload(index, sub, complete) }, func(c *coe.Client) { data = c.Data() })
	return data, err
}

// Download writes an entry of an object, or all of them.
func (s *Slave) Download(ctx context.Context, index uint16, sub uint8, complete bool, data []byte) error {
	return s.transfer(ctx, func(c *coe.Client) { c.Download(index, sub, complete, data) }, func(*coe.Client) {})
}

// Objects lists objects.
func (s *Slave) Objects(ctx context.Context, which coe.List) (list []uint16, err error) {
	err = s.transfer(ctx, func(c *coe.Client) { c.List(which) }, func(c *coe.Client) { list = c.Listed() })
	return list, err
}

// Object describes an object.
func (s *Slave) Object(ctx context.Context, index uint16) (o coe.Object, err error) {
	err = s.transfer(ctx, func(c *coe.Client) { c.Object(index) }, func(c *coe.Client) { o, _ = c.Described() })
	return o, err
}

// Entry describes an entry of an object.
func (s *Slave) Entry(ctx context.Context, index uint16, sub uint8) (e coe.Entry, err error) {
	err = s.transfer(ctx, func(c *coe.Client) { c.Entry(index, sub) }, func(c *coe.Client) { e, _ = c.DescribedEntry() })
	return e, err
}
