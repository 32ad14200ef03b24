package stream

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// pixelRow is a pixel as a client knows it.
type pixelRow struct {
	Tick  float64
	Given []byte      // by column
	Low   [][]float64 // by column and number
	High  [][]float64
}

// decode reads a message by the guide.
func decode(t failer, message []byte) (id, lost uint32, list []pixelRow) {
	t.Helper()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(message[at:])) }
	f64 := func(at int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(message[at:])) }
	if message[0] != 1 || message[1] != 1 {
		t.Fatalf("kind %d, version %d", message[0], message[1])
	}
	columns, count := int(binary.LittleEndian.Uint16(message[2:])), u32(8)
	at := 16
	for i := range count {
		list = append(list, pixelRow{Tick: f64(at + 8*i)})
	}
	at += 8 * count
	for range columns {
		numbers := u32(at)
		at += 8
		for i := range list {
			r := &list[i]
			low, high := []float64{}, []float64{}
			for k := range numbers {
				low = append(low, f64(at+8*(i*numbers+k)))
				high = append(high, f64(at+8*((count+i)*numbers+k)))
			}
			r.Low, r.High = append(r.Low, low), append(r.High, high)
			r.Given = append(r.Given, message[at+16*count*numbers+i])
		}
		at += 16*count*numbers + count
		at += -at & 7
	}
	if at != len(message) {
		t.Fatalf("%d bytes, of which %d were read", len(message), at)
	}
	return uint32(u32(4)), uint32(u32(12)), list
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// merge is what a client does: a row with the tick of the last one replaces it.
func merge(known, list []pixelRow) []pixelRow {
	for _, r := range list {
		if n := len(known); n > 0 && known[n-1].Tick == r.Tick {
			known[n-1] = r
		} else {
			known = append(known, r)
		}
	}
	return known
}

// plain makes pixels the slow way: for each pixel it looks at all samples.
func plain(columns []pixelColumn, width int64, s *rcc.Samples) (list []pixelRow) {
	pixelOf := func(i int) float64 { return math.Floor(float64(s.Time[i]) / float64(width)) }
	for begin := 0; begin < len(s.Time); {
		end := begin
		for end < len(s.Time) && pixelOf(end) == pixelOf(begin) {
			end++
		}
		r := pixelRow{Tick: float64(s.Time[begin]) / 1e9}
		for k, c := range columns {
			low, high := make([]float64, c.numbers()), make([]float64, c.numbers())
			var given byte
			for _, is := range s.Columns[k].Given[begin:end] {
				given |= map[bool]byte{true: 1, false: 2}[is]
			}
			for n := range low {
				low[n], high[n] = math.NaN(), math.NaN()
				for i := begin; i < end; i++ {
					if !s.Columns[k].Given[i] {
						continue
					}
					words := s.Columns[k].Words[i*c.words:][:c.words]
					v := 0.0
					if n < c.words {
						v = c.of.Number(words[n])
					} else {
						x, y, z := c.of.Number(words[0]), c.of.Number(words[1]), c.of.Number(words[2])
						v = math.Sqrt(x*x + y*y + z*z)
					}
					if v != v {
						given |= 4
						continue
					}
					if low[n] != low[n] || v < low[n] {
						low[n] = v
					}
					if high[n] != high[n] || v > high[n] {
						high[n] = v
					}
				}
			}
			r.Given, r.Low, r.High = append(r.Given, given), append(r.Low, low), append(r.High, high)
		}
		list = append(list, r)
		begin = end
	}
	return list
}

