package device

// Diary is a device that reports what has happened to it, for the log.
type Diary interface {
	// Diary returns the newest entries, the oldest first. An entry does not change, so that it can be logged once. It may be called
	// after Close, which often adds the last one (any).
	Diary() []string
}
