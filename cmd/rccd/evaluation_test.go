package main

import (
	"context"
	"encoding/xml"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The programs of the evaluation (chapter 11) are executed in short form, and in a time that passes as fast as it can be computed. How
// long anything takes is not looked at.

// TestEvaluation: the page of the evaluation shows every picture that examples have drawn for it.
func TestEvaluation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "evaluation.md"))
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Glob(filepath.Join(top, "docs", drawn, "*.svg"))
	if err != nil || len(pictures) == 0 {
		t.Fatal("no pictures", err)
	}
	for _, p := range pictures {
		if link := "](" + drawn + "/" + filepath.Base(p) + ")"; !strings.Contains(string(text), link) {
			t.Errorf("it does not show %s", link)
		}
	}
	if n := strings.Count(string(text), "]("+drawn+"/"); n != len(pictures) {
		t.Errorf("it shows %d pictures, and there are %d", n, len(pictures))
	}
}

// drawn is the folder of pictures that examples draw, below docs.
const drawn = "plots/evaluation"

// shown checks whether pictures that an example has drawn are those of the page, as far as that can be decided: what robots did
// once is never the same again.
func shown(t *testing.T, folder string) {
	t.Helper()
	pictures, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		if _, err := os.Stat(filepath.Join(top, "docs", drawn, filepath.Base(p))); err != nil {
			t.Errorf("a picture that no page shows: %v", err)
		}
		if text, err := os.ReadFile(p); err != nil || xml.Unmarshal(text, new(struct {
			XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		})) != nil || strings.Contains(string(text), "NaN") {
			t.Errorf("%s is not a picture: %v\n%s", filepath.Base(p), err, text)
		}
	}
}

// twice has motions repeated twice only: there and back.
func twice(ctx context.Context, address string, program *exec.Cmd) error {
	program.Args = append(program.Args, "-n", "2")
	return letGo(ctx, address, program)
}

// netsOfMotions: what is said of table 11.2 holds here as well. A line needs more than a motion from point to point, two lines need more than
// twice of one, all of it less than in the dissertation; and what the optimiser has left is less than what was mapped.
func netsOfMotions(t *testing.T, text string) {
	mapped, optimised := columns(t, text, "primitives, as mapped"), columns(t, text, "primitives")
	for i, of := range []string{"PTP", "LIN", "SYNC-LIN"} {
		ours, dissertation := optimised[2*i], optimised[2*i+1]
		if !(ours > 0 && ours < mapped[2*i] && ours < dissertation) {
			t.Errorf("%s: %v primitives of %v that were mapped, %v in the dissertation", of, ours, mapped[2*i], dissertation)
		}
	}
	for _, row := range [][]float64{mapped, optimised, columns(t, text, "links"), columns(t, text, "cycles")} {
		if point, line, both := row[0], row[2], row[4]; point >= line || both < line {
			t.Errorf("%v of PTP, %v of LIN, %v of SYNC-LIN", point, line, both)
		}
	}
	if mapped[4] < 2*mapped[2] {
		t.Errorf("%v primitives of two lines, %v of one", mapped[4], mapped[2])
	}
	for _, row := range []string{"avg. cycle time, ms", "min. cycle time, ms", "max. cycle time, ms"} {
		for i, v := range columns(t, text, row) {
			if i%2 == 0 && v != 2 { // in virtual time
				t.Errorf("%s: %v", row, v)
			}
		}
	}
}

// whileDeciding lets time pass as fast as it can only while the next motion waits for its turn. Otherwise the program needs some for itself.
func whileDeciding(ctx context.Context, address string, program *exec.Cmd) error {
	const thinking, waiting = "4", "max"
	speed := ""
	pass := func(at string) (err error) {
		if at != speed {
			speed = at
			_, err = told(ctx, address+"/clock", url.Values{"speed": {at}})
		}
		return err
	}
	if err := errors.Join(pass(thinking), program.Start()); err != nil {
		return err
	}
	over := make(chan error, 1)
	go func() { over <- program.Wait() }()
	for {
		rules, err := told(ctx, address+"/rules/", nil)
		at := thinking
		if strings.Contains(rules, `status="ACTIVE"`) {
			at = waiting
		}
		if err := errors.Join(err, pass(at)); err != nil {
			return err
		}
		select {
		case err := <-over:
			return err
		case <-time.After(time.Millisecond):
		}
	}
}

