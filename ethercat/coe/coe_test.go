package coe

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// objects is a dictionary of entries without rules.
type objects map[uint32][]byte

func key(index uint16, sub uint8) uint32 { return uint32(index)<<8 | uint32(sub) }

func (o objects) Read(index uint16, sub uint8, _ bool) ([]byte, Abort) {
	if data, ok := o[key(index, sub)]; ok {
		return data, 0
	}
	return nil, AbortNoObject
}

func (o objects) Write(index uint16, sub uint8, _ bool, data []byte) Abort {
	if _, ok := o[key(index, sub)]; !ok {
		return AbortReadOnly
	}
	o[key(index, sub)] = bytes.Clone(data)
	return 0
}

func (o objects) Objects(List) (list []uint16) {
	for k := range o {
		list = append(list, uint16(k>>8))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (o objects) Object(index uint16) (Object, Abort) {
	if len(o.Objects(ListAll)) == 0 || !slices.Contains(o.Objects(ListAll), index) {
		return Object{}, AbortNoObject
	}
	return Object{index, Uint32, 3, Record, fmt.Sprintf("object %04x with a name that is longer than small mailboxes", index)}, 0
}

func (o objects) Entry(index uint16, sub uint8) (Entry, Abort) {
	data, ok := o[key(index, sub)]
	if !ok {
		return Entry{}, AbortNoSub
	}
	return Entry{Index: index, Sub: sub, Type: Uint8, Bits: uint16(8 * len(data)), Access: ReadAlways | MapTxPDO, Name: "entry"}, 0
}

// talk carries mails until the client is done, and notes them.
func talk(c *Client, s *Server, note func(direction string, mail []byte)) {
	for !c.Done() {
		if mail, ok := c.Request(); ok {
			note(">", mail)
			s.Handle(mail)
			continue
		}
		mail, ok := s.Next()
		if !ok {
			c.GiveUp(AbortTimeout)
			continue
		}
		note("<", mail)
		c.Answer(mail)
	}
}

func quiet(string, []byte) {}

// TestBesideAnotherMaster: however many mails another master sends and takes between ours, each of our questions is answered, by the mail that
// was sent for it. Those are asked again whose counter, or that of their answer, is the one before.
func TestBesideAnotherMaster(t *testing.T) {
	o := objects{key(0x1000, 0): {0x92, 1, 2, 0}, key(0x6041, 0): {6, 0}}
	ask := func(c *Client, s *Server, index uint16) (again int) {
		for c.Upload(index, 0, false); !c.Done(); {
			if mail, ok := c.Request(); ok {
				s.Handle(mail)
			} else if mail, ok := s.Next(); ok {
				c.Answer(mail)
			} else if again++; !c.Again(true) {
				t.Fatalf("%#04x is not answered", index)
			}
		}
		return again
	}
	for between := range 15 {
		ours, other, s, again := NewClient(128), NewClient(128), NewServer(o, 128), 0
		for i := range 21 {
			index, want := uint16(0x1000), o[key(0x1000, 0)]
			if i%3 == 2 {
				index, want = 0x6041, o[key(0x6041, 0)]
			}
			again += ask(ours, s, index)
			if ours.Err() != nil || !bytes.Equal(ours.Data(), want) {
				t.Fatalf("%d between: %x, %v", between, ours.Data(), ours.Err())
			}
			for range between {
				ask(other, s, 0x1000)
			}
		}
		if between == 0 && again > 0 {
			t.Errorf("%d questions are asked again", again)
		}
	}
}

// Mails of each kind of transfer, byte by byte.
func TestTalkGolden(t *testing.T) {
	long := []byte("This text is longer than a mailbox.")
	o := objects{
		key(0x1000, 0): {0x92, 1, 2, 0}, key(0x6060, 0): {8}, key(0x6040, 0): {6, 0}, key(0x1018, 1): {2, 0, 0},
		key(0x1008, 0): long, key(0x1009, 0): {}, key(0x100a, 0): []byte("exactly10!"),
	}
	tests := []struct {
		name string
		do   func(c *Client)
	}{
		{"upload expedited", func(c *Client) { c.Upload(0x1000, 0, false) }},
		{"upload of one byte", func(c *Client) { c.Upload(0x6060, 0, false) }},
		{"upload of three bytes with complete access", func(c *Client) { c.Upload(0x1018, 1, true) }},
		{"upload in segments", func(c *Client) { c.Upload(0x1008, 0, false) }},
		{"upload normal", func(c *Client) { c.Upload(0x100a, 0, false) }},
		{"upload of nothing", func(c *Client) { c.Upload(0x1009, 0, false) }},
		{"upload of what is not there", func(c *Client) { c.Upload(0x1c12, 0, false) }},
		{"download expedited", func(c *Client) { c.Download(0x6040, 0, false, []byte{15, 0}) }},
		{"download normal", func(c *Client) { c.Download(0x100a, 0, false, []byte("short")) }},
		{"download in segments", func(c *Client) { c.Download(0x1008, 0, false, []byte("Another text, which is as long.")) }},
		{"download that is refused", func(c *Client) { c.Download(0x7000, 1, false, []byte{1}) }},
		{"complete access from subindex 2", func(c *Client) { c.Upload(0x1018, 2, true) }},
		{"list", func(c *Client) { c.List(ListAll) }},
		{"counts", func(c *Client) { c.List(ListCounts) }},
		{"list that does not exist", func(c *Client) { c.List(9) }},
		{"object", func(c *Client) { c.Object(0x1008) }},
		{"entry", func(c *Client) { c.Entry(0x6040, 0) }},
		{"entry that does not exist", func(c *Client) { c.Entry(0x6040, 1) }},
	}
	var text strings.Builder
	for _, tt := range tests {
		c, s := NewClient(24), NewServer(o, 24)
		tt.do(c)
		fmt.Fprintf(&text, "%s\n", tt.name)
		talk(c, s, func(direction string, mail []byte) {
			for i := 0; i < len(mail); i += 24 {
				fmt.Fprintf(&text, "  %s % x\n", direction, mail[i:min(len(mail), i+24)])
				direction = " "
			}
		})
		fmt.Fprintf(&text, "  = % x", c.Data())
		if list := c.Listed(); list != nil {
			fmt.Fprintf(&text, " %04x", list)
		}
		if o, ok := c.Described(); ok {
			fmt.Fprintf(&text, " %+v", o)
		}
		if e, ok := c.DescribedEntry(); ok {
			fmt.Fprintf(&text, " %+v", e)
		}
		if c.Err() != nil {
			fmt.Fprintf(&text, " %v", c.Err())
		}
		text.WriteString("\n\n")
	}
	golden(t, "talk.golden", text.String())
}

// Objects of any length pass through mailboxes of any size, in both directions, and what waits in between is never longer
// than the mailbox.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out, in := rapid.IntRange(SmallestMailbox, 256).Draw(t, "out"), rapid.IntRange(SmallestMailbox, 256).Draw(t, "in")
		want := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "data")
		complete, sub := rapid.Bool().Draw(t, "complete"), rapid.Uint8Range(0, 1).Draw(t, "sub")
		o := objects{key(0x2000, sub): nil}
		c, s := NewClient(out), NewServer(o, in)
		check := func(direction string, mail []byte) {
			if room := map[string]int{">": out, "<": in}[direction]; len(mail) > room {
				t.Fatalf("%s %d bytes in %d", direction, len(mail), room)
			}
		}
		c.Download(0x2000, sub, complete, want)
		talk(c, s, check)
		if c.Err() != nil || !bytes.Equal(o[key(0x2000, sub)], want) {
			t.Fatalf("%v: % x", c.Err(), o)
		}
		c.Upload(0x2000, sub, complete)
		talk(c, s, check)
		if c.Err() != nil || !bytes.Equal(c.Data(), want) {
			t.Fatalf("%v: % x", c.Err(), c.Data())
		}
		c.Object(0x2000)
		talk(c, s, check)
		if described, ok := c.Described(); !ok || !strings.HasSuffix(described.Name, "mailboxes") {
			t.Fatalf("%v %v", described, c.Err())
		}
	})
}

