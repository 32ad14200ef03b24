// Package suggest finds what somebody may have meant who wrote a name that does not exist.
package suggest

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Names from outside may be long and many; the work for a hint is bounded all the same.
const longest, most = 64, 2000

// DidYouMean returns a hint for the end of an error text, naming the candidate that is most like name, or nothing.
func DidYouMean(name string, candidates iter.Seq[string]) string {
	if best := Nearest(name, candidates); best != "" {
		return fmt.Sprintf(", did you mean %s?", best)
	}
	return ""
}

// Nearest returns the candidate that is most like name, or nothing if none is like it.
func Nearest(name string, candidates iter.Seq[string]) string {
	if len(name) > longest {
		return ""
	}
	best, least, seen := "", min(len(name)/3+2, len(name)), 0 // a name of one letter is like any other
	for c := range candidates {
		if seen++; seen > most {
			break
		}
		if strings.EqualFold(c[strings.LastIndex(c, ":")+1:], name) {
			return c // a type without its extension
		}
		if len(c) > longest || abs(len(c)-len(name)) >= least {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// Slip finds the word that a name is when one letter is too much, missing or wrong, or two have changed places; none if there
// is no such word. Short names are like each other too easily.
func Slip(name string, words []string) string {
	if len(name) < leastSlip {
		return ""
	}
	name = strings.ToLower(name)
	at := slices.IndexFunc(words, func(w string) bool {
		return len(w) >= leastSlip && abs(len(w)-len(name)) <= 1 && (distance(name, w) < 2 || swapped(name, w))
	})
	if at < 0 {
		return ""
	}
	return words[at]
}

const leastSlip = 4

// swapped tells words that are the same except for two neighbours that have changed places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// distance counts the letters to insert, remove or exchange to make a into b.
func distance(a, b string) int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	row := make([]int, len(b)+1)
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			exchange := above[j]
			if a[i] != b[j] {
				exchange++
			}
			row[j+1] = min(exchange, above[j+1]+1, row[j]+1)
		}
		above, row = row, above
	}
	return above[len(b)]
}

func abs(n int) int { return max(n, -n) }
