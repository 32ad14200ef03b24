package telegram_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
)

// reference is what encoding/xml finds: texts of elements in the root and of their attributes, by name, as often as they are
// there.
type reference struct {
	root, kind string
	found      map[string][]string
}

func parse(text []byte) (*reference, error) {
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimRight(text, "\x00")))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	r := &reference{found: map[string][]string{}}
	depth, inner := 0, ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		switch is := token.(type) {
		case xml.StartElement:
			depth++
			inner = ""
			for _, a := range is.Attr {
				switch {
				case depth == 1 && strings.EqualFold(a.Name.Local, "type"):
					r.kind = a.Value
				case depth == 2:
					name := is.Name.Local + "." + a.Name.Local
					r.found[name] = append(r.found[name], a.Value)
				}
			}
			if depth == 1 {
				r.root = is.Name.Local
			}
		case xml.CharData:
			if depth == 2 {
				inner += string(is)
			}
		case xml.EndElement:
			if depth == 2 {
				r.found[is.Name.Local] = append(r.found[is.Name.Local], inner)
			}
			depth--
		}
	}
}

// agree compares what was read with the reference. Where the reader refuses nothing is to be compared.
func agree(t *testing.T, fields []telegram.Field, text []byte) {
	t.Helper()
	r, values := reader(t, "Rob", fields), make([]telegram.Value, len(fields))
	h, f := r.Read(text, values)
	if f != telegram.Good {
		return
	}
	want, err := parse(text)
	if err != nil {
		t.Fatalf("%q: accepted, but %v", text, err)
	}
	if want.root != "Rob" || want.kind != telegram.Unescape(string(h.Type.Of(text))) && !strings.Contains(want.kind, "\n") {
		t.Fatalf("%q: root %q, type %q, not %q", text, want.root, want.kind, h.Type.Of(text))
	}
	if got := want.found["IPOC"]; len(got) != 1 || strings.TrimSpace(got[0]) != string(h.Stamp.Of(text)) {
		t.Fatalf("%q: IPOC %q, not %q", text, h.Stamp.Of(text), got)
	}
	if n, err := strconv.ParseUint(string(h.Stamp.Of(text)), 10, 64); err != nil || n != h.IPOC {
		t.Fatalf("%q: IPOC %d, not %d, %v", text, h.IPOC, n, err)
	}
	for i, v := range values {
		same(t, text, fields[i], v, want.found[fields[i].Name()])
	}
}

func same(t *testing.T, text []byte, f telegram.Field, got telegram.Value, want []string) {
	t.Helper()
	if len(want) > 1 || (len(want) == 1) != got.Seen {
		t.Fatalf("%q: %s: %q, seen: %t", text, f.Name(), want, got.Seen)
	}
	if !got.Seen {
		return
	}
	switch f.Kind {
	case telegram.String:
		raw := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(got.Text.Of(text)))
		if telegram.Unescape(raw) != want[0] {
			t.Fatalf("%q: %s is %q, not %q", text, f.Name(), got.Text.Of(text), want)
		}
	case telegram.Bool:
		word := strings.ToUpper(strings.TrimSpace(want[0]))
		if is := word == "1" || word == "TRUE"; is != (got.Num == 1) {
			t.Fatalf("%q: %s is %v, not %q", text, f.Name(), got.Num, want)
		}
	case telegram.Double, telegram.Long:
		is, err := strconv.ParseFloat(strings.TrimSpace(want[0]), 64)
		if err != nil || math.Abs(is-got.Num) > 1e-15*math.Abs(is)+1e-290 {
			t.Fatalf("%q: %s is %v, not %q, %v", text, f.Name(), got.Num, want, err)
		}
	}
}

// FuzzRead: whatever is accepted is XML, and says what encoding/xml finds in it.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		full, `<Rob TYPE='KUKA'><AIPos A1='1e3'/><!-- c --><IPOC>1</IPOC></Rob>`,
		"\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<Rob Type=\"a&amp;b\" >\n<Note>a&lt;b</Note>\t<RIst\nX = \"-.5\"/><IPOC> 007 </IPOC></Rob >\n\x00",
		`<Rob><a><b><c/></b></a><Delay D="-0"></Delay><IPOC>18446744073709551615</IPOC></Rob>`,
		`<Rob><RIst X="000000000000000000000000000001.00000000000000000000000001"/><IPOC>0</IPOC></Rob>`,
	} {
		f.Add([]byte(text))
	}
	fields := robot(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if !utf8.Valid(text) || bytes.ContainsAny(text, "\uFFFE\uFFFF\uFFFD") {
			return // what is beyond ASCII is handed on as it is
		}
		if bytes.Contains(text, []byte("<?xml")) && !bytes.Contains(text, []byte(`<?xml version="1.0" encoding="UTF-8"?>`)) {
			return // encoding/xml has opinions about versions, which do not matter
		}
		agree(t, fields, text)
	})
}

