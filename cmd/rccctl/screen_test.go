package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	dio "github.com/softrobot-rcc/rccd/directio/client"
)

var update = flag.Bool("update", false, "write golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, got, want)
	}
}

// busyScreen has values of all kinds.
func busyScreen() *screen {
	s := newScreen(&netView{netEntry: netEntry{Name: "rpinet7", State: "RUNNING", Description: "pick and\nplace", Cycle: "2ms"}})
	s.tick = dio.Tick{Cycle: 1234, Time: time.Unix(1_000_000_000, 12_999_999)}
	s.stats = &statistics{Cycles: 123456, Late: 3, Missed: 1}
	s.stats.Execution.Mean, s.stats.Execution.Max = 0.0044, 0.08312
	s.set("outframe", "{pos:{x:1,y:2,z:3},rot:{a:0,b:0,c:0}}")
	s.set("outbad", "a\x1b[2Jb\u009bc\u202ed")
	s.set("outlong", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33]")
	s.set("out_a_key_that_is_longer_than_there_is_room_for_it", "1")
	for i := range 60 {
		s.set("outramp", fmt.Sprint(i))
		s.set("outconstant", "42")
		s.set("outdone", fmt.Sprint(i%8 > 3))
		s.set("outedge", []string{"nan", "-inf", "0", "+inf", "1e308", "-1e308", "0.5"}[i%7])
		if i == 30 {
			s.set("outlate", "0.30000000000000004")
		}
		s.sample()
	}
	return s
}

func TestScreen(t *testing.T) {
	for _, size := range []struct{ columns, rows int }{{100, 30}, {60, 8}, {30, 30}, {8, 2}} {
		name := fmt.Sprintf("screen-%dx%d", size.columns, size.rows)
		t.Run(name, func(t *testing.T) {
			lines := busyScreen().lines(size.columns, size.rows)
			for _, line := range lines {
				if utf8.RuneCountInString(line) > size.columns {
					t.Errorf("too long: %s", line)
				}
			}
			if len(lines) > size.rows {
				t.Errorf("%d lines", len(lines))
			}
			golden(t, name, strings.Join(lines, "\n")+"\n")
		})
	}
}

// TestScreenOfAnySize: there is no size for which it cannot be drawn.
func TestScreenOfAnySize(t *testing.T) {
	s := busyScreen()
	for columns := range 90 {
		for rows := range 20 {
			if lines := s.lines(columns, rows); len(lines) > max(rows-1, 1) {
				t.Fatalf("%d lines for %dx%d", len(lines), columns, rows)
			}
		}
	}
	if lines := newScreen(&netView{}).lines(80, 24); len(lines) != 1 {
		t.Errorf("a net without values: %q", lines)
	}
}
