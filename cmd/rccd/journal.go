package main

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.uber.org/zap/zapcore"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

// Limits of the log that is kept for /log/.
const (
	journalLines = 2000
	journalBytes = 1 << 20
	journalLine  = 4 << 10
)

// journal is a core of the log that keeps the newest lines.
type journal struct {
	zapcore.LevelEnabler
	with []zapcore.Field
	*kept
}

// kept are the lines, under all cores that have been made of the first one.
type kept struct {
	mu    sync.Mutex
	lines []facts.LogLine
	bytes int
	next  uint64
}

func newJournal(level zapcore.LevelEnabler) *journal {
	return &journal{LevelEnabler: level, kept: &kept{next: 1}}
}

// With returns a core with more fields.
func (j *journal) With(fields []zapcore.Field) zapcore.Core {
	return &journal{LevelEnabler: j.LevelEnabler, with: slices.Concat(j.with, fields), kept: j.kept}
}

// Check adds the core to those that log the entry.
func (j *journal) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if j.Enabled(e.Level) {
		return ce.AddCore(e, j)
	}
	return ce
}

// Write keeps a line.
func (j *journal) Write(e zapcore.Entry, fields []zapcore.Field) error {
	text, err := zapcore.NewJSONEncoder(zapcore.EncoderConfig{}).EncodeEntry(zapcore.Entry{}, slices.Concat(j.with, fields))
	if err != nil {
		return err
	}
	members := strings.TrimSpace(text.String())
	text.Free()
	if members == "{}" {
		members = ""
	}
	j.keep(facts.LogLine{Time: e.Time, Level: e.Level.CapitalString(), Message: oneLine(e.Message), Fields: oneLine(members)})
	return nil
}

// Sync does nothing.
func (j *journal) Sync() error { return nil }

func (k *kept) keep(l facts.LogLine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l.Number = k.next
	k.next++
	k.lines = append(k.lines, l)
	k.bytes += sizeOf(l)
	for len(k.lines) > journalLines || k.bytes > journalBytes {
		k.bytes -= sizeOf(k.lines[0])
		k.lines[0] = facts.LogLine{}
		k.lines = k.lines[1:]
	}
}

func sizeOf(l facts.LogLine) int { return len(l.Message) + len(l.Fields) + 100 }

// Lines returns the kept lines, the oldest first.
func (k *kept) Lines() []facts.LogLine {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.lines)
}

// After returns the lines with higher numbers that are kept, the oldest first.
func (k *kept) After(number uint64) []facts.LogLine {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.lines[len(k.lines)-int(min(uint64(len(k.lines)), max(k.next-1, number)-number)):])
}

// oneLine makes sure that what has come from outside neither begins a line nor commands a terminal, and bounds it.
func oneLine(text string) string {
	if len(text) > journalLine {
		text = strings.ToValidUTF8(text[:journalLine], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(text, "·"))
}
