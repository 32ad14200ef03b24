package mcap

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// magic begins and ends a file. Its fifth byte after the first is the version.
const magic = "\x89MCAP0\r\n"

// opcode is the first byte of a record.
type opcode byte

const (
	opHeader          opcode = 0x01
	opFooter          opcode = 0x02
	opSchema          opcode = 0x03
	opChannel         opcode = 0x04
	opMessage         opcode = 0x05
	opChunk           opcode = 0x06
	opMessageIndex    opcode = 0x07
	opChunkIndex      opcode = 0x08
	opAttachment      opcode = 0x09
	opAttachmentIndex opcode = 0x0A
	opStatistics      opcode = 0x0B
	opMetadata        opcode = 0x0C
	opMetadataIndex   opcode = 0x0D
	opSummaryOffset   opcode = 0x0E
	opDataEnd         opcode = 0x0F
)

var opNames = map[opcode]string{
	opHeader: "header", opFooter: "footer", opSchema: "schema", opChannel: "channel", opMessage: "message", opChunk: "chunk",
	opMessageIndex: "message index", opChunkIndex: "chunk index", opAttachment: "attachment", opAttachmentIndex: "attachment index",
	opStatistics: "statistics", opMetadata: "metadata", opMetadataIndex: "metadata index", opSummaryOffset: "summary offset", opDataEnd: "data end",
}

func (o opcode) String() string {
	if name, ok := opNames[o]; ok {
		return name
	}
	return fmt.Sprintf("record 0x%02x", byte(o))
}

// Sizes of the head of a record, and of records of constant size.
const (
	prefixSize  = 1 + 8
	footerSize  = 8 + 8 + 4
	messageHead = 2 + 4 + 8 + 8
)

// Header describes a file.
type Header struct {
	Profile string // conventions that readers can rely on, mostly empty
	Library string // program that wrote the file
}

// Schema describes messages, for instance by JSON Schema (Encoding "jsonschema").
type Schema struct {
	ID       uint16 // never 0
	Name     string
	Encoding string
	Data     []byte
}

// Channel is a stream of messages of one kind.
type Channel struct {
	ID       uint16
	Schema   uint16 // 0 for none
	Topic    string
	Encoding string // of the messages, for instance "json"
	Metadata map[string]string
}

// Message is a message of a channel. Times are in nanoseconds, in our files Unix time.
type Message struct {
	Channel     uint16
	Sequence    uint32
	LogTime     uint64
	PublishTime uint64
	Data        []byte
}

// Attachment is a file within the file.
type Attachment struct {
	LogTime, CreateTime uint64
	Name, MediaType     string
	Data                []byte
}

// Metadata is a set of texts with a name.
type Metadata struct {
	Name   string
	Values map[string]string
}

// Statistics has the counts of a file.
type Statistics struct {
	Messages    uint64
	Schemas     uint16
	Channels    uint32
	Attachments uint32
	Metadata    uint32
	Chunks      uint32
	Start, End  uint64 // earliest and latest LogTime
	PerChannel  map[uint16]uint64
}

// ChunkIndex has the place of a chunk and its contents.
type ChunkIndex struct {
	Start, End   uint64 // earliest and latest LogTime
	Offset       uint64 // of the chunk, in the file
	Length       uint64 // of the record
	MessageIndex map[uint16]uint64
	IndexLength  uint64
	Compression  Compression
	Packed       uint64 // size of the records in the chunk, compressed
	Unpacked     uint64
}

// AttachmentIndex has the place of an attachment.
type AttachmentIndex struct {
	Offset, Length      uint64
	LogTime, CreateTime uint64
	Size                uint64
	Name, MediaType     string
}

// MetadataIndex has the place of metadata.
type MetadataIndex struct {
	Offset, Length uint64
	Name           string
}

// The encoders append the content of a record.

func u16(b []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(b, v) }
func u32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }
func u64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

func text(b []byte, s string) []byte { return append(u32(b, uint32(len(s))), s...) }

