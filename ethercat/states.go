package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// How long changes of state may take (facts of the state machine).
const (
	preOpTime  = 3 * time.Second
	safeOpTime = 10 * time.Second
	opTime     = 10 * time.Second

	withOthers = 2 * time.Second // while others wait
	forEver    = time.Hour
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
	began := m.now()
	if err := m.do(list...); err != nil {
		return err
	}
	for i, s := range slaves {
		d := &list[i]
		s.change(func(st *ecat.Status) {
			if st.Lost = d.counter != 1; st.Lost {
				return
			}
			s.heard.Store(m.now())
			st.State, st.Code = wire.State(d.data[0]), wire.NoCode
			if st.State.Error() {
				st.Code = wire.Code(binary.LittleEndian.Uint16(d.data[4:]))
			}
		})
		m.noteRunning(s, began)
	}
	return nil
}

// noteRunning lets the cycle know whether a slave exchanges process data, and whether it was in Op when reading its state began.
func (m *Master) noteRunning(s *Slave, began int64) {
	if p := m.cycle.part(s.Position); p != nil {
		st := s.Status()
		base := st.State.Base()
		p.runs.Store(!st.Lost && (base == wire.SafeOp || base == wire.Op))
		if st.Lost || st.State != wire.Op {
			began = 0
		}
		p.op.read.Store(began)
	}
}

// acknowledge takes errors from slaves, except from parts that would copy the bit. Nothing else is asked for in the same frame: when
// its answer is lost it is sent again, and a slave that has gone on in the meantime would be sent back to where it was.
func (m *Master) acknowledge(slaves []*Slave) error {
	var list []datagram
	for _, s := range slaves {
		if st := s.Status(); st.State.Error() && !s.Emulation {
			list = append(list, writeTo(s.Station, wire.RegControl, byte(st.State.Base()|wire.ErrorBit), 0))
		}
	}
	return m.do(list...)
}

// climb brings slaves to a state, all at the same time, and returns an error for each that does not get there.
func (m *Master) climb(ctx context.Context, slaves []*Slave, to wire.State) error {
	return m.climbFor(ctx, slaves, to, forEver)
}

// climbFor is climb for callers that cannot wait long: a slave may still reach the state later.
func (m *Master) climbFor(ctx context.Context, slaves []*Slave, to wire.State, most time.Duration) error {
	failed, err := m.request(ctx, slaves, to, most, func() error { return nil })
	return errors.Join(append(failed, err)...)
}

// request brings slaves to a state. It returns the errors of those that do not get there, each a SlaveError, apart from the error
// that kept it from looking. It calls between while it waits, and stops when that fails.
func (m *Master) request(ctx context.Context, slaves []*Slave, to wire.State, most time.Duration, between func() error) (failed []error, err error) {
	if err := m.acknowledge(slaves); err != nil {
		return nil, err
	}
	var list []datagram
	limit := time.Duration(0)
	for _, s := range slaves {
		list = append(list, writeTo(s.Station, wire.RegControl, byte(to), 0))
		limit = max(limit, timeFor(s, to))
	}
	if err := m.do(list...); err != nil {
		return nil, err
	}
	limit = min(limit, most)
	open := append([]*Slave{}, slaves...)
	_, err = m.waitFor(limit, func() (bool, error) {
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
				failed = append(failed, s.fail("going to "+to.String(), ErrLost))
			case st.State == to:
			case st.State.Error():
				failed = append(failed, s.fail("going to "+to.String(), &StateError{to, st.State.Base(), st.Code}))
			default:
				left = append(left, s)
			}
		}
		if open = left; len(open) == 0 {
			return true, nil
		}
		return false, between()
	})
	if err != nil {
		return failed, err
	}
	for _, s := range open {
		failed = append(failed, s.fail("going to "+to.String(), &StateError{to, s.Status().State.Base(), s.Status().Code}))
	}
	return failed, nil
}

// ErrLost is returned when a slave does not answer at its address.
var ErrLost = errors.New("the slave does not answer")
