package sim

import (
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// stateMachine is the one of the application layer (ETG.1000.6 §6.4).
type stateMachine struct {
	s       *Slave
	status  wire.State
	code    wire.Code
	goal    wire.State // where a transition leads that is under way, 0 when there is none
	due     int64      // when it is done
	since   int64      // how long it has been waiting to be done
	byClock bool       // SYNC0 was on when the slave went to Safe-Op
}

// request takes what the master has written to AL control.
func (m *stateMachine) request(now int64, control wire.State) {
	s := m.s
	if s.kind.emulation { // a part without a processor shows what is written
		from := m.status.Base()
		m.status, m.code = control&(wire.StateMask|wire.ErrorBit), wire.NoCode
		m.settle(now, from)
		return
	}
	switch {
	case m.status.Error() && !control.Error():
		return // has to be acknowledged first
	case control.Error():
		m.status, m.code = m.status.Base(), wire.NoCode
	}
	if control&wire.IDBit != 0 {
		m.code = wire.Code(s.word(wire.RegAlias))
		m.status |= wire.IDBit
	} else {
		m.status &^= wire.IDBit
	}
	m.goal = 0
	if goal := control.Base(); goal != m.status.Base() {
		m.begin(now, goal)
	}
	s.showState()
}

// begin starts a transition, or refuses it.
func (m *stateMachine) begin(now int64, goal wire.State) {
	if code := m.check(goal); code != wire.NoCode {
		m.refuse(code)
		return
	}
	m.goal, m.since, m.due = goal, now, now
	if goal > m.status.Base() {
		m.due = now + m.s.given.transition
	}
	m.advance(now)
}

// check returns what can be decided at once.
func (m *stateMachine) check(goal wire.State) wire.Code {
	from := m.status.Base()
	switch goal {
	case wire.Init, wire.PreOp, wire.SafeOp, wire.Op:
	case wire.Boot:
		if m.s.kind.description.BootMailbox.OutSize == 0 {
			return wire.CodeNoBoot
		}
	default:
		return wire.CodeUnknownState
	}
	switch {
	case !wire.Allowed(from, goal):
		return wire.CodeTransition
	case from == wire.Init && goal == wire.PreOp:
		return m.s.mail.check()
	case from == wire.PreOp && goal == wire.SafeOp:
		return m.s.checkData()
	}
	return wire.NoCode
}

// checkData compares the SyncManagers of process data with what is mapped, and the clock with what is supported.
func (s *Slave) checkData() wire.Code {
	s.data.layOut()
	wrong := [...]wire.Code{out: wire.CodeOutputs, in: wire.CodeInputs}
	for direction, code := range wrong {
		m, size := s.data.manager(direction), s.data.size(direction)
		switch {
		case size == 0 && (m == nil || !m.covers()):
		case size == 0, m == nil, !m.covers(), int(m.Length) != size:
			return code
		case m.Control.Written() != (direction == out), m.end() > len(s.memory):
			return wire.CodeSyncManager
		}
	}
	return s.clock.check()
}

// advance carries out a transition that is due, and looks after what must not stop.
func (m *stateMachine) advance(now int64) {
	if m.goal != 0 && now >= m.due {
		m.proceed(now)
	}
	m.supervise(now)
}

// proceed does a transition unless something is missing for it: then the slave waits, with no code (facts of AL status codes).
func (m *stateMachine) proceed(now int64) {
	s, from := m.s, m.status.Base()
	if missing := m.missing(); missing != wire.NoCode {
		if s.given.patience > 0 && now-m.since > s.given.patience {
			m.goal = 0
			m.refuse(missing)
		}
		return
	}
	goal := m.goal
	m.goal = 0
	if code := s.device.enter(from, goal); code != wire.NoCode {
		m.refuse(code)
		return
	}
	m.status = goal
	m.settle(now, from)
}

// missing returns what keeps a slave from going to Op.
func (m *stateMachine) missing() wire.Code {
	s := m.s
	switch {
	case m.goal != wire.Op:
	case (m.byClock || s.kind.needsSync) && s.clock.pulses == 0:
		return wire.CodeNoSync
	case s.data.size(out) > 0 && !s.data.seen:
		return wire.CodeNoOutputs
	}
	return wire.NoCode
}

// settle does what a new state brings about.
func (m *stateMachine) settle(now int64, from wire.State) {
	s, to := m.s, m.status.Base()
	if s.kind.emulation && to != from {
		s.device.enter(from, to)
	}
	switch {
	case to < wire.SafeOp:
		s.data.seen, m.byClock = false, false
		if to == wire.PreOp && from == wire.Init {
			s.mail.start()
			if s.given.takesSII {
				s.memory[wire.RegSIIOwner] |= 1
			}
		}
		if to == wire.Init {
			s.mail.stop()
			s.memory[wire.RegSIIOwner] &^= 1
		}
	case from < wire.SafeOp:
		first := 0
		if s.mail.server != nil {
			first = mailIn + 1
		}
		s.data.open(first, len(s.data.managers))
		m.byClock = s.clock.active()
		s.clock.pulses = 0
		s.data.layOut()
	}
	if to == wire.Op {
		s.data.last = now
	}
	if from == wire.Op && to != wire.Op {
		s.device.safe()
	}
	s.showState()
}

func (m *stateMachine) refuse(code wire.Code) {
	m.status, m.code = m.status.Base()|wire.ErrorBit, code
	m.s.showState()
}

// fall goes down with an error of its own accord.
func (m *stateMachine) fall(to wire.State, code wire.Code) {
	from := m.status.Base()
	m.goal = 0
	if to < from {
		_ = m.s.device.enter(from, to)
		m.status = to
		m.settle(m.s.now, from)
	}
	m.refuse(code)
}

// supervise ends Op when outputs or SYNC0 stay away.
func (m *stateMachine) supervise(now int64) {
	s := m.s
	if m.status.Base() != wire.Op || m.status.Error() {
		return
	}
	if limit := s.watchdog(); limit > 0 && now-s.data.last > limit {
		s.setWord(wire.RegWatchdogState, 0)
		if n := &s.memory[wire.RegExpired]; *n < 0xff {
			*n++
		}
		s.data.seen = false
		m.fall(wire.SafeOp, wire.CodeWatchdog)
		return
	}
	if m.byClock && s.clock.missed(now) {
		m.fall(wire.SafeOp, wire.CodeFatalSync)
	}
}

// watchdog returns how long outputs may stay away, 0 without a watchdog.
func (s *Slave) watchdog() int64 {
	m := s.data.manager(out)
	if m == nil || !m.enabled() || m.Control&wire.SyncWatchdog == 0 {
		return 0
	}
	const tick = 40 // ns
	return (int64(s.word(wire.RegDivider)) + 2) * tick * int64(s.word(wire.RegWatchdog))
}

// showState writes AL status.
func (s *Slave) showState() {
	if s.word(wire.RegStatus) != uint16(s.state.status) {
		s.raise(eventState)
	}
	s.setWord(wire.RegStatus, uint16(s.state.status))
	s.setWord(wire.RegStatusCode, uint16(s.state.code))
}
