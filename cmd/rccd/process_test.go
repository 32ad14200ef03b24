package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long anything may take before a test fails.
const patience = 2 * time.Minute

// TestMain makes the program available as rccd to everything that tests execute.
func TestMain(m *testing.M) {
	testscript.Main(tidily{m}, map[string]func(){"rccd": main, "rccd-tested": testedDaemon, "rccd-told": toldDaemon, "rccd-seen": seenDaemon, "rccd-bare": bareServer})
}

// process is a daemon of its own.
type process struct {
	cmd   *exec.Cmd
	url   string // from its ready line
	out   output // all of its standard output
	log   output
	ended chan struct{}
	err   error // of its end
}

// output can be looked at while it grows.
type output struct {
	mu    sync.Mutex
	b     bytes.Buffer
	grown chan struct{} // closed and renewed
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.grown != nil {
		close(o.grown)
		o.grown = nil
	}
	return o.b.Write(p)
}

// await returns when something that matches has been written.
func (o *output) await(pattern *regexp.Regexp) error {
	timeout := time.After(patience)
	for {
		o.mu.Lock()
		if o.grown == nil {
			o.grown = make(chan struct{})
		}
		text, grown := o.b.String(), o.grown
		o.mu.Unlock()
		if pattern.MatchString(text) {
			return nil
		}
		select {
		case <-grown:
		case <-timeout:
			return fmt.Errorf("nothing matches %s in\n%s", pattern, text)
		}
	}
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

var readyLine = regexp.MustCompile(`^rccd: ready (http://\S+) realtime=(full|degraded|off)$`)

// begin executes rccd in a folder and waits until it is ready.
func begin(ctx context.Context, folder string, args ...string) (*process, error) {
	return beginProgram(ctx, "rccd", folder, args...)
}

func beginProgram(ctx context.Context, program, folder string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = folder
	return beginCommand(cmd)
}

func beginCommand(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	if p.cmd.Stderr == nil {
		p.cmd.Stderr = &p.log
	}
	pipe, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(io.TeeReader(pipe, &p.out))
	first, err := lines.ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	if m := readyLine.FindStringSubmatch(strings.TrimSuffix(first, "\n")); m != nil {
		p.url = m[1]
		return p, nil
	}
	return nil, fmt.Errorf("not ready: %q, %w\n%s", first, errors.Join(err, p.end(syscall.SIGKILL)), p.log.String())
}

// end sends a signal and returns the exit code of the process.
func (p *process) end(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil {
		return err
	}
	return p.wait()
}

// wait returns nil when the process has ended with 0.
func (p *process) wait() error {
	select {
	case <-p.ended:
		return p.err
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		return errors.New("it does not end")
	}
}

// play performs an exchange over a WebSocket, written as the dissertation does: "<" before what the application says,
// ">" before what it hears. Messages must come in this order; ... stands for any text, and alone for any messages.
func play(url, exchange string) error {
	ws, answer, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http")+"/DirectIO/", nil)
	if err != nil {
		return err
	}
	_ = answer.Body.Close()
	defer ws.Close()
	skip := false
	for line := range strings.Lines(exchange) {
		said, isSaid := strings.CutPrefix(strings.TrimSpace(line), "< ")
		heard, isHeard := strings.CutPrefix(strings.TrimSpace(line), "> ")
		switch {
		case isSaid:
			err = ws.WriteMessage(websocket.TextMessage, []byte(said))
		case isHeard && heard == "...":
			skip = true
			continue
		case isHeard:
			err = hear(ws, heard, skip)
			skip = false
		case strings.TrimSpace(line) != "":
			err = fmt.Errorf("neither < nor >: %q", line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withDots finds a text in which three dots stand for any text.
func withDots(text string) *regexp.Regexp {
	return regexp.MustCompile("(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(text), `\.\.\.`, `.*`) + "$")
}

// hear reads the message that is expected, after others when they are skipped.
func hear(ws *websocket.Conn, want string, skip bool) error {
	pattern := withDots(want)
	if err := ws.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	for {
		_, got, err := ws.ReadMessage()
		switch {
		case err != nil:
			return fmt.Errorf("instead of %s: %w", want, err)
		case pattern.Match(got):
			return nil
		case !skip:
			return fmt.Errorf("heard %s\ninstead of %s", got, want)
		}
	}
}
