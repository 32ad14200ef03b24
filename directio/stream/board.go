package stream

import (
	"bytes"
	"container/list"
	"encoding/json"
	"sync"
)

// board shows the rows of one topic as they go out, ordered by their last change. Changes are numbered. A client remembers the number of the
// last change that it was told, and nothing is queued for it: however slowly it reads, it costs one number, and is told of each row that
// has changed once, as it is then.
type board struct {
	mu     sync.Mutex
	number uint64 // of the newest change
	rows   map[string]*list.Element
	order  *list.List   // of *row, the one that has changed last at the end
	gone   int          // rows that are no longer there, and remembered for those who know them
	lost   uint64       // number of the newest departure that is forgotten
	bells  map[bell]int // of clients, and for how many of their watches
	told   uint64       // number up to which bells have rung
}

// row is one thing. Its number is that of its last change.
type row struct {
	key    string
	number uint64
	weight int             // of its words, for those who want the heavy ones only: levels of the log
	text   json.RawMessage // nil when it has gone
}

// keptDepartures is how many keys are remembered of rows that have gone. A client that is further behind gets all rows again.
const keptDepartures = 4096

// bell rings when there is something to look at. Rings that nobody heard merge into one.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}

func newBoard() *board {
	return &board{rows: map[string]*list.Element{}, order: list.New(), bells: map[bell]int{}}
}

// listen has a bell ring whenever a look has changed something.
func (b *board) listen(to bell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bells[to]++
}

// ignore undoes one listen.
func (b *board) ignore(to bell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bells[to]--; b.bells[to] == 0 {
		delete(b.bells, to)
	}
}

// put changes a row if it is different, or adds it.
func (b *board) put(key string, weight int, text json.RawMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.rows[key]; ok && bytes.Equal(e.Value.(*row).text, text) {
		return
	}
	b.change(&row{key: key, weight: weight, text: text})
}

// drop takes a row off.
func (b *board) drop(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(key)
}

// remove does so. b.mu is held.
func (b *board) remove(key string) {
	if !b.shows(key) {
		return
	}
	b.change(&row{key: key, weight: b.rows[key].Value.(*row).weight})
	if b.gone > 2*keptDepartures {
		b.forget()
	}
}

// shows reports whether a row is there. b.mu is held.
func (b *board) shows(key string) bool {
	e, known := b.rows[key]
	return known && e.Value.(*row).text != nil
}

// forget drops the older half of the departures. b.mu is held.
func (b *board) forget() {
	for e := b.order.Front(); b.gone > keptDepartures; {
		next := e.Next()
		if r := e.Value.(*row); r.text == nil {
			b.order.Remove(e)
			delete(b.rows, r.key)
			b.gone--
			b.lost = r.number
		}
		e = next
	}
}

// keep takes off all rows but those that are there.
func (b *board) keep(there map[string]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.rows)-b.gone == len(there) {
		return // every look puts what is there before
	}
	for key := range b.rows {
		if !there[key] {
			b.remove(key)
		}
	}
}

// has reports whether a row is shown.
func (b *board) has(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shows(key)
}

// skip counts changes that no row tells of.
func (b *board) skip(changes uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number += changes
}

// change appends a row, in place of what was known under its key. b.mu is held.
func (b *board) change(r *row) {
	if e, known := b.rows[r.key]; known && b.order.Remove(e).(*row).text == nil {
		b.gone--
	}
	b.number++
	r.number = b.number
	b.rows[r.key] = b.order.PushBack(r)
	if r.text == nil {
		b.gone++
	}
}

// tell rings the bells of all clients if anything has changed since they have rung.
func (b *board) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.told == b.number {
		return
	}
	b.told = b.number
	for to := range b.bells {
		to.ring()
	}
}

// place is how far a client is: the number of the last change that it was told, and of the one from which on it wants to know what is left out.
type place struct {
	at, base uint64
	begun    bool
}

// move goes on to a change, and returns how many before it were left out.
func (p *place) move(to uint64) (left uint64) {
	if from := max(p.at, p.base); to > from {
		left = to - from
	}
	p.at = max(p.at, to)
	return left
}

// changes is what has changed since a place.
type changes struct {
	all     bool // it begins with nothing
	changed []*row
	gone    []*row
	left    uint64 // changes in between that nobody is told of: newer ones have replaced them
	more    bool
}

// next returns what has changed since a place, up to about so many bytes, and moves the place on. Rows do not change once they are made.
func (b *board) next(p *place, size int) (c changes) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !p.begun || p.at < b.lost {
		*p = place{base: b.number, begun: true}
		c.all = true
	}
	for e := b.following(p.at); e != nil; e = e.Next() {
		r := e.Value.(*row)
		if size -= len(r.key) + len(r.text) + rowFrame; size < 0 && len(c.changed)+len(c.gone) > 0 {
			c.more = true
			return c
		}
		c.left += p.move(r.number - 1)
		p.at = r.number
		if r.text != nil {
			c.changed = append(c.changed, r)
		} else if !c.all {
			c.gone = append(c.gone, r)
		}
	}
	c.left += p.move(b.number)
	return c
}

// rowFrame is what is around the text of a row.
const rowFrame = 20

// following is the first row that has changed after a number.
func (b *board) following(number uint64) *list.Element {
	e := b.order.Back()
	for e != nil && e.Value.(*row).number > number {
		e = e.Prev()
	}
	if e == nil {
		return b.order.Front()
	}
	return e.Next()
}
