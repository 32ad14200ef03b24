package mcap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/mcap"
)

var compressions = []mcap.Compression{mcap.None, mcap.Zstd, mcap.LZ4}

// schema describes messages that have one number.
const schema = `{"type":"object","properties":{"value":{"type":"number"}}}`

// sample writes a file with two channels, messages in several chunks, an attachment and metadata.
func sample(t testing.TB, c mcap.Compression) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := mcap.NewWriter(&file, mcap.Options{Header: mcap.Header{Library: "test"}, Compression: c, Chunk: 500})
	must(t, err)
	id, err := w.Schema("number", "jsonschema", []byte(schema))
	must(t, err)
	var channels []uint16
	for _, topic := range []string{"fast", "slow"} {
		ch, err := w.Channel(mcap.Channel{Schema: id, Topic: topic, Encoding: "json", Metadata: map[string]string{"unit": "m", "net": topic}})
		must(t, err)
		channels = append(channels, ch)
	}
	for i := range 100 {
		for n, ch := range channels {
			if i%(1+9*n) == 0 {
				must(t, w.Write(&mcap.Message{Channel: ch, Sequence: uint32(i), LogTime: uint64(1000 + i), PublishTime: uint64(i), Data: fmt.Appendf(nil, `{"value":%d}`, i)}))
			}
		}
	}
	must(t, w.Attach(&mcap.Attachment{LogTime: 7, CreateTime: 8, Name: "net.txt", MediaType: "text/plain", Data: []byte("a net")}))
	must(t, w.Metadata(&mcap.Metadata{Name: "capture", Values: map[string]string{"trigger": "1050", "mode": "single"}}))
	must(t, w.Close())
	return file.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// all reads a file from its beginning, with data that outlast the next record.
func all(b []byte, l mcap.Limits) (found []any, err error) {
	r, err := mcap.NewReader(bytes.NewReader(b), l)
	if err != nil {
		return nil, err
	}
	for {
		one, err := r.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return found, err
		}
		switch one := one.(type) {
		case *mcap.Message:
			one.Data = slices.Clone(one.Data)
		case *mcap.Attachment:
			one.Data = slices.Clone(one.Data)
		}
		found = append(found, one)
	}
}

func messages(found []any) (list []*mcap.Message) {
	for _, one := range found {
		if m, ok := one.(*mcap.Message); ok {
			list = append(list, m)
		}
	}
	return list
}

func TestRoundTrip(t *testing.T) {
	var first []any
	for _, c := range compressions {
		b := sample(t, c)
		found, err := all(b, mcap.Limits{})
		must(t, err)
		if first == nil {
			first = found
		}
		if diff := cmp.Diff(first, found); diff != "" {
			t.Errorf("%q differs from no compression: %s", c, diff)
		}
		if got := messages(found); len(got) != 110 || string(got[3].Data) != `{"value":2}` || got[3].LogTime != 1002 || got[3].PublishTime != 2 || got[3].Sequence != 2 {
			t.Errorf("%q: %d messages, the fourth is %+v", c, len(got), got[3])
		}
		ch := found[1].(*mcap.Channel)
		want := &mcap.Channel{ID: 0, Schema: 1, Topic: "fast", Encoding: "json", Metadata: map[string]string{"unit": "m", "net": "fast"}}
		if diff := cmp.Diff(want, ch); diff != "" {
			t.Error(diff)
		}
	}
}

