// Package leak finds goroutines that outlive what has started them.
package leak

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a package; goroutines that are left then fail it.
func Main(m *testing.M) {
	code := m.Run()
	if err := patiently(look); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, "goroutines are left:", err)
		code = 1
	}
	os.Exit(code)
}

// None fails a test when goroutines are left.
func None(t testing.TB) {
	t.Helper()
	if err := patiently(look); err != nil {
		t.Error(err)
	}
}

func look() error { return goleak.Find() }

// patiently looks again while there is something to see. One look of goleak gives goroutines less than half a second to
// come to their end, which on a busy machine is not enough for those that are about to; one that has been lost is still
// there after a hundred looks.
func patiently(look func() error) (err error) {
	for range 100 {
		if err = look(); err == nil {
			break
		}
	}
	return err
}
