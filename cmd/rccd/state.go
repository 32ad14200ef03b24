package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/number"
)

// Files in the folder of a daemon.
const (
	lockFile    = "lock"    // of the one daemon that uses the folder
	markFile    = "running" // is there while a daemon runs: one that is found at the start is from a daemon that has not ended in order
	numbersFile = "numbers" // below which none is given any more
)

// stateFolder is where the daemon keeps what it needs after a restart.
type stateFolder struct {
	dir     string       // empty without a folder
	orderly bool         // the end before; without a folder it counts as orderly
	numbers *number.Book // nil without a folder: they start from 0

	log     *zap.Logger
	release func() error
	disk    disk
	failing bool // numbers could not be kept, the last time
}

// stateDirectory returns the folder that systemd has made for the service (StateDirectory=), the first one of several.
func stateDirectory() string {
	first, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":")
	return first
}

// openState looks how the daemon has ended before, and marks the folder. With an error it has not changed anything that another daemon needs.
func openState(dir string, log *zap.Logger) (*stateFolder, error) {
	s := &stateFolder{dir: dir, orderly: true, log: log, disk: newDisk()}
	if dir == "" {
		return s, nil
	}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	return s, nil
}

func (s *stateFolder) open() error {
	if err := makeFolder(s.dir); err != nil {
		return err
	}
	var err error
	if s.release, err = rt.LockFile(s.file(lockFile)); err != nil {
		if errors.Is(err, rt.ErrLocked) {
			return fmt.Errorf("%s: another rccd uses this folder; each needs its own", s.dir)
		}
		return err
	}
	if err := s.read(); err != nil {
		return errors.Join(err, s.release())
	}
	return nil
}

// read reads what the daemon before has left, and marks the folder.
func (s *stateFolder) read() error {
	first, err := readNumbers(s.file(numbersFile))
	if err != nil {
		return err
	}
	if s.numbers, err = number.Open(first, s.keep); err != nil {
		return err
	}
	_, err = os.Stat(s.file(markFile))
	s.orderly = errors.Is(err, fs.ErrNotExist)
	return writeThrough(s.file(markFile), "rccd runs, or has not ended in order\n")
}

func (s *stateFolder) file(name string) string { return filepath.Join(s.dir, name) }

// close says that this was an orderly end: numbers go on without a gap, and the mark is taken away.
func (s *stateFolder) close() error {
	if s.dir == "" {
		return nil
	}
	if err := s.numbers.Close(); err != nil {
		s.log.Warn("numbers are not saved exactly; some will be skipped", zap.Error(err))
	}
	return errors.Join(os.Remove(s.file(markFile)), s.release())
}

// giveUp restores everything, for a daemon that has not begun.
func (s *stateFolder) giveUp() {
	if s.orderly {
		_ = s.close()
	}
}

// numbersOf is the file with the numbers. All of them must be there, so that half of a file is none.
type numbersOf struct {
	Nets     *int `json:"nets"`
	Sessions *int `json:"sessions"`
	Rules    *int `json:"rules"`
}

// largestNumber is far more than is ever used, and far from overflow.
const largestNumber = 1 << 52

// readNumbers returns the first unused numbers.
func readNumbers(name string) (number.Counts, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return number.First(), nil
	}
	if err != nil {
		return number.Counts{}, err
	}
	text, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err = errors.Join(err, f.Close()); err != nil {
		return number.Counts{}, err
	}
	var n numbersOf
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	valid := func(is *int) bool { return is != nil && *is >= 0 && *is <= largestNumber }
	err = d.Decode(&n)
	if _, more := d.Token(); err != nil || !errors.Is(more, io.EOF) || !valid(n.Nets) || !valid(n.Sessions) || !valid(n.Rules) {
		return number.Counts{}, fmt.Errorf("%s: this is not what rccd has written: %.60q; put into it the first numbers that no client has been given, "+
			`such as {"nets":10000,"sessions":10000,"rules":10000}`, name, text)
	}
	return number.Counts{number.Net: *n.Nets, number.Session: *n.Sessions, number.Rule: *n.Rules}, nil
}

// diskTime is how long a disk may take for a few bytes. Nothing that runs waits for it.
const diskTime = 5 * time.Second

var errDisk = errors.New("the disk does not answer")

// keep writes numbers. It does not wait for ever, and never writes twice at a time.
func (s *stateFolder) keep(c number.Counts) error {
	err := s.write(c)
	if failing := err != nil; failing != s.failing {
		s.failing = failing
		if failing {
			s.log.Warn("numbers of nets, sessions and rules cannot be saved; new ones are refused when the saved ones are used up", zap.Error(err))
		} else {
			s.log.Info("numbers of nets, sessions and rules are saved again")
		}
	}
	return err
}

func (s *stateFolder) write(c number.Counts) error {
	return s.disk.do(s.file(numbersFile), func() error {
		text, err := json.Marshal(numbersOf{&c[number.Net], &c[number.Session], &c[number.Rule]})
		if err != nil {
			return err
		}
		return replace(s.file(numbersFile), string(text)+"\n")
	})
}

// disk is a disk that may not answer. One thing at a time is written by each.
type disk struct {
	writing chan struct{} // has room for one
}

func newDisk() disk { return disk{make(chan struct{}, 1)} }

// do writes a file. A write that takes too long goes on, and nothing else is written before it has ended.
func (d disk) do(name string, write func() error) error {
	select {
	case d.writing <- struct{}{}:
	default:
		return fmt.Errorf("%s: %w", name, errDisk)
	}
	written := make(chan error, 1)
	guard.Contain("a file on disk", func() { written <- d.now(write) })
	select {
	case err := <-written:
		return err
	case <-time.After(diskTime):
		return fmt.Errorf("%s: %w within %v", name, errDisk, diskTime)
	}
}

// now writes, and then lets the next one write.
func (d disk) now(write func() error) error {
	defer func() { <-d.writing }()
	return write()
}

// makeFolder makes a folder that is there after a power failure.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

// replace puts a file in the place of another one: after a power failure one of the two is there as a whole.
func replace(name, text string) error {
	if err := writeFile(name+".new", text); err != nil {
		return err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(name))
}

// writeThrough writes a file that is there after a power failure.
func writeThrough(name, text string) error {
	if err := writeFile(name, text); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(name))
}

func writeFile(name, text string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
