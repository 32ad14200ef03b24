//go:build unix

package rt_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// TestLockFile: a file has one owner at a time.
func TestLockFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	release, err := rt.LockFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.LockFile(name); !errors.Is(err, rt.ErrLocked) {
		t.Errorf("a second owner: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	again, err := rt.LockFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
	if _, err := rt.LockFile(filepath.Join(name, "below")); err == nil || errors.Is(err, rt.ErrLocked) {
		t.Errorf("where no file can be: %v", err)
	}
}
