package ethercat

import (
	"context"
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
	objects []coe.Object
	ended   bool
	err     error
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
		var o coe.Object
		if o, err = s.Object(ctx, index); err != nil {
			err = fmt.Errorf("object 0x%04x: %w", index, err)
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
