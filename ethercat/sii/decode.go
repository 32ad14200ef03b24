package sii

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Places in the image, in bytes.
const (
	placeAlias      = 2 * 0x04
	placeCheckSum   = 2 * 0x07
	placeIdentity   = 2 * 0x08
	placeBoot       = 2 * 0x14
	placeMailbox    = 2 * 0x18
	placeProtocols  = 2 * 0x1c
	placeSize       = 2 * 0x3e
	placeVersion    = 2 * 0x3f
	placeCategories = 2 * 0x40
	categoryHeader  = 4
)

// Head is the length of the part before the categories, in bytes.
const Head = placeCategories

// Most is the largest length of an image: size fields of 16 bits allow more than any real part has.
const Most = 1 << 20

// Types of categories.
const (
	typeStrings = 10
	typeGeneral = 30
	typeFMMU    = 40
	typeSync    = 41
	typeTxPDO   = 50
	typeRxPDO   = 51
	typeClock   = 60
	typeEnd     = 0xffff
)

// ErrBlank is returned for a memory that was never written.
var ErrBlank = errors.New("the SII is blank")

// Need returns the least number of bytes of an image, as far as known from those that were read; no more
// than len(read) when that was all.
func Need(read []byte) int {
	if len(read) < Head {
		return Head
	}
	at := placeCategories
	for at+categoryHeader <= len(read) {
		kind := binary.LittleEndian.Uint16(read[at:])
		if kind == typeEnd {
			return at + 2
		}
		at += categoryHeader + 2*int(binary.LittleEndian.Uint16(read[at+2:]))
		if at > Most {
			return len(read)
		}
	}
	if at+2 <= len(read) && binary.LittleEndian.Uint16(read[at:]) == typeEnd {
		return at + 2
	}
	return at + categoryHeader
}

// Decode reads an image. It fails for images in which nothing is readable.
func Decode(image []byte) (*Description, error) {
	if len(image) > Most {
		image = image[:Most]
	}
	if blank(image) {
		return nil, ErrBlank
	}
	if len(image) < Head {
		return nil, fmt.Errorf("an SII of %d bytes; at least %d are needed", len(image), Head)
	}
	d := &decoder{image: image, Description: &Description{}}
	d.head()
	d.categories()
	return d.Description, nil
}

// blank reports whether there is nothing but ones or nothing but zeros.
func blank(image []byte) bool {
	for _, b := range image {
		if b != image[0] || b != 0 && b != 0xff {
			return false
		}
	}
	return true
}

type decoder struct {
	*Description
	image   []byte
	strings []string
}

func (d *decoder) problem(format string, args ...any) {
	const most = 20
	if len(d.Problems) < most {
		d.Problems = append(d.Problems, fmt.Sprintf(format, args...))
	}
}

func (d *decoder) head() {
	b := d.image
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
	long := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	d.PDIControl, d.PDIConfig = b[0], b[1]
	d.Sync, d.SyncPulse, d.PDIConfig2 = word(2), word(4), word(6)
	d.Alias = word(placeAlias)
	if want := CheckSum(b[:placeCheckSum]); b[placeCheckSum] != want {
		d.problem("check sum is 0x%02x, should be 0x%02x", b[placeCheckSum], want)
	}
	d.Identity = Identity{long(placeIdentity), long(placeIdentity + 4), long(placeIdentity + 8), long(placeIdentity + 12)}
	d.BootMailbox = Mailbox{word(placeBoot), word(placeBoot + 2), word(placeBoot + 4), word(placeBoot + 6)}
	d.Mailbox = Mailbox{word(placeMailbox), word(placeMailbox + 2), word(placeMailbox + 4), word(placeMailbox + 6)}
	d.Protocols = Protocols(word(placeProtocols))
	d.Size, d.Version = (int(word(placeSize))+1)*bytesPerKbit, word(placeVersion)
}

const bytesPerKbit = 1024 / 8

// categories reads strings first, since all others refer to them and may come before.
func (d *decoder) categories() {
	d.each(func(kind uint16, data []byte) {
		if kind == typeStrings && d.strings == nil {
			d.readStrings(data)
		}
	})
	whole := d.each(func(kind uint16, data []byte) {
		switch kind {
		case typeStrings:
		case typeGeneral:
			d.general(data)
		case typeFMMU:
			d.fmmus(data)
		case typeSync:
			d.syncManagers(data)
		case typeTxPDO:
			d.TxPDOs = d.pdos(d.TxPDOs, data, "TxPDO")
		case typeRxPDO:
			d.RxPDOs = d.pdos(d.RxPDOs, data, "RxPDO")
		case typeClock:
			d.clocks(data)
		case 0: // left out by generators that reserve room
		default:
			d.Others = append(d.Others, Category{kind, append([]byte{}, data...)})
		}
	})
	if !whole {
		d.problem("categories do not end")
	}
}

