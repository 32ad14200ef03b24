package ethercat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// boxHealth is what is known of the SyncManagers of a mailbox. It belongs to the goroutine that calls Tend.
type boxHealth struct {
	differs bool // they differ from what was written
	beyond  bool // writing them again has not helped: the slave has to go through Init
	tries   int
}

const faultMailbox = "in %v, but the SyncManagers of its mailbox are gone (another master on the cable?); they are written again"

// ErrClosed is returned when a slave keeps a SyncManager switched off, which a master cannot undo.
var ErrClosed = errors.New("the slave keeps the SyncManagers of its mailbox switched off")

// reopenAll writes the SyncManagers of mailboxes again that were lost. Controllers take them in any state (facts), so process data go on;
// whether the processor goes along shows when it answers. If it does not, only the way through Init makes it open its mailbox again: for
// that the slave has to leave Op, which waits as long as its device has something to lose.
func (m *Master) reopenAll(ctx context.Context) error {
	var these []*Slave
	for _, s := range m.slaves {
		if s.box.differs && !s.box.beyond && !s.forgot && s.speaks() {
			these = append(these, s)
		}
	}
	if len(these) == 0 {
		return nil
	}
	errs := make([]error, len(these))
	jobs := make([]func(ctx context.Context), len(these))
	for i, s := range these {
		s.lapsed(fmt.Sprintf("was in %v without the SyncManagers of its mailbox", s.Status().State), true)
		jobs[i] = func(ctx context.Context) { errs[i] = s.reopen(ctx) }
	}
	m.beside(ctx, jobs)
	for i, s := range these {
		if errs[i] = s.fail("writing its mailbox again", errs[i]); errs[i] != nil {
			s.box.tries++
			s.box.beyond = s.box.tries >= steps
			continue
		}
		s.box = boxHealth{}
		m.count.reopened.Add(1)
		s.change(func(st *ecat.Status) { st.Reopened++ })
		if s.lapse.inOp {
			s.lapse.done = didReopen
			m.restored(s)
		}
	}
	return errors.Join(errs...)
}

// reopen does that for one, and asks the slave for something that each one with objects has.
func (s *Slave) reopen(ctx context.Context) error {
	const everyone = 0x1000 // type of the device
	p, list := s.master.speaker(ctx), s.managers()
	for _, d := range list {
		at := d.address.Register() + wire.SyncUseOffset
		is := []datagram{readFrom(s.Station, at, 2)} // Activate, and what the slave has put
		if err := p.ask(is...); err != nil {
			return err
		}
		d.data[wire.SyncUseOffset] = wire.SyncEnable | is[0].data[1]&wire.SyncRepeated // a change would have mail repeated
		if err := p.ask(writeTo(s.Station, at, 0), d); err != nil {
			return err
		}
	}
	c := comparison{}
	for i, d := range s.managers() {
		c.add(s, d)
		if err := p.ask(c.read[i]); err != nil {
			return err
		}
		if !sameSetting(c.read[i].data, d.data) {
			return ErrClosed
		}
	}
	if !s.HasCoE() {
		return nil
	}
	if _, err := s.Upload(ctx, everyone, 0, false); err != nil && !refused(err) {
		return err
	}
	return nil
}

// holds says what would be lost if a slave that is in Op left it.
func (s *Slave) holds() string {
	if s.guard == nil {
		return ""
	}
	return s.guard.Holds()
}

// beside does jobs at the same time, each in a lane, and asks all slaves for their states in the meantime: a slave that is gone
// must be known also while others are busy.
func (m *Master) beside(ctx context.Context, jobs []func(ctx context.Context)) {
	const short = time.Millisecond // so that it does not outlast the jobs by more
	left := len(jobs)
	all := make([]func(ctx context.Context), 0, left+1)
	for _, job := range jobs {
		all = append(all, func(ctx context.Context) {
			defer func() { left-- }()
			job(ctx)
		})
	}
	m.together(ctx, append(all, func(ctx context.Context) {
		p, next := m.speaker(ctx), m.now()+int64(watchEvery)
		for left > 0 {
			p.sleep(short)
			if now := m.now(); now >= next && left > 0 {
				next = now + int64(watchEvery)
				_ = m.readStates(m.slaves) // if frames do not come back the jobs hear of it
				m.notice()
			}
		}
	}))
}

// watchEvery is how often all slaves are asked for their states while some are busy.
const watchEvery = 20 * time.Millisecond