// FuzzWellFormed: what a controller may send in whatever order, with whatever else in between, is accepted.
func FuzzWellFormed(f *testing.F) {
	f.Add([]byte{0}, 1.5, int64(3), uint64(17))
	f.Add([]byte{5, 4, 3, 2, 1, 0, 9, 8, 7}, -1e-7, int64(-1), uint64(math.MaxUint64))
	f.Add([]byte("anything at all"), 359.99999, int64(0), uint64(0))
	fields := robot(f)
	f.Fuzz(func(t *testing.T, order []byte, v float64, n int64, ipoc uint64) {
		if math.Abs(v) > 1e15 || v != v || n > 1e17 || n < -1e17 || len(order) > 200 {
			return
		}
		number := strconv.FormatFloat(v, 'f', -1, 64)
		blanks := []string{"", " ", "\n", "\t ", "<!-- a - b -->", "<Else a=\"1\" b='2'><x/>&amp;</Else>", "text"}
		parts := []string{
			`<RIst X="` + number + `" Y='0' Z = "` + number + `" />`, `<AIPos A1='` + number + `' A6="0"></AIPos>`,
			`<Delay D="` + strconv.FormatInt(n, 10) + `"/>`, `<Dig i2="TRUE"/>`, `<Note>it's "so" &gt; that</Note>`,
			`<ProgStatus> ` + strconv.FormatInt(n, 10) + ` </ProgStatus>`, `<IPOC>` + strconv.FormatUint(ipoc, 10) + `</IPOC >`,
		}
		var b strings.Builder
		b.WriteString("<Rob TyPe=\"KUKA\">")
		for i, o := range order {
			b.WriteString(blanks[int(o>>4)%len(blanks)])
			if k := (int(o) + i) % len(parts); len(parts) > 1 && parts[k][:2] != "<I" {
				b.WriteString(parts[k])
				parts = append(parts[:k:k], parts[k+1:]...)
			}
		}
		b.WriteString(parts[len(parts)-1] + "</Rob>\r\n")
		text := []byte(b.String())
		values := make([]telegram.Value, len(fields))
		if h, fault := reader(t, "Rob", fields).Read(text, values); fault != telegram.Good {
			t.Fatalf("%q: %v, field %d", text, fault, h.Wrong)
		}
		agree(t, fields, text)
	})
}

// FuzzWrite: what is written is XML, has no exponents, and is as near to the value as its digits allow.
func FuzzWrite(f *testing.F) {
	f.Add(1.25, -0.00004, 4)
	f.Add(0.5, 123456.789, 0)
	f.Add(-179.999999999, 1e-9, 9)
	f.Fuzz(func(t *testing.T, a, b float64, decimals int) {
		if decimals < 0 || decimals > telegram.MostDecimals {
			return
		}
		w, err := telegram.NewWriter("Rob", "KUKA", []telegram.Field{{Element: "AIPos", Attr: "A1"}, {Element: "Note"}}, decimals)
		if err != nil {
			t.Fatal(err)
		}
		into := make([]byte, 256)
		n := w.Write(into, []byte("1"), []float64{a, b})
		least := math.Min(1e18*math.Pow10(-decimals), 1e17)
		if n == 0 {
			if math.Abs(a) < least/2 && math.Abs(b) < least/2 {
				t.Fatalf("%v %v: not written", a, b)
			}
			return
		}
		got, err := parse(into[:n])
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range map[string]float64{"AIPos.A1": a, "Note": b} {
			text := got.found[name][0]
			is, err := strconv.ParseFloat(text, 64)
			_, behind, _ := strings.Cut(text, ".")
			if err != nil || strings.ContainsAny(text, "eE") || len(behind) != decimals || math.Abs(is-v) > 0.5*math.Pow10(-decimals)*(1+1e-6)+1e-15*math.Abs(v) {
				t.Fatalf("%v with %d digits is written %q, %v", v, decimals, text, err)
			}
		}
	})
}

// BenchmarkTelegram is a full telegram with its answer, and what encoding/xml needs for reading alone.
func BenchmarkTelegram(b *testing.B) {
	b.Run("here", func(b *testing.B) {
		once := exchange(b)
		b.ReportAllocs()
		for b.Loop() {
			if once() == 0 {
				b.Fatal("no answer")
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/telegram")
	})
	b.Run("encoding-xml", func(b *testing.B) {
		type axes struct {
			A1, A2, A3, A4, A5, A6 float64 `xml:",attr"`
		}
		var rob struct {
			AIPos, ASPos axes
			IPOC         uint64
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := xml.Unmarshal([]byte(full), &rob); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/telegram")
	})
}
