//go:build !linux

package rt

import "os"

// TerminalSize returns how many columns and rows a terminal has; here nobody tells what is one.
func TerminalSize(*os.File) (columns, rows int, ok bool) { return 0, 0, false }

// TerminalKeys lets a terminal hand over each key at once.
func TerminalKeys(*os.File) (restore func(), err error) { return nil, errSystem }
