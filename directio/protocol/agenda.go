package protocol

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// agenda knows which subscriptions to look at: those of nets and rules that have changed, and those that are due. Of thousands of
// subscriptions most looks find nothing new in most.
type agenda struct {
	about   map[any][]*subscription // by the net or rule that it is about
	general []*subscription         // about more: whatever changes may concern them
	changed []*subscription         // since they were looked at
	waiting waiting
	number  uint64 // of subscriptions so far
}

// enter puts a subscription on the agenda, behind all others.
func (a *agenda) enter(sub *subscription) {
	sub.place = -1
	a.last(sub)
	if subject := sub.about(); subject == nil {
		a.general = append(a.general, sub)
	} else {
		if a.about == nil {
			a.about = map[any][]*subscription{}
		}
		a.about[subject] = append(a.about[subject], sub)
	}
}

// last puts a subscription behind all others.
func (a *agenda) last(sub *subscription) {
	a.number++
	sub.number = a.number
}

// strike takes one off.
func (a *agenda) strike(sub *subscription) {
	is := func(other *subscription) bool { return other == sub }
	if subject := sub.about(); subject == nil {
		a.general = slices.DeleteFunc(a.general, is)
	} else if left := slices.DeleteFunc(a.about[subject], is); len(left) > 0 {
		a.about[subject] = left
	} else {
		delete(a.about, subject)
	}
	if sub.changed {
		a.changed = slices.DeleteFunc(a.changed, is)
	}
	a.waiting.set(sub, time.Time{}, false)
}

// note has the subscriptions about a net or a rule looked at.
func (a *agenda) note(subject any) {
	for _, sub := range a.about[subject] {
		a.mark(sub)
	}
}

// noteAll has all of them looked at.
func (a *agenda) noteAll() {
	for _, list := range a.about {
		for _, sub := range list {
			a.mark(sub)
		}
	}
}

func (a *agenda) mark(sub *subscription) {
	if !sub.changed {
		sub.changed = true
		a.changed = append(a.changed, sub)
	}
}

// take appends what there is to look at to list, in the order of subscribing: what is due and, unless that is all, what has changed.
func (a *agenda) take(list []*subscription, now time.Time, dueOnly bool) []*subscription {
	for len(a.waiting) > 0 && !a.waiting[0].at.After(now) {
		sub := a.waiting[0]
		a.waiting.set(sub, time.Time{}, false)
		sub.taken = true
		list = append(list, sub)
	}
	if !dueOnly {
		for _, others := range [][]*subscription{a.changed, a.general} {
			for _, sub := range others {
				if !sub.taken {
					sub.taken = true
					list = append(list, sub)
				}
			}
		}
		for _, sub := range a.changed {
			sub.changed = false
		}
		clear(a.changed)
		a.changed = a.changed[:0]
	}
	for _, sub := range list {
		sub.taken = false
	}
	slices.SortFunc(list, func(x, y *subscription) int { return cmp.Compare(x.number, y.number) })
	return list
}

// looked notes when a subscription is due next, and whether something could not be sent yet.
func (a *agenda) looked(sub *subscription, told bool) {
	if !told {
		a.mark(sub)
	}
	a.await(sub)
}

func (a *agenda) await(sub *subscription) {
	at, ok := sub.due()
	a.waiting.set(sub, at, ok)
}

// next returns when something is due. It may have been put off since, by messages to an older client.
func (a *agenda) next() (time.Time, bool) {
	for len(a.waiting) > 0 {
		first := a.waiting[0]
		was := first.at
		if a.await(first); first.place == 0 && first.at.Equal(was) {
			return was, true
		}
	}
	return time.Time{}, false
}

// waiting are the subscriptions that will be due, a heap with the first one in front.
type waiting []*subscription

// set notes when a subscription is due, if it is.
func (w *waiting) set(sub *subscription, at time.Time, ok bool) {
	sub.at = at
	switch is := sub.place >= 0; {
	case is && ok:
		heap.Fix(w, sub.place)
	case is:
		heap.Remove(w, sub.place)
	case ok:
		heap.Push(w, sub)
	}
}

func (w waiting) Len() int           { return len(w) }
func (w waiting) Less(i, k int) bool { return w[i].at.Before(w[k].at) }

func (w waiting) Swap(i, k int) {
	w[i], w[k] = w[k], w[i]
	w[i].place, w[k].place = i, k
}

func (w *waiting) Push(x any) {
	sub := x.(*subscription)
	sub.place = len(*w)
	*w = append(*w, sub)
}

func (w *waiting) Pop() any {
	last := len(*w) - 1
	sub := (*w)[last]
	(*w)[last] = nil
	*w = (*w)[:last]
	sub.place = -1
	return sub
}