// Whichever mails are repeated, and whatever emergencies and late answers come between, transfers succeed.
func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Byte(), 5, 300).Draw(t, "data")
		o := objects{key(0x2000, 0): want, key(0x2001, 0): {1, 2, 3, 4}}
		c, s := NewClient(32), NewServer(o, 32)
		c.Upload(0x2001, 0, false)
		late, _ := c.Request()
		s.Handle(late) // its answer comes when something else has been asked for
		c.Upload(0x2000, 0, false)
		sent := 0
		for !c.Done() {
			if mail, ok := c.Request(); ok {
				for range rapid.IntRange(1, 2).Draw(t, "requests") {
					s.Handle(mail)
				}
				if rapid.Bool().Draw(t, "emergency") {
					s.Emergency(Emergency{0x8130, 1, [5]byte{1, 2, 3, 4, byte(sent)}})
					sent++
				}
				continue
			}
			mail, ok := s.Next()
			if !ok {
				t.Fatal("no answer")
			}
			for range rapid.IntRange(1, 2).Draw(t, "answers") {
				c.Answer(mail)
			}
		}
		if c.Err() != nil || !bytes.Equal(c.Data(), want) {
			t.Fatalf("%v: % x", c.Err(), c.Data())
		}
		for mail, ok := s.Next(); ok; mail, ok = s.Next() {
			c.Answer(mail)
		}
		if got := c.Emergencies(); len(got) != min(sent, 64) || sent > 0 && got[len(got)-1].Data[4] != byte(sent-1) {
			t.Fatalf("%d of %d emergencies", len(got), sent)
		}
	})
}

