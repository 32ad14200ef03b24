package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// How long changes of state may take (facts of the state machine).
const (
	preOpTime  = 3 * time.Second
	safeOpTime = 10 * time.Second
	opTime     = 10 * time.Second
)

func timeFor(s *Slave, to wire.State) time.Duration {
	switch {
	case s.Setup.Limit > 0:
		return s.Setup.Limit
	case to == wire.Op:
		return opTime
	case to == wire.SafeOp:
		return safeOpTime
	}
	return preOpTime
}

// readStates asks slaves where they are.
func (m *Master) readStates(slaves []*Slave) error {
	const size = 6 // status, gap, code
	var list []datagram
	for _, s := range slaves {
		list = append(list, readFrom(s.Station, wire.RegStatus, size))
	}
	if err := m.do(list...); err != nil {
		return err
	}
	for i, s := range slaves {
		d := &list[i]
		s.change(func(st *Status) {
			if st.Lost = d.counter != 1; st.Lost {
				return
			}
			st.State, st.Code = wire.State(d.data[0]), wire.NoCode
			if st.State.Error() {
				st.Code = wire.Code(binary.LittleEndian.Uint16(d.data[4:]))
			}
		})
		m.noteRunning(s)
	}
	return nil
}

// noteRunning tells the cycle whether a slave exchanges process data.
func (m *Master) noteRunning(s *Slave) {
	if p := m.cycle.part(s.Position); p != nil {
		st := s.Status()
		base := st.State.Base()
		p.runs.Store(!st.Lost && (base == wire.SafeOp || base == wire.Op))
	}
}

// request asks a slave for a state. An error that it shows is acknowledged, except of parts that would copy the bit.
func (s *Slave) request(to wire.State) []datagram {
	var list []datagram
	if st := s.Status(); st.State.Error() && !s.Emulation {
		list = append(list, writeTo(s.Station, wire.RegControl, byte(st.State.Base()|wire.ErrorBit), 0))
	}
	return append(list, writeTo(s.Station, wire.RegControl, byte(to), 0))
}

// climb brings slaves to a state, all at the same time, and tells of each that does not get there.
func (m *Master) climb(ctx context.Context, slaves []*Slave, to wire.State) error {
	var list []datagram
	limit := time.Duration(0)
	for _, s := range slaves {
		list = append(list, s.request(to)...)
		limit = max(limit, timeFor(s, to))
	}
	if err := m.do(list...); err != nil {
		return err
	}
	open := append([]*Slave{}, slaves...)
	var errs []error
	_, err := m.waitFor(limit, func() (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := m.readStates(open); err != nil {
			return false, err
		}
		left := open[:0]
		for _, s := range open {
			switch st := s.Status(); {
			case st.Lost:
				errs = append(errs, s.fail("going to "+to.String(), ErrLost))
			case st.State == to:
			case st.State.Error():
				errs = append(errs, s.fail("going to "+to.String(), &StateError{to, st.State.Base(), st.Code}))
			default:
				left = append(left, s)
			}
		}
		open = left
		return len(open) == 0, nil
	})
	if err != nil {
		return err
	}
	for _, s := range open {
		errs = append(errs, s.fail("going to "+to.String(), &StateError{to, s.Status().State.Base(), s.Status().Code}))
	}
	return errors.Join(errs...)
}

// ErrLost is that a slave does not answer at its address.
var ErrLost = errors.New("the slave does not answer")
