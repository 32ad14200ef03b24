package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// ErrSII is returned when the memory of a slave cannot be read.
var ErrSII = errors.New("the SII cannot be read")

// siiTime is how long one access may take.
const siiTime = 500 * time.Millisecond

// siiReader reads the SII of one slave, some words at a time. All slaves are read at once, each at its own pace: in each frame
// some are asked where to read, and others asked what they have read.
type siiReader struct {
	slave   *Slave
	image   []byte
	busy    bool  // an access is under way
	asked   int64 // since when
	refused bool  // it was, as those before since an instant
	since   int64
	err     error
}

// mostSII is how much is read of a memory whose categories do not end.
const mostSII = 1 << 15

func (r *siiReader) done() bool {
	return r.err != nil || len(r.image) >= min(sii.Need(r.image), mostSII)
}

// readSII reads the images of all slaves.
func (m *Master) readSII(ctx context.Context, slaves []*Slave) error {
	all := make([]*siiReader, len(slaves))
	for i, s := range slaves {
		all[i] = &siiReader{slave: s}
	}
	if err := m.readMemories(ctx, all, (*siiReader).done); err != nil {
		return err
	}
	var errs []error
	for _, r := range all {
		r.slave.Image = r.image
		errs = append(errs, r.slave.fail("reading the SII", r.err))
	}
	return errors.Join(errs...)
}

// readMemories reads until all have enough. A memory takes about a millisecond for each access, and there are hundreds of them: while all
// are busy it is waited for most of what the newest access made wait, and then looked at again and again. Where a memory is ready when its
// frame is back, the wait is over.
func (m *Master) readMemories(ctx context.Context, readers []*siiReader, enough func(r *siiReader) bool) error {
	const first, longest = 50 * time.Microsecond, 500 * time.Microsecond
	open := slices.DeleteFunc(slices.Clone(readers), enough)
	var usual, waited time.Duration
	wait := func(d time.Duration) {
		waited += d
		m.sleep(d)
	}
	for pause := first; len(open) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		began, came, err := m.readWords(open)
		switch {
		case err != nil:
			return err
		case came:
			usual, waited, pause = waited, 0, first
		case !began:
			wait(pause)
			pause = min(2*pause, longest)
		case usual > first:
			wait(usual * 3 / 4)
		}
		open = slices.DeleteFunc(open, enough)
	}
	return nil
}

// readWords begins an access where none is under way, and takes what others have brought; it reports whether any was begun, and none has been
// under way for longer, and whether any has ended.
func (m *Master) readWords(readers []*siiReader) (began, came bool, err error) {
	const size = 14 // control, address, data
	var list []datagram
	answers := make([]int, len(readers))
	for i, r := range readers {
		if answers[i] = -1; r.busy {
			answers[i] = len(list)
			list = append(list, readFrom(r.slave.Station, wire.RegSIIControl, size))
			continue
		}
		list = append(list, r.access()...)
		r.busy, r.asked, began = true, m.now(), true
	}
	if err := m.ask(list...); err != nil {
		return false, false, err
	}
	for i, r := range readers {
		switch n := answers[i]; {
		case n < 0:
		case r.waits(list[n].data, m.now()):
			began = false // another one waits for longer
		default:
			r.busy, came = false, true
		}
	}
	return began, came, nil
}

// access begins to read what comes next.
func (r *siiReader) access() (list []datagram) {
	if r.refused {
		list = append(list, writeTo(r.slave.Station, wire.RegSIIControl, 0, 0)) // errors stay until then
	}
	b := binary.LittleEndian.AppendUint16(nil, wire.SIIRead)
	return append(list, writeTo(r.slave.Station, wire.RegSIIControl, binary.LittleEndian.AppendUint32(b, uint32(len(r.image)/2))...))
}

// waits takes what an access has brought, unless it has not ended.
func (r *siiReader) waits(b []byte, now int64) bool {
	control := binary.LittleEndian.Uint16(b)
	switch {
	case control&wire.SIIBusy != 0:
		if now-r.asked < int64(siiTime) {
			return true
		}
		r.err = fmt.Errorf("%w: the memory stays busy", ErrSII)
	case control&wire.SIICommandError != 0: // of a memory that is not ready yet, too
		if !r.refused {
			r.refused, r.since = true, now
		}
		if now-r.since >= int64(siiTime) {
			r.err = fmt.Errorf("%w: the memory refuses access (0x%04x)", ErrSII, control)
		}
	case control&wire.SIIEight != 0:
		r.image = append(r.image, b[6:14]...)
		r.refused = false
	default:
		r.image = append(r.image, b[6:10]...)
		r.refused = false
	}
	return false
}