// each hands on categories until their end, and reports whether there was one.
func (d *decoder) each(take func(kind uint16, data []byte)) (whole bool) {
	at := placeCategories
	for at+2 <= len(d.image) {
		kind := binary.LittleEndian.Uint16(d.image[at:])
		if kind == typeEnd {
			return true
		}
		if at+categoryHeader > len(d.image) {
			return false
		}
		begin := at + categoryHeader
		at = begin + 2*int(binary.LittleEndian.Uint16(d.image[at+2:]))
		take(kind, d.image[min(begin, len(d.image)):min(at, len(d.image))])
	}
	return false
}

func (d *decoder) readStrings(data []byte) {
	d.strings = []string{}
	if len(data) == 0 {
		return
	}
	count, data := int(data[0]), data[1:]
	for i := range count {
		if len(data) == 0 || int(data[0]) > len(data)-1 {
			d.problem("string %d of %d is cut off", i+1, count)
			return
		}
		n := int(data[0])
		d.strings = append(d.strings, string(data[1:1+n]))
		data = data[1+n:]
	}
}

// text returns a string by its number from 1; 0 is none.
func (d *decoder) text(n uint8) string {
	switch {
	case n == 0:
		return ""
	case int(n) > len(d.strings):
		d.problem("there is no string %d", n)
		return ""
	}
	return d.strings[n-1]
}

func (d *decoder) general(data []byte) {
	const least, ports = 14, 16
	if len(data) < least {
		d.problem("general category has %d bytes", len(data))
		return
	}
	d.General = &General{
		Group: d.text(data[0]), Image: d.text(data[1]), Order: d.text(data[2]), Name: d.text(data[3]),
		CoE: CoEDetails(data[5]), FoE: data[6] != 0, EoE: data[7] != 0, SoEChannels: data[8], DSChannels: data[9],
		Flags: Flags(data[11]), Current: int16(binary.LittleEndian.Uint16(data[12:])),
	}
	if len(data) >= ports+2 {
		word := binary.LittleEndian.Uint16(data[ports:])
		for i := range d.General.Ports {
			d.General.Ports[i] = uint8(word >> (4 * i) & 0x0f)
		}
	}
}

func (d *decoder) fmmus(data []byte) {
	for _, b := range data {
		if b == 0xff { // fills the last word
			b = 0
		}
		d.FMMUs = append(d.FMMUs, FMMU(b))
	}
}

func (d *decoder) syncManagers(data []byte) {
	const size = 8
	for ; len(data) >= size; data = data[size:] {
		d.SyncManagers = append(d.SyncManagers, SyncManager{
			binary.LittleEndian.Uint16(data), binary.LittleEndian.Uint16(data[2:]), data[4], data[5], data[6], Use(data[7]),
		})
	}
	if len(data) > 0 {
		d.problem("SyncManager %d is cut off", len(d.SyncManagers))
	}
}

const pdoHead, entrySize = 8, 8

// pdos reads one category, of which there may be several.
func (d *decoder) pdos(list []PDO, data []byte, kind string) []PDO {
	for len(data) >= pdoHead {
		p := PDO{
			Index: binary.LittleEndian.Uint16(data), SyncManager: data[3], Sync: data[4], Name: d.text(data[5]),
			Flags: binary.LittleEndian.Uint16(data[6:]),
		}
		entries := int(data[2])
		data = data[pdoHead:]
		for range entries {
			if len(data) < entrySize {
				d.problem("%s 0x%04x is cut off", kind, p.Index)
				return append(list, p)
			}
			p.Entries = append(p.Entries, Entry{
				binary.LittleEndian.Uint16(data), data[2], d.text(data[3]), data[4], data[5], binary.LittleEndian.Uint16(data[6:]),
			})
			data = data[entrySize:]
		}
		list = append(list, p)
	}
	return list
}

const clockSize = 24

func (d *decoder) clocks(data []byte) {
	for ; len(data) >= clockSize; data = data[clockSize:] {
		long := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
		word := func(at int) uint16 { return binary.LittleEndian.Uint16(data[at:]) }
		d.Clocks = append(d.Clocks, Clock{
			long(0), int32(long(4)), int32(long(8)), int16(word(12)), word(14), int16(word(16)), d.text(data[18]), d.text(data[19]),
		})
	}
}

// CheckSum returns the CRC-8 over the first seven words, polynomial 0x07 (ETG.1000.6 §5.4).
func CheckSum(b []byte) uint8 {
	crc := uint8(0xff)
	for _, v := range b {
		crc ^= v
		for range 8 {
			high := crc&0x80 != 0
			crc <<= 1
			if high {
				crc ^= 0x07
			}
		}
	}
	return crc
}
