package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestHelp: rccd help lists every command with what it does, and each of them is there, on standard output, whichever way one asks.
func TestHelp(t *testing.T) {
	asked := func(words ...string) string {
		var out, errs bytes.Buffer
		if code := run(words, &out, &errs); code != done || errs.Len() > 0 || out.Len() == 0 {
			t.Errorf("%q: code %d, %s%s", words, code, out.String(), errs.String())
		}
		return out.String()
	}
	help := asked("--help")
	if other := asked("help"); other != help {
		t.Errorf("help is\n%s\nnot\n%s", other, help)
	}
	for _, c := range commands() {
		if !regexp.MustCompile(`(?m)^  `+c.name+` +`+regexp.QuoteMeta(c.doc)+`$`).MatchString(help) || c.doc == "" {
			t.Errorf("%s is not in\n%s", c.name, help)
		}
		if asked(c.name, "--help") != asked("help", c.name) {
			t.Errorf("help %s is not %s --help", c.name, c.name)
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"help", "chek"}, &out, &errs); code != usage || !strings.Contains(errs.String(), "did you mean check?") {
		t.Errorf("code %d, %s", code, errs.String())
	}
}
