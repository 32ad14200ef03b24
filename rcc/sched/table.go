package sched

// Code of the cycle must be total (rules of the cycle): tables answer every index, one that is none with a spare element.

// table is a list of fixed length.
type table[T any] struct {
	of    []T
	spare T
}

func newTable[T any](n int) table[T] { return table[T]{of: make([]T, n)} }

// at returns element i (cycle).
func (t *table[T]) at(i uint32) *T {
	if of, k := t.of, uint(i); k < uint(len(of)) {
		return &of[k]
	}
	return &t.spare
}

// ring is a list of fixed length in which positions count on and on.
type ring[T any] struct {
	of    []T // a power of two
	spare T
}

func newRing[T any](n int) ring[T] {
	length := 1
	for length < n {
		length *= 2
	}
	return ring[T]{of: make([]T, length)}
}

// at returns the element at a position (cycle).
func (r *ring[T]) at(position uint64) *T {
	of := r.of
	if k := uint(position) & uint(len(of)-1); k < uint(len(of)) {
		return &of[k]
	}
	return &r.spare
}

// indexes is a list of bounded length.
type indexes struct {
	at []uint32
	n  int
}

func newIndexes(most int) indexes { return indexes{at: make([]uint32, most)} }

// add appends an index (cycle).
func (ix *indexes) add(i uint32) {
	if uint(ix.n) < uint(len(ix.at)) {
		ix.at[ix.n] = i
		ix.n++
	}
}

// list returns the indexes in order (cycle).
func (ix *indexes) list() []uint32 {
	if uint(ix.n) <= uint(len(ix.at)) {
		return ix.at[:ix.n]
	}
	return nil
}

// take empties the list and returns what was in it. Indexes of it may be added again while they are gone through: that
// is how a list is filtered (cycle).
func (ix *indexes) take() []uint32 {
	list := ix.list()
	ix.n = 0
	return list
}
