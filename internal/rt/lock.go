package rt

import "errors"

// ErrLocked is that another process has a file for itself alone.
var ErrLocked = errors.New("another process has it")
