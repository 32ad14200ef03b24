package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stateFolder is where the daemon keeps what it needs after a restart. That is a mark so far, which is there while the daemon runs: one
// that it finds when it starts is from a daemon that has not ended in order.
type stateFolder struct {
	mark    string // file, empty without a folder
	orderly bool   // the end before; without a folder it counts as orderly
}

// stateDirectory is the folder that systemd has made for the service (StateDirectory=), the first one of several.
func stateDirectory() string {
	first, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":")
	return first
}

// openState looks how the daemon has ended before, and marks the folder.
func openState(dir string) (*stateFolder, error) {
	if dir == "" {
		return &stateFolder{orderly: true}, nil
	}
	s := &stateFolder{mark: filepath.Join(dir, "running")}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		_, err = os.Stat(s.mark)
		s.orderly = errors.Is(err, fs.ErrNotExist)
		err = writeThrough(s.mark, "rccd runs, or has not ended in order\n")
	}
	if err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	return s, nil
}

// writeThrough writes a file that is there after a power failure.
func writeThrough(name, text string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// close takes the mark away: this was an orderly end.
func (s *stateFolder) close() error {
	if s.mark == "" {
		return nil
	}
	return os.Remove(s.mark)
}

// giveUp leaves everything as it was found, by a daemon that has not begun.
func (s *stateFolder) giveUp() {
	if s.orderly {
		_ = s.close()
	}
}
