package coe

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/corpus"
)

// corpusMailbox is the size of the mailboxes of the corpus.
const corpusMailbox = 32

// A client sends byte by byte what the standard has, and makes of answers what they are.
func TestClientCorpus(t *testing.T) {
	for _, e := range corpus.Read(t, filepath.Join("testdata", "corpus")) {
		if e.Client == nil {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			c := NewClient(corpusMailbox)
			asked(t, c, e.Client)
			for _, m := range e.Mails {
				if m.FromSlave {
					c.Answer(m.Bytes)
					continue
				}
				got, _ := c.Request()
				if diff := cmp.Diff(m.Bytes, got); diff != "" {
					t.Fatalf("line %d: % x instead of % x", m.Line, got, m.Bytes)
				}
			}
			if mail, ok := c.Request(); ok || !c.Done() {
				t.Fatalf("the client is not done: % x", mail)
			}
			if got, want := outcome(c, e.Client[0]), strings.Join(append([]string{e.Outcome}, e.Words...), " "); got != strings.TrimSpace(want) {
				t.Errorf("%s instead of %s", got, want)
			}
			if n := c.Misnamed(); n != 0 && !e.Other {
				t.Errorf("%d aborts are responses", n)
			}
		})
	}
}

// asked lets a client begin what an exchange says.
func asked(t *testing.T, c *Client, words []string) {
	t.Helper()
	number := func(i int) int {
		n, err := strconv.ParseInt(words[i], 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		return int(n)
	}
	index := uint16(number(1))
	switch words[0] {
	case "upload", "upload-complete":
		c.Upload(index, uint8(number(2)), words[0] != "upload")
	case "download", "download-complete":
		c.Download(index, uint8(number(2)), words[0] != "download", bytesOf(t, words[3]))
	case "list":
		c.List(List(index))
	case "object":
		c.Object(index)
	case "entry":
		c.Entry(index, uint8(number(2)))
	default:
		t.Fatalf("nobody can be asked for %q", words[0])
	}
}

// outcome returns the result of a transfer, as the corpus writes it.
func outcome(c *Client, what string) string {
	var abort Abort
	var mail MailError
	switch err := c.Err(); {
	case errors.As(err, &abort):
		return fmt.Sprintf("abort %08x", uint32(abort))
	case errors.As(err, &mail):
		return fmt.Sprintf("error %d", uint16(mail))
	case err != nil:
		return err.Error()
	}
	text := "result"
	switch what {
	case "upload", "upload-complete":
		for _, b := range c.Data() {
			text += fmt.Sprintf(" %02x", b)
		}
	case "list":
		for _, index := range c.Listed() {
			text += fmt.Sprintf(" %04x", index)
		}
	case "object":
		o, _ := c.Described()
		text += fmt.Sprintf(" %04x %04x %d %d %s", o.Index, uint16(o.Type), o.MaxSub, o.Code, o.Name)
	case "entry":
		e, _ := c.DescribedEntry()
		text += fmt.Sprintf(" %04x %02x %04x %d %04x %s", e.Index, e.Sub, uint16(e.Type), e.Bits, uint16(e.Access), e.Name)
	}
	return text
}
