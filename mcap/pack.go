package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Compression is how the records of a chunk are compressed.
type Compression string

// The compressions that the registry of the format names. LZ4 is its frame format.
const (
	None Compression = ""
	Zstd Compression = "zstd"
	LZ4  Compression = "lz4"
)

// sum returns the check sum of all parts of a file.
func sum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// zstdWriter is shared: EncodeAll may be called by several goroutines.
var zstdWriter = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
})

func (c Compression) check() error {
	switch c {
	case None, Zstd, LZ4:
		return nil
	}
	return fmt.Errorf("compression %q is not one of zstd, lz4 and none", string(c))
}

func (c Compression) pack(b []byte) ([]byte, error) {
	switch c {
	case Zstd:
		w, err := zstdWriter()
		if err != nil {
			return nil, err
		}
		return w.EncodeAll(b, nil), nil
	case LZ4:
		var packed bytes.Buffer
		w := lz4.NewWriter(&packed)
		if _, err := w.Write(b); err != nil {
			return nil, err
		}
		err := w.Close()
		return packed.Bytes(), err
	case None:
	}
	return b, c.check()
}

// An unpacker unpacks chunks, one after another, into memory that it uses again.
type unpacker struct {
	zstd *zstd.Decoder
	lz4  *lz4.Reader
	mem  []byte
}

// unpack returns exactly size bytes. The caller has checked size against its limits: nothing beyond it is unpacked, whatever the
// packed bytes say.
func (u *unpacker) unpack(c Compression, packed []byte, size int) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if c == None {
		if len(packed) != size {
			return nil, fmt.Errorf("it has %d bytes and says %d", len(packed), size)
		}
		return packed, nil
	}
	if cap(u.mem) < size {
		u.mem = make([]byte, size)
	}
	if c == LZ4 {
		return u.fromLZ4(packed, u.mem[:size])
	}
	return u.fromZstd(packed, u.mem[:size])
}

func (u *unpacker) fromZstd(packed, into []byte) ([]byte, error) {
	if u.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, err
		}
		u.zstd = d
	}
	got, err := u.zstd.DecodeAll(packed, into[:0:len(into)])
	if err == nil && len(got) != len(into) {
		err = fmt.Errorf("it unpacks to %d bytes and says %d", len(got), len(into))
	}
	return got, err
}

func (u *unpacker) fromLZ4(packed, into []byte) ([]byte, error) {
	if u.lz4 == nil {
		u.lz4 = lz4.NewReader(nil)
	}
	u.lz4.Reset(bytes.NewReader(packed))
	if _, err := io.ReadFull(u.lz4, into); err != nil {
		return nil, err
	}
	if n, err := io.CopyN(io.Discard, u.lz4, 1); n > 0 {
		return nil, fmt.Errorf("it unpacks to more than the %d bytes that it says", len(into))
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return into, nil
}
