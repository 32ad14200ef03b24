package pages

import (
	"context"
	"net"
	"net/http"
	"testing"
)

func TestGuard(t *testing.T) {
	c := newCell(t, Options{Hosts: []string{"cell.example", "10.0.0.7:8080"}})
	const own = "http://" + host
	tests := []struct {
		name, method string
		headers      []string
		passes       bool
	}{
		{"program", "POST", nil, true},
		{"own page", "POST", []string{"Origin", own}, true},
		{"own page of another name", "POST", []string{"Host", "localhost:8080", "Origin", "http://localhost:8080"}, true},
		{"default port", "POST", []string{"Host", "localhost", "Origin", "http://localhost:80"}, true},
		{"foreign page", "POST", []string{"Origin", "https://evil.example"}, false},
		{"foreign page reads", "GET", []string{"Origin", "https://evil.example"}, true},
		{"foreign page opens a WebSocket", "GET", []string{"Origin", "https://evil.example", "Upgrade", "websocket"}, false},
		{"own page opens a WebSocket", "GET", []string{"Origin", own, "Upgrade", "websocket"}, true},
		{"program opens a WebSocket", "GET", []string{"Upgrade", "websocket"}, true},
		{"another port of the machine", "POST", []string{"Origin", "http://127.0.0.1:3000"}, false},
		{"sandbox", "POST", []string{"Origin", "null"}, false},
		{"no origin at all", "POST", []string{"Origin", "nonsense"}, false},
		{"origin hidden, foreign page", "POST", []string{"Sec-Fetch-Site", "cross-site"}, false},
		{"origin hidden, own page", "POST", []string{"Sec-Fetch-Site", "same-origin"}, true},
		{"foreign host", "GET", []string{"Host", "evil.example:8080"}, false},
		{"foreign host, consistent", "POST", []string{"Host", "evil.example", "Origin", "http://evil.example"}, false},
		{"host like localhost", "GET", []string{"Host", "localhost.evil.example"}, false},
		{"foreign address", "GET", []string{"Host", "10.9.9.9"}, false},
		{"IPv6", "GET", []string{"Host", "[::1]:8080"}, true},
		{"IPv6 without port", "GET", []string{"Host", "[::1]"}, true},
		{"configured name", "GET", []string{"Host", "Cell.Example:9000"}, true},
		{"configured address", "GET", []string{"Host", "10.0.0.7"}, true},
		{"address of the connection", "GET", []string{"Host", "192.168.1.5:8080"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request(tt.method, "/nets/", counting, tt.headers...)
			local := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 8080}
			a := c.answer(r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local)))
			if passes := a.StatusCode != http.StatusForbidden; passes != tt.passes {
				t.Errorf("status %d", a.StatusCode)
			}
		})
	}
}

// TestGuardTells compares what a refused client is told, which Guard must say without pages.
func TestGuardTells(t *testing.T) {
	c := newCell(t, Options{})
	checkGolden(t, "guard_host", c.answer(request("GET", "/", "", "Host", "evil.example", "Accept", browser)))
	checkGolden(t, "guard_origin", c.answer(request("POST", "/nets/", "", "Origin", "http://evil.example", "Accept", forJSON)))
}
