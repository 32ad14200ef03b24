package pages

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestTwiceInJSON: of a member that is there twice, one would be taken, and nobody knows which.
func TestTwiceInJSON(t *testing.T) {
	c := newCell(t, Options{})
	for _, tt := range []struct {
		path, body, message string
		status, line, col   int
	}{
		{"/devices/", `{"name":"a","type":"x","name":"b"}`, "name is there twice", 400, 1, 24},
		{"/devices/", "{\"name\":\"a\",\n \"parameters\":{\"ä\":\"1\", \"\\u00e4\":2}}", "parameters.ä is there twice", 400, 2, 25},
		{"/devices/", `{"name":"a","parameters":{"x":[{"y":1,"z":[2,{}]},{"y":1,"y":2}]}}`, "parameters.x[1].y is there twice", 400, 1, 58},
		{"/preview/", `{"nets":[{"text":"a"},{"text":"b","start":true,"text":"c"}]}`, "nets[1].text is there twice", 400, 1, 48},
		{"/devices/", `{"a\"":1,"a\"":2}`, `is there twice`, 400, 1, 10},
		{"/preview/", `{"nets":[],"nets":[]}`, "nets is there twice", 400, 1, 12},
	} {
		a := c.answer(request("POST", tt.path, tt.body, "Content-Type", mediaJSON, "Accept", forJSON))
		place := fmt.Sprintf(`"line":%d,"column":%d,`, tt.line, tt.col)
		if a.StatusCode != tt.status || !strings.Contains(a.text, tt.message) || !strings.Contains(a.text, place) {
			t.Errorf("%s: %s %s", tt.body, a.Status, a.text)
		}
	}
	for _, body := range []string{
		`{"a":"a","b":["a","a",{"a":"b"}],"c":{"a":{"a":1}},"d":null}`, `["a","a"]`, `"a"`, `1`, `{"a":1}{"a":2}`, `{"a":`, `]`, ``, `{"a":"b","b":"a"}`,
	} {
		if p := twice([]byte(body), codeForm); p != nil {
			t.Errorf("%s: %v", body, p)
		}
	}
}

// TestGivenUp: a sender that has gone is not an error of the daemon.
func TestGivenUp(t *testing.T) {
	if p := problemOf(fmt.Errorf("evaluation: %w", context.Canceled)); p.Status != http.StatusServiceUnavailable {
		t.Errorf("%d: %v", p.Status, p)
	}
}
