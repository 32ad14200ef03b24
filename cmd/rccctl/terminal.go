package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Control sequences. Every terminal in use understands them.
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	noWrap     = "\x1b[?7l" // characters that are wider than they are thought to be do not begin a line
	wrap       = "\x1b[?7h"
	clearLine  = "\x1b[K"
	clearBelow = "\x1b[J"
	upFormat   = "\x1b[%dA"
)

// redraw draws over what it has drawn before.
type redraw struct {
	out   io.Writer
	lines int // that were drawn
}

func (d *redraw) begin() error {
	_, err := io.WriteString(d.out, hideCursor+noWrap)
	return err
}

// end leaves the terminal as it was, with the last lines on it.
func (d *redraw) end() { _, _ = io.WriteString(d.out, wrap+showCursor) }

// draw writes all in one piece, so that nothing flickers.
func (d *redraw) draw(lines []string) error {
	var b strings.Builder
	if d.lines > 0 {
		fmt.Fprintf(&b, upFormat, d.lines)
	}
	for _, line := range lines {
		b.WriteString("\r" + line + clearLine + "\n")
	}
	b.WriteString(clearBelow)
	d.lines = len(lines)
	_, err := io.WriteString(d.out, b.String())
	return err
}

// sizeOf returns the size of of a terminal. One that does not know has the usual one.
func sizeOf(f *os.File) (columns, rows int) {
	columns, rows, _ = rt.TerminalSize(f)
	if columns <= 0 || rows <= 0 {
		return usualWidth, usualHeight
	}
	return columns, rows
}

// endOfInput is what Ctrl-D sends.
const endOfInput = 4

// quitKeys returns a channel that is closed when q is pressed, if there is a keyboard. Afterwards restore has to be called.
func quitKeys(in io.Reader) (pressed <-chan struct{}, restore func()) {
	nothing := func() {}
	keyboard, is := terminal(in)
	if !is {
		return nil, nothing
	}
	restore, err := rt.TerminalKeys(keyboard)
	if err != nil {
		return nil, nothing
	}
	quit := make(chan struct{})
	go func() { // it ends with the program: nothing else ends reading from a keyboard
		var key [1]byte
		for {
			n, err := keyboard.Read(key[:])
			if err != nil {
				return
			}
			if n == 1 && (key[0] == 'q' || key[0] == 'Q' || key[0] == endOfInput) {
				close(quit)
				return
			}
		}
	}()
	return quit, restore
}
