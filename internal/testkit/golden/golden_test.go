package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// heard is a test that only notes what it is told.
type heard struct {
	testing.TB
	errors []string
}

func (h *heard) Helper() {}

func (h *heard) Errorf(format string, args ...any) {
	h.errors = append(h.errors, fmt.Sprintf(format, args...))
}

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "texts.txtar")
	texts := map[string]string{"b": "", "a": "no line feed", "c": "one\n", "d": "\r\ntwo\n\n", "a b": "{}\n-- \n"}
	for name, text := range texts {
		Check(t, true, file, name, "GET /"+name, text)
	}
	for name, text := range texts {
		Check(t, false, file, name, "GET /"+name, text)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(written), "-- a? --\nGET /a\n-- a --\nno line feed\n-- a b? --\n") {
		t.Errorf("the file begins with %.100q", written)
	}
	for _, other := range []struct{ name, question, answer, want string }{
		{"c", "GET /c", "one", ": c (-want +got)"},
		{"c", "GET /", "one\n", ": c? (-want +got)"},
		{"e", "GET /e", "", "has no e?"},
	} {
		var h heard
		Check(&h, false, file, other.name, other.question, other.answer)
		if len(h.errors) == 0 || !strings.Contains(h.errors[0], other.want) {
			t.Errorf("%v: %q", other, h.errors)
		}
	}
	var h heard
	Check(&h, true, file, "f", "GET /f", "-- a --\n")
	if len(h.errors) == 0 {
		t.Error("a text that cannot be kept is not noticed")
	}
}
