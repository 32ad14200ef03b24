package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// setupsFolder is where setups of scopes are, in the folder of the daemon.
const (
	setupsFolder = "scopes"
	setupsEnding = ".json"
)

// setupFolder keeps setups of scopes as files.
type setupFolder struct {
	dir  string
	disk disk
}

// setups opens the setups of scopes, in memory if the daemon has no folder.
func (s *stateFolder) setups() (*scope.Store, error) {
	if s.dir == "" {
		return scope.OpenStore(nil)
	}
	return scope.OpenStore(&setupFolder{dir: s.file(setupsFolder), disk: newDisk()})
}

// All reads the files. Whatever else is in the folder is left alone.
func (f *setupFolder) All() (map[string][]byte, error) {
	texts := map[string][]byte{}
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return texts, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ours := strings.CutSuffix(e.Name(), setupsEnding)
		if !ours || !e.Type().IsRegular() || len(texts) == scope.MostSetups {
			continue
		}
		text, err := readFile(filepath.Join(f.dir, e.Name()), scope.LargestSetup+1)
		if err != nil {
			return nil, err
		}
		texts[name] = text
	}
	return texts, nil
}

// readFile reads the beginning of a file.
func readFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	return text, errors.Join(err, f.Close())
}

func (f *setupFolder) file(name string) string { return filepath.Join(f.dir, name+setupsEnding) }

// Replace writes a setup, so that after a power failure it is there as a whole, before or after.
func (f *setupFolder) Replace(name string, text []byte) error {
	return f.disk.do(f.file(name), func() error {
		if err := makeFolder(f.dir); err != nil {
			return err
		}
		return replace(f.file(name), string(text))
	})
}

// Remove deletes the file of a setup. A file that has gone already counts as deleted.
func (f *setupFolder) Remove(name string) error {
	return f.disk.do(f.file(name), func() error {
		if err := os.Remove(f.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return syncFolder(f.dir)
	})
}
