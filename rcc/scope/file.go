package scope

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/softrobot-rcc/rccd/mcap"
)

// captureName is the metadata in a file that say that it is a capture.
const captureName = "rccd.capture"

// heldName returns the key of the value that a channel has from before the capture.
func heldName(channel int) string { return fmt.Sprintf("held %d", channel) }

// messageSchema describes a message of a channel in JSON Schema.
const messageSchema = `{"type":"object","properties":{"value":{"description":"a number, a Boolean, the name of a state, NaN or an infinity as text, a list of numbers, or null"}},"required":["value"]}`

// WriteMCAP writes a capture as a file with a message for each sample: {"value":1.5}, or a list for a value of several numbers,
// or null. Ticks at which a channel had no cycle have no message.
func WriteMCAP(out io.Writer, c *Capture) error {
	w, err := mcap.NewWriter(out, mcap.Options{Header: mcap.Header{Library: "rccd"}, Compression: mcap.Zstd})
	if err != nil {
		return err
	}
	facts, err := json.Marshal(c)
	if err != nil {
		return err
	}
	// The capture says what its channels are; whoever reads the file without knowing that finds the names on the channels.
	about := map[string]string{"capture": string(facts)}
	for i := range c.Channels {
		if t := &c.Channels[i]; len(t.Marks) > 0 && t.Marks[0] == Held {
			about[heldName(i)] = string(t.message(0))
		}
	}
	if err := w.Metadata(&mcap.Metadata{Name: captureName, Values: about}); err != nil {
		return err
	}
	schema, err := w.Schema("rccd.value", "jsonschema", []byte(messageSchema))
	if err != nil {
		return err
	}
	for i := range c.Channels {
		t := &c.Channels[i]
		if _, err := w.Channel(mcap.Channel{Schema: schema, Topic: t.Name, Encoding: "json", Metadata: map[string]string{"type": t.Type, "unit": t.Unit}}); err != nil {
			return err
		}
	}
	for at, tick := range c.Ticks {
		if tick < 0 {
			return fmt.Errorf("tick %d is before 1970", tick)
		}
		for i := range c.Channels {
			t := &c.Channels[i]
			if t.Marks[at] == Held {
				continue
			}
			m := mcap.Message{Channel: uint16(i), Sequence: uint32(at), LogTime: uint64(tick), PublishTime: uint64(tick), Data: t.message(at)}
			if err := w.Write(&m); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// message returns the value at a tick in JSON.
func (t *Trace) message(at int) []byte {
	b := []byte(`{"value":`)
	switch {
	case t.Marks[at] == Null:
		b = append(b, "null"...)
	case t.single():
		b = t.appendNumber(b, t.Values[0][at])
	default:
		b = append(b, '[')
		for c := range t.Values {
			if c > 0 {
				b = append(b, ',')
			}
			b = t.appendNumber(b, t.Values[c][at])
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// single reports whether a value is one number, not a list.
func (t *Trace) single() bool { return len(t.Components) == 1 && t.Components[0] == "" }

// appendNumber appends a number in JSON. States are texts, and so are infinities and NaN, for which JSON has no numbers.
func (t *Trace) appendNumber(b []byte, x float64) []byte {
	switch {
	case t.Type == TypeState && x >= 0 && x < float64(len(t.States)):
		name, err := json.Marshal(t.States[int(x)])
		if err != nil {
			return append(b, "null"...)
		}
		return append(b, name...)
	case t.Type == "bool":
		return strconv.AppendBool(b, x != 0)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return strconv.AppendQuote(b, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// ReadMCAP reads a capture that WriteMCAP wrote.
func ReadMCAP(in io.Reader) (*Capture, error) {
	r, err := mcap.NewReader(in, mcap.Limits{Record: 16 << 20, Names: 1 << 20, Unpacked: 256 << 20})
	if err != nil {
		return nil, err
	}
	f := &reading{}
	for {
		one, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = f.take(one)
		}
		if err != nil {
			return nil, err
		}
	}
	if f.c == nil {
		return nil, errNoCapture
	}
	if err := f.hold(); err != nil {
		return nil, err
	}
	return f.c, nil
}

var errNoCapture = errors.New("the file is not a capture of a scope: its metadata do not say so")

// reading is a capture that is being read.
type reading struct {
	c        *Capture
	channels []int // of the capture, by the number of the channel in the file
	about    map[string]string
}

func (f *reading) take(one any) error {
	switch one := one.(type) {
	case *mcap.Metadata:
		if one.Name == captureName && f.c == nil {
			f.about = one.Values
			return f.begin(one.Values["capture"])
		}
	case *mcap.Channel:
		if f.c == nil {
			return errNoCapture
		}
		i := slices.IndexFunc(f.c.Channels, func(t Trace) bool { return t.Name == one.Topic })
		if i < 0 || int(one.ID) != len(f.channels) {
			return fmt.Errorf("channel %q is not one of the capture", one.Topic)
		}
		f.channels = append(f.channels, i)
	case *mcap.Message:
		return f.message(one)
	}
	return nil
}

func (f *reading) begin(text string) error {
	c := &Capture{}
	if err := json.Unmarshal([]byte(text), c); err != nil {
		return fmt.Errorf("metadata %s: %w", captureName, err)
	}
	if len(c.Channels) == 0 || len(c.Channels) > MostChannels {
		return fmt.Errorf("metadata %s: %d channels; a capture has 1 to %d", captureName, len(c.Channels), MostChannels)
	}
	for i := range c.Channels {
		t := &c.Channels[i]
		if err := checkName("/name", t.Name); err != nil || len(t.Components) == 0 || len(t.Components) > mostComponents || t.Period < 0 {
			return fmt.Errorf("metadata %s: channel %d is not one of a capture", captureName, i)
		}
		t.Values = make([][]float64, len(t.Components))
	}
	f.c = c
	return nil
}

// mostComponents is how many numbers a value may have.
const mostComponents = 4096

func (f *reading) message(m *mcap.Message) error {
	if f.c == nil || int(m.Channel) >= len(f.channels) || m.LogTime > math.MaxInt64 {
		return errNoCapture
	}
	tick := int64(m.LogTime)
	if n := len(f.c.Ticks); n == 0 || tick > f.c.Ticks[n-1] {
		if err := f.tick(tick); err != nil {
			return err
		}
	} else if tick < f.c.Ticks[n-1] {
		return fmt.Errorf("message at %d: it stands behind a later one", tick)
	}
	t, at := &f.c.Channels[f.channels[m.Channel]], len(f.c.Ticks)-1
	if t.Marks[at] != Held {
		return fmt.Errorf("message at %d: channel %q has two", tick, t.Name)
	}
	if err := t.take(at, m.Data); err != nil {
		return fmt.Errorf("message at %d: channel %q: %w", tick, t.Name, err)
	}
	return nil
}

// tick adds a tick, at which no channel has had a message yet.
func (f *reading) tick(tick int64) error {
	if f.c.Bytes() > 2*MostCapture {
		return fmt.Errorf("message at %d: the capture takes more than %d MiB", tick, 2*MostCapture>>20)
	}
	f.c.Ticks = append(f.c.Ticks, tick)
	for i := range f.c.Channels {
		t := &f.c.Channels[i]
		t.Marks = append(t.Marks, Held)
		for c := range t.Values {
			t.Values[c] = append(t.Values[c], 0)
		}
	}
	return nil
}

// take reads a message.
func (t *Trace) take(at int, text []byte) error {
	var m struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	if m.Value == nil || bytes.Equal(m.Value, []byte("null")) {
		t.Marks[at] = Null
		return nil
	}
	parts := []json.RawMessage{m.Value}
	if !t.single() {
		if err := json.Unmarshal(m.Value, &parts); err != nil {
			return err
		}
	}
	if len(parts) != len(t.Values) {
		return fmt.Errorf("it has %d numbers, not %d", len(parts), len(t.Values))
	}
	for c := range parts {
		x, err := t.number(parts[c])
		if err != nil {
			return err
		}
		t.Values[c][at] = x
	}
	t.Marks[at] = Value
	return nil
}

// number reads what appendNumber has written.
func (t *Trace) number(text json.RawMessage) (float64, error) {
	var of any
	if err := json.Unmarshal(text, &of); err != nil {
		return 0, err
	}
	switch of := of.(type) {
	case float64:
		return of, nil
	case bool:
		if of {
			return 1, nil
		}
		return 0, nil
	case string:
		if i := slices.Index(t.States, of); t.Type == TypeState && i >= 0 {
			return float64(i), nil
		}
		switch of {
		case "NaN":
			return math.NaN(), nil
		case "+Inf":
			return math.Inf(1), nil
		case "-Inf":
			return math.Inf(-1), nil
		}
	}
	return 0, fmt.Errorf("%.40q is not a value of type %s", text, t.Type)
}

// hold gives the ticks without a message the value before them.
func (f *reading) hold() error {
	for i := range f.c.Channels {
		t := &f.c.Channels[i]
		if text := f.about[heldName(i)]; text != "" && len(t.Marks) > 0 && t.Marks[0] == Held {
			if err := t.take(0, []byte(text)); err != nil {
				return fmt.Errorf("metadata %s: channel %q: %w", captureName, t.Name, err)
			}
			if t.Marks[0] == Value {
				t.Marks[0] = Held
			}
		} else if len(t.Marks) > 0 && t.Marks[0] == Held {
			t.Marks[0] = Null
		}
		for at := 1; at < len(t.Marks); at++ {
			if t.Marks[at] == Held {
				t.holdAt(at)
			}
		}
	}
	return nil
}

// holdAt repeats the value of the tick before.
func (t *Trace) holdAt(at int) {
	if t.Marks[at-1] == Null {
		t.Marks[at] = Null
		return
	}
	for k := range t.Values {
		t.Values[k][at] = t.Values[k][at-1]
	}
}

// WriteCSV writes a capture as a table: the tick in ns of Unix time, the time in seconds since the trigger, and a column for each
// number of each channel. A field is empty when the channel has no sample of its own: it was null, or had no cycle.
func WriteCSV(out io.Writer, c *Capture) error {
	buffered := bufio.NewWriter(out)
	w := csv.NewWriter(buffered)
	head := []string{"tick (ns)", "time (s)"}
	for i := range c.Channels {
		t := &c.Channels[i]
		for _, component := range t.Components {
			name := t.Name
			if component != "" {
				name += "." + component
			}
			if t.Unit != "" {
				name += " (" + t.Unit + ")"
			}
			head = append(head, name)
		}
	}
	if err := w.Write(head); err != nil {
		return err
	}
	row := make([]string, 0, len(head))
	for at, tick := range c.Ticks {
		row = append(row[:0], strconv.FormatInt(tick, 10), strconv.FormatFloat(float64(tick-c.Trigger)/1e9, 'f', 9, 64))
		for i := range c.Channels {
			t := &c.Channels[i]
			for k := range t.Values {
				row = append(row, t.field(at, k))
			}
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return errors.Join(w.Error(), buffered.Flush())
}

// field returns a number as a field of a table.
func (t *Trace) field(at, component int) string {
	if t.Marks[at] != Value {
		return ""
	}
	x := t.Values[component][at]
	if t.Type == TypeState && x >= 0 && x < float64(len(t.States)) {
		return t.States[int(x)]
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
