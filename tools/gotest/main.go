// Command gotest runs go test and prints what a person wants to read of it: the line of each package, and of each test that
// failed at most 40 lines, which end with the command that repeats it. The last line counts the tests.
//
//	gotest [-known FILE] ARGUMENTS OF go test
//
// FILE lists tests that are known to fail now and then; see known.go. Nothing is ever run twice.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

func main() {
	file, args := split(os.Args[1:])
	ok, err := run(file, args, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// split takes the file of known flakes from in front of the arguments of go test, whose flags are not looked at.
func split(args []string) (file string, rest []string) {
	if len(args) > 1 && args[0] == "-known" {
		return args[1], args[2:]
	}
	return "", args
}

// run reports whether everything passed that is not a known flake.
func run(file string, args []string, out io.Writer) (ok bool, err error) {
	known, err := readKnown(file, time.Now())
	if err != nil {
		return false, err
	}
	cmd := exec.CommandContext(context.Background(), "go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	r := newReport(out, known)
	err = r.readAll(pipe)
	ended := cmd.Wait()
	if err != nil {
		return false, err
	}
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		return false, ended
	}
	return r.conclude(ended == nil), nil
}

// readAll takes the events of go test. A line that is not one, such as a message of the go command, is printed as it is.
func (r *report) readAll(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				r.take(&e)
			} else {
				_, _ = r.out.Write(line)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
