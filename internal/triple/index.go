// Package triple hands values from one thread to another without either side ever waiting: triple buffers.
//
// Of three buffers the writer has one, the reader has one, and one lies between them. The writer fills its own and exchanges
// it for the one in between, the reader exchanges its own when the one in between is newer. Each exchange is one atomic
// operation, so that a side may stop anywhere, for as long as it likes, and neither holds up the other one nor spoils what
// it has.
package triple

import "sync/atomic"

// Buffers is the number of buffers that an Index is for.
const Buffers = 3

// Index says which of three buffers belongs to whom. The zero value is ready for use.
//
// Stores of the writer before Publish happen before accesses of the reader after Take, and the other way round: the buffers
// themselves need no atomic words unless others look at them, too.
type Index struct {
	between atomic.Uint32 // buffer that changes hands, with the fresh bit
	writer  uint32        // its buffer, so that 0 means 1
	reader  uint32        // its buffer, so that 0 means 2
}

const fresh = 1 << 31

// Writer returns the buffer of the writer: 0, 1 or 2 (writer, cycle).
func (x *Index) Writer() uint32 { return x.writer ^ 1 }

// Reader returns the buffer of the reader: 0, 1 or 2 (reader, cycle).
func (x *Index) Reader() uint32 { return x.reader ^ 2 }

// Publish makes the writer's buffer the newest one and gives the writer another one, whose content is older (writer, cycle).
func (x *Index) Publish() { x.writer = x.between.Swap(x.Writer()|fresh)&^fresh ^ 1 }

// Take makes the newest buffer that of the reader, and reports whether there was a newer one (reader, cycle).
func (x *Index) Take() bool {
	if x.between.Load()&fresh == 0 {
		return false
	}
	x.reader = x.between.Swap(x.Reader())&^fresh ^ 2
	return true
}