// TestFile reads by the index what a Reader finds from the beginning on.
func TestFile(t *testing.T) {
	for _, c := range compressions {
		b := sample(t, c)
		f, err := mcap.Open(bytes.NewReader(b), int64(len(b)), mcap.Limits{})
		must(t, err)
		found, err := all(b, mcap.Limits{})
		must(t, err)
		for _, span := range []struct {
			start, end uint64
			channels   []uint16
		}{{0, 1 << 60, nil}, {1010, 1020, nil}, {1010, 1019, []uint16{1}}, {1010, 1020, []uint16{0}}, {2000, 3000, nil}} {
			var want, got []*mcap.Message
			for _, m := range messages(found) {
				if m.LogTime >= span.start && m.LogTime <= span.end && (span.channels == nil || slices.Contains(span.channels, m.Channel)) {
					want = append(want, m)
				}
			}
			for m, err := range f.Messages(span.start, span.end, span.channels...) {
				must(t, err)
				m.Data = slices.Clone(m.Data)
				got = append(got, m)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q %+v: %s", c, span, diff)
			}
		}
		if s := f.Statistics(); s.Messages != 110 || s.Start != 1000 || s.End != 1099 || s.PerChannel[1] != 10 || int(s.Chunks) != len(f.Chunks()) || s.Chunks < 3 {
			t.Errorf("statistics: %+v", s)
		}
		a, err := f.Attachment(f.Attachments()[0])
		must(t, err)
		if string(a.Data) != "a net" || a.Name != "net.txt" || a.CreateTime != 8 {
			t.Errorf("attachment: %+v", a)
		}
		m, err := f.Metadata(f.MetadataIndex()[0])
		must(t, err)
		if diff := cmp.Diff(map[string]string{"trigger": "1050", "mode": "single"}, m.Values); diff != "" {
			t.Error(diff)
		}
	}
}

// TestCut: what was written before the end of a file that was cut off can be read, and nothing else happens.
func TestCut(t *testing.T) {
	for _, c := range compressions {
		b := sample(t, c)
		before := 0
		for n := 0; n < len(b); n += 3 {
			found, err := all(b[:n], mcap.Limits{})
			if !errors.Is(err, mcap.ErrCut) {
				t.Fatalf("%q: %d of %d bytes: %v", c, n, len(b), err)
			}
			if len(messages(found)) < before {
				t.Fatalf("%q: %d bytes have %d messages, less than fewer bytes", c, n, len(messages(found)))
			}
			before = len(messages(found))
			if _, err := mcap.Open(bytes.NewReader(b[:n]), int64(n), mcap.Limits{}); err == nil {
				t.Fatalf("%q: %d of %d bytes have an index", c, n, len(b))
			}
		}
		if before != 110 {
			t.Errorf("%q: without the last bytes there are %d messages", c, before)
		}
	}
}

// TestChanged: each bit that changes is noticed, or changes nothing that is read.
func TestChanged(t *testing.T) {
	for _, c := range compressions {
		b := sample(t, c)
		want, err := all(b, mcap.Limits{})
		must(t, err)
		unnoticed := 0
		for i := 0; i < len(b); i += 7 {
			changed := slices.Clone(b)
			changed[i] ^= 1 << (i % 8)
			found, err := all(changed, mcap.Limits{})
			var is *mcap.Error
			switch {
			case err == nil && !cmp.Equal(want, found):
				t.Fatalf("%q: byte %d: something else is read without an error", c, i)
			case err == nil:
				unnoticed++
			case !errors.As(err, &is):
				t.Fatalf("%q: byte %d: %v", c, i, err)
			}
		}
		if unnoticed > 0 {
			t.Errorf("%q: %d changes are not noticed", c, unnoticed)
		}
	}
}

