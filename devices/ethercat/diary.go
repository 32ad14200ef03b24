package ethercat

import (
	"cmp"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// event is something that people should hear of, once.
type event struct {
	at     int64            // of the clock of the ground
	text   string           // of the bus
	repair *ethercat.Repair // of a slave
}

// mostEvents is how many are kept, and mostTold how many of them stand in the diary, which is the most that is logged between
// two looks at it.
const (
	mostEvents = 64
	mostTold   = 32
)

var _ device.Diary = (*Bus)(nil)

// note keeps something that has happened to the bus.
func (b *Bus) note(at int64, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keep(event{at: at, text: text})
}

// keep keeps an event. Bus.mu is held.
func (b *Bus) keep(list ...event) {
	b.past = append(b.past, list...)
	if n := len(b.past) - mostEvents; n > 0 {
		b.past = append(b.past[:0:0], b.past[n:]...)
	}
}

// remember keeps what a master knows that is about to be left. Bus.mu is held.
func (b *Bus) remember(m *ethercat.Master) {
	if list := m.Slaves(); len(list) > 0 {
		b.known = list
	}
	b.keep(repairsOf(m)...)
}

func repairsOf(m *ethercat.Master) (list []event) {
	for _, r := range m.Repairs() {
		list = append(list, event{at: r.Time, repair: &r})
	}
	return list
}

// events returns those that are kept, oldest first (any).
func (b *Bus) events() []event {
	b.mu.Lock()
	list, s := slices.Clone(b.past), b.session
	b.mu.Unlock()
	if s != nil {
		list = append(list, repairsOf(s.master)...)
	}
	slices.SortStableFunc(list, func(x, y event) int { return cmp.Compare(x.at, y.at) })
	return list[max(0, len(list)-mostEvents):]
}

func (b *Bus) when(at int64) time.Time { return time.Unix(0, b.ground.unix(at)).UTC() }

// Diary returns the repairs of slaves and the losses of the cable, oldest first (any).
func (b *Bus) Diary() (lines []string) {
	list := b.events()
	for _, e := range list[max(0, len(list)-mostTold):] {
		text := e.text
		if e.repair != nil {
			text = e.repair.String()
		}
		lines = append(lines, b.when(e.at).Format("15:04:05.000")+" "+text)
	}
	return lines
}
