package rt

import "time"

// Usage is the resources that the process uses.
type Usage struct {
	Started  time.Time     // nearly: before that nothing of the program runs
	CPU      time.Duration // of all threads, in the program and in the system on its behalf
	Resident uint64        // bytes of memory in use, shared ones included
	Virtual  uint64        // bytes of addresses
	Threads  int
	Files    int    // descriptors that are open
	MaxFiles uint64 // that may be
}

var started = time.Now()