// TestLimits: a small file cannot cost much.
func TestLimits(t *testing.T) {
	bomb := func(c mcap.Compression, size int) []byte {
		var file bytes.Buffer
		w, err := mcap.NewWriter(&file, mcap.Options{Compression: c, Chunk: size})
		must(t, err)
		ch, err := w.Channel(mcap.Channel{Topic: "zeros"})
		must(t, err)
		for range 4 {
			must(t, w.Write(&mcap.Message{Channel: ch, Data: make([]byte, size)}))
		}
		must(t, w.Close())
		return file.Bytes()
	}
	for _, test := range []struct {
		name   string
		file   []byte
		limits mcap.Limits
		want   string
	}{
		{"chunk", bomb(mcap.Zstd, 1<<20), mcap.Limits{Record: 1 << 19}, "chunk: it unpacks to 1048637 bytes, 524288 are allowed"},
		{"chunk of lz4", bomb(mcap.LZ4, 1<<20), mcap.Limits{Record: 1 << 19}, "it unpacks to 1048637 bytes, 524288 are allowed"},
		{"all chunks", bomb(mcap.Zstd, 1<<20), mcap.Limits{Unpacked: 3 << 20}, "all chunks together"},
		{"names", sample(t, mcap.None), mcap.Limits{Names: 100}, "schemas and channels take more bytes than are allowed"},
		{"a record as long as the address space", append([]byte("\x89MCAP0\r\n\x01"), "\xff\xff\xff\xff\xff\xff\xff\x7f"...), mcap.Limits{}, "header: it has 9223372036854775807 bytes"},
		{"a record that is not there", append([]byte("\x89MCAP0\r\n\x01"), "\x00\x00\x00\x03\x00\x00\x00\x00"...), mcap.Limits{}, "ends too early"},
	} {
		t.Run(test.name, func(t *testing.T) {
			allocated := testing.AllocsPerRun(1, func() {
				_, err := all(test.file, test.limits)
				if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v", err)
				}
			})
			if allocated > 2000 {
				t.Errorf("%v allocations", allocated)
			}
		})
	}
}

