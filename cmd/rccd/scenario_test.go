package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScenarios drives the real program by scripts. Beside the commands of testscript they have
//
//	serve ARGS…         executes rccd, or $PROGRAM, and waits for its ready line; its address is in $URL
//	signal NAME         to the daemon: TERM, INT, KILL, STOP or CONT
//	ended CODE          waits for the end of the daemon; stdout and stderr are then what it has written
//	logged PATTERN      waits until the daemon has logged something like it
//	get PATH [ACCEPT]   an HTTP request; status and body become stdout
//	post PATH [FILE]    posts a file as plain text, or as XML or a form when it ends with .xml or .form; status, location and body become stdout
//	talk FILE           performs an exchange over DirectIO
//	rccctl ARGS…        executes rccctl, which talks to the daemon
func TestScenarios(t *testing.T) {
	rccctl := client(clients.path(t, "rccctl"))
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "scenarios"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": serveCommand, "signal": signalCommand, "ended": endedCommand, "logged": loggedCommand,
			"get": getCommand, "post": postCommand, "talk": talkCommand, "rccctl": rccctl.command,
		},
		Setup: func(env *testscript.Env) error {
			env.Values[daemonKey{}] = new(running)
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// running is the daemon of a script.
type running struct {
	*process
}

type daemonKey struct{}

func daemonOf(ts *testscript.TestScript) *running {
	r := ts.Value(daemonKey{}).(*running)
	if r.process == nil {
		ts.Fatalf("nothing is served yet")
	}
	return r
}

func serveCommand(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithCancel(context.Background())
	p, err := beginProgram(ctx, cmp.Or(ts.Getenv("PROGRAM"), "rccd"), ts.Getenv("WORK"), args...)
	if err != nil {
		cancel()
		ts.Fatalf("%v", err)
	}
	ts.Defer(func() {
		cancel()
		<-p.ended
		ts.Logf("log of the daemon:\n%s", p.log.String())
	})
	ts.Value(daemonKey{}).(*running).process = p
	ts.Setenv("URL", p.url)
}

func signalCommand(ts *testscript.TestScript, _ bool, args []string) {
	signals := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT}
	ts.Check(daemonOf(ts).cmd.Process.Signal(signals[args[0]]))
}

func endedCommand(ts *testscript.TestScript, _ bool, args []string) {
	p := daemonOf(ts)
	_ = p.wait()
	if code := strconv.Itoa(p.cmd.ProcessState.ExitCode()); code != args[0] {
		ts.Fatalf("exit code %s instead of %s", code, args[0])
	}
	fmt.Fprint(ts.Stdout(), p.out.String())
	fmt.Fprint(ts.Stderr(), p.log.String())
}

func loggedCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(daemonOf(ts).log.await(regexp.MustCompile(args[0])))
}

func getCommand(ts *testscript.TestScript, _ bool, args []string) {
	req, err := http.NewRequest(http.MethodGet, daemonOf(ts).url+args[0], nil)
	ts.Check(err)
	if len(args) > 1 {
		req.Header.Set("Accept", args[1])
	}
	do(ts, req)
}

func postCommand(ts *testscript.TestScript, _ bool, args []string) {
	text := ""
	if len(args) > 1 {
		text = ts.ReadFile(args[1])
	}
	media := "text/plain; charset=utf-8"
	if len(args) > 1 {
		switch filepath.Ext(args[1]) {
		case ".xml":
			media = "application/xml"
		case ".form":
			media, text = "application/x-www-form-urlencoded", strings.TrimSpace(text)
		}
	}
	req, err := http.NewRequest(http.MethodPost, daemonOf(ts).url+args[0], strings.NewReader(text))
	ts.Check(err)
	req.Header.Set("Content-Type", media)
	do(ts, req)
}

func do(ts *testscript.TestScript, req *http.Request) {
	answer, err := http.DefaultTransport.RoundTrip(req) // follows nothing
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%s %s\n%s\n", answer.Status, answer.Header.Get("Location"), body)
}

// client is the path of rccctl, the program that people have for talking to the daemon.
type client string

func (c client) command(ts *testscript.TestScript, fails bool, args []string) {
	cmd := exec.Command(string(c), append([]string{"--url", daemonOf(ts).url}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	if err := cmd.Run(); (err != nil) != fails {
		ts.Fatalf("rccctl %s: %v", strings.Join(args, " "), err)
	}
}

func talkCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(play(daemonOf(ts).url, ts.ReadFile(args[0])))
}
