package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseDouble reads every spelling that clients of two generations send: nan, +inf, NaN, Infinity, exponents.
func ParseDouble(text string) (float64, error) {
	trimmed := strings.TrimSpace(text)
	unsigned := trimmed
	if strings.HasPrefix(trimmed, "+") || strings.HasPrefix(trimmed, "-") {
		unsigned = trimmed[1:]
	}
	switch strings.ToLower(unsigned) {
	case "nan":
		return math.NaN(), nil
	case "inf", "infinity":
		if strings.HasPrefix(trimmed, "-") {
			return math.Inf(-1), nil
		}
		return math.Inf(1), nil
	}
	if strings.ContainsAny(trimmed, "xXpP_") { // Go's own spellings are not the business of clients
		return 0, fmt.Errorf("%s is not a number", Quote(text))
	}
	f, err := strconv.ParseFloat(trimmed, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, fmt.Errorf("%s is not a number", Quote(text))
	}
	return f, nil // a number beyond the range reads as infinity
}

// AppendDouble prints the shortest text that reads back exactly, in the spelling that clients read.
func AppendDouble(dst []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "nan"...)
	case math.IsInf(v, 1):
		return append(dst, "+inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// Quote bounds what an error repeats of a text from outside.
func Quote(text string) string {
	const most = 40
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}