// mostlyInFlight: a robot that goes around does not stop by itself. How often it does for want of time is not looked at closely.
func mostlyInFlight(t *testing.T, text string) {
	stops := 0
	for line := range strings.Lines(text) {
		if _, list, some := strings.Cut(line, "with a stop at "); some {
			stops += 1 + strings.Count(list, ",")
		}
	}
	const corners = 11
	if stops > corners/2 {
		t.Errorf("%d stops at %d corners\n%s", stops, corners, text)
	}
}

// heldInPlace: the controller keeps a quadcopter near its targets, from where the air would carry it away.
func heldInPlace(t *testing.T, text string) {
	const near, far = 4, 25 // cm
	hovers := numbers(t, text, `hovers ([0-9.]+) cm`)
	for _, away := range hovers {
		if away > near {
			t.Errorf("it hovers %v cm from where it should be", away)
		}
	}
	if drifts := numbers(t, text, `alone it is ([0-9.]+) cm away`); len(hovers) != 5 || len(drifts) != 1 || drifts[0] < far {
		t.Errorf("it has been carried away %v cm, and has hovered %d times", drifts, len(hovers))
	}
}

// inStep: arms that begin in the same cycle stay in step, as far as their drives are alike. When each is started by itself one is in
// its first cycle before the other is asked for, which is why the measurement must say so.
func inStep(t *testing.T, text string) {
	cycles, within := numbers(t, text, `([0-9]+) cycles apart`), numbers(t, text, `within ([0-9.]+) mm`)
	if len(cycles) != 3 || len(within) != 3 {
		t.Fatal(text)
	}
	const asGoodAsOne = 0.1 // mm
	if cycles[0] != 0 || cycles[1] != 0 || within[0] > asGoodAsOne || within[1] > asGoodAsOne || cycles[2] == 0 || within[2] <= asGoodAsOne {
		t.Error(text)
	}
}

// together: what two arms carry is torn by none of them.
func together(t *testing.T, text string) {
	const asGoodAsOne = 0.1 // mm
	within := numbers(t, text, `within ([0-9.]+) mm`)
	if len(within) != 2 || max(within[0], within[1]) > asGoodAsOne {
		t.Error(text)
	}
}

// exact: a drawing on a board that moves is as good as the drives of both arms are alike.
func exact(t *testing.T, text string) {
	const hairline, far = 0.2, 30 // mm
	moved, within, pressed := numbers(t, text, `moves by ([0-9]+) mm`), numbers(t, text, `within ([0-9.]+) mm`), numbers(t, text, `pressed by ([0-9.]+) mm`)
	if len(moved) != 2 || len(within) != 2 || len(pressed) != 2 || moved[1] < far || max(within[0], within[1], pressed[0], pressed[1]) > hairline {
		t.Error(text)
	}
}

// numbers returns those that a pattern has found in a text.
func numbers(t *testing.T, text, pattern string) (all []float64) {
	t.Helper()
	for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Error(err)
		}
		all = append(all, v)
	}
	return all
}

// columns returns the numbers of a row of a table. Where there is none it is 0.
func columns(t *testing.T, table, row string) []float64 {
	t.Helper()
	_, rest, found := strings.Cut(table, "\n| "+row+" | ")
	if !found {
		t.Fatalf("there is no row %q in\n%s", row, table)
	}
	line, _, _ := strings.Cut(rest, " |\n")
	var numbers []float64
	for cell := range strings.SplitSeq(line, "|") {
		v, _ := strconv.ParseFloat(strings.TrimSpace(cell), 64) // 0
		numbers = append(numbers, v)
	}
	return numbers
}
