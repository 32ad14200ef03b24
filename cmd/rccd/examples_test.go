package main

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestExamples executes the programs of examples against a daemon with their cell, and compares what they write with what they say
// that they write; three dots stand for any text.
func TestExamples(t *testing.T) {
	folder := filepath.Join(top, "examples")
	sources, err := filepath.Glob(filepath.Join(folder, "*", "main.go"))
	if err != nil || len(sources) == 0 {
		t.Fatal("no examples", err)
	}
	for _, source := range sources {
		name := filepath.Base(filepath.Dir(source))
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			p, err := begin(ctx, folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml", "--clock", "virtual")
			if err != nil {
				t.Fatal(err)
			}
			var out output
			pictures := t.TempDir()
			program := exec.CommandContext(ctx, examples.path(t, name), "-rccd", p.url, "-plot", pictures)
			program.Stdout, program.Stderr = &out, &out
			meanwhile := events[name]
			if meanwhile == nil {
				meanwhile = letGo
			}
			if err := meanwhile(ctx, p.url, program); err != nil {
				t.Error(err)
			}
			if want := promise(t, source); !withDots(want).MatchString(out.String()) {
				t.Errorf("it writes\n%s\nand not\n%s", out.String(), want)
			}
			if check := checks[name]; check != nil {
				check(t, out.String())
			}
			shown(t, pictures)
			if err := p.end(syscall.SIGTERM); err != nil {
				t.Errorf("end of the daemon: %v\n%s", err, p.log.String())
			}
		})
	}
}

// promise returns what a program says that it writes: what follows "Output:" in its comment.
func promise(t *testing.T, source string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(file.Doc.Text(), "\nOutput:\n\n")
	if !found {
		t.Fatalf("%s does not say what it writes", source)
	}
	return strings.ReplaceAll("\n"+text, "\n\t", "\n")[1:]
}

// events are what has to happen in the cell while a program is executed.
var events = map[string]func(ctx context.Context, address string, program *exec.Cmd) error{
	"contact":   touch,
	"rectangle": whileDeciding,
	"table112":  twice,
}

// checks look at what is written instead of dots.
var checks = map[string]func(t *testing.T, text string){
	"container":    together,
	"portrait":     exact,
	"quadcopter":   heldInPlace,
	"rectangle":    mostlyInFlight,
	"synchronised": inStep,
	"table112":     netsOfMotions,
}

// letGo has time pass as fast as it can, from the beginning.
func letGo(_ context.Context, _ string, program *exec.Cmd) error { return program.Run() }

// touch lets an arm that searches touch something. Time stands still until the search is known, so that it is always at the same place.
func touch(ctx context.Context, address string, program *exec.Cmd) error {
	if _, err := told(ctx, address+"/clock", url.Values{"speed": {"0"}}); err != nil {
		return err
	}
	if err := program.Start(); err != nil {
		return err
	}
	for running := false; !running; {
		nets, err := told(ctx, address+"/nets/", nil)
		if err != nil {
			return err
		}
		running = strings.Contains(nets, "RUNNING")
	}
	for _, step := range []struct{ at, key, value string }{
		{"/clock", "advance", "5s"}, {"/devices/lwr/happen", "what", "tip 0 0 25 0 0 0"}, {"/clock", "speed", "max"},
	} {
		if _, err := told(ctx, address+step.at, url.Values{step.key: {step.value}}); err != nil {
			return err
		}
	}
	return program.Wait()
}

// told returns what the daemon answers, to a form if there is one.
func told(ctx context.Context, address string, form url.Values) (string, error) {
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	question, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	question.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(question)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s: %s\n%s", address, answer.Status, text)
	}
	return string(text), err
}
