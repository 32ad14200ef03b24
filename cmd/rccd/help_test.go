package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestHelp: rccd help lists every command with what it does, and each of them exists, on standard output, however one asks.
func TestHelp(t *testing.T) {
	asked := func(words ...string) string {
		var out, errs bytes.Buffer
		if code := run(words, &out, &errs); code != done || errs.Len() > 0 || out.Len() == 0 {
			t.Errorf("%q: code %d, %s%s", words, code, out.String(), errs.String())
		}
		return out.String()
	}
	help := asked("--help")
	for _, words := range [][]string{{"help"}, {"-h"}, {"help", "help"}, {"help", "-h"}, {"help", "--help"}} {
		if other := asked(words...); other != help {
			t.Errorf("%q is\n%s\nnot\n%s", words, other, help)
		}
	}
	if said := asked("--version"); said != asked("version") {
		t.Errorf("--version: %s", said)
	}
	for _, c := range commands() {
		if !regexp.MustCompile(`(?m)^  `+c.name+` +`+regexp.QuoteMeta(c.doc)+`\n +`+regexp.QuoteMeta(c.example)+`$`).MatchString(help) || c.doc == "" {
			t.Errorf("%s is not in\n%s", c.name, help)
		}
		own := asked(c.name, "--help")
		if own != asked("help", c.name) || own != asked(c.name, "-h") {
			t.Errorf("help %s is not %s --help", c.name, c.name)
		}
		if !strings.HasPrefix(own, "usage: rccd "+c.name) || !strings.HasPrefix(c.example, "rccd "+c.name) || !strings.Contains(own, c.example+"\n") {
			t.Errorf("usage and example are not in\n%s", own)
		}
		if said := asked(c.name, "--version"); said != asked("version") {
			t.Errorf("%s --version: %s", c.name, said)
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"help", "chek"}, &out, &errs); code != usage || !strings.Contains(errs.String(), "did you mean check?") {
		t.Errorf("code %d, %s", code, errs.String())
	}
}
