package ethercat

import (
	"context"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// objectQuestion is what can be asked about objects.
var objectQuestion = []device.Param{
	{Name: "slave", Type: value.TypeDouble, Min: "1", Max: "65535", Doc: "from 1"},
	{Name: "index", Type: value.TypeDouble, Min: "0", Max: "65535", Doc: "of the object, such as 4120 or 0x1018"},
	{Name: "sub", Type: value.TypeDouble, Min: "0", Max: "255", Doc: "subindex, 0 if left out"},
	{Name: "complete", Type: value.TypeDouble, Min: "0", Max: "1", Doc: "1: all entries from the subindex on"},
}

// objectsView is what the page objects shows.
type objectsView struct {
	XMLName xml.Name     `xml:"objects" json:"-"`
	Slave   string       `xml:"slave,attr" json:"slave"`
	Entry   string       `xml:"entry,attr,omitempty" json:"entry,omitempty"`
	Name    string       `xml:"name,attr,omitempty" json:"name,omitempty"`
	Value   string       `xml:"value,attr,omitempty" json:"value,omitempty"`
	Type    string       `xml:"type,attr,omitempty" json:"type,omitempty"`
	Number  string       `xml:"number,attr,omitempty" json:"number,omitempty"`
	Is      string       `xml:"is,attr,omitempty" json:"is,omitempty"` // by its type
	Text    string       `xml:"text,attr,omitempty" json:"text,omitempty"`
	Known   string       `xml:"known,attr,omitempty" json:"known,omitempty"`
	Objects []objectView `xml:"object" json:"objects"`
}

type objectView struct {
	Index   string      `xml:"index,attr" json:"index"`
	Name    string      `xml:"name,attr" json:"name"`
	Type    string      `xml:"type,attr" json:"type"`
	Entries int         `xml:"entries,attr" json:"entries"`
	Subs    []entryView `xml:"entry" json:"subindexes"`
}

// entryView is an entry of an object, as the slave describes it.
type entryView struct {
	Sub    uint8  `xml:"sub,attr" json:"sub"`
	Name   string `xml:"name,attr" json:"name"`
	Type   string `xml:"type,attr" json:"type"`
	Bits   uint16 `xml:"bits,attr" json:"bits"`
	Access string `xml:"access,attr" json:"access"`
}

// transferTime is how long a transfer may take that a user waits for.
const transferTime = 10 * time.Second

func (b *Bus) objectsView(q device.Question) (*objectsView, error) {
	number, asked := q["slave"]
	if !asked {
		return &objectsView{Slave: "say which one"}, nil
	}
	s, sl, err := b.slave(int(number))
	if err != nil {
		return nil, err
	}
	v := &objectsView{Slave: sl.Label.String()}
	index, asked := q["index"]
	switch {
	case !sl.HasCoE() && asked:
		return nil, fmt.Errorf("%v has no objects: %w", sl.Label, errNoCoE)
	case !sl.HasCoE():
		v.Known = "it has no objects"
		return v, nil
	}
	if asked {
		ctx, cancel := context.WithTimeout(s.ended, transferTime)
		defer cancel()
		data, err := sl.Upload(ctx, uint16(index), uint8(q["sub"]), q["complete"] != 0)
		if err != nil {
			return nil, refusedObject(sl, uint16(index), uint8(q["sub"]), err)
		}
		v.entry(ctx, sl, uint16(index), uint8(q["sub"]), data)
		return v, nil
	}
	v.list(s.dictionary(sl))
	return v, nil
}

// entry shows one.
func (v *objectsView) entry(ctx context.Context, s *ethercat.Slave, index uint16, sub uint8, data []byte) {
	v.Entry, v.Value = fmt.Sprintf("0x%04x:%d", index, sub), hex.EncodeToString(data)
	if n := len(data); n > 0 && n <= 8 {
		var u uint64
		for i, b := range data {
			u |= uint64(b) << (8 * i)
		}
		v.Number = fmt.Sprintf("%d, 0x%0*x", u, 2*n, u)
		if signed := int64(u<<(64-8*n)) >> (64 - 8*n); signed < 0 {
			v.Number += ", " + strconv.FormatInt(signed, 10)
		}
	}
	if text := strings.TrimRight(string(data), "\x00"); len(text) > 1 && printable(text) {
		v.Text = text
	}
	if e, err := s.Entry(ctx, index, sub); err == nil {
		v.Name = e.Name
		v.Type, v.Is = typed(e.Type, data)
	}
}

// typed returns a value by its type; none where that has no fixed size, and no type either where its size is another one.
func typed(t coe.DataType, data []byte) (name, is string) {
	name, bits := t.Plain()
	if name == "" {
		return t.String(), ""
	}
	if len(data) != (bits+7)/8 {
		return "", ""
	}
	is, _ = t.Format(data)
	return name, is
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// list shows what is known of the objects.
func (v *objectsView) list(d *dictionary) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.err != nil:
		v.Known = fmt.Sprintf("%d of %d, then %v", len(d.objects), len(d.indexes), d.err)
	case d.ended:
		v.Known = strconv.Itoa(len(d.objects))
	default:
		v.Known = fmt.Sprintf("%d of %d so far", len(d.objects), len(d.indexes))
	}
	for _, o := range d.objects {
		is := objectView{Index: fmt.Sprintf("0x%04x", o.Index), Name: o.Name, Type: o.Type.String(), Entries: int(o.MaxSub), Subs: []entryView{}}
		for _, e := range o.entries {
			name, _ := e.Type.Plain()
			if name == "" {
				name = e.Type.String()
			}
			is.Subs = append(is.Subs, entryView{e.Sub, e.Name, name, e.Bits, e.Access.String()})
		}
		v.Objects = append(v.Objects, is)
	}
}

