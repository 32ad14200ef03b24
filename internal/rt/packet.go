package rt

import "errors"

// ErrDown is that an interface is there and not in use.
var ErrDown = errors.New("it is down")
