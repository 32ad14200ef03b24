//go:build unix

package rt

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// LockFile takes a file for this process alone, until the process ends, whatever ends it, or release is called. It makes the file when it is not there.
func LockFile(name string) (release func() error, err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: name, Err: err}, f.Close())
	}
	return f.Close, nil
}