var errNoCoE = errors.New("it has no mailbox for CoE")

var errDown = errors.New("the bus has not been scanned")

// slave finds one by its number.
func (b *Bus) slave(number int) (*session, *ethercat.Slave, error) {
	_, s := b.state()
	if s == nil {
		return nil, nil, errDown
	}
	slaves := s.master.Slaves()
	if number < 1 || number > len(slaves) {
		return nil, nil, device.ParamError{Name: "slave", Err: fmt.Errorf("no slave %d, the bus has %d", number, len(slaves))}
	}
	return s, slaves[number-1], nil
}

// entry is one that is to be written.
type entry struct {
	Slave int    `rcc:"slave" required:"true" min:"1" max:"65535" doc:"from 1"`
	Index string `rcc:"index" required:"true" doc:"of the object, such as 0x6060"`
	Sub   int    `rcc:"sub" default:"0" min:"0" max:"255" doc:"subindex"`
	All   bool   `rcc:"complete" default:"false" doc:"all entries from the subindex on"`
	Data  string `rcc:"data" doc:"bytes in hexadecimal, the lowest first, such as e803 for 1000 in two bytes"`
	Value string `rcc:"value" doc:"instead of data: a number, or text"`
	Type  string `rcc:"type" doc:"of the value, such as INT, REAL or STRING; left out: as the slave says"`
}

func (b *Bus) write(e *entry) error {
	n, err := strconv.ParseUint(e.Index, 0, 16)
	if err != nil {
		return device.ParamError{Name: "index", Err: fmt.Errorf("%q is not a number such as 0x6060", e.Index)}
	}
	index, sub := uint16(n), uint8(e.Sub)
	var data []byte
	if e.Value == "" {
		data, err = hex.DecodeString(strings.ReplaceAll(e.Data, " ", ""))
		if err != nil || len(data) == 0 {
			return device.ParamError{Name: "data", Err: fmt.Errorf("%q are not bytes such as e803", e.Data)}
		}
	}
	s, sl, err := b.slave(e.Slave)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ended, transferTime)
	defer cancel()
	if e.Value != "" {
		if data, err = e.typed(ctx, sl, index, sub); err != nil {
			return err
		}
	}
	if err := sl.Download(ctx, index, sub, e.All, data); err != nil {
		return refusedObject(sl, index, sub, err)
	}
	return nil
}

var errNoType = errors.New("the slave does not describe the object; give its type")

// typed returns the bytes of a value of a type, which the slave is asked for where it is not given.
func (e *entry) typed(ctx context.Context, s *ethercat.Slave, index uint16, sub uint8) ([]byte, error) {
	kind := e.Type
	if kind == "" {
		is, err := s.Entry(ctx, index, sub)
		if err != nil {
			return nil, device.ParamError{Name: "type", Err: errNoType}
		}
		if kind, _ = is.Type.Plain(); kind == "" {
			kind = "STRING"
		}
	}
	if strings.EqualFold(kind, "STRING") {
		return []byte(e.Value), nil
	}
	w, err := ecat.ParseWrite(ecat.FormatObject(index, sub) + "=" + e.Value + "/" + kind)
	if err != nil {
		return nil, device.ParamError{Name: "value", Err: fmt.Errorf("%q is not a value of type %s", e.Value, kind)}
	}
	return w.Data, nil
}

// refusedObject is why an object was not read or written.
func refusedObject(s *ethercat.Slave, index uint16, sub uint8, err error) error {
	var abort coe.Abort
	if errors.As(err, &abort) {
		err = abort // which object it was is said once
	}
	return fmt.Errorf("%v: object 0x%04x:%d: %w", s.Label, index, sub, err)
}
