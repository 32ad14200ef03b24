// Package race lets tests say that they are too slow for the race detector, which makes them five to twenty times slower.
//
// make race runs every test of its packages. One that computes for long and has no goroutines of its own skips itself, with the
// reason; what it leaves to the race detector must be raced by another test.
package race

import "testing"

// Skip skips a test under the race detector. Why says what makes it slow, or which tests race the same code.
func Skip(t testing.TB, why string) {
	t.Helper()
	if Enabled {
		t.Skip("skip: too slow for the race detector: " + why)
	}
}
