// Package rt has what the daemon needs of the operating system and of the machine: clocks, sleeping to an instant, and
// waking a goroutine from the cycle. It is the only package that imports unsafe or makes system calls, and the only one from which
// the core learns the time.
//
// Instants are int64 nanoseconds since the zero of their Clock. The grid of the scheduler lies on that zero
// (architecture: the path of a net).
package rt
