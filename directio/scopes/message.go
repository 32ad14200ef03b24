package scopes

import (
	"encoding/binary"
	"math"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// Format of a message with a capture (docs/guide-scope.md).
const (
	captureKind    = 2
	captureVersion = 1
)

// AppendCapture appends a capture as a message of bytes, all of it little-endian:
//
//	u8 kind 2, u8 version 1, u16 channels, u32 id, u32 ticks, u32 length of the facts
//	the facts in JSON, as scope.Capture has them, and zeros up to a multiple of 8 bytes
//	f64 for each tick: Unix time in seconds
//	for each channel: u32 components, u32 0, the values of one component after those of another as f64, a byte for each tick (scope.Mark),
//	and zeros up to a multiple of 8 bytes
func AppendCapture(room []byte, id uint32, c *scope.Capture) ([]byte, error) {
	about, err := facts.JSON(c)
	if err != nil {
		return room, err
	}
	begin := len(room)
	room = append(room, captureKind, captureVersion)
	room = binary.LittleEndian.AppendUint16(room, uint16(len(c.Channels)))
	room = binary.LittleEndian.AppendUint32(room, id)
	room = binary.LittleEndian.AppendUint32(room, uint32(len(c.Ticks)))
	room = binary.LittleEndian.AppendUint32(room, uint32(len(about)))
	room = pad(append(room, about...), begin)
	for _, tick := range c.Ticks {
		room = binary.LittleEndian.AppendUint64(room, math.Float64bits(float64(tick)/1e9))
	}
	for i := range c.Channels {
		t := &c.Channels[i]
		room = binary.LittleEndian.AppendUint32(room, uint32(len(t.Values)))
		room = append(room, 0, 0, 0, 0)
		for _, values := range t.Values {
			for _, v := range values {
				room = binary.LittleEndian.AppendUint64(room, math.Float64bits(v))
			}
		}
		for _, m := range t.Marks {
			room = append(room, byte(m))
		}
		room = pad(room, begin)
	}
	return room, nil
}

func pad(room []byte, begin int) []byte {
	for (len(room)-begin)%8 != 0 {
		room = append(room, 0)
	}
	return room
}
