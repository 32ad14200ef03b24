package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Small nets with large histories do not end a daemon that may use little memory: it refuses them with the names of those that use
// it, and goes on.
func TestLargeHistoriesOfSmallNets(t *testing.T) {
	for name, tt := range map[string]struct{ cell, env string }{
		"by configuration": {"limits: {memory: 104857600}\n", ""},
		"by environment":   {"", "GOMEMLIMIT=200MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte(tt.cell+"realtime: {mode: off}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "rccd", "--config", "cell.yaml", "--listen", "127.0.0.1:0")
			cmd.Dir = folder
			if cmd.Env = os.Environ(); tt.env != "" {
				cmd.Env = append(cmd.Env, tt.env)
			}
			p, err := beginCommand(cmd)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.end(syscall.SIGTERM); err != nil {
					t.Errorf("%v\n%s", err, p.log.String())
				}
			}()
			const net = "{c=Core::Clock(),a=Core::DoubleAtTime(inValue=c.outValue,MaxAge='1900'),b=Core::DoubleAtTime(inValue=c.outValue,MaxAge='1900')," +
				"outTerminate=Core::BooleanValue().outValue}" // 950,001 cycles, 15 MiB, each
			loaded := 0
			for i := range 12 {
				status, text := send(t, p.url+"/nets/", net)
				switch {
				case status == http.StatusCreated:
					loaded++
					send(t, fmt.Sprintf("%s/nets/rpinet%d/start", p.url, i), "")
				case status != http.StatusInsufficientStorage || !strings.Contains(text, "MiB of the 100 MiB for all clients are in use: rpinet0 uses 29 MiB"):
					t.Fatalf("net %d: %d %s", i, status, text)
				}
			}
			if loaded != 2 && loaded != 3 {
				t.Errorf("%d nets are loaded", loaded)
			}
			if status, text := send(t, p.url+"/nets/", "{outTerminate=Core::BooleanValue().outValue}"); status != http.StatusCreated {
				t.Errorf("a net that needs little: %d %s", status, text)
			}
		})
	}
}

// send posts a text and returns what comes of it.
func send(t *testing.T, url, text string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "text/plain")
	request.Close = true // each connection has a quota of its own
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}
