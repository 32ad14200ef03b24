package mcap

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
)

// Limits bound the cost of reading a file. A zero field means its default.
type Limits struct {
	Record   int   // bytes of one record, and of the records in one chunk; 64 MiB
	Names    int   // bytes of all schemas and channels; 16 MiB
	Unpacked int64 // bytes of all chunks that are unpacked; 1 GiB
}

func (l Limits) orUsual() Limits {
	if l.Record <= 0 {
		l.Record = 64 << 20
	}
	if l.Names <= 0 {
		l.Names = 16 << 20
	}
	if l.Unpacked <= 0 {
		l.Unpacked = 1 << 30
	}
	return l
}

// Error is a mistake in a file, with its place.
type Error struct {
	At    int64 // offset in the file; within a chunk, that of the chunk
	What  string
	cause error
}

func (e *Error) Error() string { return fmt.Sprintf("mcap: byte %d: %s", e.At, e.What) }

// Unwrap returns ErrCut for a file that ends too early.
func (e *Error) Unwrap() error { return e.cause }

// ErrCut is the cause of an error about a file that ends too early. Everything before its end has been read.
var ErrCut = errors.New("the file ends too early")

func wrong(at int64, format string, args ...any) *Error {
	return &Error{At: at, What: fmt.Sprintf(format, args...)}
}

// names are the schemas and channels of a file.
type names struct {
	schemas  map[uint16]*Schema
	channels map[uint16]*Channel
	left     int // bytes that they may still take
}

func newNames(l Limits) names {
	return names{schemas: map[uint16]*Schema{}, channels: map[uint16]*Channel{}, left: l.Names}
}

func (n *names) charge(of opcode, bytes int) string {
	if n.left -= bytes; n.left < 0 {
		return fmt.Sprintf("%s: schemas and channels take more bytes than are allowed", of)
	}
	return ""
}

// schema keeps a schema, and returns nil for one that is known or has to be ignored.
func (n *names) schema(b []byte) (*Schema, string) {
	s, c := &Schema{}, content{rest: b}
	s.get(&c)
	old := n.schemas[s.ID]
	switch {
	case c.wrong != "":
		return nil, "schema: " + c.wrong
	case s.ID == 0:
		return nil, ""
	case old == nil:
	case old.Name == s.Name && old.Encoding == s.Encoding && slices.Equal(old.Data, s.Data):
		return nil, ""
	default:
		return nil, fmt.Sprintf("schema %d: it differs from the one before", s.ID)
	}
	n.schemas[s.ID] = s
	return s, n.charge(opSchema, len(b))
}

// channel keeps a channel, and returns nil for one that is known.
func (n *names) channel(b []byte) (*Channel, string) {
	ch, c := &Channel{}, content{rest: b}
	ch.get(&c)
	old := n.channels[ch.ID]
	switch {
	case c.wrong != "":
		return nil, "channel: " + c.wrong
	case ch.Schema != 0 && n.schemas[ch.Schema] == nil:
		return nil, fmt.Sprintf("channel %d: schema %d does not stand before it", ch.ID, ch.Schema)
	case old == nil:
	case old.Schema == ch.Schema && old.Topic == ch.Topic && old.Encoding == ch.Encoding && equalTexts(old.Metadata, ch.Metadata):
		return nil, ""
	default:
		return nil, fmt.Sprintf("channel %d: it differs from the one before", ch.ID)
	}
	n.channels[ch.ID] = ch
	return ch, n.charge(opChannel, len(b))
}

