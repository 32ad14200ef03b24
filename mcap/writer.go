package mcap

import (
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
)

// Options configure a writer.
type Options struct {
	Header
	Compression Compression
	Chunk       int // bytes of messages in a chunk, before compression; 1 MiB when zero
}

// usualChunk is the size of a chunk.
const usualChunk = 1 << 20

// ErrClosed is returned by every call after Close.
var ErrClosed = errors.New("mcap: the file is closed")

// Writer writes a file. One goroutine uses it. The first error ends the file, and is returned by every later call.
type Writer struct {
	out   io.Writer
	o     Options
	at    uint64 // bytes written
	crc   hash.Hash32
	err   error
	chunk chunk
	buf   []byte

	schemas     []*Schema
	channels    []*Channel
	chunks      []*ChunkIndex
	attachments []*AttachmentIndex
	metadata    []*MetadataIndex
	stats       Statistics
}

// chunk is the one that messages go to.
type chunk struct {
	records    []byte
	start, end uint64
	messages   int
	index      map[uint16][]byte // of each channel: time and offset of its messages
}

// NewWriter begins a file.
func NewWriter(out io.Writer, o Options) (*Writer, error) {
	if err := o.Compression.check(); err != nil {
		return nil, fmt.Errorf("mcap: %w", err)
	}
	if o.Chunk <= 0 {
		o.Chunk = usualChunk
	}
	w := &Writer{out: out, o: o, crc: crc32.NewIEEE(), stats: Statistics{PerChannel: map[uint16]uint64{}}}
	w.chunk.index = map[uint16][]byte{}
	w.write([]byte(magic))
	w.record(opHeader, o.put)
	return w, w.err
}

// write appends bytes to the file.
func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	w.at += uint64(n)
	_, _ = w.crc.Write(b[:n]) // never fails
	if err != nil {
		w.err = fmt.Errorf("mcap: %w", err)
	}
}

// appendRecord appends a record to b.
func appendRecord(b []byte, of opcode, put func(b []byte) []byte) []byte {
	at := len(b)
	b = put(u64(append(b, byte(of)), 0))
	length := uint64(len(b) - at - prefixSize)
	for i := range 8 {
		b[at+1+i] = byte(length >> (8 * i))
	}
	return b
}

// record appends a record to the file, and returns where it is and how long.
func (w *Writer) record(of opcode, put func(b []byte) []byte) (offset, length uint64) {
	w.buf = appendRecord(w.buf[:0], of, put)
	offset = w.at
	w.write(w.buf)
	return offset, uint64(len(w.buf))
}

// Schema adds a schema, and returns its number for channels.
func (w *Writer) Schema(name, encoding string, data []byte) (uint16, error) {
	if w.err == nil && len(w.schemas) == math.MaxUint16 {
		w.err = fmt.Errorf("mcap: schema %q: a file has at most %d schemas", name, math.MaxUint16)
	}
	if w.err != nil {
		return 0, w.err
	}
	s := &Schema{ID: uint16(len(w.schemas) + 1), Name: name, Encoding: encoding, Data: data}
	w.schemas = append(w.schemas, s)
	w.chunk.records = appendRecord(w.chunk.records, opSchema, s.put)
	return s.ID, nil
}

// Channel adds a channel, and returns its number for messages. The ID of c is ignored.
func (w *Writer) Channel(c Channel) (uint16, error) {
	switch {
	case w.err != nil:
	case int(c.Schema) > len(w.schemas):
		w.err = fmt.Errorf("mcap: channel %q: schema %d has not been added", c.Topic, c.Schema)
	case len(w.channels) == math.MaxUint16:
		w.err = fmt.Errorf("mcap: channel %q: a file has at most %d channels", c.Topic, math.MaxUint16)
	}
	if w.err != nil {
		return 0, w.err
	}
	c.ID = uint16(len(w.channels))
	w.channels = append(w.channels, &c)
	w.chunk.records = appendRecord(w.chunk.records, opChannel, c.put)
	return c.ID, nil
}

// Write adds a message. Messages may be in any order of time; those in order are found faster.
func (w *Writer) Write(m *Message) error {
	if w.err == nil && int(m.Channel) >= len(w.channels) {
		w.err = fmt.Errorf("mcap: message: channel %d has not been added", m.Channel)
	}
	if w.err != nil {
		return w.err
	}
	c := &w.chunk
	if c.messages == 0 {
		c.start, c.end = m.LogTime, m.LogTime
	}
	if w.stats.Messages == 0 {
		w.stats.Start, w.stats.End = m.LogTime, m.LogTime
	}
	c.start, c.end = min(c.start, m.LogTime), max(c.end, m.LogTime)
	w.stats.Start, w.stats.End = min(w.stats.Start, m.LogTime), max(w.stats.End, m.LogTime)
	c.index[m.Channel] = u64(u64(c.index[m.Channel], m.LogTime), uint64(len(c.records)))
	c.records = appendRecord(c.records, opMessage, m.put)
	c.messages++
	w.stats.Messages++
	w.stats.PerChannel[m.Channel]++
	if len(c.records) >= w.o.Chunk {
		return w.Flush()
	}
	return nil
}

