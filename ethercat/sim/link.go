package sim

import "container/heap"

// Link is a cable to a chain in memory: frames come back when their time has come. It is for masters in virtual time.
type Link struct {
	Chain *Chain
	air   flights
	sent  uint64
}

// flight is a frame on its way back.
type flight struct {
	frame []byte
	at    int64
	order uint64
}

// Send hands a frame to the chain at an instant. The frame is not changed.
func (l *Link) Send(frame []byte, now int64) {
	l.Chain.Process(append([]byte{}, frame...), now, func(back []byte, at int64) {
		l.sent++
		heap.Push(&l.air, flight{append([]byte{}, back...), at, l.sent})
	})
}

// Next returns when the next frame comes back, if one is under way.
func (l *Link) Next() (at int64, ok bool) {
	if len(l.air) == 0 {
		return 0, false
	}
	return l.air[0].at, true
}

// Receive returns the first frame that has come back until an instant, and when it came.
func (l *Link) Receive(until int64) (frame []byte, at int64, ok bool) {
	if len(l.air) == 0 || l.air[0].at > until {
		return nil, 0, false
	}
	f := heap.Pop(&l.air).(flight)
	return f.frame, f.at, true
}

// flights in the order in which they come back.
type flights []flight

func (f flights) Len() int { return len(f) }
func (f flights) Less(i, j int) bool {
	return f[i].at < f[j].at || f[i].at == f[j].at && f[i].order < f[j].order
}
func (f flights) Swap(i, j int) { f[i], f[j] = f[j], f[i] }

// Push is for package heap.
func (f *flights) Push(x any) { *f = append(*f, x.(flight)) }

// Pop is for package heap.
func (f *flights) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}
