package telegram

// names finds fields by element and attribute. It is a table of hashes with open addressing, made at load: a telegram has
// some fifty values in no particular order.
type names struct {
	fields []Field
	slots  []int16 // numbers of fields from 1, 0 where there is none
}

func newNames(fields []Field) names {
	size := 8
	for size < 4*len(fields) {
		size *= 2
	}
	n := names{fields: fields, slots: make([]int16, size)}
	for i, f := range fields {
		at := int(hash(hash(seed, f.Element), f.Attr)) & (size - 1)
		for n.slots[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		n.slots[at] = int16(i + 1)
	}
	return n
}

// seed and prime are those of FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
const (
	seed  = uint32(2166136261)
	prime = uint32(16777619)
)

// hash goes on from a hash. A point between element and attribute keeps their names apart.
func hash[T string | []byte](h uint32, text T) uint32 {
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * prime
	}
	return (h ^ '.') * prime
}

// find returns the number of a field, or -1 (cycle).
func (n *names) find(element []byte, of uint32, attr []byte) int {
	slots, fields := n.slots, n.fields
	mask := len(slots) - 1
	at := int(hash(of, attr)) & mask
	for range slots {
		if uint(at) >= uint(len(slots)) {
			return -1
		}
		i := int(slots[at]) - 1
		if uint(i) >= uint(len(fields)) {
			return -1
		}
		if f := &fields[i]; is(element, f.Element) && is(attr, f.Attr) {
			return i
		}
		at = (at + 1) & mask
	}
	return -1
}
