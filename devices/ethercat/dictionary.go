package ethercat

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/internal/guard"
)

// dictionary is what a slave says about its objects. There are hundreds of them and each takes a mail and its answer, so it is read in
// the background on request, and kept until the next start.
type dictionary struct {
	mu      sync.Mutex
	indexes []uint16
	objects []object
	ended   bool
	err     error
}

// object is one with its entries, as far as the slave describes them.
type object struct {
	coe.Object
	entries []coe.Entry
}

// dictionary returns the dictionary of a slave, which begins to be read at the first request.
func (s *session) dictionary(sl *ethercat.Slave) *dictionary {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.objects[sl.Position]
	if d == nil {
		d = &dictionary{ended: true}
		s.objects[sl.Position] = d
	}
	if d.begins() {
		s.reading.Add(1)
		guard.Go("objects of a slave", func() {
			defer s.reading.Done()
			d.end(d.read(s.ended, sl))
		})
	}
	return d
}

// begins reports whether reading is to begin, or to go on where it has failed.
func (d *dictionary) begins() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended || d.err == nil && d.indexes != nil {
		return false
	}
	d.ended = false
	return true
}

func (d *dictionary) end(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended, d.err = true, err
}

// read reads what is missing.
func (d *dictionary) read(ctx context.Context, s *ethercat.Slave) error {
	d.mu.Lock()
	indexes, known := d.indexes, len(d.objects)
	d.mu.Unlock()
	if indexes == nil {
		var err error
		if indexes, err = patiently(ctx, func() ([]uint16, error) { return s.Objects(ctx, coe.ListAll) }); err != nil {
			return err
		}
		d.mu.Lock()
		d.indexes = append([]uint16{}, indexes...)
		d.mu.Unlock()
	}
	for _, index := range indexes[known:] {
		o, err := objectOf(ctx, s, index)
		if err != nil {
			return err
		}
		d.mu.Lock()
		d.objects = append(d.objects, o)
		d.mu.Unlock()
	}
	return nil
}

// objectOf asks for an object and its entries. Of one that the slave lists and does not describe nothing else is known.
func objectOf(ctx context.Context, s *ethercat.Slave, index uint16) (o object, err error) {
	o.Object, err = patiently(ctx, func() (coe.Object, error) { return s.Object(ctx, index) })
	var abort coe.Abort
	switch {
	case errors.As(err, &abort):
		return object{Object: coe.Object{Index: index}}, nil
	case err != nil:
		return o, fmt.Errorf("object 0x%04x: %w", index, err)
	}
	o.entries, err = entriesOf(ctx, s, &o.Object)
	return o, err
}

// patiently asks a slave again that has not answered: it may be on its way from one state to another, or be configured again.
func patiently[T any](ctx context.Context, ask func() (T, error)) (is T, err error) {
	const tries = 5
	for range tries {
		var abort coe.Abort
		if is, err = ask(); err == nil || ctx.Err() != nil || errors.As(err, &abort) && abort != coe.AbortTimeout {
			break
		}
	}
	return is, err
}

// entriesOf asks for the entries of an object. Subindexes that it does not have are left out, and all of them where the slave does not
// describe entries.
func entriesOf(ctx context.Context, s *ethercat.Slave, o *coe.Object) (list []coe.Entry, err error) {
	for sub := range int(o.MaxSub) + 1 {
		e, err := patiently(ctx, func() (coe.Entry, error) { return s.Entry(ctx, o.Index, uint8(sub)) })
		var abort coe.Abort
		switch {
		case errors.As(err, &abort) && abort == coe.AbortAccess:
			return nil, nil
		case errors.As(err, &abort):
		case err != nil:
			return nil, fmt.Errorf("object 0x%04x:%d: %w", o.Index, sub, err)
		default:
			list = append(list, e)
		}
	}
	return list, nil
}