// counted appends what put appends, behind its length in bytes.
func counted(b []byte, put func(b []byte) []byte) []byte {
	at := len(b)
	b = put(u32(b, 0))
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

func texts(b []byte, of map[string]string) []byte {
	return counted(b, func(b []byte) []byte {
		for _, k := range slices.Sorted(maps.Keys(of)) {
			b = text(text(b, k), of[k])
		}
		return b
	})
}

func numbers(b []byte, of map[uint16]uint64) []byte {
	return counted(b, func(b []byte) []byte {
		for _, k := range slices.Sorted(maps.Keys(of)) {
			b = u64(u16(b, k), of[k])
		}
		return b
	})
}

func (h Header) put(b []byte) []byte { return text(text(b, h.Profile), h.Library) }

func (s *Schema) put(b []byte) []byte {
	b = text(text(u16(b, s.ID), s.Name), s.Encoding)
	return append(u32(b, uint32(len(s.Data))), s.Data...)
}

func (ch *Channel) put(b []byte) []byte {
	b = u16(u16(b, ch.ID), ch.Schema)
	return texts(text(text(b, ch.Topic), ch.Encoding), ch.Metadata)
}

func (m *Message) put(b []byte) []byte {
	b = u32(u16(b, m.Channel), m.Sequence)
	return append(u64(u64(b, m.LogTime), m.PublishTime), m.Data...)
}

func (a *Attachment) put(b []byte) []byte {
	at := len(b)
	b = u64(u64(b, a.LogTime), a.CreateTime)
	b = text(text(b, a.Name), a.MediaType)
	b = append(u64(b, uint64(len(a.Data))), a.Data...)
	return u32(b, sum(b[at:]))
}

func (m *Metadata) put(b []byte) []byte { return texts(text(b, m.Name), m.Values) }

func (x *ChunkIndex) put(b []byte) []byte {
	b = u64(u64(u64(u64(b, x.Start), x.End), x.Offset), x.Length)
	b = u64(numbers(b, x.MessageIndex), x.IndexLength)
	return u64(u64(text(b, string(x.Compression)), x.Packed), x.Unpacked)
}

func (x *AttachmentIndex) put(b []byte) []byte {
	b = u64(u64(u64(u64(u64(b, x.Offset), x.Length), x.LogTime), x.CreateTime), x.Size)
	return text(text(b, x.Name), x.MediaType)
}

func (x *MetadataIndex) put(b []byte) []byte { return text(u64(u64(b, x.Offset), x.Length), x.Name) }

func (s *Statistics) put(b []byte) []byte {
	b = u32(u16(u64(b, s.Messages), s.Schemas), s.Channels)
	b = u32(u32(u32(b, s.Attachments), s.Metadata), s.Chunks)
	return numbers(u64(u64(b, s.Start), s.End), s.PerChannel)
}

// A content is what is left of the content of a record. The first field that is not there, or is wrong, is kept; everything read
// after it is empty.
type content struct {
	rest  []byte
	wrong string
}

func (c *content) fail(format string, args ...any) {
	if c.wrong == "" {
		c.wrong = fmt.Sprintf(format, args...)
	}
	c.rest = nil
}

// take returns the next n bytes, or nil.
func (c *content) take(n uint64, of string) []byte {
	if c.wrong != "" {
		return nil
	}
	if n > uint64(len(c.rest)) {
		c.fail("%s needs %d bytes, %d are left", of, n, len(c.rest))
		return nil
	}
	b := c.rest[:n:n]
	c.rest = c.rest[n:]
	return b
}

func (c *content) u16(of string) uint16 {
	if b := c.take(2, of); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *content) u32(of string) uint32 {
	if b := c.take(4, of); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *content) u64(of string) uint64 {
	if b := c.take(8, of); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (c *content) text(of string) string {
	b := c.take(uint64(c.u32(of)), of)
	if !utf8.Valid(b) {
		c.fail("%s is not UTF-8", of)
		return ""
	}
	return string(b)
}

// each calls read until a counted part has been read.
func (c *content) each(of string, read func(part *content)) {
	part := content{rest: c.take(uint64(c.u32(of)), of)}
	for len(part.rest) > 0 && part.wrong == "" {
		read(&part)
	}
	if part.wrong != "" {
		c.fail("%s", part.wrong)
	}
}

func (c *content) texts(of string) map[string]string {
	all := map[string]string{}
	c.each(of, func(part *content) {
		k := part.text(of)
		v := part.text(of)
		if _, twice := all[k]; twice {
			part.fail("%s: key %q stands twice", of, k)
		}
		if part.wrong == "" {
			all[k] = v
		}
	})
	return all
}

func (c *content) numbers(of string) map[uint16]uint64 {
	all := map[uint16]uint64{}
	c.each(of, func(part *content) {
		k := part.u16(of)
		v := part.u64(of)
		if _, twice := all[k]; twice {
			part.fail("%s: channel %d stands twice", of, k)
		}
		if part.wrong == "" {
			all[k] = v
		}
	})
	return all
}

func (h *Header) get(c *content) { h.Profile, h.Library = c.text("profile"), c.text("library") }

func (s *Schema) get(c *content) {
	s.ID = c.u16("id")
	s.Name, s.Encoding = c.text("name"), c.text("encoding")
	s.Data = slices.Clone(c.take(uint64(c.u32("data")), "data"))
}

func (ch *Channel) get(c *content) {
	ch.ID, ch.Schema = c.u16("id"), c.u16("schema")
	ch.Topic, ch.Encoding = c.text("topic"), c.text("encoding")
	ch.Metadata = c.texts("metadata")
}

func (m *Message) get(c *content) {
	m.Channel, m.Sequence = c.u16("channel"), c.u32("sequence")
	m.LogTime, m.PublishTime = c.u64("log time"), c.u64("publish time")
	m.Data = c.take(uint64(len(c.rest)), "data")
}

func (a *Attachment) get(c *content) {
	all := c.rest
	a.LogTime, a.CreateTime = c.u64("log time"), c.u64("create time")
	a.Name, a.MediaType = c.text("name"), c.text("media type")
	a.Data = c.take(c.u64("size of the data"), "data")
	covered := all[:len(all)-len(c.rest)]
	if want := c.u32("check sum"); c.wrong == "" && want != 0 && want != sum(covered) {
		c.fail("its check sum is wrong")
	}
}

func (m *Metadata) get(c *content) { m.Name, m.Values = c.text("name"), c.texts("metadata") }

func (x *ChunkIndex) get(c *content) {
	x.Start, x.End = c.u64("start"), c.u64("end")
	x.Offset, x.Length = c.u64("offset"), c.u64("length")
	x.MessageIndex, x.IndexLength = c.numbers("message indexes"), c.u64("length of the message indexes")
	x.Compression = Compression(c.text("compression"))
	x.Packed, x.Unpacked = c.u64("compressed size"), c.u64("uncompressed size")
}

func (x *AttachmentIndex) get(c *content) {
	x.Offset, x.Length = c.u64("offset"), c.u64("length")
	x.LogTime, x.CreateTime = c.u64("log time"), c.u64("create time")
	x.Size = c.u64("size")
	x.Name, x.MediaType = c.text("name"), c.text("media type")
}

func (x *MetadataIndex) get(c *content) {
	x.Offset, x.Length, x.Name = c.u64("offset"), c.u64("length"), c.text("name")
}

func (s *Statistics) get(c *content) {
	s.Messages, s.Schemas, s.Channels = c.u64("messages"), c.u16("schemas"), c.u32("channels")
	s.Attachments, s.Metadata, s.Chunks = c.u32("attachments"), c.u32("metadata"), c.u32("chunks")
	s.Start, s.End = c.u64("start"), c.u64("end")
	s.PerChannel = c.numbers("messages of channels")
}
