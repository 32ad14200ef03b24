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
// the background when somebody wants to see it, and kept until the next start.
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

// dictionary is that of a slave, which begins to be read when nobody has wanted it before.
func (s *session) dictionary(sl *ethercat.Slave) *dictionary {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.objects[sl.Position]
	if d == nil {
		d = &dictionary{}
		s.objects[sl.Position] = d
		s.reading.Add(1)
		guard.Go("objects of a slave", func() {
			defer s.reading.Done()
			d.read(s.ended, sl)
		})
	}
	return d
}

func (d *dictionary) read(ctx context.Context, s *ethercat.Slave) {
	indexes, err := s.Objects(ctx, coe.ListAll)
	d.mu.Lock()
	d.indexes = indexes
	d.mu.Unlock()
	for _, index := range indexes {
		var o object
		if o.Object, err = s.Object(ctx, index); err != nil {
			err = fmt.Errorf("object 0x%04x: %w", index, err)
			break
		}
		if o.entries, err = entriesOf(ctx, s, &o.Object); err != nil {
			break
		}
		d.mu.Lock()
		d.objects = append(d.objects, o)
		d.mu.Unlock()
	}
	d.mu.Lock()
	d.ended, d.err = true, err
	d.mu.Unlock()
}

// entriesOf asks for the entries of an object. Subindexes that it does not have are left out, and all of them where the slave does not
// describe entries.
func entriesOf(ctx context.Context, s *ethercat.Slave, o *coe.Object) (list []coe.Entry, err error) {
	for sub := range int(o.MaxSub) + 1 {
		e, err := s.Entry(ctx, o.Index, uint8(sub))
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
