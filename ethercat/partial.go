package ethercat

import (
	"context"
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// withoutSlaveErrors takes those errors out of one that are of slaves, and keeps them with these (Options.Partial). Errors of the bus are left.
func (m *Master) withoutSlaveErrors(ctx context.Context, err error) error {
	if !m.lenient || err == nil || ctx.Err() != nil {
		return err
	}
	switch e := err.(type) { //nolint:errorlint // it goes from one to the next by itself
	case *SlaveError:
		m.slaves[e.Position].change(func(st *ecat.Status) { st.Failures, st.Trouble = st.Failures+1, e.Error() })
		return nil
	case interface{ Unwrap() []error }:
		var rest []error
		for _, one := range e.Unwrap() {
			rest = append(rest, m.withoutSlaveErrors(ctx, one))
		}
		return errors.Join(rest...)
	}
	return err
}

// sound returns the slaves that nothing has gone wrong with in this start.
func (m *Master) sound() (list []*Slave) {
	for _, s := range m.slaves {
		if !m.lenient || s.Status().Failures == 0 {
			list = append(list, s)
		}
	}
	return list
}

// allFailed returns the error for slaves of which none has reached Op.
func (m *Master) allFailed() error {
	var errs []error
	for _, s := range m.slaves {
		errs = append(errs, errors.New(s.Status().Trouble))
	}
	return errors.Join(errs...)
}

// ErrPlace is returned when a slave has other process data than at the start: they have no place in the image until the bus is
// started again.
var ErrPlace = errors.New("its process data have changed: restart the bus to use them")

// noPlace is that error with what has changed.
func (s *Slave) noPlace(outputs, inputs []ecat.Area) error {
	return fmt.Errorf("%w: %d bytes of outputs and %d of inputs instead of %d and %d", ErrPlace, lengthOf(outputs), lengthOf(inputs),
		lengthOf(s.Outputs), lengthOf(s.Inputs))
}
