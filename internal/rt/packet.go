package rt

import "errors"

// ErrDown is returned for an interface that exists and is down.
var ErrDown = errors.New("it is down")
