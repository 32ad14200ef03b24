package ethercat

import (
	"context"
	"errors"
	"sync"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/figures"
)

// session is a master on a link that is open.
type session struct {
	master *ethercat.Master
	link   link.Link
	roster *roster
	chain  *sim.Chain // slaves that are simulated
	stop   func()     // ends the thread

	wakes  figures.Times // by how much cycles began later than they should
	period int64

	recorder *link.Recorder
	mu       sync.Mutex
	tape     []link.Packet       // newest frames
	objects  map[int]*dictionary // by position

	ended   context.Context // with the session
	end     context.CancelFunc
	reading sync.WaitGroup // of dictionaries
}

// zeroOfBus is where the time of buses begins, 2000-01-01, as Unix time.
const zeroOfBus = 946_684_800e9

// frames that the thread can have passed before they are taken from it.
const ring = 4096

func openSession(g ground, cfg *config, r *roster) (*session, error) {
	rack, chain, err := cfg.rack(g.now())
	if err != nil {
		return nil, err
	}
	s := &session{roster: r, period: int64(cfg.Cycle), objects: map[int]*dictionary{}}
	s.ended, s.end = context.WithCancel(context.Background())
	o := cfg.options()
	o.Rack, o.Epoch, o.Sleep = expected(rack, chain), g.unix(0)-zeroOfBus, g.sleep
	if cfg.Record > 0 {
		s.recorder = link.NewRecorder(ring)
		o.Record = s.recorder
	}
	if cfg.Interface == simulated {
		s.chain = chain
	}
	if s.link, err = g.open(cfg, chain); err != nil {
		return nil, err
	}
	o.Link = s.link
	if s.master, err = ethercat.New(o); err != nil {
		return nil, errors.Join(err, s.link.Close())
	}
	s.stop = g.start(s)
	return s, nil
}

// beat returns a cycle that should begin at an instant (cycle).
func (s *session) beat(planned, now int64) (next int64) {
	s.woken(planned, now)
	s.roster.inside.Add(1)
	next = s.master.Exchange(now).Next
	s.roster.inside.Add(1)
	return next
}

// beatOrdinary is beat for a thread that is not detached.
func (s *session) beatOrdinary(planned, now int64) (next int64) {
	s.woken(planned, now)
	s.roster.inside.Add(1)
	next = s.master.ExchangeOrdinary(now).Next
	s.roster.inside.Add(1)
	return next
}

// woken counts by how much a cycle begins too late (cycle).
func (s *session) woken(planned, now int64) {
	if s.master.Cyclic() {
		late := max(0, now-planned)
		s.wakes.Add(late, late)
	}
}

// keepFrames takes what was recorded, and forgets what is too old.
func (s *session) keepFrames(most int) {
	if s.recorder == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tape = append(s.tape, s.recorder.Take()...)
	if n := len(s.tape) - most; n > 0 {
		s.tape = append(s.tape[:0:0], s.tape[n:]...)
	}
}

// close leaves the bus, with its slaves in Pre-Op, and gives the link back.
func (s *session) close() error {
	s.end()
	s.reading.Wait()
	err := s.master.Stop(context.Background())
	s.stop()
	return errors.Join(err, s.link.Close())
}

// forget drops what was known of slaves before they are scanned again.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.objects)
}
