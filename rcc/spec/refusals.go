package spec

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// RefusalKey is the key under which a net publishes which of its set-points a device refused first, and why.
const RefusalKey = "outRefusal"

// Refusals are the set-points of a net that devices do not follow. The cycle keeps numbers; they become words outside of it.
type Refusals struct {
	End bool // the net ends when a set-point is refused

	list   []*actuator
	first  atomic.Int64 // number of the actuator that was refused first, by rank of several in one cycle, and 1
	offset int          // of the value that is published
	tells  bool         // there is one

	// cycle only
	told  bool
	words [1]uint64
}

// actuator is what primitives of the net command. Its first refusal stays.
type actuator struct {
	resource device.Resource
	reason   func(RefusedAs) string
	rank     int // among all of the net, by name: of an arm that is off, joint 0 comes first, however the net is laid out

	cycles atomic.Uint64 // in which it was refused; as is written before the first one counts
	as     RefusedAs

	once sync.Once
	text string
}

// RefusedAs is the reason why a set-point was refused, in numbers.
type RefusedAs struct {
	Concurrent bool  // several primitives of the net command the actuator
	Fault      int32 // of the device, 0 for none
	Illegal    device.PositionFault
	Cycle      uint64 // of the net
	Time       int64  // of the cycle, Unix, ns
}

// Add registers an actuator (load). reason returns the reason in words; it is called once, outside of the cycle.
func (r *Refusals) Add(of device.Resource, reason func(RefusedAs) string) (number int) {
	if k := slices.IndexFunc(r.list, func(a *actuator) bool { return a.resource == of }); k >= 0 {
		return k
	}
	added := &actuator{resource: of, reason: reason}
	for _, a := range r.list {
		if before(a.resource, of) {
			added.rank++
		} else {
			a.rank++
		}
	}
	r.list = append(r.list, added)
	return len(r.list) - 1
}

// before reports whether a stands before b in lists; joint 2 does before joint 10.
func before(a, b device.Resource) bool {
	return cmp.Or(
		cmp.Compare(a.Device, b.Device), cmp.Compare(len(a.Channel), len(b.Channel)), cmp.Compare(a.Channel, b.Channel),
	) < 0
}

// Publish adds the variable RefusalKey to the board, unless the net has a variable of that name or commands nothing (load).
func (r *Refusals) Publish(b *Board) (err error) {
	if _, taken := b.Find(RefusalKey); taken || len(r.list) == 0 {
		return nil
	}
	r.offset, err = b.Add(Var{
		Key: RefusalKey, Type: value.TypeString, Report: true, WhenGiven: true, Initial: make([]uint64, len(r.words)),
		Text: func(dst []byte, words []uint64) []byte {
			if k := int(words[0]) - 1; k >= 0 && k < len(r.list) {
				a := r.list[k]
				return append(append(append(dst, a.resource.String()...), ": "...), a.words()...)
			}
			return dst
		},
	})
	r.tells = err == nil
	return err
}

// Note records that a set-point for an actuator is not followed (cycle).
func (r *Refusals) Note(number int, as RefusedAs) {
	list := r.list
	if uint(number) >= uint(len(list)) {
		return
	}
	a := list[number]
	if a.cycles.Load() == 0 {
		a.as = as
	}
	a.cycles.Add(1)
	first := int(r.first.Load()) - 1
	if uint(first) >= uint(len(list)) || !r.told && a.rank < list[first].rank {
		r.first.Store(int64(number) + 1)
	}
}

// Tell publishes the first refusal, once (cycle).
func (r *Refusals) Tell(b *Board) {
	if r.told || r.first.Load() == 0 {
		return
	}
	r.told = true
	if r.tells {
		r.words[0] = uint64(r.first.Load())
		b.Write(r.offset, r.words[:])
	}
}

// Ends reports whether the net must end because of a refusal (cycle).
func (r *Refusals) Ends() bool { return r.End && r.first.Load() != 0 }

// Any reports whether there has been a refusal (any).
func (r *Refusals) Any() bool { return r.first.Load() != 0 }

// Refused is an actuator whose set-points were refused.
type Refused struct {
	device.Resource
	Reason string
	Cycle  uint64 // first one of the net
	Time   int64  // of this cycle, Unix, ns
	Cycles uint64 // in which it was refused
}

// List returns the refused actuators, the first one first (any).
func (r *Refusals) List() (list []Refused) {
	var refused []*actuator
	for _, a := range r.list {
		if a.cycles.Load() > 0 {
			refused = append(refused, a)
		}
	}
	slices.SortFunc(refused, func(a, b *actuator) int {
		return cmp.Or(cmp.Compare(a.as.Cycle, b.as.Cycle), cmp.Compare(a.rank, b.rank))
	})
	for _, a := range refused {
		list = append(list, Refused{a.resource, a.words(), a.as.Cycle, a.as.Time, a.cycles.Load()})
	}
	return list
}

// words returns the reason, found when somebody asks first: what a device knows of it may be another one later.
func (a *actuator) words() string {
	a.once.Do(func() { a.text = a.reason(a.as) })
	return a.text
}
