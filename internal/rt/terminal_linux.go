package rt

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalSize returns how many columns and rows a terminal has; not ok for what is none. One that does not know has zero.
func TerminalSize(f *os.File) (columns, rows int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, false
	}
	return int(size.Col), int(size.Row), true
}

// TerminalKeys lets a terminal hand over each key at once and without showing it, until restore is called. Keys that end
// a program still do.
func TerminalKeys(f *os.File) (restore func(), err error) {
	fd := int(f.Fd())
	before, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil, os.NewSyscallError("tcgetattr", err)
	}
	raw := *before
	raw.Lflag &^= unix.ICANON | unix.ECHO
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &raw); err != nil {
		return nil, os.NewSyscallError("tcsetattr", err)
	}
	return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, before) }, nil // a terminal that is gone needs nothing
}