// Flush ends the chunk: everything added so far can be read even if nothing else is ever written.
func (w *Writer) Flush() error {
	c := &w.chunk
	if w.err != nil || len(c.records) == 0 {
		return w.err
	}
	packed, err := w.o.Compression.pack(c.records)
	if err != nil {
		w.err = fmt.Errorf("mcap: chunk: %w", err)
		return w.err
	}
	x := &ChunkIndex{
		Start: c.start, End: c.end, MessageIndex: map[uint16]uint64{}, Compression: w.o.Compression,
		Packed: uint64(len(packed)), Unpacked: uint64(len(c.records)),
	}
	x.Offset, x.Length = w.record(opChunk, func(b []byte) []byte {
		b = u64(u64(u64(b, c.start), c.end), uint64(len(c.records)))
		b = text(u32(b, sum(c.records)), string(w.o.Compression))
		return append(u64(b, uint64(len(packed))), packed...)
	})
	for id := range w.channels {
		entries := c.index[uint16(id)]
		if len(entries) == 0 {
			continue
		}
		offset, length := w.record(opMessageIndex, func(b []byte) []byte {
			return append(u32(u16(b, uint16(id)), uint32(len(entries))), entries...)
		})
		x.MessageIndex[uint16(id)] = offset
		x.IndexLength += length
	}
	w.chunks = append(w.chunks, x)
	clear(c.index)
	*c = chunk{records: c.records[:0], index: c.index}
	return w.err
}

// Attach adds an attachment.
func (w *Writer) Attach(a *Attachment) error {
	if err := w.Flush(); err != nil {
		return err
	}
	x := &AttachmentIndex{LogTime: a.LogTime, CreateTime: a.CreateTime, Size: uint64(len(a.Data)), Name: a.Name, MediaType: a.MediaType}
	x.Offset, x.Length = w.record(opAttachment, a.put)
	w.attachments = append(w.attachments, x)
	return w.err
}

// Metadata adds metadata.
func (w *Writer) Metadata(m *Metadata) error {
	if err := w.Flush(); err != nil {
		return err
	}
	x := &MetadataIndex{Name: m.Name}
	x.Offset, x.Length = w.record(opMetadata, m.put)
	w.metadata = append(w.metadata, x)
	return w.err
}

// Close writes the index. It does not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.Flush(); err != nil {
		return err
	}
	data := w.crc.Sum32()
	w.record(opDataEnd, func(b []byte) []byte { return u32(b, data) })
	w.crc.Reset()
	w.summary()
	w.write([]byte(magic))
	if w.err != nil {
		return w.err
	}
	w.err = ErrClosed
	return nil
}

// summary writes everything from the index up to the footer. The check sum begins with it.
func (w *Writer) summary() {
	w.stats.Schemas, w.stats.Channels = uint16(len(w.schemas)), uint32(len(w.channels))
	w.stats.Attachments, w.stats.Metadata, w.stats.Chunks = uint32(len(w.attachments)), uint32(len(w.metadata)), uint32(len(w.chunks))
	start := w.at
	var offsets []byte
	for _, group := range []struct {
		of  opcode
		put []func(b []byte) []byte
	}{
		{opSchema, putters(w.schemas)},
		{opChannel, putters(w.channels)},
		{opChunkIndex, putters(w.chunks)},
		{opAttachmentIndex, putters(w.attachments)},
		{opMetadataIndex, putters(w.metadata)},
		{opStatistics, putters([]*Statistics{&w.stats})},
	} {
		begins := w.at
		for _, put := range group.put {
			w.record(group.of, put)
		}
		if w.at == begins {
			continue
		}
		offsets = appendRecord(offsets, opSummaryOffset, func(b []byte) []byte {
			return u64(u64(append(b, byte(group.of)), begins), w.at-begins)
		})
	}
	offsetStart := w.at
	w.write(offsets)
	// The check sum covers the footer up to itself.
	footer := u64(u64(u64(append([]byte(nil), byte(opFooter)), footerSize), start), offsetStart)
	w.write(footer)
	w.write(u32(nil, w.crc.Sum32()))
}

// putters returns the encoders of records.
func putters[T interface{ put(b []byte) []byte }](all []T) []func(b []byte) []byte {
	puts := make([]func(b []byte) []byte, len(all))
	for i, one := range all {
		puts[i] = one.put
	}
	return puts
}
