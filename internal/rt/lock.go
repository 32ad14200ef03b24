package rt

import "errors"

// ErrLocked is returned when another process holds the lock of a file.
var ErrLocked = errors.New("another process has it")
