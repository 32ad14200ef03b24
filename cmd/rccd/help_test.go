package main

import (
	"bytes"
	"regexp"
	"testing"
)

// TestHelp: rccd --help lists every command with what it does, and each of them is there.
func TestHelp(t *testing.T) {
	var out, help bytes.Buffer
	if code := run([]string{"--help"}, &out, &help); code != done || out.Len() > 0 {
		t.Errorf("code %d, %s", code, out.String())
	}
	for _, c := range commands() {
		if !regexp.MustCompile(`(?m)^  `+c.name+` +`+regexp.QuoteMeta(c.doc)+`$`).MatchString(help.String()) || c.doc == "" {
			t.Errorf("%s is not in\n%s", c.name, help.String())
		}
		var text bytes.Buffer
		if code := run([]string{c.name, "--help"}, &out, &text); code != done || text.Len() == 0 {
			t.Errorf("%s --help: code %d, %s", c.name, code, text.String())
		}
	}
}
