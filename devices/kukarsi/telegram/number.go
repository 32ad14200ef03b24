package telegram

import "math"

// tens are the powers of ten that are exact.
var tens = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// mostDigits is how many digits of a number count; later ones are beyond the precision of a double.
const mostDigits = 18

// mostDecimals is how far behind the point digits may stand, and how large an exponent may be.
const mostDecimals = len(tens) - 1

// double reads a decimal number, with an exponent if there is one, whatever the language of the system. Up to 15 digits the
// result is the double that is nearest; beyond, it may be its neighbour (cycle).
func double(text []byte) (v float64, ok bool) {
	negative, i := sign(text)
	var mantissa uint64
	digits, decimals, counted := 0, 0, false // counted: there was a digit at all
	fraction := false
	for ; uint(i) < uint(len(text)); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			counted = true
			if digits < mostDigits {
				mantissa = mantissa*10 + uint64(c-'0')
				if mantissa != 0 {
					digits++
				}
				if fraction {
					decimals++
				}
			} else if !fraction {
				decimals--
			}
			continue
		case c == '.' && !fraction:
			fraction = true
			continue
		}
		break
	}
	if !counted {
		return 0, false
	}
	if rest := behind(text, i); len(rest) > 0 {
		e, good := exponent(rest)
		if !good {
			return 0, false
		}
		decimals -= e
	}
	v, ok = scaled(float64(mantissa), decimals)
	if negative {
		v = -v
	}
	return v, ok
}

// scaled moves the point. A number that is beyond what is measured is none.
func scaled(v float64, decimals int) (float64, bool) {
	for decimals > mostDecimals && decimals < 3*mostDecimals { // zeros behind the point
		v, decimals = v/tens[mostDecimals], decimals-mostDecimals
	}
	if uint(decimals) < uint(len(tens)) {
		return v / tens[decimals], true
	}
	if up := -decimals; uint(up) < uint(len(tens)) {
		return v * tens[up], true
	}
	return 0, v == 0
}

// exponent reads what stands behind the digits of a number.
func exponent(text []byte) (e int, ok bool) {
	if len(text) < 2 || text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	v, ok := whole(text[1:])
	if !ok || v > int64(mostDecimals) || v < -int64(mostDecimals) {
		return 0, false
	}
	return int(v), true
}

func sign(text []byte) (negative bool, after int) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		return text[0] == '-', 1
	}
	return false, 0
}

// whole reads an integer of up to 18 digits (cycle).
func whole(text []byte) (v int64, ok bool) {
	negative, i := sign(text)
	text = behind(text, i)
	if len(text) == 0 || len(text) > mostDigits {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}

// truth reads a value of kind BOOL (cycle).
func truth(text []byte) (v float64, ok bool) {
	switch {
	case len(text) == 1 && text[0] == '1' || fold(text, "TRUE"):
		return 1, true
	case len(text) == 1 && text[0] == '0' || fold(text, "FALSE"):
		return 0, true
	}
	return 0, false
}

// fold reports whether a text is a word of capital letters, written in whatever case.
func fold(text []byte, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i := 0; i < len(text) && i < len(word); i++ {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// stamp reads IPOC: a number of 64 bits without a sign (cycle).
func stamp(text []byte) (v uint64, ok bool) {
	const digits = 20 // of the greatest one
	if len(text) == 0 || len(text) > digits {
		return 0, false
	}
	for _, c := range text {
		d := uint64(c) - '0'
		if d > 9 || v > (math.MaxUint64-d)/10 {
			return 0, false
		}
		v = v*10 + d
	}
	return v, true
}

// fixed writes a number with as many digits behind the point as there should be, and returns how many bytes that took; 0 when
// there is no room, or the number is none (cycle). There is no exponent, because controllers read none.
func fixed(into []byte, v float64, decimals int) int {
	if uint(decimals) >= mostDigits {
		return 0
	}
	scaled := math.Round(math.Abs(v) * tens[decimals])
	if !(scaled < 1e18) {
		return 0
	}
	n := 0
	if v < 0 && scaled != 0 {
		if len(into) == 0 {
			return 0
		}
		into[0] = '-'
		n = 1
	}
	m := digits(behind(into, n), uint64(scaled), decimals)
	if m == 0 {
		return 0
	}
	return n + m
}

// digits writes a number whose last digits stand behind the point.
func digits(into []byte, v uint64, decimals int) int {
	n := 1
	for rest := v / 10; rest > 0; rest /= 10 {
		n++
	}
	if n <= decimals {
		n = decimals + 1 // 0.00…
	}
	point := -1
	if decimals > 0 {
		point = n - decimals
		n++
	}
	if n > len(into) {
		return 0
	}
	for i := n - 1; uint(i) < uint(len(into)); i-- {
		if i == point {
			into[i] = '.'
			continue
		}
		into[i] = '0' + byte(v%10)
		v /= 10
	}
	return n
}
