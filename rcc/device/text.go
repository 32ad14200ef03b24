package device

import "strconv"

// Counted returns a number and the counted word, in singular or plural.
func Counted[N ~int | ~int64 | ~uint64](n N, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + more
}
