package mcap

import (
	"errors"
	"io"
	"iter"
	"math"
	"slices"
)

// File is a file that is read by its index.
type File struct {
	in   io.ReaderAt
	size int64
	l    Limits
	names
	chunks

	index       []*ChunkIndex
	attachments []*AttachmentIndex
	metadata    []*MetadataIndex
	stats       *Statistics
}

// ErrNoIndex is the cause of an error about a file without an index, which a [Reader] can read.
var ErrNoIndex = errors.New("the file has no index")

// Open reads the index of a file of size bytes.
func Open(in io.ReaderAt, size int64, l Limits) (*File, error) {
	l = l.orUsual()
	f := &File{in: in, size: size, l: l, names: newNames(l), chunks: newChunks(l)}
	const tail = prefixSize + footerSize + len(magic)
	if size < int64(tail+len(magic)) {
		return nil, &Error{At: size, What: ErrCut.Error(), cause: ErrCut}
	}
	head, err := f.read(0, uint64(len(magic)))
	if err != nil {
		return nil, err
	}
	if string(head) != magic {
		return nil, wrong(0, "this is not an MCAP file of version 0")
	}
	at := size - int64(tail)
	end, err := f.read(at, uint64(tail))
	if err != nil {
		return nil, err
	}
	of, b, _, problem := split(end)
	if problem != "" || of != opFooter || len(b) != footerSize || string(end[tail-len(magic):]) != magic {
		return nil, &Error{At: size, What: ErrCut.Error(), cause: ErrCut}
	}
	return f, f.summary(b, at)
}

// summary reads everything between the data and the footer, which is at at.
func (f *File) summary(foot []byte, at int64) error {
	c := content{rest: foot}
	start := c.u64("start of the summary")
	if start == 0 {
		return &Error{At: at, What: ErrNoIndex.Error(), cause: ErrNoIndex}
	}
	if start > uint64(at) {
		return wrong(at, "footer: the summary begins behind it")
	}
	all, err := f.read(int64(start), uint64(at)-start)
	if err != nil {
		return err
	}
	if _, err := readFooter(foot, at, sum(all)); err != nil {
		return err
	}
	place := int64(start)
	for len(all) > 0 {
		of, b, rest, problem := split(all)
		if problem == "" {
			problem = f.record(of, b)
		}
		if problem != "" {
			return wrong(place, "summary: %s", problem)
		}
		place += int64(len(all) - len(rest))
		all = rest
	}
	return nil
}

// record keeps a record of the summary.
func (f *File) record(of opcode, b []byte) string {
	c := content{rest: b}
	switch of {
	case opSchema:
		_, problem := f.schema(b)
		return problem
	case opChannel:
		_, problem := f.channel(b)
		return problem
	case opChunkIndex:
		x := &ChunkIndex{}
		x.get(&c)
		f.index = append(f.index, x)
	case opAttachmentIndex:
		x := &AttachmentIndex{}
		x.get(&c)
		f.attachments = append(f.attachments, x)
	case opMetadataIndex:
		x := &MetadataIndex{}
		x.get(&c)
		f.metadata = append(f.metadata, x)
	case opStatistics:
		f.stats = &Statistics{}
		f.stats.get(&c)
	default:
	}
	if c.wrong != "" {
		return of.String() + ": " + c.wrong
	}
	return ""
}

// read returns a part of the file.
func (f *File) read(at int64, n uint64) ([]byte, error) {
	switch {
	case n > uint64(f.l.Record):
		return nil, wrong(at, "a part has %d bytes, %d are allowed", n, f.l.Record)
	case at < 0 || at > f.size || n > uint64(f.size-at):
		return nil, wrong(f.size, "a part of %d bytes at %d is behind the end", n, at)
	}
	b := make([]byte, n)
	if got, err := f.in.ReadAt(b, at); got < len(b) {
		return nil, &Error{At: at + int64(got), What: err.Error(), cause: err}
	}
	return b, nil
}

