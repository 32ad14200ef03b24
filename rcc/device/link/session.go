package link

import "github.com/softrobot-rcc/rccd/internal/rt"

// session is what the thread of a Link knows of the robot that calls. Times are Unix times in nanoseconds.
type session struct {
	peer rt.Address
	n    uint64 // telegrams in order, 0 while there is no session
	last int64  // when the newest of them came
	due  int64  // when the session will have ended if no other one has come

	moved int64 // when the newest telegram came from another port of the peer's host

	// Of all sessions.
	heard int64 // when anything came that the robot may have sent, or when the Link was opened
	ended int64 // when the newest one did
}

func (s *session) lives() bool { return s.n > 0 }

// deadline returns when the session ends if nothing comes, or never (cycle).
func (l *Link) deadline() int64 {
	if s := &l.session; s.lives() {
		return s.due
	}
	return rt.Never
}

// receive takes a telegram, and returns the answer that has to be sent to its sender, if any (cycle).
func (l *Link) receive(telegram []byte, from rt.Address, arrived, taken int64) []byte {
	l.count.received.Add(1)
	s := &l.session
	if !l.mayCall(&from) {
		l.drop(&from, arrived)
		return nil
	}
	arrived = max(arrived, s.heard) // the clock of the system, by which the kernel stamps, may have been set
	quiet := arrived - s.heard
	s.heard = arrived
	if s.lives() && from != s.peer {
		l.drop(&from, arrived)
		return nil
	}
	n, v := l.ask(telegram, arrived, taken, quiet)
	if v.Kind == Restart && s.lives() {
		l.lose(taken, orElse(v.Why, Restarted))
		n, v = l.ask(telegram, arrived, taken, quiet)
	}
	l.judge(v, from, arrived, taken)
	if answer := l.answer; uint(n) <= uint(len(answer)) {
		return answer[:n]
	}
	return nil
}

// tooLong counts a telegram that did not fit into the room for it (cycle).
func (l *Link) tooLong() {
	l.count.received.Add(1)
	l.count.garbage.Add(1)
	l.count.tooLong.Add(1)
}

func (l *Link) mayCall(from *rt.Address) bool {
	return !l.options.Peer.IsValid() || from.IP == l.host
}

// drop counts a telegram of another sender, and remembers the sender.
func (l *Link) drop(from *rt.Address, arrived int64) {
	l.count.foreign.Add(1)
	l.strangers.add(from, arrived)
	s := &l.session
	if !s.lives() {
		return
	}
	l.history.newest().strangers.add(from, arrived)
	if from.IP == s.peer.IP {
		s.moved = arrived
	}
}

// ask shows a telegram to the driver.
func (l *Link) ask(telegram []byte, arrived, taken, quiet int64) (int, Verdict) {
	s := &l.session
	at := Stamp{Time: arrived, Taken: taken, Quiet: quiet, N: s.n + 1}
	if s.lives() {
		at.Span = arrived - s.last
	}
	return l.driver.Answer(telegram, l.answer, at)
}

// judge lets the session go on as the driver has judged a telegram.
func (l *Link) judge(v Verdict, from rt.Address, arrived, taken int64) {
	switch v.Kind {
	case InOrder:
		if v.Cycle > 0 {
			l.cycle.Store(v.Cycle)
		}
		l.proceed(v.Lost, from, arrived)
	case Farewell:
		l.proceed(0, from, arrived)
		l.lose(taken, orElse(v.Why, Ended))
	case Repeated:
		l.count.repeated.Add(1)
	case Outdated:
		l.count.outdated.Add(1)
	default:
		l.count.garbage.Add(1)
	}
}

func orElse(why, usual Cause) Cause {
	if why == Alive {
		return usual
	}
	return why
}

// proceed counts a telegram in order. The first one begins a session.
func (l *Link) proceed(lost uint32, from rt.Address, arrived int64) {
	s, cycle := &l.session, l.cycle.Load()
	if s.lives() {
		l.count.span(arrived-s.last, cycle, lost)
	} else {
		s.peer, s.moved, lost = from, 0, 0
		l.count.sessions.Add(1)
		l.history.begin(from, max(arrived, s.ended)) // a telegram that waited may have come before the end of the session that it ends
	}
	l.count.lost.Add(uint64(lost))
	s.n++
	s.last, s.due = arrived, arrived+int64(l.options.Lapse)*cycle+cycle/2
	l.history.proceed(s.n, lost, arrived)
}

// silence ends a session in which no telegram has come for too long (cycle).
func (l *Link) silence(now int64) {
	if s := &l.session; s.lives() && now >= s.due {
		l.count.silent.Add(uint64(l.options.Lapse))
		why := Silent
		if s.moved > s.last {
			why = Moved
		}
		l.lose(now, why)
	}
}

func (l *Link) stamp(now int64) Stamp {
	s := &l.session
	return Stamp{Time: now, Taken: now, Span: now - s.last, N: s.n}
}

// lose ends the session, if there is one (cycle).
func (l *Link) lose(now int64, why Cause) {
	s := &l.session
	if !s.lives() {
		return
	}
	at := l.stamp(now)
	s.n, s.ended = 0, now
	l.history.end(now, l.driver.Lost(at, why))
}
