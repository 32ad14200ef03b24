package websocket

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// opcode is the kind of a frame (RFC 6455 §5.2).
type opcode byte

const (
	opContinuation opcode = 0
	opText         opcode = 1
	opBinary       opcode = 2
	opClose        opcode = 8
	opPing         opcode = 9
	opPong         opcode = 10
)

func (o opcode) control() bool { return o >= opClose }

func (o opcode) known() bool { return o <= opBinary || opClose <= o && o <= opPong }

// closeCode is the status with which a connection is closed (RFC 6455 §7.4.1).
type closeCode uint16

const (
	goingAway     closeCode = 1001
	protocolError closeCode = 1002
	tooLarge      closeCode = 1009
)

// violation is input that ends the connection.
type violation struct {
	code closeCode
	text string
}

func (v *violation) Error() string { return v.text }

const (
	finalBit   = 0x80
	reserved   = 0x70
	maskBit    = 0x80
	controlMax = 125 // bytes of a control frame (RFC 6455 §5.5)
)

// header is what precedes the body of a frame.
type header struct {
	final  bool
	op     opcode
	length uint64
	masked bool
	key    [4]byte
}

// readHeader reads the header of a frame and refuses what no client sends, masked or not.
func readHeader(in *bufio.Reader) (h header, err error) {
	var b [8]byte
	if _, err := io.ReadFull(in, b[:2]); err != nil {
		return h, err
	}
	h.final, h.op = b[0]&finalBit != 0, opcode(b[0]&0x0f)
	h.masked, h.length = b[1]&maskBit != 0, uint64(b[1]&^maskBit)
	switch {
	case b[0]&reserved != 0:
		return h, &violation{protocolError, "reserved bits of a frame are set"}
	case !h.op.known():
		return h, &violation{protocolError, fmt.Sprintf("unknown opcode %d", h.op)}
	case h.op.control() && (!h.final || h.length > controlMax):
		return h, &violation{protocolError, "control frame in parts or too long"}
	}
	if h.length, err = readLength(in, h.length, b[:]); err != nil {
		return h, err
	}
	if h.masked {
		_, err = io.ReadFull(in, h.key[:])
	}
	return h, err
}

// readLength completes a length of seven bits with the sixteen or 64 that may follow.
func readLength(in *bufio.Reader, short uint64, b []byte) (uint64, error) {
	switch short {
	case 126:
		_, err := io.ReadFull(in, b[:2])
		return uint64(binary.BigEndian.Uint16(b)), err
	case 127:
		_, err := io.ReadFull(in, b[:8])
		return binary.BigEndian.Uint64(b), err
	}
	return short, nil
}

// bodyStep is how much room is made at a time: a length in a header is a promise, memory is given for what has come.
const bodyStep = 64 << 10

// readBody appends the body of a frame to dst.
func readBody(in *bufio.Reader, h header, dst []byte, room *wire.Meter) ([]byte, error) {
	done := 0
	for left := h.length; left > 0; {
		n := int(min(left, bodyStep))
		if err := room.Grow(len(dst) + n); err != nil {
			return dst, &violation{tooLarge, err.Error()}
		}
		dst = slices.Grow(dst, n)
		part := dst[len(dst) : len(dst)+n]
		if _, err := io.ReadFull(in, part); err != nil {
			return dst, wire.Unexpected(err)
		}
		if h.masked {
			unmask(part, h.key, done)
		}
		dst = dst[:len(dst)+n]
		done += n
		left -= uint64(n)
	}
	return dst, nil
}

// unmask takes the mask off a part of a body that begins at offset.
func unmask(part []byte, key [4]byte, offset int) {
	for i := range part {
		part[i] ^= key[(offset+i)&3]
	}
}

// appendFrame appends a frame of a server: whole and unmasked.
func appendFrame[T string | []byte](dst []byte, op opcode, body T) []byte {
	dst = append(dst, finalBit|byte(op))
	switch n := len(body); {
	case n <= controlMax:
		dst = append(dst, byte(n))
	case n <= 0xffff:
		dst = binary.BigEndian.AppendUint16(append(dst, 126), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, 127), uint64(n))
	}
	return append(dst, body...)
}

func closeBody(code closeCode, reason string) string {
	return string(binary.BigEndian.AppendUint16(nil, uint16(code))) + shorten(reason)
}

// shorten cuts a reason to what fits into a closing frame.
func shorten(reason string) string {
	const room = controlMax - 2
	if len(reason) <= room {
		return reason
	}
	cut := room
	for !utf8.RuneStart(reason[cut]) {
		cut--
	}
	return reason[:cut]
}