// at returns the record that an index says is there.
func (f *File) at(offset, length uint64, want opcode) ([]byte, error) {
	if offset > math.MaxInt64 {
		return nil, wrong(f.size, "%s: it is said to be at %d, behind the end", want, offset)
	}
	b, err := f.read(int64(offset), length)
	if err != nil {
		return nil, err
	}
	of, record, rest, problem := split(b)
	if problem != "" || of != want || len(rest) > 0 {
		return nil, wrong(int64(offset), "%s: the index says that it is here", want)
	}
	return record, nil
}

// Schemas returns the schemas by their numbers.
func (f *File) Schemas() map[uint16]*Schema { return f.names.schemas }

// Channels returns the channels by their numbers.
func (f *File) Channels() map[uint16]*Channel { return f.names.channels }

// Statistics returns the statistics of the file, nil if it has none.
func (f *File) Statistics() *Statistics { return f.stats }

// Chunks returns the index of chunks.
func (f *File) Chunks() []*ChunkIndex { return f.index }

// Attachments returns the index of attachments.
func (f *File) Attachments() []*AttachmentIndex { return f.attachments }

// MetadataIndex returns the index of metadata.
func (f *File) MetadataIndex() []*MetadataIndex { return f.metadata }

// Attachment reads an attachment.
func (f *File) Attachment(x *AttachmentIndex) (*Attachment, error) {
	b, err := f.at(x.Offset, x.Length, opAttachment)
	if err != nil {
		return nil, err
	}
	a, c := &Attachment{}, content{rest: b}
	if a.get(&c); c.wrong != "" {
		return nil, wrong(int64(x.Offset), "attachment: %s", c.wrong)
	}
	return a, nil
}

// Metadata reads the metadata of an index.
func (f *File) Metadata(x *MetadataIndex) (*Metadata, error) {
	b, err := f.at(x.Offset, x.Length, opMetadata)
	if err != nil {
		return nil, err
	}
	m, c := &Metadata{}, content{rest: b}
	if m.get(&c); c.wrong != "" {
		return nil, wrong(int64(x.Offset), "metadata: %s", c.wrong)
	}
	return m, nil
}

// Messages reads the messages of some channels with a LogTime from start to end, both included, in the order of the file.
// Without channels it reads those of all channels. The data of a message are valid until the next one. The sequence ends with
// the first error.
func (f *File) Messages(start, end uint64, channels ...uint16) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for _, x := range f.index {
			if x.Start > end || x.End < start || !x.mayHave(channels) {
				continue
			}
			for m, err := range f.chunk(x) {
				wanted := err != nil || m.LogTime >= start && m.LogTime <= end && (len(channels) == 0 || slices.Contains(channels, m.Channel))
				if wanted && !yield(m, err) || err != nil {
					return
				}
			}
		}
	}
}

// mayHave reports whether messages of some channels can be in the chunk.
func (x *ChunkIndex) mayHave(channels []uint16) bool {
	if len(channels) == 0 || len(x.MessageIndex) == 0 {
		return true
	}
	return slices.ContainsFunc(channels, func(c uint16) bool { _, ok := x.MessageIndex[c]; return ok })
}

// chunk reads the messages of a chunk.
func (f *File) chunk(x *ChunkIndex) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		b, err := f.at(x.Offset, x.Length, opChunk)
		if err != nil {
			yield(nil, err)
			return
		}
		left, problem := f.open(b)
		for problem == "" && len(left) > 0 {
			var of opcode
			var record []byte
			if of, record, left, problem = split(left); problem != "" {
				break
			}
			m, err := f.message(of, record)
			if err != "" {
				problem = err
			} else if m != nil && !yield(m, nil) {
				return
			}
		}
		if problem != "" {
			yield(nil, wrong(int64(x.Offset), "%s", problem))
		}
	}
}

// message reads a record in a chunk, and returns nil for one that is not a message.
func (f *File) message(of opcode, b []byte) (m *Message, problem string) {
	switch of {
	case opMessage:
		return f.names.message(b)
	case opSchema:
		_, problem = f.schema(b)
	case opChannel:
		_, problem = f.channel(b)
	default:
	}
	return nil, problem
}
