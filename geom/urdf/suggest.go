package urdf

import (
	"iter"
	"slices"
	"strings"
)

// longest and most bound the work for a hint: names from outside may be long and many.
const longest, most = 40, 500

// didYouMean returns a hint for the end of a message, naming the candidate that is most like name, or nothing.
func didYouMean(name string, candidates iter.Seq[string]) string {
	best, least, seen := "", min(len(name)/3+2, len(name)), 0 // a name of one letter is like any other
	if len(name) > longest {
		return ""
	}
	for c := range candidates {
		if seen++; seen > most {
			break
		}
		if len(c) > longest || max(len(c)-len(name), len(name)-len(c)) >= least {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// slip finds the word that a name is when one letter is too much, missing or wrong, or two have changed places; none if
// there is no such word. Short names are like each other too easily.
func slip(name string, words []string) string {
	if len(name) < 4 {
		return ""
	}
	name = strings.ToLower(name)
	at := slices.IndexFunc(words, func(w string) bool {
		return len(w) >= 4 && max(len(w)-len(name), len(name)-len(w)) <= 1 && (distance(name, w) < 2 || swapped(name, w))
	})
	if at < 0 {
		return ""
	}
	return words[at]
}

// swapped tells words that are the same but for two neighbours that have changed places.
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
