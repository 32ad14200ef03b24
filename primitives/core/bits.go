package core

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Numbers as fieldbuses have them: arrays of bits, the lowest first.

const (
	mostBits  = 32 // of a binary number: as many as an int has
	mostBCD   = 64 // of a decimal one: 16 digits, more than an int has
	digitBits = 4
)

// fromBits turns bits into an int.
type fromBits struct {
	Array spec.In[[]bool] `rcc:"inArray" required:"true" doc:"bits, the lowest first"`
	Out   spec.Out[int32] `rcc:"outValue" doc:"the number, null when there are too few bits or when they stand for no int"`
}

type binToDec struct {
	fromBits
	Bits spec.Param[int32] `rcc:"amountBits" default:"8" must:">= 1; <= 32" doc:"number of bits, 1 to 32"`
	Sign spec.Param[bool]  `rcc:"signBit" default:"false" doc:"negative numbers too, in two's complement"`
}

func (p *binToDec) Init(*spec.Env) error { return checkBits(p.Bits.V, 1, mostBits, 1) }

// checkBits checks parameter amountBits.
func checkBits(bits, least, most, step int32) error {
	switch {
	case bits < least || bits > most:
		return fmt.Errorf("parameter amountBits: %d is not between %d and %d", bits, least, most)
	case bits%step != 0:
		return fmt.Errorf("parameter amountBits: %d is not a multiple of %d", bits, step)
	}
	return nil
}

func readBinary(run []binToDec, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		bits, ok := p.Array.Get(cy)
		n := int(p.Bits.V)
		if !ok || n > len(bits) || n < 1 {
			continue
		}
		v := number(bits[:n])
		if p.Sign.V && bits[n-1] {
			v -= 1 << (n & 63)
		}
		setInt(&p.Out, cy, v, true)
	}
}

// number returns the number of some bits.
func number(bits []bool) (v int64) {
	for i := len(bits) - 1; i >= 0; i-- {
		v *= 2
		if bits[i] {
			v++
		}
	}
	return v
}

type bcdToDec struct {
	fromBits
	Bits spec.Param[int32] `rcc:"amountBits" default:"16" must:">= 4; <= 64" doc:"number of bits, 4 for each digit, those of the sign included; 4 to 64"`
	Sign spec.Param[bool]  `rcc:"signBit" default:"true" doc:"the highest four bits are a sign: the number is negative when the highest bit is set"`
}

func (p *bcdToDec) Init(*spec.Env) error { return checkBCD(p.Bits.V, p.Sign.V) }

// checkBCD checks that there is room for a digit, and for a sign.
func checkBCD(bits int32, sign bool) error {
	least := int32(digitBits)
	if sign {
		least += digitBits
	}
	return checkBits(bits, least, mostBCD, digitBits)
}

func readBCD(run []bcdToDec, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		bits, ok := p.Array.Get(cy)
		n := int(p.Bits.V)
		if !ok || n > len(bits) || n < digitBits {
			continue
		}
		bits = bits[:n]
		negative := false
		if p.Sign.V {
			negative = bits[n-1]
			bits = bits[:n-digitBits]
		}
		v, valid := decimal(bits)
		if negative {
			v = -v
		}
		setInt(&p.Out, cy, v, valid)
	}
}

// decimal returns the number whose digits have four bits each, unless one of them is greater than 9.
func decimal(bits []bool) (v int64, ok bool) {
	for n := len(bits); n >= digitBits; n = len(bits) {
		rest := uint(n - digitBits) // in the way in which the compiler sees that it is not negative
		if rest > uint(len(bits)) {
			return 0, false
		}
		digit := number(bits[rest:])
		if digit > 9 {
			return 0, false
		}
		v = 10*v + digit
		bits = bits[:rest]
	}
	return v, true
}

// toBits turns an int into bits.
type toBits struct {
	Value    spec.In[int32]   `rcc:"inValue" required:"true" doc:"number"`
	Array    spec.Out[[]bool] `rcc:"outArray" doc:"its bits, the lowest first; of a number that does not fit the lower ones"`
	Overflow spec.Out[bool]   `rcc:"overflowBit" doc:"true when the number does not fit"`
}

type decToBin struct {
	toBits
	Bits spec.Param[int32] `rcc:"amountBits" default:"8" must:">= 1; <= 32" doc:"number of bits, 1 to 32"`
	Sign spec.Param[bool]  `rcc:"signBit" default:"false" doc:"negative numbers too, in two's complement"`
}

