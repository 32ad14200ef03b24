package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// ErrSII is that the memory of a slave cannot be read.
var ErrSII = errors.New("the SII cannot be read")

// siiTime is how long one access may take.
const siiTime = 500 * time.Millisecond

// siiReader reads the SII of one slave, word by word. All slaves are read at once, each at its own pace: in one frame all are told
// where to read, in the next all are collected.
type siiReader struct {
	slave   *Slave
	image   []byte
	asked   int64 // since when the newest access has been under way
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
	open := make([]*siiReader, 0, len(slaves))
	for _, s := range slaves {
		open = append(open, &siiReader{slave: s})
	}
	all := append([]*siiReader{}, open...)
	for len(open) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.readWords(open); err != nil {
			return err
		}
		left := open[:0]
		for _, r := range open {
			if !r.done() {
				left = append(left, r)
			}
		}
		open = left
	}
	var errs []error
	for _, r := range all {
		r.slave.Image = r.image
		errs = append(errs, r.slave.fail("reading the SII", r.err))
	}
	return errors.Join(errs...)
}

// readWords makes one access for each slave.
func (m *Master) readWords(readers []*siiReader) error {
	var list []datagram
	for _, r := range readers {
		var b [6]byte
		if r.refused {
			list = append(list, writeTo(r.slave.Station, wire.RegSIIControl, 0, 0)) // errors stay until then
		}
		binary.LittleEndian.PutUint16(b[:], wire.SIIRead)
		binary.LittleEndian.PutUint32(b[2:], uint32(len(r.image)/2))
		list = append(list, writeTo(r.slave.Station, wire.RegSIIControl, b[:]...))
		r.asked = m.now()
	}
	if err := m.ask(list...); err != nil {
		return err
	}
	open := append([]*siiReader{}, readers...)
	_, err := m.waitFor(2*siiTime, func() (bool, error) {
		const size = 14 // control, address, data
		var list []datagram
		for _, r := range open {
			list = append(list, readFrom(r.slave.Station, wire.RegSIIControl, size))
		}
		if err := m.ask(list...); err != nil {
			return false, err
		}
		left := open[:0]
		for i, r := range open {
			if r.busy(list[i].data, m.now()) {
				left = append(left, r)
			}
		}
		open = left
		return len(open) == 0, nil
	})
	return err
}

// busy takes what an access has brought, unless it has not ended.
func (r *siiReader) busy(b []byte, now int64) bool {
	control := binary.LittleEndian.Uint16(b)
	switch {
	case control&wire.SIIBusy != 0:
		if now-r.asked < int64(siiTime) {
			return true
		}
		r.err = fmt.Errorf("%w: it is busy all the time", ErrSII)
	case control&wire.SIICommandError != 0: // of a memory that is not ready yet, too
		if !r.refused {
			r.refused, r.since = true, now
		}
		if now-r.since >= int64(siiTime) {
			r.err = fmt.Errorf("%w: accesses are refused (0x%04x)", ErrSII, control)
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