// TestWrongs has files that are wrong in one way each.
func TestWrongs(t *testing.T) {
	record := func(of byte, content string) string {
		return string(of) + string([]byte{byte(len(content)), 0, 0, 0, 0, 0, 0, 0}) + content
	}
	const begin = "\x89MCAP0\r\n"
	header := record(1, "\x00\x00\x00\x00\x00\x00\x00\x00")
	for _, test := range []struct{ name, file, want string }{
		{"another format", "PK\x03\x04 and so on", "byte 0: this is not an MCAP file of version 0"},
		{"another version", "\x89MCAP1\r\n" + header, "byte 0: this is not an MCAP file of version 0"},
		{"no header", begin + record(0xf, "\x00\x00\x00\x00"), "byte 8: data end stands where the header has to"},
		{"header", begin + record(1, "\x09\x00\x00\x00"), "byte 8: header: profile needs 9 bytes, 0 are left"},
		{"not UTF-8", begin + record(1, "\x01\x00\x00\x00\xff\x00\x00\x00\x00"), "byte 8: header: profile is not UTF-8"},
		{"message without channel", begin + header + record(5, strings.Repeat("\x00", 22)), "byte 25: message: channel 0 does not stand before it"},
		{"short message", begin + header + record(5, "\x00\x00\x00"), "byte 25: message: sequence needs 4 bytes, 1 are left"},
		{"channel without schema", begin + header + record(4, "\x00\x00\x03\x00"+strings.Repeat("\x00", 12)), "byte 25: channel 0: schema 3 does not stand before it"},
		{"two channels", begin + header + record(4, "\x00\x00\x00\x00"+strings.Repeat("\x00", 12)) +
			record(4, "\x00\x00\x00\x00\x01\x00\x00\x00a"+strings.Repeat("\x00", 8)), "channel 0: it differs from the one before"},
		{"keys", begin + header + record(0xc, "\x00\x00\x00\x00\x12\x00\x00\x00\x01\x00\x00\x00a\x00\x00\x00\x00\x01\x00\x00\x00a\x00\x00\x00\x00"), `metadata: metadata: key "a" stands twice`},
		{"chunk in a chunk", begin + header + record(6, strings.Repeat("\x00", 16)+"\x09\x00\x00\x00\x00\x00\x00\x00"+"\x00\x00\x00\x00"+"\x00\x00\x00\x00"+"\x09\x00\x00\x00\x00\x00\x00\x00"+
			record(6, "")), "byte 25: chunk must not stand in a chunk"},
		{"compression", begin + header + record(6, strings.Repeat("\x00", 28)+"\x02\x00\x00\x00xz"+strings.Repeat("\x00", 8)), `compression "xz" is not one of zstd, lz4 and none`},
		{"footer in the data", begin + header + record(2, strings.Repeat("\x00", 20)), "byte 25: footer must not stand in the data"},
		{"end", begin + header + record(0xf, "\x00\x00\x00\x00") + record(2, strings.Repeat("\x00", 20)) + "nonsense", "the file does not end as MCAP files do"},
		{"index behind the footer", begin + header + record(0xf, "\x00\x00\x00\x00") + record(2, "\xff\xff"+strings.Repeat("\x00", 18)) + begin, "byte 38: footer: the index begins behind it"},
		{"behind the end", begin + header + record(0xf, "\x00\x00\x00\x00") + record(2, strings.Repeat("\x00", 20)) + begin + "x", "something stands behind the end of the file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := all([]byte(test.file), mcap.Limits{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// TestLater: records and fields of later versions are left out.
func TestLater(t *testing.T) {
	file := "\x89MCAP0\r\n" + "\x01\x0c\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\x00", 8) + "more" + "\x7f\x01\x00\x00\x00\x00\x00\x00\x00?" +
		"\x0f\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" + "\x02\x14\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\x00", 20) + "\x89MCAP0\r\n"
	if found, err := all([]byte(file), mcap.Limits{}); err != nil || len(found) != 0 {
		t.Errorf("%v %v", found, err)
	}
	if _, err := mcap.Open(strings.NewReader(file), int64(len(file)), mcap.Limits{}); !errors.Is(err, mcap.ErrNoIndex) {
		t.Errorf("by its index: %v", err)
	}
}

// TestRandom writes whatever there is, and reads it again both ways.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var file bytes.Buffer
		o := mcap.Options{Compression: rapid.SampledFrom(compressions).Draw(t, "compression"), Chunk: rapid.IntRange(0, 300).Draw(t, "chunk")}
		w, err := mcap.NewWriter(&file, o)
		if err != nil {
			t.Fatal(err)
		}
		channels := rapid.IntRange(1, 4).Draw(t, "channels")
		for i := range channels {
			if _, err := w.Channel(mcap.Channel{Topic: fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
		}
		var want []*mcap.Message
		for range rapid.IntRange(0, 40).Draw(t, "messages") {
			m := &mcap.Message{
				Channel: uint16(rapid.IntRange(0, channels-1).Draw(t, "channel")), LogTime: rapid.Uint64().Draw(t, "time"),
				Data: rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "data"),
			}
			want = append(want, m)
			if err := w.Write(m); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		found, err := all(file.Bytes(), mcap.Limits{})
		if diff := cmp.Diff(want, messages(found)); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
		f, err := mcap.Open(bytes.NewReader(file.Bytes()), int64(file.Len()), mcap.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []*mcap.Message
		for m, err := range f.Messages(0, 1<<64-1) {
			if err != nil {
				t.Fatal(err)
			}
			m.Data = slices.Clone(m.Data)
			got = append(got, m)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestWriterErrors: the first error ends the file.
func TestWriterErrors(t *testing.T) {
	w, err := mcap.NewWriter(io.Discard, mcap.Options{})
	must(t, err)
	if err := w.Write(&mcap.Message{Channel: 1}); err == nil || err.Error() != "mcap: message: channel 1 has not been added" {
		t.Error(err)
	}
	if _, err := w.Schema("a", "", nil); err == nil {
		t.Error("a schema after an error")
	}
	if err := w.Close(); err == nil {
		t.Error("closed after an error")
	}
	if _, err := mcap.NewWriter(io.Discard, mcap.Options{Compression: "xz"}); err == nil {
		t.Error("xz")
	}
	w, err = mcap.NewWriter(io.Discard, mcap.Options{})
	must(t, err)
	must(t, w.Close())
	if err := w.Close(); !errors.Is(err, mcap.ErrClosed) {
		t.Error(err)
	}
}

// TestOthers: npm's @mcap/core reads our files, and we read a file that it has written.
func TestOthers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing, which runs @mcap/core")
	}
	modules, err := filepath.Abs(filepath.Join("..", "web", "pride", "node_modules"))
	must(t, err)
	if _, err := os.Stat(filepath.Join(modules, "@mcap", "core")); err != nil {
		t.Skip("@mcap/core is missing: npm ci in web/pride")
	}
	dir := t.TempDir()
	must(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	script, err := os.ReadFile(filepath.Join("testdata", "others.mjs"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "others.mjs"), script, 0o600))
	args := []string{"others.mjs"}
	for i, c := range compressions {
		name := fmt.Sprintf("ours%d.mcap", i)
		must(t, os.WriteFile(filepath.Join(dir, name), sample(t, c), 0o600))
		args = append(args, "stream", name, "index", name)
	}
	cmd := exec.CommandContext(t.Context(), node, append(args, "write", "theirs.mcap")...)
	cmd.Dir = dir
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, complaints.Bytes())
	}
	answers := strings.Split(string(output), "---\n")
	for i, c := range compressions {
		found, err := all(sample(t, c), mcap.Limits{})
		must(t, err)
		var want strings.Builder
		for _, one := range found {
			switch one := one.(type) {
			case *mcap.Message:
				fmt.Fprintf(&want, "message %d %d %s\n", one.Channel, one.LogTime, one.Data)
			case *mcap.Attachment:
				fmt.Fprintf(&want, "attachment %s %s\n", one.Name, one.Data)
			case *mcap.Metadata:
				fmt.Fprintf(&want, "metadata %s %d\n", one.Name, len(one.Values))
			}
		}
		if diff := cmp.Diff(want.String(), answers[2*i]); diff != "" {
			t.Errorf("%q from the beginning: %s", c, diff)
		}
		var got struct {
			Messages, Channels int
			Topics             []string
			Attachment         string
		}
		must(t, json.Unmarshal([]byte(answers[2*i+1]), &got))
		if got.Messages != 110 || got.Channels != 2 || !slices.Equal(got.Topics, []string{"fast", "slow"}) || got.Attachment != "a net" {
			t.Errorf("%q by its index: %+v", c, got)
		}
	}
	theirs, err := os.ReadFile(filepath.Join(dir, "theirs.mcap"))
	must(t, err)
	found, err := all(theirs, mcap.Limits{})
	must(t, err)
	if got := messages(found); len(got) != 50 || string(got[49].Data) != `{"value":49}` || got[49].LogTime != 49000 {
		t.Errorf("theirs: %d messages", len(got))
	}
	f, err := mcap.Open(bytes.NewReader(theirs), int64(len(theirs)), mcap.Limits{})
	must(t, err)
	if s := f.Statistics(); s.Messages != 50 || len(f.Channels()) != 1 || len(f.Attachments()) != 1 || len(f.MetadataIndex()) != 1 {
		t.Errorf("theirs by its index: %+v", s)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range compressions {
		f.Add(sample(f, c))
	}
	limits := mcap.Limits{Record: 1 << 20, Names: 1 << 16, Unpacked: 1 << 22}
	f.Fuzz(func(t *testing.T, b []byte) {
		found, err := all(b, limits)
		var is *mcap.Error
		if err != nil && (!errors.As(err, &is) || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("%v", err)
		}
		file, opened := mcap.Open(bytes.NewReader(b), int64(len(b)), limits)
		if opened != nil {
			return
		}
		n := 0
		for _, err := range file.Messages(0, 1<<64-1) {
			if err == nil {
				n++
			}
		}
		for _, x := range file.Attachments() {
			_, _ = file.Attachment(x)
		}
		for _, x := range file.MetadataIndex() {
			_, _ = file.Metadata(x)
		}
		_ = found
	})
}