func (p *decToBin) Init(*spec.Env) error {
	if err := checkBits(p.Bits.V, 1, mostBits, 1); err != nil {
		return err
	}
	p.Array.V = make([]bool, p.Bits.V)
	return nil
}

func writeBinary(run []decToBin, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		given, ok := p.Value.Get(cy)
		if !ok {
			continue
		}
		bits, v := p.Array.V, int64(given)
		limit := int64(1) << (uint(len(bits)) & 63)
		least, most := int64(0), limit-1
		if p.Sign.V {
			least, most = -limit/2, limit/2-1
		}
		spread(bits, v)
		p.Array.Touch(cy)
		p.Overflow.Set(cy, v < least || v > most)
	}
}

// spread writes the lowest bits of a number.
func spread(bits []bool, v int64) {
	for i := range bits {
		bits[i] = v&1 != 0
		v >>= 1
	}
}

type decToBCD struct {
	toBits
	Bits spec.Param[int32] `rcc:"amountBits" default:"16" must:">= 4; <= 64" doc:"number of bits, 4 for each digit, those of the sign included; 4 to 64"`
	Sign spec.Param[bool]  `rcc:"signBit" default:"true" doc:"the highest four bits are a sign: all set when the number is negative; without it negative numbers do not fit"`
}

func (p *decToBCD) Init(*spec.Env) error {
	if err := checkBCD(p.Bits.V, p.Sign.V); err != nil {
		return err
	}
	p.Array.V = make([]bool, p.Bits.V)
	return nil
}

func writeBCD(run []decToBCD, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		given, ok := p.Value.Get(cy)
		if !ok {
			continue
		}
		bits, v := p.Array.V, int64(given)
		negative := v < 0
		if negative {
			v = -v
		}
		if n := len(bits) - digitBits; p.Sign.V && n >= 0 {
			sign := int64(0)
			if negative {
				sign = -1
			}
			spread(bits[n:], sign)
			bits = bits[:n]
		}
		for len(bits) >= digitBits {
			spread(bits[:digitBits], v%10)
			bits = bits[digitBits:]
			v /= 10
		}
		p.Array.Touch(cy)
		p.Overflow.Set(cy, v != 0 || negative && !p.Sign.V)
	}
}

// bitsOf returns the text of a number's lowest bits, for the examples.
func bitsOf(v uint64, n int) string {
	bits := make([]bool, n)
	spread(bits, int64(v&math.MaxInt64))
	return arrayOf(bits)
}

func arrayOf[T any](elements []T) string {
	text := "["
	for i := range elements {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(elements[i])
	}
	return text + "]"
}

