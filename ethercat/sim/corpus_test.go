package sim

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/corpus"
)

// corpusFolder has mails that are written from the standard, and the slave that they are about.
var corpusFolder = filepath.Join("..", "coe", "testdata", "corpus")

// Simulated slaves answer byte by byte as the standard says, through their SyncManagers, and send nothing unexpected.
func TestCorpus(t *testing.T) {
	rack, err := os.ReadFile(filepath.Join(corpusFolder, "slave.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range corpus.Read(t, corpusFolder) {
		if e.Other {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			m := newMaster(t, string(rack))
			m.start(map[string]wire.State{"": wire.PreOp, "safeop": wire.SafeOp}[e.State])
			s := m.slave("corpus")
			if e.Do != "" {
				m.do("slave corpus " + e.Do)
			}
			for _, mail := range e.Mails {
				if !mail.FromSlave {
					m.post(s, mail.Bytes)
					continue
				}
				got := m.fetch(s)
				if got == nil {
					t.Fatalf("line %d: no answer, want\n% x", mail.Line, mail.Bytes)
				}
				if !bytes.Equal(got[:len(mail.Bytes)], mail.Bytes) {
					t.Fatalf("line %d:\n% x, want\n% x", mail.Line, got, mail.Bytes)
				}
				if rest := got[len(mail.Bytes):]; !bytes.Equal(rest, make([]byte, len(rest))) {
					t.Errorf("line %d: % x behind the mail", mail.Line, rest)
				}
			}
			if got := m.fetch(s); got != nil {
				t.Errorf("nobody has asked for % x", got)
			}
		})
	}
}

// post writes a mail, as soon as there is room for it.
func (m *master) post(s *Slave, mail []byte) {
	m.t.Helper()
	box := s.Description().Mailbox
	area := append(bytes.Clone(mail), make([]byte, int(box.OutSize)-len(mail))...)
	for range 10 {
		if n, _ := m.send(wire.FPWR, wire.Station(s.Station(), wire.Register(box.Out)), area...); n == 1 {
			return
		}
		m.exchange()
	}
	m.t.Fatal("the mailbox stays full")
}

// fetch reads a mail when there is one within some cycles.
func (m *master) fetch(s *Slave) []byte {
	m.t.Helper()
	box := s.Description().Mailbox
	for range 10 {
		if n, data := m.send(wire.FPRD, wire.Station(s.Station(), wire.Register(box.In)), make([]byte, box.InSize)...); n == 1 {
			return bytes.Clone(data)
		}
		m.exchange()
	}
	return nil
}
