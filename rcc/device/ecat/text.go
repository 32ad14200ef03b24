package ecat

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Parameters of a device for the identity of a slave.
type Who struct {
	Vendor   string `rcc:"vendor" default:"0" doc:"number of the maker that it must have, such as 0x2; 0: any"`
	Product  string `rcc:"product" default:"0" doc:"product code that it must have; 0: any"`
	Revision string `rcc:"revision" default:"0" doc:"revision that it must have at least; 0: any"`
}

// Identity returns the identity as numbers. The error covers all of them.
func (w *Who) Identity() (id sii.Identity, err error) {
	var errs []error
	for _, f := range []struct {
		name, text string
		into       *uint32
	}{{"vendor", w.Vendor, &id.Vendor}, {"product", w.Product, &id.Product}, {"revision", w.Revision, &id.Revision}} {
		if *f.into, err = ParseNumber(f.name, f.text); err != nil {
			errs = append(errs, err)
		}
	}
	return id, errors.Join(errs...)
}

// ParseNumber reads the value of a parameter that is a number of up to 32 bits, 0 when it is empty.
func ParseNumber(name, text string) (uint32, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return 0, device.ParamError{Name: name, Err: fmt.Errorf("%q is not a number such as 0x2", text)}
	}
	return uint32(n), nil
}

// ParseObject reads an index and a subindex, such as 0x60FE:1.
func ParseObject(text string) (index uint16, sub uint8, err error) {
	main, behind, has := strings.Cut(text, ":")
	i, err := strconv.ParseUint(main, 0, 16)
	if err != nil || i == 0 {
		return 0, 0, fmt.Errorf("%q is not an object such as 0x6040", main)
	}
	if has {
		s, err := strconv.ParseUint(behind, 0, 8)
		if err != nil {
			return 0, 0, fmt.Errorf("%q is not a subindex from 0 to 255", behind)
		}
		sub = uint8(s)
	}
	return uint16(i), sub, nil
}

// FormatObject writes an index and a subindex.
func FormatObject(index uint16, sub uint8) string { return fmt.Sprintf("0x%04x:%d", index, sub) }

var errQuote = errors.New("a quotation mark ' is missing at the end")

// Words returns the parts of a list: between blanks, commas and lines, as far as these are not between marks '. A list in brackets, as the
// configuration writes lists, is the same.
func Words(text string) (list []string, err error) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok {
		text = strings.TrimSuffix(inner, "]")
	}
	word, quoted := strings.Builder{}, false
	for _, r := range text {
		switch {
		case r == '\'':
			quoted = !quoted
			word.WriteRune(r)
		case !quoted && strings.ContainsRune(" ,\t\r\n", r):
			if word.Len() > 0 {
				list = append(list, word.String())
			}
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	if quoted {
		return nil, errQuote
	}
	if word.Len() > 0 {
		list = append(list, word.String())
	}
	return list, nil
}

var errWrite = errors.New("write an object with a value and its type, such as 0x605A=2/INT, 0x605A=2/16, 0x2000:1='text' or 0x2001=#0a0b")

// ParseWrites reads objects that are written in Pre-Op. The error covers all that cannot be read.
func ParseWrites(text string) (list []Write, err error) {
	words, err := Words(text)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, w := range words {
		one, err := ParseWrite(w)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, one)
	}
	return list, errors.Join(errs...)
}

// ParseWrite reads one of them: a number with its type or its bits, text between marks ', or # and bytes in hexadecimal, the lowest first.
// With complete: in front the bytes are those of all entries.
func ParseWrite(word string) (w Write, err error) {
	rest, complete := strings.CutPrefix(word, "complete:")
	object, value, ok := strings.Cut(rest, "=")
	index, sub, wrong := ParseObject(object)
	if !ok || wrong != nil {
		return w, fmt.Errorf("%q: %w", word, errWrite)
	}
	w = Write{Index: index, Sub: sub, Complete: complete}
	digits, isBytes := strings.CutPrefix(value, "#")
	switch {
	case isBytes:
		if w.Data, err = hex.DecodeString(digits); err != nil || len(w.Data) == 0 {
			return w, fmt.Errorf("%q: %q is not bytes such as #0a0b", word, value)
		}
		return w, nil
	case complete:
		return w, fmt.Errorf("%q: complete: takes bytes, such as complete:0x1C12=#01000016", word)
	case strings.HasPrefix(value, "'"):
		end := strings.LastIndexByte(value, '\'')
		if behind := strings.ToUpper(value[end+1:]); end == 0 || behind != "" && behind != "/STRING" {
			return w, fmt.Errorf("%q: %w", word, errWrite)
		}
		w.Data, w.Type = []byte(value[1:end]), coe.VisibleString
		return w, nil
	}
	number, kind, ok := strings.Cut(value, "/")
	if !ok {
		return w, fmt.Errorf("%q: %w", word, errWrite)
	}
	if w.Data, err = bytesOf(number, kind); err != nil {
		return w, fmt.Errorf("%q: %w", word, err)
	}
	w.Type, _, _ = coe.TypeNamed(kind)
	return w, nil
}

