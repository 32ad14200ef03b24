package kukafri

import (
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// other is about telegrams out of the session's sequence: old ones of the network, or those of a controller that counts from the
// beginning.
type other struct {
	count uint16 // of the newest
	at    int64  // when it came
	run   int    // of telegrams one after the other, in the time of the cycle
}

// proof is how many telegrams show that the controller counts from the beginning: old ones do not arrive one after the other, in
// time, while none of the session arrive.
const proof = 8

// order judges how a telegram follows from the newest one.
func (r *Robot) order(at link.Stamp) link.Verdict {
	s, o := &r.session, &r.session.other
	v := link.Order16(s.now.Count, s.coming.Count)
	cycle := int64(r.cycle())
	ahead := v.Kind == link.InOrder && int64(v.Lost)*cycle > at.Span+int64(r.config.Loss)*cycle
	switch {
	case ahead:
		v = link.Verdict{Kind: link.Outdated}
	case v.Kind == link.InOrder:
		o.run = 0
		return v
	case v.Kind == link.Repeated:
		return v
	}
	if o.run > 0 && s.coming.Count == o.count+1 && at.Time-o.at >= cycle/2 {
		o.run++
	} else {
		o.run = 1
	}
	o.count, o.at = s.coming.Count, at.Time
	if o.run >= proof {
		v.Kind = link.Restart
	}
	return v
}

// estimate finds out when the telegram was sent, in the time of nets: cycles are equally long, and the mean of many shows when they
// are (equation 9.2). Lost telegrams do not disturb that, as the count shows them, nor do telegrams that were held up on their way,
// which arrive after a gap, and then all at once. Telegrams that go on late, but in the time of the cycle, were sent late: the
// controller itself stood still.
func (r *Robot) estimate(at link.Stamp) {
	s := &r.session
	cycle := int64(r.cycle())
	since := cycle * int64(1+s.lost)
	expected := s.time + since
	off := at.Time - expected
	paced := at.Span >= cycle/2 && at.Span <= since+cycle
	switch {
	case at.N == 1, off < -cycle, off > cycle && paced:
		s.time = at.Time
	case off > cycle:
		s.time = expected
	default:
		s.time = expected + off/int64(max(1, r.config.Smooth))
	}
}
