package stream

import (
	"encoding/binary"
	"math"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// pixels sums up samples for a picture: of each pixel of time the lowest and the highest value of every number, and in which cycles there were
// none. No extreme is lost by that, however short. Pixels are those of the clock: they begin at multiples of their width.
type pixels struct {
	width   int64 // of a pixel, ns
	columns []pixelColumn

	ticks []float64 // Unix time of the first tick of each pixel, s
	pixel int64     // number of the last one, which may go on
	told  bool      // the first one has been told as it is now
}

// pixelColumn is a port. Its rows are those of ticks.
type pixelColumn struct {
	of        value.Type
	words     int // of the values of the port
	norm      bool
	given     []byte
	low, high []float64 // numbers of a row one after another
}

// Bits of the values that the cycles of a pixel had.
const (
	someGiven   = 1 << iota // in some cycle there was a value
	someMissing             // in some there was none
	someNaN                 // in some a number of the value was not a number; it does not count as low or high
)

// numbers are those of a row.
func (c *pixelColumn) numbers() int {
	if c.norm {
		return c.words + 1
	}
	return c.words
}

// add takes samples in.
func (p *pixels) add(s *rcc.Samples) {
	for i, at := range s.Time {
		pixel := floored(at, p.width)
		if len(p.ticks) == 0 || pixel != p.pixel {
			p.pixel = pixel
			p.open(at)
		}
		p.told = p.told && len(p.ticks) > 1
		for k := range p.columns {
			c := &p.columns[k]
			c.add(s.Columns[k].Given[i], s.Columns[k].Words[i*c.words:][:c.words])
		}
	}
}

// floored divides, and rounds down also what is negative.
func floored(a, by int64) int64 {
	q := a / by
	if a%by < 0 {
		q--
	}
	return q
}

// open begins a pixel.
func (p *pixels) open(at int64) {
	p.ticks = append(p.ticks, float64(at)/1e9)
	for k := range p.columns {
		c := &p.columns[k]
		c.given = append(c.given, 0)
		for range c.numbers() {
			c.low, c.high = append(c.low, math.NaN()), append(c.high, math.NaN())
		}
	}
}

// add takes the value of a cycle into the last pixel.
func (c *pixelColumn) add(given bool, words []uint64) {
	is := &c.given[len(c.given)-1]
	if !given {
		*is |= someMissing
		return
	}
	*is |= someGiven
	low, high := c.low[len(c.low)-c.numbers():], c.high[len(c.high)-c.numbers():]
	squares := 0.0
	for i, w := range words {
		number := c.of.Number(w)
		if i < c.of.Normed() {
			squares += number * number
		}
		*is |= extend(&low[i], &high[i], number)
	}
	if c.norm {
		*is |= extend(&low[c.words], &high[c.words], math.Sqrt(squares))
	}
}

// extend takes a number in.
func extend(low, high *float64, number float64) (is byte) {
	if math.IsNaN(number) {
		return someNaN
	}
	if !(*low <= number) { // nor if there is none
		*low = number
	}
	if !(*high >= number) {
		*high = number
	}
	return 0
}

// first is the first row to tell.
func (p *pixels) first() int {
	if p.told {
		return 1
	}
	return 0
}

// rows is how many there are to tell.
func (p *pixels) rows() int { return len(p.ticks) - min(p.first(), len(p.ticks)) }

// forget keeps the last pixel only, as it may go on. It is told again when it has.
func (p *pixels) forget() {
	last := len(p.ticks) - 1
	if last < 0 {
		return
	}
	p.ticks = p.ticks[:copy(p.ticks, p.ticks[last:])]
	for k := range p.columns {
		c := &p.columns[k]
		n := c.numbers()
		c.given = c.given[:copy(c.given, c.given[last:])]
		c.low, c.high = c.low[:copy(c.low, c.low[last*n:])], c.high[:copy(c.high, c.high[last*n:])]
	}
	p.told = true
}

// Format of a message with samples (docs/guide-stream.md).
const (
	samplesKind    = 1
	samplesVersion = 1
)

// append appends what there is to tell as a message.
func (p *pixels) append(room []byte, id uint32, lost uint64) []byte {
	first, rows := p.first(), p.rows()
	room = append(room, samplesKind, samplesVersion)
	room = binary.LittleEndian.AppendUint16(room, uint16(len(p.columns)))
	room = binary.LittleEndian.AppendUint32(room, id)
	room = binary.LittleEndian.AppendUint32(room, uint32(rows))
	room = binary.LittleEndian.AppendUint32(room, uint32(min(lost, math.MaxUint32)))
	room = appendDoubles(room, p.ticks[first:])
	for k := range p.columns {
		c := &p.columns[k]
		n := c.numbers()
		room = binary.LittleEndian.AppendUint32(room, uint32(n))
		room = append(room, 0, 0, 0, 0)
		room = appendDoubles(room, c.low[first*n:])
		room = appendDoubles(room, c.high[first*n:])
		room = append(room, c.given[first:]...)
		for len(room)%8 != 0 {
			room = append(room, 0)
		}
	}
	return room
}

func appendDoubles(room []byte, list []float64) []byte {
	for _, v := range list {
		room = binary.LittleEndian.AppendUint64(room, math.Float64bits(v))
	}
	return room
}