// bytesOf returns those of a number of a type, or of a number of bits with or without a sign.
func bytesOf(number, kind string) ([]byte, error) {
	is, bits, known := coe.TypeNamed(kind)
	if n, err := strconv.Atoi(kind); err == nil && (n == 8 || n == 16 || n == 32 || n == 64) {
		bits, known = n, true
	}
	if !known || bits == 0 {
		return nil, fmt.Errorf("%q is neither a type such as INT nor a number of bits such as 16", kind)
	}
	var word uint64
	switch {
	case is.Real():
		v, err := strconv.ParseFloat(number, bits)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number of type %s", number, kind)
		}
		if word = math.Float64bits(v); bits == 32 {
			word = uint64(math.Float32bits(float32(v)))
		}
	case is == coe.Bool && (number == "true" || number == "false"):
		if number == "true" {
			word = 1
		}
	default:
		v, err := integer(number, bits, is == 0 || is.Signed(), is == 0 || !is.Signed())
		if err != nil {
			return nil, fmt.Errorf("%w of type %s", err, kind)
		}
		word = v
	}
	return binary.LittleEndian.AppendUint64(nil, word)[:(bits+7)/8], nil
}

// integer reads a number of some bits, which may have a sign or not or either.
func integer(text string, bits int, signed, unsigned bool) (uint64, error) {
	if v, err := strconv.ParseInt(text, 0, bits); err == nil && signed {
		return uint64(v) << (64 - bits) >> (64 - bits), nil
	}
	if v, err := strconv.ParseUint(text, 0, bits); err == nil && unsigned {
		return v, nil
	}
	return 0, fmt.Errorf("%q is not a number", text)
}

// PDOGiven is a PDO as a configuration or a description of a device gives it. Entries are nil where they are as the slave has them.
type PDOGiven struct {
	Index       uint16
	Name        string
	SyncManager int // -1 where it is not given
	Fixed       bool
	Entries     []EntryGiven
}

// EntryGiven is an entry of a PDO. Index 0 fills a gap.
type EntryGiven struct {
	Index uint16
	Sub   uint8
	Name  string
	Type  coe.DataType
	Bits  int
}

// Bits returns the length of the PDO.
func (p *PDOGiven) Bits() (n int) {
	for i := range p.Entries {
		n += p.Entries[i].Bits
	}
	return n
}

// PDOs of outputs and of inputs (ETG.1000.6 table 67).
const (
	firstRxPDO, lastRxPDO = 0x1600, 0x17ff
	firstTxPDO, lastTxPDO = 0x1a00, 0x1bff
)

// ParsePDOs reads a list of PDOs, each with its entries if these are given: 0x1A00 status=0x6000:1/UINT pad8 0x6000:17/INT. The error
// covers all mistakes.
func ParsePDOs(text string) (outputs, inputs []PDOGiven, err error) {
	words, err := Words(text)
	if err != nil {
		return nil, nil, err
	}
	var (
		into *[]PDOGiven
		errs []error
	)
	seen := map[uint16]bool{}
	for _, w := range words {
		index, notPDO := strconv.ParseUint(w, 0, 16)
		switch {
		case notPDO == nil && index >= firstRxPDO && index <= lastRxPDO:
			into = &outputs
		case notPDO == nil && index >= firstTxPDO && index <= lastTxPDO:
			into = &inputs
		case into == nil:
			return nil, nil, fmt.Errorf("%q is not a PDO: outputs are 0x1600 to 0x17ff, inputs 0x1a00 to 0x1bff", w)
		default:
			e, err := parseEntry(w)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			last := &(*into)[len(*into)-1]
			last.Entries = append(last.Entries, e)
			continue
		}
		if seen[uint16(index)] {
			errs = append(errs, fmt.Errorf("%s is given twice", w))
		}
		seen[uint16(index)] = true
		*into = append(*into, PDOGiven{Index: uint16(index), SyncManager: -1})
	}
	errs = append(errs, overlaps(outputs)...)
	return outputs, inputs, errors.Join(errs...)
}

// overlaps are outputs that would be written in two places.
func overlaps(outputs []PDOGiven) (errs []error) {
	in := map[string]uint16{}
	for i := range outputs {
		p := &outputs[i]
		for _, e := range p.Entries {
			object := FormatObject(e.Index, e.Sub)
			if other, twice := in[object]; twice && e.Index != 0 {
				errs = append(errs, fmt.Errorf("output %s is mapped twice, in 0x%04x and in 0x%04x", object, other, p.Index))
			}
			in[object] = p.Index
		}
	}
	return errs
}

func parseEntry(word string) (e EntryGiven, err error) {
	if digits, is := strings.CutPrefix(word, "pad"); is {
		if e.Bits, err = strconv.Atoi(digits); err != nil || e.Bits < 1 || e.Bits > math.MaxUint8 {
			return e, fmt.Errorf("%q is not a padding such as pad8", word)
		}
		return e, nil
	}
	rest := word
	if name, behind, has := strings.Cut(word, "="); has {
		e.Name, rest = name, behind
	}
	object, kind, _ := strings.Cut(rest, "/")
	if e.Index, e.Sub, err = ParseObject(object); err != nil {
		return e, fmt.Errorf("%q is not an entry such as speed=0x6000:1/INT: %w", word, err)
	}
	if is, bits, ok := coe.TypeNamed(kind); ok && bits > 0 {
		e.Type, e.Bits = is, bits
		return e, nil
	}
	if e.Bits, err = strconv.Atoi(kind); err != nil || e.Bits < 1 || e.Bits > math.MaxUint8 {
		return e, fmt.Errorf("%q: %q is neither a type such as INT or BIT3 nor a number of bits up to 255", word, kind)
	}
	return e, nil
}

// Mappings returns its entries as objects describe them; nil where they are as the slave has them.
func (p *PDOGiven) Mappings() (list []coe.Mapping) {
	for i := range p.Entries {
		e := &p.Entries[i]
		list = append(list, coe.Map(e.Index, e.Sub, uint8(e.Bits)))
	}
	return list
}
