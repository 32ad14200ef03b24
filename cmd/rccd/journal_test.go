package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

func TestJournalKeepsTheNewest(t *testing.T) {
	j := newJournal(zapcore.InfoLevel)
	log := zap.New(j).With(zap.String("peer", "me"))
	log.Debug("not wanted")
	for i := range journalLines + 10 {
		log.Info("line", zap.Int("i", i))
	}
	lines := j.Lines()
	if len(lines) != journalLines || lines[0].Number != 11 {
		t.Fatalf("%d lines from %d", len(lines), lines[0].Number)
	}
	last := lines[len(lines)-1]
	if text := last.String(); !strings.HasSuffix(text, fmt.Sprintf(` INFO line {"peer":"me","i":%d}`, journalLines+9)) {
		t.Errorf("%s", text)
	}
}

func TestJournalAfter(t *testing.T) {
	j := newJournal(zapcore.InfoLevel)
	for range journalLines + 10 {
		zap.New(j).Info("line")
	}
	for after, want := range map[uint64]int{0: journalLines, 10: journalLines, 11: journalLines - 1, journalLines + 9: 1, journalLines + 10: 0, 1 << 60: 0} {
		lines := j.After(after)
		if len(lines) != want || want > 0 && lines[0].Number != max(after, 10)+1 {
			t.Errorf("after %d there are %d, want %d", after, len(lines), want)
		}
	}
}

func TestJournalIsBounded(t *testing.T) {
	j := newJournal(zapcore.InfoLevel)
	for range 300 {
		zap.New(j).Info(strings.Repeat("m", 1<<20), zap.String("k", strings.Repeat("v", 1<<20)))
	}
	sum := 0
	for _, l := range j.Lines() {
		sum += sizeOf(l)
	}
	if sum > journalBytes || len(j.Lines()) < 50 {
		t.Errorf("%d bytes in %d lines", sum, len(j.Lines()))
	}
}

// TestJournalLines tries to begin lines, and to command terminals, with what comes from outside.
func TestJournalLines(t *testing.T) {
	j := newJournal(zapcore.InfoLevel)
	for _, evil := range []string{"a\nERROR forged", "a\r\nb", "\x1b[31mred", "\u009b31m", "a\u2028b", "\u202egnp.exe", "\xff\xfe", "\x00", "\u007f"} {
		zap.New(j).Info(evil, zap.String("net", evil), zap.String(evil, "k"))
	}
	for _, l := range j.Lines() {
		for _, r := range l.String() {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' {
				t.Errorf("%U in %q", r, l.String())
			}
		}
	}
}

func TestJournalHammer(t *testing.T) {
	j := newJournal(zapcore.InfoLevel)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for i := range 2000 {
				zap.New(j).Info("line", zap.Int("i", i))
				if i%100 == 0 {
					j.Lines()
				}
			}
		})
	}
	writers.Wait()
	lines := j.Lines()
	for i, l := range lines {
		if l.Number != lines[0].Number+uint64(i) {
			t.Fatalf("line %d has number %d", i, l.Number)
		}
	}
	if lines[len(lines)-1].Number != 8000 {
		t.Errorf("the last line is %d", lines[len(lines)-1].Number)
	}
}
