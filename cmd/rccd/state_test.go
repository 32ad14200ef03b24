package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/softrobot-rcc/rccd/rcc/number"
)

// TestStateOnABrokenDisk: when nothing can be written any more, the numbers that are kept are given, and no others. The log says once that it is so, and once that it
// is over.
func TestStateOnABrokenDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	lines, log := observer.New(zapcore.InfoLevel)
	s, err := openState(dir, zap.New(lines))
	if err != nil {
		t.Fatal(err)
	}
	inTheWay := filepath.Join(dir, numbersFile+".new")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	for want := range number.Block {
		if n, err := s.numbers.Take(number.Net); n != want || err != nil {
			t.Fatal(n, err)
		}
	}
	for range 3 {
		if n, err := s.numbers.Take(number.Net); err == nil || !strings.Contains(err.Error(), inTheWay) {
			t.Error(n, err)
		}
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if n, err := s.numbers.Take(number.Net); n != number.Block || err != nil {
		t.Error(n, err)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if log.Len() != 2 || log.All()[0].Level != zapcore.WarnLevel || log.All()[1].Level != zapcore.InfoLevel {
		t.Error(log.All())
	}
	left, err := readNumbers(filepath.Join(dir, numbersFile))
	if want := (number.Counts{number.Net: number.Block + 1, number.Session: 1}); left != want || err != nil {
		t.Error(left, err)
	}
}

// TestWritesInARow writes again as soon as the write before has returned: the disk is free then.
func TestWritesInARow(t *testing.T) {
	s, err := openState(filepath.Join(t.TempDir(), "state"), zap.NewNop())
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2000 {
		if err := s.write(number.Counts{number.Net: n}); err != nil {
			t.Fatalf("write %d: %v", n, err)
		}
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

// FuzzNumbersFile: whatever is in the file, numbers come from it, or one error on a line.
func FuzzNumbersFile(f *testing.F) {
	for _, text := range []string{
		`{"nets":1,"sessions":2,"rules":3}`, "", "{}", `{"nets":1,"sessions":2,"rules":3}x`, `{"nets":1,"sessions":2,"rules":3}}`, `{"nets":1e99,"sessions":2,"rules":3}`,
		`{"nets":1,"sessions":2,"rules":3,"more":4}`, "\x00\x00", strings.Repeat("1", 10000),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), numbersFile)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := readNumbers(name)
		for _, first := range n {
			if first < 0 || first > largestNumber {
				t.Errorf("%d", n)
			}
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x00") {
			t.Errorf("%v", err)
		}
	})
}