// A mail of zeros, and one of an error that says nothing, are not answers.
func TestEmptyMail(t *testing.T) {
	for _, mail := range [][]byte{
		make([]byte, 32),
		(&mail{make([]byte, HeaderSize)}).word(0).word(uint16(MailSyntax)).complete(TypeError, 5),
		(&mail{make([]byte, HeaderSize)}).word(errorReply).complete(TypeError, 6),
	} {
		c, s := NewClient(32), NewServer(objects{key(0x2000, 0): {1, 2, 3, 4}}, 32)
		c.Upload(0x2000, 0, false)
		request, _ := c.Request()
		s.Handle(request)
		if c.Answer(mail) {
			t.Errorf("% x is an answer: %v", mail, c.Err())
		}
		if answer, _ := s.Next(); !c.Answer(answer) || c.Err() != nil {
			t.Errorf("% x: the answer is none: %v", mail, c.Err())
		}
	}
}

// Requests have the bytes of the standard, headers included (ETG.1000.4 table 29, ETG.1000.6 §5.6.2 and §5.6.3).
func TestRequestBytes(t *testing.T) {
	upload, download := func(c *Client) { c.Upload(0x1c12, 1, false) }, func(n int) func(c *Client) {
		return func(c *Client) {
			c.Download(0x6040, 2, false, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}[:n])
		}
	}
	tests := []struct {
		name    string
		do      func(c *Client)
		answers []string
		want    string // the newest request
	}{
		{"upload", upload, nil, "0a00 0000 00 13 0020 40 121c 01 00000000"},
		{"upload, complete access", func(c *Client) { c.Upload(0x1018, 0, true) }, nil, "0a00 0000 00 13 0020 50 1810 00 00000000"},
		{"upload, first segment", upload, []string{"0a00 0110 00 13 0030 41 121c 01 14000000"}, "0a00 0000 00 23 0020 60 0000 00 00000000"},
		{
			"upload, second segment", upload,
			[]string{"0a00 0110 00 13 0030 41 121c 01 14000000", "0a00 0110 00 23 0030 00 01020304050607"},
			"0a00 0000 00 33 0020 70 0000 00 00000000",
		},
		{"download of 1 byte", download(1), nil, "0a00 0000 00 13 0020 2f 4060 02 01000000"},
		{"download of 2 bytes", download(2), nil, "0a00 0000 00 13 0020 2b 4060 02 01020000"},
		{"download of 3 bytes", download(3), nil, "0a00 0000 00 13 0020 27 4060 02 01020300"},
		{"download of 4 bytes", download(4), nil, "0a00 0000 00 13 0020 23 4060 02 01020304"},
		{"download of 8 bytes", download(8), nil, "1200 0000 00 13 0020 21 4060 02 08000000 0102030405060708"},
		{"download, complete access", func(c *Client) { c.Download(0x1c12, 0, true, []byte{1, 0, 0, 0x16}) }, nil, "0a00 0000 00 13 0020 33 121c 00 01000016"},
		{
			"download, last segment of 2 bytes", download(18),
			[]string{"0a00 0110 00 13 0030 60 4060 02 00000000"},
			"0a00 0000 00 23 0020 0b 1112 0000000000",
		},
		{"list of objects", func(c *Client) { c.List(ListAll) }, nil, "0800 0000 00 13 0080 01 00 0000 0100"},
		{"object", func(c *Client) { c.Object(0x1018) }, nil, "0800 0000 00 13 0080 03 00 0000 1810"},
		{"entry", func(c *Client) { c.Entry(0x1018, 4) }, nil, "0a00 0000 00 13 0080 05 00 0000 1810 04 00"},
		{"abort", upload, []string{"0a00 0110 00 13 0030 41 121c 01 00001000 ", "0a00 0110 00 23 0030 10 01020304050607"}, "0a00 0000 00 33 0020 80 121c 01 00000305"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewClient(32)
			tt.do(c)
			got, _ := c.Request()
			for _, a := range tt.answers {
				if !c.Answer(bytesOf(t, a)) {
					t.Fatalf("%s was dropped", a)
				}
				got, _ = c.Request()
			}
			if diff := cmp.Diff(bytesOf(t, tt.want), got); diff != "" {
				t.Errorf("% x: %s", got, diff)
			}
		})
	}
}

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An abort is a request (ETG.1000.6 §5.6.2.7). As a response it counts as well, and is counted; nothing else is an answer by the name of a
// request.
func TestAbortOfTheWrongService(t *testing.T) {
	const request, response = "0a00 0110 00 13 0020 80 121c 01 00000206", "0a00 0110 00 13 0030 80 121c 01 00000206"
	for mail, misnamed := range map[string]int{request: 0, response: 1} {
		c := NewClient(32)
		c.Upload(0x1c12, 1, false)
		if !c.Answer(bytesOf(t, mail)) || !errors.Is(c.Err(), AbortNoObject) {
			t.Errorf("%s: %v", mail, c.Err())
		}
		if n := c.Misnamed(); n != misnamed || c.Misnamed() != 0 {
			t.Errorf("%s: %d", mail, n)
		}
	}
	c := NewClient(32)
	c.Upload(0x1c12, 1, false)
	if c.Answer(bytesOf(t, "0a00 0110 00 13 0020 4f 121c 01 02000000")) {
		t.Error("a request is an answer")
	}
}

