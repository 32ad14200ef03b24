package image

// View is bytes of a slave, read and written as bits (cycle). What is outside of it reads as zero and is not written.
type View []byte

// Bit is one bit.
func (v View) Bit(at int) bool {
	i := at >> 3
	return i >= 0 && i < len(v) && v[i]>>(at&7)&1 != 0
}

// SetBit writes one bit.
func (v View) SetBit(at int, on bool) {
	i := at >> 3
	if i < 0 || i >= len(v) {
		return
	}
	if on {
		v[i] |= 1 << (at & 7)
	} else {
		v[i] &^= 1 << (at & 7)
	}
}

// Get reads up to 64 bits from a bit on, little endian.
func (v View) Get(at, bits int) (value uint64) {
	for i := 0; i < bits && i < 64; {
		shift := (at + i) & 7
		n := min(8-shift, bits-i)
		if b := (at + i) >> 3; b >= 0 && b < len(v) {
			value |= uint64(v[b]>>shift&byte(1<<n-1)) << i
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
		shift := (at + i) & 7
		n := min(8-shift, bits-i)
		if b := (at + i) >> 3; b >= 0 && b < len(v) {
			mask := byte(1<<n-1) << shift
			v[b] = v[b]&^mask | byte(value>>i)<<shift&mask
		}
		i += n
	}
}
