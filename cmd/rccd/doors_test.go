package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"
)

// TestIdleConnectionsLockNobodyOut: a daemon that may have few descriptors is asked for more connections of HTTP than that, on which nothing is said, or a
// request that does not end. A client that asks for its health, aborts a net or speaks DirectIO is served nevertheless.
func TestIdleConnectionsLockNobodyOut(t *testing.T) {
	t.Parallel()
	const descriptors, connections = 200, 600
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte("realtime: {mode: off}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "sh", "-c", fmt.Sprintf("ulimit -n %d && exec rccd --listen 127.0.0.1:0 --config cell.yaml", descriptors))
	cmd.Dir = folder
	p, err := beginCommand(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	})
	p.post(t, "/nets/", endlessNet)
	p.do(t, "/nets/rpinet0/start")
	http.DefaultClient.CloseIdleConnections()
	for name, said := range map[string]string{"idle": "", "slow": "POST /nets/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"} {
		t.Run(name, func(t *testing.T) {
			for range connections {
				c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_, _ = io.WriteString(c, said) // it may be closed already
			}
			p.answers(t, http.MethodGet, "/healthz")
			ws, answer, err := (&websocket.Dialer{HandshakeTimeout: patience}).Dial("ws"+strings.TrimPrefix(p.url, "http")+"/DirectIO/", nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if err := errors.Join(ws.WriteMessage(websocket.TextMessage, []byte("a=nene(\"{outTerminate=Core::BooleanValue().outValue}\")")), hear(ws, `a=...`, false), ws.Close()); err != nil {
				t.Error(err)
			}
			p.answers(t, http.MethodPost, "/nets/rpinet0/abort")
		})
	}
}

// answers fails unless a request over a connection of its own is answered.
func (p *process) answers(t *testing.T, method, path string) {
	t.Helper()
	client := &http.Client{Timeout: patience / 4, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode >= http.StatusInternalServerError {
		t.Errorf("%s %s: %s", method, path, answer.Status)
	}
}

// TestShareDescriptors leaves descriptors for connections of each kind, and for everything else.
func TestShareDescriptors(t *testing.T) {
	for _, tt := range []struct{ wanted, descriptors, directIO, doors int }{
		{256, 1 << 20, 256, 4096},
		{256, 1024, 256, 704},
		{65536, 1024, 944, 16},
		{256, 200, 120, 16},
		{1, 50, 1, 31},
		{256, 10, 16, 16},
	} {
		if directIO, doors := shareDescriptors(tt.wanted, tt.descriptors); directIO != tt.directIO || doors != tt.doors {
			t.Errorf("%d wanted, %d descriptors: %d and %d, want %d and %d", tt.wanted, tt.descriptors, directIO, doors, tt.directIO, tt.doors)
		}
	}
}