// TestPixels: whatever the signals, the pixels, and the pieces in which samples come and are told, a client knows the extremes of each pixel,
// and in which there was no value.
func TestPixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := []pixelColumn{
			{of: value.TypeDouble, words: 1}, {of: value.TypeInt, words: 1}, {of: value.TypeVector, words: 3, norm: true}, {of: value.TypeBool},
		}
		width := rapid.Int64Range(1, 40).Draw(t, "width")
		p := pixels{width: width, columns: columns}
		doubles := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, -1, 1e9, math.NaN(), math.Inf(1), math.Inf(-1)}))
		all := rcc.Samples{Columns: make([]rcc.Column, len(columns))}
		var known []pixelRow
		at := rapid.Int64Range(-500, 500).Draw(t, "begin")
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			piece := rcc.Samples{Columns: make([]rcc.Column, len(columns))}
			for range rapid.IntRange(0, 30).Draw(t, "cycles") {
				at += rapid.SampledFrom([]int64{1, 1, 1, 5, 200}).Draw(t, "gap")
				piece.Time = append(piece.Time, at)
				for k := range columns {
					c := &piece.Columns[k]
					c.Given = append(c.Given, rapid.Bool().Draw(t, "given"))
					for range columns[k].words {
						word := math.Float64bits(doubles.Draw(t, "value"))
						if columns[k].of == value.TypeInt {
							word = uint64(rapid.Uint32().Draw(t, "int"))
						}
						c.Words = append(c.Words, word)
					}
				}
			}
			all.Time = append(all.Time, piece.Time...)
			for k := range columns {
				all.Columns[k].Given = append(all.Columns[k].Given, piece.Columns[k].Given...)
				all.Columns[k].Words = append(all.Columns[k].Words, piece.Columns[k].Words...)
			}
			p.add(&piece)
			if rapid.Bool().Draw(t, "tell") && p.rows() > 0 {
				_, _, list := decode(t, p.append(nil, 7, 0))
				known = merge(known, list)
				p.forget()
				if p.rows() != 0 {
					t.Fatalf("%d rows are told again although nothing is new", p.rows())
				}
			}
		}
		if p.rows() > 0 {
			_, _, list := decode(t, p.append(nil, 7, 0))
			known = merge(known, list)
		}
		want := plain(columns, width, &all)
		if diff := cmp.Diff(want, known, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

// TestSamplesOnTheWire compares a message with a file that the client in the browser reads too.
func TestSamplesOnTheWire(t *testing.T) {
	bits := math.Float64bits
	p := pixels{width: 2_000_000, columns: []pixelColumn{{of: value.TypeDouble, words: 1}, {of: value.TypeVector, words: 3, norm: true}, {of: value.TypeInt}}}
	p.add(&rcc.Samples{
		Time: []int64{1_000_000_000_000_000_000, 1_000_000_000_001_000_000, 1_000_000_000_002_000_000},
		Columns: []rcc.Column{
			{Given: []bool{true, true, false}, Words: []uint64{bits(1.5), bits(-2), 0}},
			{Given: []bool{false, true, true}, Words: []uint64{0, 0, 0, bits(1), bits(2), bits(2), bits(-3), bits(0), bits(4)}},
			{Given: []bool{false, false, false}},
		},
	})
	got := p.append(nil, 0x01020304, 7)
	text := ""
	for at := 0; at < len(got); at += 8 {
		text += fmt.Sprintf("% x\n", got[at:at+8])
	}
	path := filepath.Join("testdata", "samples.hex")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if diff := cmp.Diff(string(want), text); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	nan := math.NaN()
	id, lost, list := decode(t, got)
	if diff := cmp.Diff([]pixelRow{
		{1e9, []byte{1, 3, 2}, [][]float64{{-2}, {1, 2, 2, 3}, {}}, [][]float64{{1.5}, {1, 2, 2, 3}, {}}},
		{1e9 + 0.002, []byte{2, 1, 2}, [][]float64{{nan}, {-3, 0, 4, 5}, {}}, [][]float64{{nan}, {-3, 0, 4, 5}, {}}},
	}, list, cmpopts.EquateNaNs()); diff != "" || id != 0x01020304 || lost != 7 {
		t.Errorf("id %x, lost %d: %s", id, lost, diff)
	}
}