func equalTexts(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

// message returns a message, whose data are a part of b.
func (n *names) message(b []byte) (*Message, string) {
	m, c := &Message{}, content{rest: b}
	m.get(&c)
	if c.wrong != "" {
		return nil, "message: " + c.wrong
	}
	if n.channels[m.Channel] == nil {
		return nil, fmt.Sprintf("message: channel %d does not stand before it", m.Channel)
	}
	return m, ""
}

// chunks unpacks chunks within limits.
type chunks struct {
	unpacker
	limit int
	left  int64
}

func newChunks(l Limits) chunks { return chunks{limit: l.Record, left: l.Unpacked} }

// open returns the records of a chunk.
func (u *chunks) open(b []byte) ([]byte, string) {
	c := content{rest: b}
	c.u64("start")
	c.u64("end")
	size, check := c.u64("uncompressed size"), c.u32("check sum")
	by := Compression(c.text("compression"))
	packed := c.take(c.u64("size of the records"), "records")
	switch {
	case c.wrong != "":
		return nil, "chunk: " + c.wrong
	case size > uint64(u.limit):
		return nil, fmt.Sprintf("chunk: it unpacks to %d bytes, %d are allowed", size, u.limit)
	case int64(size) > u.left:
		return nil, "chunk: all chunks together unpack to more bytes than are allowed"
	}
	u.left -= int64(size)
	records, err := u.unpack(by, packed, int(size))
	if err != nil {
		return nil, fmt.Sprintf("chunk: %v", err)
	}
	if check != 0 && check != sum(records) {
		return nil, "chunk: its check sum is wrong"
	}
	return records, ""
}

// split takes the first record off the records of a chunk.
func split(b []byte) (of opcode, record, rest []byte, problem string) {
	if len(b) < prefixSize {
		return 0, nil, nil, "chunk: its last record is cut off"
	}
	length := binary.LittleEndian.Uint64(b[1:])
	if length > uint64(len(b)-prefixSize) {
		return 0, nil, nil, fmt.Sprintf("chunk: a record needs %d bytes, %d are left", length, len(b)-prefixSize)
	}
	end := prefixSize + int(length)
	return opcode(b[0]), b[prefixSize:end:end], b[end:], ""
}

// Reader reads a file from its beginning to its end.
type Reader struct {
	in     *bufio.Reader
	limits Limits
	at     int64 // bytes read
	crc    hash.Hash32
	header Header
	names
	chunks
	buf   []byte
	left  []byte // records of the chunk that are still to be read
	begin int64  // of the record that is being read
	ended bool   // the data
	stats *Statistics
	err   error
}

// NewReader reads the header of a file.
func NewReader(in io.Reader, l Limits) (*Reader, error) {
	l = l.orUsual()
	r := &Reader{in: bufio.NewReader(in), limits: l, crc: crc32.NewIEEE(), names: newNames(l), chunks: newChunks(l)}
	var head [len(magic)]byte
	if err := r.full(head[:]); err != nil {
		return nil, err
	}
	if string(head[:]) != magic {
		return nil, wrong(0, "this is not an MCAP file of version 0")
	}
	of, b, err := r.record()
	if err != nil {
		return nil, err
	}
	if of != opHeader {
		return nil, wrong(r.begin, "%s stands where the header has to", of)
	}
	c := content{rest: b}
	if r.header.get(&c); c.wrong != "" {
		return nil, wrong(r.begin, "header: %s", c.wrong)
	}
	return r, nil
}

// Header returns the header of the file.
func (r *Reader) Header() Header { return r.header }

// Statistics returns the statistics at the end of the file, nil before they have been read or if there are none.
func (r *Reader) Statistics() *Statistics { return r.stats }

// full reads b, and adds it to the check sum.
func (r *Reader) full(b []byte) error {
	n, err := io.ReadFull(r.in, b)
	r.at += int64(n)
	_, _ = r.crc.Write(b[:n]) // never fails
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{At: r.at, What: ErrCut.Error(), cause: ErrCut}
	}
	return &Error{At: r.at, What: err.Error(), cause: err}
}

// grow is how many bytes are read at once: a length that the file does not have costs no more memory than this.
const grow = 1 << 20

// record reads a record. Its content is valid until the next one is read.
func (r *Reader) record() (of opcode, b []byte, err error) {
	r.begin = r.at
	var prefix [prefixSize]byte
	if err := r.full(prefix[:]); err != nil {
		return 0, nil, err
	}
	of = opcode(prefix[0])
	length := binary.LittleEndian.Uint64(prefix[1:])
	if length > uint64(r.limits.Record) {
		return 0, nil, wrong(r.begin, "%s: it has %d bytes, %d are allowed", of, length, r.limits.Record)
	}
	r.buf = r.buf[:0]
	for len(r.buf) < int(length) {
		n := min(int(length)-len(r.buf), grow)
		r.buf = slices.Grow(r.buf, n)
		part := r.buf[len(r.buf) : len(r.buf)+n]
		if err := r.full(part); err != nil {
			return 0, nil, err
		}
		r.buf = r.buf[:len(r.buf)+n]
	}
	return of, r.buf, nil
}

// Next returns the next *Schema, *Channel, *Message, *Attachment or *Metadata. Each schema and each channel is returned once.
// The data of messages and attachments are valid until the next call. The error after the last one is io.EOF if the whole
// file was valid.
func (r *Reader) Next() (any, error) {
	for r.err == nil {
		var found any
		if found, r.err = r.step(); found != nil && r.err == nil {
			return found, nil
		}
	}
	return nil, r.err
}