// Answers that a slave should not give end the transfer with a reason.
func TestMisbehaviour(t *testing.T) {
	reply := func(s service, command byte, index uint16, word uint32, data ...byte) []byte {
		return newMail(s).sdo(command, index, 0, word).add(data...).complete(TypeCoE, 0)
	}
	segment := func(command byte, data ...byte) []byte {
		return newMail(serviceResponse).segment(command, data).complete(TypeCoE, 0)
	}
	begun := reply(serviceResponse, uploadInitiateAnswer|sizeGiven, 0x2000, 10)
	tests := []struct {
		name    string
		answers [][]byte
		want    error
		abort   Abort // that is sent to the slave
	}{
		{"wrong toggle", [][]byte{begun, segment(toggleBit)}, AbortToggle, AbortToggle},
		{"more than announced", [][]byte{begun, segment(0, make([]byte, 11)...)}, ErrTooLong, AbortLengthHigh},
		{"less than announced", [][]byte{begun, segment(lastSegment, 1, 2, 3, 4, 5, 6, 7)}, AbortLengthLow, 0},
		{"segments without data", [][]byte{begun, segment(7 << 1)}, ErrNotUnderstood, AbortGeneral},
		{"without bounds", [][]byte{reply(serviceResponse, uploadInitiateAnswer|sizeGiven, 0x2000, 1<<31)}, ErrTooLong, AbortMemory},
		{"abort", [][]byte{reply(serviceResponse, abortTransfer, 0x2000, uint32(AbortHardware))}, AbortHardware, 0},
		{"abort as request", [][]byte{reply(serviceRequest, abortTransfer, 0x2000, 0x12345678)}, Abort(0x12345678), 0},
		{"abort of no object between segments", [][]byte{begun, reply(serviceRequest, abortTransfer, 0, uint32(AbortMemory))}, AbortMemory, 0},
		{"refused mail", [][]byte{{4, 0, 0, 0, 0, 0, 1, 0, 2, 0}}, MailProtocol, 0},
		{"size was not told", [][]byte{reply(serviceResponse, uploadInitiateAnswer|expedited, 0x2000, 7)}, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewClient(32)
			c.Upload(0x2000, 0, false)
			for _, a := range tt.answers {
				c.Request()
				if !c.Answer(a) {
					t.Fatal("was dropped")
				}
			}
			var failed *TransferError
			if tt.want == nil && c.Err() != nil || tt.want != nil && (!errors.Is(c.Err(), tt.want) || !errors.As(c.Err(), &failed) || failed.Index != 0x2000) {
				t.Errorf("%v, want %v", c.Err(), tt.want)
			}
			mail, told := c.Request()
			if told != (tt.abort != 0) || !c.Done() {
				t.Fatalf("%v % x", told, mail)
			}
			if _, _, body, _ := parseCoE(mail); told {
				if s, _ := parseSDO(body); s.command != abortTransfer || Abort(s.word) != tt.abort {
					t.Errorf("% x", mail)
				}
			}
		})
	}
}

