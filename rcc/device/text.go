package device

import "strconv"

// Counted returns a number and what there are so many of.
func Counted[N ~int | ~int64 | ~uint64](n N, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + more
}
