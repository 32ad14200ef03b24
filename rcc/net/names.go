package net

import (
	"hash/maphash"
	"math/bits"
)

// name is what a name within a fragment is the key of.
type name struct {
	frag int32
	what what
	text string
}

type what uint8

const (
	aNode    what = iota // ref
	anInPort             // index of port
	anOutPort
)

// names are what the names of a net mean: a map for a number of names that is known beforehand. Looking up is what most of the time of
// resolving goes into, and here it takes one look at the table and one at the text. Hashes differ from process to process, so that nobody
// can write a net whose names collide.
type names struct {
	slots []meaning // a power of two, less than half of them used
}

// meaning is a name with its meaning; a free slot has no text.
type meaning struct {
	name
	hash uint32
	is   int32
}

var nameSeed = maphash.MakeSeed()

// newNames has room for n names and no more.
func newNames(n int) names {
	return names{slots: make([]meaning, 1<<bits.Len(uint(2*n)))}
}

// find returns the slot of a name, or the one where it belongs.
func (t *names) find(key name) (slot *meaning, hash uint32) {
	h := maphash.String(nameSeed, key.text) ^ (uint64(key.frag)<<2|uint64(key.what))*0x9E3779B97F4A7C15
	h ^= h >> 32
	hash = uint32(h)
	last := uint64(len(t.slots) - 1)
	for i := h & last; ; i = (i + 1) & last {
		if s := &t.slots[i]; s.text == "" || s.hash == hash && s.name == key {
			return s, hash
		}
	}
}

// get returns the meaning of a name.
func (t *names) get(frag int32, what what, text string) (is int32, ok bool) {
	if text == "" || t.slots == nil {
		return 0, false
	}
	s, _ := t.find(name{frag, what, text})
	return s.is, s.text != ""
}

// define gives a name its meaning, unless it has one. Nodes without a name have none.
func (t *names) define(key name, is int32) bool {
	if key.text == "" {
		return true
	}
	s, hash := t.find(key)
	if s.text != "" {
		return false
	}
	*s = meaning{name: key, hash: hash, is: is}
	return true
}