// Answers of a server to mails that it does not understand.
func TestServerRefuses(t *testing.T) {
	request := func(command byte, word uint32, data ...byte) []byte {
		return newMail(serviceRequest).sdo(command, 0x2000, 0, word).add(data...).complete(TypeCoE, 0)
	}
	announced := request(downloadInitiate|sizeGiven, 20, 1, 2)
	tests := []struct {
		name  string
		mails [][]byte
		want  error
	}{
		{"nothing", [][]byte{nil}, MailInvalidSize},
		{"another protocol", [][]byte{{2, 0, 0, 0, 0, byte(TypeFoE), 0, 0}}, MailProtocol},
		{"no CoE header", [][]byte{{1, 0, 0, 0, 0, byte(TypeCoE), 0}}, MailTooShort},
		{"another service", [][]byte{newMail(4).sdo(0, 0, 0, 0).complete(TypeCoE, 0)}, MailService},
		{"half an SDO", [][]byte{newMail(serviceRequest).add(1, 2, 3).complete(TypeCoE, 0)}, MailTooShort},
		{"half a question", [][]byte{newMail(serviceInfo).add(1, 0, 0, 0, 1).complete(TypeCoE, 0)}, MailTooShort},
		{"half a question about an entry", [][]byte{newMail(serviceInfo).add(byte(entryRequest), 0, 0, 0, 1, 2).complete(TypeCoE, 0)}, MailTooShort},
		{"unknown command", [][]byte{request(7<<5, 0)}, AbortCommand},
		{"segment of no upload", [][]byte{request(uploadSegment, 0)}, AbortCommand},
		{"segment of no download", [][]byte{request(downloadSegment, 0)}, AbortCommand},
		{"download without bounds", [][]byte{request(downloadInitiate|sizeGiven, 1<<30)}, AbortMemory},
		{"wrong toggle", [][]byte{announced, newMail(serviceRequest).segment(toggleBit, []byte{1}).complete(TypeCoE, 0)}, AbortToggle},
		{"too much", [][]byte{announced, newMail(serviceRequest).segment(0, make([]byte, 30)).complete(TypeCoE, 0)}, AbortLengthHigh},
		{"too little", [][]byte{announced, newMail(serviceRequest).segment(lastSegment, make([]byte, 7)).complete(TypeCoE, 0)}, AbortLengthLow},
		{"refused at the end", [][]byte{announced, newMail(serviceRequest).segment(lastSegment, make([]byte, 18)).complete(TypeCoE, 0)}, AbortReadOnly},
		{"segment after an abort", [][]byte{announced, request(abortTransfer, 0), request(downloadSegment, 0)}, AbortCommand},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewServer(objects{}, 32)
			var last []byte
			for _, m := range tt.mails {
				s.Handle(m)
				if answer, ok := s.Next(); ok {
					last = answer
				}
			}
			h, ok := ParseHeader(last)
			if !ok {
				t.Fatalf("% x", last)
			}
			var got error
			if h.Type == TypeError {
				got, _ = parseMailError(last[HeaderSize:])
			} else if _, _, body, ok := parseCoE(last); ok {
				r, _ := parseSDO(body)
				got = Abort(r.word)
			}
			if !errors.Is(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	s := NewServer(objects{}, 32)
	s.NoInfo = true
	c := NewClient(32)
	c.List(ListAll)
	talk(c, s, quiet)
	if !errors.Is(c.Err(), MailService) {
		t.Error(c.Err())
	}
}

// A client that has to end, and one whose mailbox is too small for anything.
func TestGiveUp(t *testing.T) {
	c := NewClient(16)
	c.Upload(0x1000, 0, false)
	c.Request()
	c.GiveUp(AbortTimeout)
	if _, ok := c.Request(); !ok || !c.Done() || !errors.Is(c.Err(), AbortTimeout) {
		t.Errorf("%v %v", ok, c.Err())
	}
	c.GiveUp(AbortTimeout)
	if _, ok := c.Request(); ok {
		t.Error("gave up nothing")
	}
	c = NewClient(SmallestMailbox - 1)
	for _, do := range []func(){
		func() { c.Upload(0x1000, 0, false) },
		func() { c.Download(0x1000, 0, false, []byte{1}) },
		func() { c.List(ListAll) },
	} {
		if do(); !errors.Is(c.Err(), ErrMailbox) || !c.Done() {
			t.Error(c.Err())
		}
	}
}

// Headers survive, and counters go round without zero.
func TestHeader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Header{
			rapid.Uint16Range(0, 100).Draw(t, "length"), rapid.Uint16().Draw(t, "address"), rapid.Uint8Range(0, 63).Draw(t, "channel"),
			rapid.Uint8Range(0, 3).Draw(t, "priority"), Type(rapid.Uint8Range(0, 15).Draw(t, "type")), rapid.Uint8Range(0, 7).Draw(t, "counter"),
		}
		mail := make([]byte, HeaderSize+100)
		want.Put(mail)
		got, ok := ParseHeader(mail)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Fatal(diff)
		}
		if _, ok := ParseHeader(mail[:HeaderSize+want.Length-min(want.Length, 1)]); ok != (want.Length == 0) {
			t.Fatal("length is not looked at")
		}
		m := Mapping(rapid.Uint32().Draw(t, "mapping"))
		if Map(m.Index(), m.Sub(), m.Bits()) != m {
			t.Fatalf("%08x", m)
		}
	})
	seen := ""
	for c := uint8(0); len(seen) < 8; {
		c = NextCounter(c)
		seen += fmt.Sprint(c)
	}
	if seen != "12345671" {
		t.Error(seen)
	}
}