// step reads one record, and returns nil for one that is not for the caller.
func (r *Reader) step() (any, error) {
	if len(r.left) > 0 {
		of, b, rest, problem := split(r.left)
		if problem != "" {
			return nil, wrong(r.begin, "%s", problem)
		}
		r.left = rest
		return r.inChunk(of, b)
	}
	before := r.crc.Sum32()
	of, b, err := r.record()
	if err != nil {
		return nil, err
	}
	if r.ended {
		return nil, r.summary(of, b, before)
	}
	return r.data(of, b, before)
}

// result returns what was found, nil where a pointer is, or the problem as an error.
func result[T any](at int64, v *T, problem string) (any, error) {
	if problem != "" {
		return nil, wrong(at, "%s", problem)
	}
	if v == nil {
		return nil, nil
	}
	return v, nil
}

func (r *Reader) inChunk(of opcode, b []byte) (any, error) {
	switch of {
	case opSchema:
		s, problem := r.schema(b)
		return result(r.begin, s, problem)
	case opChannel:
		c, problem := r.channel(b)
		return result(r.begin, c, problem)
	case opMessage:
		m, problem := r.message(b)
		return result(r.begin, m, problem)
	}
	return nil, r.strange(of, "in a chunk")
}

// strange refuses a record that must not stand here. Those that later versions add are left out.
func (r *Reader) strange(of opcode, where string) error {
	if _, known := opNames[of]; known || of == 0 {
		return wrong(r.begin, "%s must not stand %s", of, where)
	}
	return nil
}

// data reads a record of the data section; before is the check sum up to it.
func (r *Reader) data(of opcode, b []byte, before uint32) (found any, err error) {
	c := content{rest: b}
	switch of {
	case opSchema, opChannel, opMessage:
		return r.inChunk(of, b)
	case opChunk:
		var problem string
		if r.left, problem = r.open(b); problem != "" {
			return nil, wrong(r.begin, "%s", problem)
		}
		return nil, nil
	case opMessageIndex:
		return nil, nil
	case opAttachment:
		a := &Attachment{}
		a.get(&c)
		found = a
	case opMetadata:
		m := &Metadata{}
		m.get(&c)
		found = m
	case opDataEnd:
		if want := c.u32("check sum"); c.wrong == "" && want != 0 && want != before {
			c.fail("the check sum of the data is wrong")
		}
		r.ended = true
		r.crc.Reset()
	default:
		return nil, r.strange(of, "in the data")
	}
	if c.wrong != "" {
		return nil, wrong(r.begin, "%s: %s", of, c.wrong)
	}
	return found, nil
}

// summary reads a record behind the data; before is the check sum of what stands there before it.
func (r *Reader) summary(of opcode, b []byte, before uint32) error {
	c := content{rest: b}
	switch of {
	case opSchema:
		_, problem := r.schema(b)
		c.wrong = problem
	case opChannel:
		_, problem := r.channel(b)
		c.wrong = problem
	case opStatistics:
		s := &Statistics{}
		s.get(&c)
		r.stats = s
	case opChunkIndex, opAttachmentIndex, opMetadataIndex, opSummaryOffset:
	case opFooter:
		return r.footer(b, before)
	default:
		return r.strange(of, "behind the data")
	}
	if c.wrong != "" {
		return wrong(r.begin, "%s: %s", of, c.wrong)
	}
	return nil
}

// footer ends the file.
func (r *Reader) footer(b []byte, before uint32) error {
	f, err := readFooter(b, r.begin, before)
	if err != nil {
		return err
	}
	if f.start > uint64(r.begin) || f.offsets > uint64(r.begin) {
		return wrong(r.begin, "footer: the index begins behind it")
	}
	var tail [len(magic)]byte
	if err := r.full(tail[:]); err != nil {
		return err
	}
	if string(tail[:]) != magic {
		return wrong(r.at-int64(len(magic)), "the file does not end as MCAP files do")
	}
	if _, err := r.in.ReadByte(); err == nil {
		return wrong(r.at, "something stands behind the end of the file")
	}
	return io.EOF
}

// footer is what the end of a file says.
type footer struct {
	start, offsets uint64 // where the summary and its offsets begin; 0 for nowhere
}

// readFooter reads the content of a footer; before is the check sum of the summary.
func readFooter(b []byte, at int64, before uint32) (footer, error) {
	if len(b) != footerSize {
		return footer{}, wrong(at, "footer: it has %d bytes instead of %d", len(b), footerSize)
	}
	c := content{rest: b}
	f := footer{start: c.u64("start of the summary"), offsets: c.u64("start of the offsets")}
	covered := append(u64([]byte{byte(opFooter)}, footerSize), b[:footerSize-4]...)
	if want := c.u32("check sum"); want != 0 && want != crc32.Update(before, crc32.IEEETable, covered) {
		return footer{}, wrong(at, "footer: the check sum of the summary is wrong")
	}
	return f, nil
}
