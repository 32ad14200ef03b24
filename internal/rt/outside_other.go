//go:build !linux

package rt

// Outside returns how long CPUs have worked for no thread; it is unknown here.
type Outside struct{}

// OutsideRoom is a caller's buffer for reading.
type OutsideRoom struct{}

// NewOutside returns counters that are unknown.
func NewOutside() *Outside { return new(Outside) }

// Close does nothing.
func (*Outside) Close() error { return nil }

// Time returns that it is unknown.
func (*Outside) Time(int, *OutsideRoom) (ns int64, known bool) { return 0, false }

// Blur returns 0.
func (*Outside) Blur() int64 { return 0 }
