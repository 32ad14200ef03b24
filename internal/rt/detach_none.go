//go:build !linux || !(amd64 || arm64) || !go1.26 || go1.28 || race

package rt

import (
	"fmt"
	"runtime"
)

// Detachable reports why threads of this program cannot be detached.
func Detachable() error {
	return fmt.Errorf("%w: %s on %s/%s, or the race detector, has not been measured",
		ErrDetach, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (t Thread) detach(func()) error { return Detachable() }
