package rsisim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Network carries telegrams to the driver.
type Network interface {
	// Now returns the time, ns.
	Now() int64
	// Send sends from the socket of the session, or from that of another sender.
	Send(telegram []byte, foreign bool)
	// Wait returns an answer to the socket of the session as soon as there is one, or nothing at a given time.
	Wait(until int64) []byte
	// Renew takes another socket, with another port.
	Renew()
}

// Line is what happens to telegrams between controller and network. Shares are of all telegrams, counts are of the next ones.
type Line struct {
	Loss, AnswerLoss float64       // shares that get lost
	Repeat           float64       // share that arrives twice
	Delay            time.Duration // of answers
	Jitter           time.Duration // by how much telegrams are late at most

	LoseNext, LoseAnswers, RepeatNext, DelayNext int
	PauseNext                                    int           // cycles in which the controller stands still and counts nothing
	DelayBy                                      time.Duration // of the next answers
	Garbage, Foreign                             int           // telegrams in every cycle beside the right one, in the next cycles
	Flood                                        int           // cycles
}

// check reports what is wrong with a line.
func (l *Line) check() error {
	for _, share := range []float64{l.Loss, l.AnswerLoss, l.Repeat} {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("%v is not a share from 0 to 1", share)
		}
	}
	if l.Delay < 0 || l.Jitter < 0 {
		return fmt.Errorf("delay %v and jitter %v must be 0 or more", l.Delay, l.Jitter)
	}
	return nil
}

// Station is a controller on a line.
type Station struct {
	*Controller
	Line
	rnd     *rand.Rand
	session int
	next    int64 // beginning of the next cycle
	way     []parcel
}

// parcel is something on its way.
type parcel struct {
	at     int64
	answer bool
	text   []byte
}

// NewStation makes one.
func NewStation(o Options, l Line, tell func(Event)) (*Station, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	c, err := New(o, tell)
	if err != nil {
		return nil, err
	}
	return &Station{Controller: c, Line: l, rnd: rand.New(rand.NewPCG(uint64(o.Seed), 3))}, nil
}

// Cycle lets one cycle pass on a network.
func (s *Station) Cycle(n Network) {
	begin := n.Now()
	if s.next == 0 || begin > s.next+int64(s.options.Cycle) {
		s.next = begin // or the simulated controller runs after a time that has passed
	}
	s.next += int64(s.options.Cycle)
	if count(&s.PauseNext) {
		s.rest(n)
		return
	}
	telegram := s.Begin()
	if s.Controller.session.Number != s.session {
		s.session = s.Controller.session.Number
		n.Renew()
	}
	if telegram != nil {
		s.send(telegram, begin)
	}
	s.flood(n, telegram)
	for {
		end := s.next
		if s.waits() {
			end = max(end, begin+int64(s.options.Exchange))
		}
		until := end
		if len(s.way) > 0 {
			until = min(until, s.way[0].at)
		}
		if answer := n.Wait(until); answer != nil {
			s.answered(answer, n.Now())
			continue
		}
		if len(s.way) == 0 || s.way[0].at >= end {
			if s.options.Exchange > 0 {
				s.next = max(s.next, n.Now()) // it may take longer than a cycle
			}
			break
		}
		p := s.way[0]
		s.way = s.way[1:]
		if p.answer {
			s.takes(p.text, n.Now()-begin)
		} else {
			n.Send(p.text, false)
		}
	}
	s.End()
}

// rest lets a cycle pass in which the controller stands still, as a simulator that is paused. Answers wait.
func (s *Station) rest(n Network) {
	for {
		answer := n.Wait(s.next)
		if answer == nil {
			return
		}
		s.answered(answer, n.Now())
	}
}

// waits reports whether the cycle lasts until an answer arrives.
func (s *Station) waits() bool {
	return s.options.Exchange > 0 && s.on() && !s.Controller.session.taken
}

// takes gives an answer to the controller that comes some time after the cycle began.
func (s *Station) takes(answer []byte, after int64) {
	if w := s.options.Window; w > 0 && after > int64(w) && s.options.Exchange == 0 {
		s.happen("late", "an answer %v after its telegram", time.Duration(after))
		return
	}
	s.Take(answer)
}

func (s *Station) chance(share float64) bool { return share > 0 && s.rnd.Float64() < share }

// count takes one of the next ones.
func count(next *int) bool {
	if *next <= 0 {
		return false
	}
	*next--
	return true
}

func (s *Station) send(telegram []byte, now int64) {
	if count(&s.LoseNext) || s.chance(s.Loss) {
		return
	}
	at := now
	if s.Jitter > 0 {
		at += s.rnd.Int64N(int64(s.Jitter))
	}
	s.bring(parcel{at: at, text: telegram})
	if count(&s.RepeatNext) || s.chance(s.Repeat) {
		s.bring(parcel{at: at, text: telegram})
	}
}

func (s *Station) answered(answer []byte, now int64) {
	if count(&s.LoseAnswers) || s.chance(s.AnswerLoss) {
		return
	}
	at := now + int64(s.Delay)
	if count(&s.DelayNext) {
		at += int64(s.DelayBy)
	}
	s.bring(parcel{at: at, answer: true, text: answer})
}

func (s *Station) bring(p parcel) {
	i, _ := slices.BinarySearchFunc(s.way, p.at+1, func(p parcel, at int64) int { return cmp.Compare(p.at, at) })
	s.way = slices.Insert(s.way, i, p)
}

// flood sends unwanted telegrams.
func (s *Station) flood(n Network, telegram []byte) {
	if !count(&s.Flood) {
		return
	}
	for range s.Garbage {
		text := make([]byte, s.rnd.IntN(1400))
		for i := range text {
			text[i] = byte(s.rnd.Uint32())
		}
		if len(telegram) > 2 && s.rnd.IntN(2) == 0 { // something that looks right at first
			text = append(slices.Clone(telegram[:s.rnd.IntN(len(telegram)-1)]), text...)
		}
		n.Send(text, false)
	}
	for range s.Foreign {
		n.Send(telegram, true)
	}
}