// Codes have names.
func TestWords(t *testing.T) {
	var text strings.Builder
	codes := make([]Abort, 0, len(aborts))
	for a := range aborts {
		codes = append(codes, a)
	}
	slices.Sort(codes)
	for _, a := range append(codes, 0x12345678) {
		fmt.Fprintln(&text, a.Known(), a)
	}
	for e := range MailError(10) {
		fmt.Fprintln(&text, e)
	}
	for d := range DataType(0x40) {
		if n := d.Bits(); n > 0 {
			fmt.Fprintf(&text, "type %04x %v has %d bits\n", uint16(d), d, n)
		}
	}
	fmt.Fprintln(&text, VisibleString, OctetString, IdentityType, PDOMapping, DataType(0x0800))
	golden(t, "words.golden", text.String())
}

// Whatever a slave answers, a client ends, and what it keeps is bounded.
func FuzzClient(f *testing.F) {
	o := objects{key(0x2000, 0): make([]byte, 50)}
	for _, do := range []func(c *Client){
		func(c *Client) { c.Upload(0x2000, 0, false) },
		func(c *Client) { c.Download(0x2000, 0, false, make([]byte, 50)) },
		func(c *Client) { c.List(ListAll) },
		func(c *Client) { c.Entry(0x2000, 0) },
	} {
		var all []byte
		c := NewClient(32)
		do(c)
		talk(c, NewServer(o, 32), func(direction string, mail []byte) {
			if direction == "<" {
				all = append(append(all, byte(len(mail))), mail...)
			}
		})
		f.Add(byte(0), all)
	}
	f.Fuzz(func(t *testing.T, kind byte, mails []byte) {
		c := NewClient(32)
		switch kind % 5 {
		case 0:
			c.Upload(0x2000, 0, false)
		case 1:
			c.Download(0x2000, 0, false, make([]byte, 50))
		case 2:
			c.List(ListAll)
		case 3:
			c.Object(0x2000)
		case 4:
			c.Entry(0x2000, 0)
		}
		for len(mails) > 0 && !c.Done() {
			if mail, ok := c.Request(); ok && len(mail) > 32 {
				t.Fatalf("%d bytes in a mailbox of 32", len(mail))
			}
			n := min(len(mails)-1, int(mails[0]))
			c.Answer(mails[1 : 1+n])
			mails = mails[1+n:]
		}
		c.GiveUp(AbortTimeout)
		c.Request()
		if !c.Done() || len(c.Data()) > MostData {
			t.Fatal("does not end")
		}
	})
}

