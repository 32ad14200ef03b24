// Package corpus reads the exchanges of mails between master and slave that are written from the standard
// (ethercat/coe/testdata/corpus), for tests of both ends.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Exchange is mails in the order in which they pass, and what comes of them.
type Exchange struct {
	Name  string // with its file
	Other bool   // answers of other slaves than ours
	State string // of the slave, preop when empty
	Do    string // a command for the simulated slave, before anything else
	// Client is what a client is asked to do, as words; empty when no client of ours sends these requests.
	Client []string
	Mails  []Mail
	// Outcome is result, abort or error, and Words what stands behind it; empty without a client.
	Outcome string
	Words   []string
}

// Mail is one without what fills its mailbox.
type Mail struct {
	FromSlave bool
	Bytes     []byte
	Line      int
}

// Read reads all exchanges of a folder.
func Read(t testing.TB, folder string) (list []Exchange) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus in %s: %v", folder, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, parse(t, file, text)...)
	}
	return list
}

func parse(t testing.TB, file string, text []byte) (list []Exchange) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "exchange" {
			list = append(list, Exchange{Name: strings.TrimSuffix(filepath.Base(file), ".txt") + ": " + rest})
			continue
		}
		if word == "" || word[0] == '#' {
			continue
		}
		if len(list) == 0 {
			t.Fatalf("%s:%d: %q before the first exchange", file, n, word)
		}
		e := &list[len(list)-1]
		switch word {
		case "other":
			e.Other = true
		case "state":
			e.State = rest
		case "do":
			e.Do = rest
		case "client":
			e.Client = strings.Fields(rest)
		case "result", "abort", "error":
			e.Outcome, e.Words = word, strings.Fields(rest)
		case ">", "<":
			b, err := hex.DecodeString(strings.ReplaceAll(rest, " ", ""))
			if err != nil {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
			e.Mails = append(e.Mails, Mail{FromSlave: word == "<", Bytes: b, Line: n})
		default:
			t.Fatalf("%s:%d: a line begins with %q", file, n, word)
		}
	}
	return list
}
