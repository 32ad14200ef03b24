package device

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// EntriesName is the name under which devices announce Entries.
const EntriesName = "entries"

// Entries is the interface of devices whose inputs and outputs have names and types, as the process data of a fieldbus have
// (§9.4.2). It carries every type of up to 64 bits; what is longer has several entries.
//
// Outputs are not resources, like those of IO.
type Entries interface {
	Device
	// Entries returns all entries, or none while the device does not know them. Once known they do not change (any).
	Entries() []Entry
	// EntryBits returns the bits of an entry: the newest ones of an input, the last ones that were set of an output. It is false
	// where there is no value, because the slave does not answer or there is no such entry (cycle).
	EntryBits(n int) (bits uint64, ok bool)
	// SetEntryBits sets those bits of an output that are in a mask. The time is that of the tick, or 0 from outside of nets (cycle).
	SetEntryBits(n int, mask, bits uint64, time int64)
}

// FedEntries is Entries of a simulation, whose inputs may be set from outside.
type FedEntries interface {
	Entries
	// FeedEntryBits sets an input (any).
	FeedEntryBits(n int, bits uint64)
}

// EntryKind is the coding of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	EntryUnsigned EntryKind = iota // a single bit is a bool
	EntrySigned
	EntryReal // IEEE 754, of 32 or 64 bits
)

// Entry describes an input or output.
type Entry struct {
	Name    string // unique in its device
	Address string // where the slave has it, such as 0x6000:1, or empty; also a name if no other entry has it
	Type    string // as makers call it, such as UINT
	Kind    EntryKind
	Bits    int // 1 to 64
	Output  bool
}

// Mask returns the bits of the entry.
func (e *Entry) Mask() uint64 { return lowest(e.Bits) }

// lowest returns a mask of the lowest bits (cycle).
func lowest(bits int) uint64 { return ^uint64(0) >> (uint(64-bits) & 63) }

// Part is a number in an entry: all of it, or some of its bits.
type Part struct {
	Entry int // which one
	Kind  EntryKind
	From  int // bit
	Bits  int
}

var errNoEntries = errors.New("the device does not know its process data yet")

// FindPart looks for an entry by its name or its address, or for bits of it: status, 0x6000:1, status.3, status.0-7 (load).
func FindPart(d Entries, text string) (p Part, of Entry, err error) {
	list := d.Entries()
	if len(list) == 0 {
		err = errNoEntries
		if cause := d.Status().Cause; cause != "" {
			err = fmt.Errorf("%w: %s", err, cause)
		}
		return p, of, err
	}
	if n := entryOf(list, text); n >= 0 {
		return Part{n, list[n].Kind, 0, list[n].Bits}, list[n], nil
	}
	dot := strings.LastIndexByte(text, '.')
	if dot >= 0 {
		if n := entryOf(list, text[:dot]); n >= 0 {
			p, err = bitsOf(&list[n], text[dot+1:])
			p.Entry = n
			return p, list[n], err
		}
	}
	return p, of, fmt.Errorf("no entry %q%s", text, suggest.DidYouMean(text, func(yield func(string) bool) {
		for i := range list {
			if !yield(list[i].Name) {
				return
			}
		}
	}))
}

func entryOf(list []Entry, text string) int {
	found, several := -1, false
	for i := range list {
		if list[i].Name == text {
			return i
		}
		if text != "" && strings.EqualFold(list[i].Address, text) {
			several = found >= 0
			found = i
		}
	}
	if several {
		return -1
	}
	return found
}

// bitsOf reads which bits of an entry are meant.
func bitsOf(e *Entry, text string) (p Part, err error) {
	first, last, several := strings.Cut(text, "-")
	from, err := strconv.ParseUint(first, 10, 6)
	to := from
	if err == nil && several {
		to, err = strconv.ParseUint(last, 10, 6)
	}
	if err != nil || to < from || int(to) >= e.Bits {
		return p, fmt.Errorf("entry %q has no bits %q, it has %d from 0", e.Name, text, e.Bits)
	}
	return Part{Kind: EntryUnsigned, From: int(from), Bits: int(to-from) + 1}, nil
}

// Get reads the part (cycle).
func (p *Part) Get(d Entries) (bits uint64, ok bool) {
	bits, ok = d.EntryBits(p.Entry)
	return bits >> (uint(p.From) & 63) & lowest(p.Bits), ok
}

// Set writes the part (cycle).
func (p *Part) Set(d Entries, bits uint64, time int64) {
	shift := uint(p.From) & 63
	d.SetEntryBits(p.Entry, lowest(p.Bits)<<shift, bits<<shift, time)
}

// Float returns bits of a kind as a number (cycle).
func (k EntryKind) Float(bits uint64, size int) float64 {
	switch k {
	case EntrySigned:
		return float64(signed(bits, size))
	case EntryReal:
		if size == 32 {
			return float64(math.Float32frombits(uint32(bits)))
		}
		return math.Float64frombits(bits)
	case EntryUnsigned:
	}
	return float64(bits)
}

func signed(bits uint64, size int) int64 {
	shift := uint(64-size) & 63
	return int64(bits<<shift) >> shift
}

// Int returns bits of a kind as a number, false when it has more than 32 bits (cycle).
func (k EntryKind) Int(bits uint64, size int) (v int32, ok bool) {
	switch k {
	case EntrySigned:
		s := signed(bits, size)
		return int32(s), s >= math.MinInt32 && s <= math.MaxInt32
	case EntryReal:
		f := math.Round(k.Float(bits, size))
		if !(f >= math.MinInt32 && f <= math.MaxInt32) {
			return 0, false
		}
		return int32(f), true
	case EntryUnsigned:
	}
	return int32(bits), bits <= math.MaxInt32
}

// FromFloat returns the bits for a number, or for the nearest one that fits; false for NaN (cycle).
func (k EntryKind) FromFloat(v float64, size int) (bits uint64, ok bool) {
	switch {
	case v != v:
		return 0, false
	case k == EntryReal && size == 32:
		return uint64(math.Float32bits(float32(v))), true
	case k == EntryReal:
		return math.Float64bits(v), true
	}
	v = math.RoundToEven(v)
	least, most := 0.0, math.Ldexp(1, size)
	if k == EntrySigned {
		least, most = -most/2, most/2
	}
	switch {
	case v >= most && k == EntrySigned:
		return lowest(size) >> 1, true
	case v >= most:
		return lowest(size), true
	case v <= least && k == EntrySigned:
		return 1 << (uint(size-1) & 63), true
	case v <= 0 && k == EntryUnsigned:
		return 0, true
	case v < 0:
		return uint64(int64(v)) & lowest(size), true
	}
	return uint64(v) & lowest(size), true
}

// FromInt returns the bits for a number, or for the nearest one that fits (cycle).
func (k EntryKind) FromInt(v int32, size int) uint64 {
	bits, _ := k.FromFloat(float64(v), size)
	return bits
}

// AnnounceEntries returns what a device with Entries announces to applications.
func AnnounceEntries() Interface { return Interface{Name: EntriesName} }
