package net

import (
	"strings"
	"testing"
)

// TestGenerated: programs number primitives, or name them by their types; such names come with no warnings for people.
func TestGenerated(t *testing.T) {
	for name, want := range map[string]bool{"12": true, "Core::DoubleAdd3": true, "sum": false, "sum2": false} {
		if generated(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

// TestBoundedPath: a name that is as long as allowed is left as it is; of a longer one the end is left.
func TestBoundedPath(t *testing.T) {
	longest := strings.Repeat("a", longestPath-1) + "z"
	for port, want := range map[string]string{"port": "port", longest: longest, "b" + longest: "…" + longest} {
		if is := new(compiler).boundedPath(root, port); is != want {
			t.Errorf("%d bytes become %d", len(port), len(is))
		}
	}
}

// TestWithPlace: a problem without a line is written without a place.
func TestWithPlace(t *testing.T) {
	p := Problem{Path: "by", Text: "it is wrong"}
	if is := p.WithPlace(); is != "by: it is wrong" {
		t.Error(is)
	}
	p.Line, p.Column = 3, 4
	if is := p.WithPlace(); is != "by: it is wrong (line 3, column 4)" {
		t.Error(is)
	}
}
