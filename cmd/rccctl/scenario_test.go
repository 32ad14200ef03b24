package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/softrobot-rcc/rccd/internal/doctor"
)

// TestMain makes the program available as rccctl to everything that tests execute.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rccctl": main})
}

// top is the repository.
var top = filepath.Join("..", "..")

// TestScenarios drives the real program by scripts. Beside the commands of testscript they have
//
//	points json|text COMMAND…    a report of the doctor has every point, and the exit code that belongs to it
//	serve ARGS…                  executes rccd and waits for its ready line; its address is in $URL
//	load FILE                    loads a net there
//	post PATH                    commands the daemon something that this program has no word for
//	rccd ARGS…                   executes rccd, which must succeed
//	fetch PATH                   writes an answer of the daemon there, as JSON
//
// and $PID, a process that lives.
func TestScenarios(t *testing.T) {
	rccd := &daemon{folder: t.TempDir()}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join(top, "testdata", "scenarios", "rccctl"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"points": pointsCommand, "serve": rccd.serveCommand, "load": loadCommand, "post": postCommand, "rccd": rccd.command, "fetch": fetchCommand,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PID", strconv.Itoa(os.Getpid()))
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

func pointsCommand(ts *testscript.TestScript, _ bool, args []string) {
	var out, log bytes.Buffer
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	code := cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || code != 0 && code != 1 || log.Len() > 0 {
		ts.Fatalf("%v: %v\n%s", args, err, log.String())
	}
	if args[0] == "json" {
		pointsInJSON(ts, out.Bytes(), code)
	} else {
		pointsInText(ts, out.String(), code)
	}
}

// names returns those of all points, which do not depend on the machine.
func names() (list []string) {
	for _, f := range doctor.Examine(os.DirFS("/"), doctor.Options{}).Findings {
		list = append(list, f.Name)
	}
	return list
}

func pointsInJSON(ts *testscript.TestScript, out []byte, code int) {
	var r doctor.Report
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	ts.Check(d.Decode(&r))
	found := map[string]bool{}
	for _, f := range r.Findings {
		found[f.Name] = true
		if f.Found == "" || f.Wanted == "" || f.Why == "" {
			ts.Fatalf("%s does not say everything", f.Name)
		}
	}
	for _, name := range names() {
		if !found[name] {
			ts.Fatalf("%s is missing", name)
		}
	}
	if r.Ready() != (code == 0) {
		ts.Fatalf("ready is %v and the exit code %d", r.Ready(), code)
	}
}

func pointsInText(ts *testscript.TestScript, out string, code int) {
	verdicts := map[string]string{}
	for line := range strings.Lines(out) {
		if words := strings.Fields(line); len(words) > 2 {
			if _, told := verdicts[words[0]]; !told {
				verdicts[words[0]] = words[1]
			}
		}
	}
	needed := false
	for _, name := range names() {
		var v doctor.Verdict
		if err := v.UnmarshalText([]byte(verdicts[name])); err != nil {
			ts.Fatalf("%s: %v in\n%s", name, err, out)
		}
		needed = needed || v == doctor.Needed
	}
	if needed != (code == 1) {
		ts.Fatalf("needed is %v and the exit code %d", needed, code)
	}
}
