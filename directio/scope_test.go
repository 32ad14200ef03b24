package directio

import (
	"fmt"
	"net/http"
	"testing"
)

// TestScopeDoor: scopes have the rules of the other doors.
func TestScopeDoor(t *testing.T) {
	s, _ := serve(t, Config{})
	const setup = `{"name":"a","channels":[{"name":"c","source":{"net":"n","port":"o"}}],"before":1,"after":1,"mode":"auto","trigger":{"kind":"none"}}`
	for _, tt := range []struct {
		name, method, target, header, body string
		status                             int
	}{
		{"list", "GET", "/scope/", "Host: localhost", "", http.StatusOK},
		{"without the last slash", "GET", "/scope", "Host: localhost", "", http.StatusTemporaryRedirect},
		{"as existing clients write", "GET", "//scope/", "Host: localhost", "", http.StatusOK},
		{"foreign host", "GET", "/scope/", "Host: evil.example", "", http.StatusForbidden},
		{"foreign origin", "POST", "/scope/", "Host: localhost\r\nOrigin: http://evil.example", setup, http.StatusForbidden},
		{"foreign origin deletes", "DELETE", "/scope/a/", "Host: localhost\r\nOrigin: http://evil.example", "", http.StatusForbidden},
		{"other instance", "POST", "/scope/?Rccd-Instance=another", "Host: localhost", setup, http.StatusPreconditionFailed},
		{"this instance", "POST", "/scope/?Rccd-Instance=" + s.core.Instance(), "Host: localhost", setup, http.StatusCreated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := fmt.Sprintf("%s %s HTTP/1.1\r\n%s\r\nContent-Length: %d\r\n\r\n%s", tt.method, tt.target, tt.header, len(tt.body), tt.body)
			answer := rawRequest(t, s.Addr(), request)
			if answer.StatusCode != tt.status {
				t.Errorf("got %s", answer.Status)
			}
			if answer.Header.Get("Rccd-Instance") == "" {
				t.Error("the answer does not name the instance")
			}
		})
	}
}