func bits() []*spec.Primitive {
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Core::BinToDec", Extension: extension, Doc: "turns the bits of a binary number into an int", Pure: true,
			Examples: []spec.Example{
				{Doc: "eight bits", In: series{"inArray": {bitsOf(5, 8), bitsOf(255, 8), "null"}}, Out: series{"outValue": {"5", "255", "null"}}},
				{
					Doc: "two's complement", Params: params{"amountBits": "4", "signBit": "true"},
					In: series{"inArray": {bitsOf(7, 4), bitsOf(8, 4), bitsOf(15, 4)}}, Out: series{"outValue": {"7", "-8", "-1"}},
				},
				{Doc: "no int", Params: params{"amountBits": "32"}, In: series{"inArray": {bitsOf(1<<32-1, 32)}}, Out: series{"outValue": {"null"}}},
				{
					Doc: "the same with a sign", Params: params{"amountBits": "32", "signBit": "true"},
					In: series{"inArray": {bitsOf(1<<32-1, 32), bitsOf(1<<31, 32)}}, Out: series{"outValue": {"-1", "-2147483648"}},
				},
				{Doc: "too few bits", In: series{"inArray": {bitsOf(5, 7)}}, Out: series{"outValue": {"null"}}},
				{Doc: "too many bits", Params: params{"amountBits": "33"}, In: series{"inArray": {bitsOf(0, 33)}}, Reject: "parameter amountBits: it is 33, but must be at most 32"},
			},
		}, spec.Kernels[binToDec]{Run: readBinary}),
		spec.Declare(spec.Decl{
			Name: "Core::BCDToDec", Extension: extension, Doc: "turns the bits of a binary-coded decimal number into an int", Pure: true,
			Examples: []spec.Example{
				{
					Doc: "three digits and a sign", In: series{"inArray": {bitsOf(0x0123, 16), bitsOf(0xf123, 16), bitsOf(0x8999, 16), "null"}},
					Out: series{"outValue": {"123", "-123", "-999", "null"}},
				},
				{Doc: "four digits", Params: params{"signBit": "false"}, In: series{"inArray": {bitsOf(0x9876, 16)}}, Out: series{"outValue": {"9876"}}},
				{Doc: "no digit", In: series{"inArray": {bitsOf(0x01a3, 16)}}, Out: series{"outValue": {"null"}}},
				{
					Doc: "no int", Params: params{"amountBits": "44"},
					In: series{"inArray": {bitsOf(0x2147483647, 44), bitsOf(0x2147483648, 44), bitsOf(0xf2147483648, 44)}}, Out: series{"outValue": {"2147483647", "null", "-2147483648"}},
				},
				{Doc: "too few bits", In: series{"inArray": {bitsOf(0, 15)}}, Out: series{"outValue": {"null"}}},
				{Doc: "half a digit", Params: params{"amountBits": "10"}, In: series{"inArray": {bitsOf(0, 10)}}, Reject: "parameter amountBits: 10 is not a multiple of 4"},
				{Doc: "nothing but a sign", Params: params{"amountBits": "4"}, In: series{"inArray": {bitsOf(0, 4)}}, Reject: "parameter amountBits: 4 is not between 8 and 64"},
			},
		}, spec.Kernels[bcdToDec]{Run: readBCD}),
		spec.Declare(spec.Decl{
			Name: "Core::DecToBin", Extension: extension, Doc: "turns an int into the bits of a binary number", Pure: true,
			Examples: []spec.Example{
				{
					Doc: "eight bits", In: series{"inValue": {"5", "255", "256", "-1", "null"}},
					Out: series{
						"outArray":    {bitsOf(5, 8), bitsOf(255, 8), bitsOf(0, 8), bitsOf(255, 8), "null"},
						"overflowBit": {"false", "false", "true", "true", "null"},
					},
				},
				{
					Doc: "two's complement", Params: params{"amountBits": "4", "signBit": "true"}, In: series{"inValue": {"7", "8", "-8", "-9"}},
					Out: series{"outArray": {bitsOf(7, 4), bitsOf(8, 4), bitsOf(8, 4), bitsOf(7, 4)}, "overflowBit": {"false", "true", "false", "true"}},
				},
				{
					Doc: "all bits of an int", Params: params{"amountBits": "32", "signBit": "true"}, In: series{"inValue": {"-2147483648"}},
					Out: series{"outArray": {bitsOf(1<<31, 32)}, "overflowBit": {"false"}},
				},
				{Doc: "no bits", Params: params{"amountBits": "0"}, In: series{"inValue": {"0"}}, Reject: "parameter amountBits: it is 0, but must be at least 1"},
			},
		}, spec.Kernels[decToBin]{Run: writeBinary}),
		spec.Declare(spec.Decl{
			Name: "Core::DecToBCD", Extension: extension, Doc: "turns an int into the bits of a binary-coded decimal number", Pure: true,
			Examples: []spec.Example{
				{
					Doc: "three digits and a sign", In: series{"inValue": {"123", "-123", "1987", "null"}},
					Out: series{
						"outArray":    {bitsOf(0x0123, 16), bitsOf(0xf123, 16), bitsOf(0x0987, 16), "null"},
						"overflowBit": {"false", "false", "true", "null"},
					},
				},
				{
					Doc: "no sign", Params: params{"amountBits": "8", "signBit": "false"}, In: series{"inValue": {"98", "-98", "198"}},
					Out: series{"outArray": {bitsOf(0x98, 8)}, "overflowBit": {"false", "true", "true"}},
				},
				{
					Doc: "the smallest int", Params: params{"amountBits": "44"}, In: series{"inValue": {"-2147483648"}},
					Out: series{"outArray": {bitsOf(0xf2147483648, 44)}, "overflowBit": {"false"}},
				},
				{Doc: "too many bits", Params: params{"amountBits": "68"}, In: series{"inValue": {"0"}}, Reject: "parameter amountBits: it is 68, but must be at most 64"},
			},
		}, spec.Kernels[decToBCD]{Run: writeBCD}),
	}
}