// Whatever a master sends, a server answers with mails that fit.
func FuzzServer(f *testing.F) {
	o := objects{key(0x2000, 0): make([]byte, 50), key(0x2000, 1): {1}}
	for _, do := range []func(c *Client){
		func(c *Client) { c.Upload(0x2000, 0, false) },
		func(c *Client) { c.Download(0x2000, 0, false, make([]byte, 50)) },
		func(c *Client) { c.List(ListAll) },
		func(c *Client) { c.Object(0x2000) },
	} {
		var all []byte
		c := NewClient(32)
		do(c)
		talk(c, NewServer(o, 32), func(direction string, mail []byte) {
			if direction == ">" {
				all = append(append(all, byte(len(mail))), mail...)
			}
		})
		f.Add(all)
	}
	f.Fuzz(func(t *testing.T, mails []byte) {
		s := NewServer(objects{key(0x2000, 0): make([]byte, 50)}, 32)
		for len(mails) > 0 {
			n := min(len(mails)-1, int(mails[0]))
			s.Handle(mails[1 : 1+n])
			mails = mails[1+n:]
			for mail, ok := s.Next(); ok; mail, ok = s.Next() {
				if h, ok := ParseHeader(mail); !ok || len(mail) > 32 || h.Counter == 0 {
					t.Fatalf("% x", mail)
				}
			}
		}
	})
}
