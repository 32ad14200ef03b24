package legible

import (
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

var written = regexp.MustCompile(`(?i)-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?`)

// longNumber is how many characters a number may have before it is shortened for people.
const longNumber = 9

// Sensible writes the numbers in a value with as many digits as people read: six of a small number, thousandths of a large one. Whole
// numbers, and what stands in quotes or is part of a word, stay as they are. web/plot.js does the same.
func Sensible(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range written.FindAllStringIndex(text, -1) {
		from, to := at[0], at[1]
		if to-from < longNumber || !strings.ContainsAny(text[from:to], ".eE") || partOfWord(text, from-1) || partOfWord(text, to) {
			continue
		}
		if v, err := strconv.ParseFloat(text[from:to], 64); err == nil {
			b.WriteString(text[end:from] + shortened(v))
			end = to
		}
	}
	return b.String() + text[end:]
}

// partOfWord reports whether the character next to a number makes it a part of something else.
func partOfWord(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	c := text[at]
	return c == '_' || c == '.' || c == '"' || c == '\'' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Span writes a time in ms with its unit, in three digits or four.
func Span(milliseconds float64) string {
	d := time.Duration(math.Round(milliseconds * float64(time.Millisecond)))
	unit := time.Duration(1)
	for d/unit >= 10_000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// millionths writes a quantity in millionths of its unit, large ones in thousandths.
func millionths(v float64) string {
	if math.IsNaN(v) || math.Abs(v) >= 1e9 {
		return Sensible(string(value.Double.Append(nil, v)))
	}
	decimals := 6
	if math.Abs(v) >= 1000 {
		decimals = 3
	}
	return strings.TrimRight(strings.TrimRight(Fixed(v, decimals), "0"), ".")
}

// Fixed writes a number with so many decimals; what is nothing then has no sign. web/cell.js does the same.
func Fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Measure writes a quantity of a template with its unit.
func Measure(v any, unit ...string) string {
	text := millionths(reflect.ValueOf(v).Float())
	if u := strings.Join(unit, ""); u != "" && unit[0] != "" {
		text += " " + u
	}
	return text
}

func shortened(v float64) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case size >= 1e21 || size < 1e-6:
		text := strconv.FormatFloat(v, 'e', 5, 64)
		digits, exponent, _ := strings.Cut(text, "e")
		return strings.TrimRight(strings.TrimRight(digits, "0"), ".") + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	case size < 1:
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 5, 64), 64)
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	decimals := max(3, 5-int(math.Floor(math.Log10(size))))
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', decimals, 64), "0"), ".")
}
