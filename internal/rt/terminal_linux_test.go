package rt

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal: keys are typed into the first file, the program has the second one.
func terminal(t *testing.T) (keys, program *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("skip: no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	fd := int(keys.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("skip: no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return keys, program
}

func TestTerminalSize(t *testing.T) {
	_, program := terminal(t)
	if err := unix.IoctlSetWinsize(int(program.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 101, Row: 33}); err != nil {
		t.Fatal(err)
	}
	if columns, rows, ok := TerminalSize(program); !ok || columns != 101 || rows != 33 {
		t.Error(columns, rows, ok)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, _, ok := TerminalSize(file); ok {
		t.Error("a file is a terminal")
	}
	if _, err := TerminalKeys(file); err == nil {
		t.Error("a file has keys")
	}
}

// TestTerminalKeys: a key arrives without a line's end, and afterwards the terminal is as it was.
func TestTerminalKeys(t *testing.T) {
	keys, program := terminal(t)
	before, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	restore, err := TerminalKeys(program)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	var got [8]byte
	if n, err := program.Read(got[:]); err != nil || string(got[:n]) != "q" {
		t.Error(n, err)
	}
	restore()
	after, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	if err != nil || *after != *before {
		t.Error(err, after)
	}
}
