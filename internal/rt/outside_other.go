//go:build !linux

package rt

// Outside returns how long CPUs have worked for no thread; it is unknown here.
type Outside struct{}

// OutsideRoom is what a caller lends for reading.
type OutsideRoom struct{}

// NewOutside returns one that knows nothing.
func NewOutside() *Outside { return new(Outside) }

// Close does nothing.
func (*Outside) Close() error { return nil }

// Time says that it is not known.
func (*Outside) Time(int, *OutsideRoom) (ns int64, known bool) { return 0, false }

// Blur is how inexact that is.
func (*Outside) Blur() int64 { return 0 }
