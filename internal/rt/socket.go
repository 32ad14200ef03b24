package rt

// Reception is how waiting for a datagram has ended.
type Reception uint8

// Receptions.
const (
	Received Reception = iota
	TimedOut
	Stopped // nothing will be received any more
)

// Datagram describes one that was received. Its instants are of the clock that was used for waiting.
type Datagram struct {
	Length   int // of all of it, also when that is more than the room for it
	From     Address
	Arrived  int64 // as the kernel says, however late the thread was woken; where it does not say, the same as Taken
	Taken    int64 // when the thread had it
	InKernel bool  // Arrived is of the kernel
}
