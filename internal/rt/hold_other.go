//go:build !linux

package rt

import (
	"errors"
	"fmt"
	"runtime"
)

// Hold calls body on a thread of its own. CPUs and priorities there are none here.
func (t Thread) Hold(body func()) error {
	if t.CPU != AnyCPU || t.Priority != 0 {
		return fmt.Errorf("threads with a CPU or a priority: %w on %s", errors.ErrUnsupported, runtime.GOOS)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	body()
	return nil
}
