package facts

import (
	"time"
)

// LogLine is a line of the daemon's log. Its texts have no control characters, so that a name cannot begin a line.
type LogLine struct {
	Number  uint64 // counts all lines, also those that are not kept any more
	Time    time.Time
	Level   string
	Message string
	Fields  string // JSON, empty without any
}

// String returns the line as text.
func (l LogLine) String() string {
	text := stamp(l.Time) + " " + l.Level + " " + l.Message
	if l.Fields != "" {
		text += " " + l.Fields
	}
	return text
}

// LogEntry is a line of the log.
type LogEntry struct {
	Number  uint64 `json:"number"`
	Time    string `json:"time"`
	Level   string `json:"level"`
	Message string `json:"message"`
	Fields  string `json:"fields,omitempty"`
}

// LogEntryOf describes a line of the log.
func LogEntryOf(l LogLine) LogEntry {
	return LogEntry{l.Number, stamp(l.Time), l.Level, l.Message, l.Fields}
}

// stamp returns a time for people. Milliseconds are as fine as they read.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Class returns the style of a line's level.
func (l LogEntry) Class() string {
	switch l.Level {
	case "ERROR", "FATAL", "PANIC", "DPANIC":
		return "bad"
	case "WARN":
		return "busy"
	}
	return "calm"
}
