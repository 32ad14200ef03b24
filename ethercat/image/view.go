package image

// View reads and writes bytes of a slave as bits (cycle). Bits outside of it read as zero and are not written.
type View []byte

// Bit is one bit.
func (v View) Bit(at int) bool {
	i := at >> 3
	return i >= 0 && i < len(v) && v[i]>>(uint(at)&7)&1 != 0
}

// SetBit writes one bit.
func (v View) SetBit(at int, on bool) {
	i := at >> 3
	if i < 0 || i >= len(v) {
		return
	}
	if on {
		v[i] |= 1 << (uint(at) & 7)
	} else {
		v[i] &^= 1 << (uint(at) & 7)
	}
}

// Get reads up to 64 bits from a bit on, little endian.
func (v View) Get(at, bits int) (value uint64) {
	for i := 0; i < bits && i < 64; {
		shift := uint(at+i) & 7
		n := min(8-int(shift), bits-i)
		if b := (at + i) >> 3; b >= 0 && b < len(v) {
			value |= uint64(v[b]>>shift&ones(n)) << (uint(i) & 63)
		}
		i += n
	}
	return value
}

// Signed reads a number of up to 64 bits with a sign.
func (v View) Signed(at, bits int) int64 {
	if bits <= 0 || bits > 64 {
		return 0
	}
	shift := uint(64-bits) & 63
	return int64(v.Get(at, bits)<<shift) >> shift
}

// Set writes up to 64 bits.
func (v View) Set(at, bits int, value uint64) {
	for i := 0; i < bits && i < 64; {
		shift := uint(at+i) & 7
		n := min(8-int(shift), bits-i)
		if b := (at + i) >> 3; b >= 0 && b < len(v) {
			mask := ones(n) << shift
			v[b] = v[b]&^mask | byte(value>>(uint(i)&63))<<shift&mask
		}
		i += n
	}
}

// ones are up to eight of them.
func ones(n int) byte { return byte(1<<(uint(n)&15) - 1) }
