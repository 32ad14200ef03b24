package telegram_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

// robot returns the values that tests look for.
func robot(t testing.TB) []telegram.Field {
	t.Helper()
	list, err := telegram.ParseFields("RIst.X RIst.Z AIPos.A1 AIPos.A2 AIPos.A6 EIPos.E1 Delay.D:LONG ProgStatus:LONG Dig.i1:BOOL Dig.i2:BOOL Note:STRING", telegram.Double)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func reader(t testing.TB, root string, fields []telegram.Field) *telegram.Reader {
	t.Helper()
	r, err := telegram.NewReader(root, fields)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// render prints everything that was read, or why nothing was.
func render(fields []telegram.Field, text []byte, h telegram.Head, f telegram.Fault, values []telegram.Value) string {
	if f != telegram.Good {
		if h.Wrong >= 0 {
			return fmt.Sprintf("%v: %s\n", f, fields[h.Wrong].Name())
		}
		return f.String() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "type %q IPOC %q %d\n", h.Type.Of(text), h.Stamp.Of(text), h.IPOC)
	for i, v := range values {
		switch {
		case !v.Seen:
		case fields[i].Kind == telegram.String:
			fmt.Fprintf(&b, "%s %q\n", fields[i].Name(), telegram.Unescape(string(v.Text.Of(text))))
		default:
			fmt.Fprintf(&b, "%s %v\n", fields[i].Name(), v.Num)
		}
	}
	return b.String()
}

// TestGolden reads the telegrams of testdata, one in each file; what is to be read stands beside it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	fields := robot(t)
	r, values := reader(t, "Rob", fields), make([]telegram.Value, len(fields))
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".xml"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".xml") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			h, f := r.Read(text, values)
			if diff := cmp.Diff(string(want), render(fields, text, h, f, values)); diff != "" {
				t.Errorf("(-golden +read):\n%s", diff)
			}
		})
	}
}

// TestRefused is what is no telegram, or too much of one.
func TestRefused(t *testing.T) {
	fields := robot(t)
	r, values := reader(t, "Rob", fields), make([]telegram.Value, len(fields))
	for _, tt := range []struct {
		text string
		want telegram.Fault
	}{
		{"", telegram.NotXML},
		{" \n", telegram.NotXML},
		{"<", telegram.NotXML},
		{"<Rob", telegram.NotXML},
		{"<Rob>", telegram.NotXML},
		{"<Rob/>", telegram.NoStamp},
		{"<Rob></Rob>", telegram.NoStamp},
		{"<Rob><IPOC/></Rob>", telegram.NoStamp},
		{"<Rob><IPOC></IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>-1</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>1.0</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>1<b/>2</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>1<!-- -->2</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>18446744073709551616</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>000000000000000000001</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><IPOC>1</IPOC><IPOC>1</IPOC></Rob>", telegram.NoStamp},
		{"<Rob><x><IPOC>1</IPOC></x></Rob>", telegram.NoStamp},
		{"<Sen Type='ImFree'><IPOC>1</IPOC></Sen>", telegram.OtherRoot},
		{"<Rob><IPOC>1</IPOC></Rob><Rob/>", telegram.NotXML},
		{"<Rob><IPOC>1</IPOC></Rob>x", telegram.NotXML},
		{"x<Rob><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"\x00<Rob><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><IPOC>1</Rob></IPOC>", telegram.NotXML},
		{"<Rob><IPOC>1</IPOC></Rob", telegram.NotXML},
		{"<Rob a><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob a=1><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob a='1><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob a='<'><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob a='&nbsp;'><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob a='&#65;'><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><!DOCTYPE a><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<!DOCTYPE Rob [<!ENTITY a 'a'>]><Rob><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><![CDATA[1]]><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><?go on?><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><!-- -- --><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><!-- <IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob>]]><IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob>\x01<IPOC>1</IPOC></Rob>", telegram.NotXML},
		{"<Rob><IPOC>1</IPOC><AIPos A1='1,5'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><AIPos A1='nan'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><AIPos A1=''/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><AIPos A1='1 2'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><AIPos A1='1e23'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><AIPos A1='--1'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><Delay D='1.5'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><Delay D='9999999999999999999'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><Dig i1='2'/></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><ProgStatus>1<a/></ProgStatus></Rob>", telegram.BadNumber},
		{"<Rob><IPOC>1</IPOC><AIPos A1='1' A1='2'/></Rob>", telegram.Twice},
		{"<Rob><IPOC>1</IPOC><AIPos A1='1'/><AIPos A1='1'/></Rob>", telegram.Twice},
		{"<Rob>" + strings.Repeat("<a>", 7) + strings.Repeat("</a>", 7) + "<IPOC>1</IPOC></Rob>", telegram.Good},
		{"<Rob>" + strings.Repeat("<a>", 8) + strings.Repeat("</a>", 8) + "<IPOC>1</IPOC></Rob>", telegram.TooDeep},
		{"<Rob>" + strings.Repeat(" ", telegram.Longest-len("<Rob><IPOC>1</IPOC></Rob>")) + "<IPOC>1</IPOC></Rob>", telegram.Good},
		{"<Rob>" + strings.Repeat(" ", telegram.Longest) + "<IPOC>1</IPOC></Rob>", telegram.TooLong},
	} {
		if _, f := r.Read([]byte(tt.text), values); f != tt.want {
			t.Errorf("%.80q: %v, not %v", tt.text, f, tt.want)
		}
	}
}

// TestRoom: values for which there is no room are not kept.
func TestRoom(t *testing.T) {
	fields := robot(t)
	values := make([]telegram.Value, 1)
	if _, f := reader(t, "Rob", fields).Read([]byte(`<Rob><RIst X="1" Z="2"/><IPOC>1</IPOC></Rob>`), values); f != telegram.Good || values[0].Num != 1 {
		t.Error(f, values)
	}
}

func TestFields(t *testing.T) {
	list, err := telegram.ParseFields("  AK.A1 Stop:BOOL\tN:long\nS.t:String ", telegram.Double)
	want := []telegram.Field{{"AK", "A1", telegram.Double}, {"Stop", "", telegram.Bool}, {"N", "", telegram.Long}, {"S", "t", telegram.String}}
	if diff := cmp.Diff(want, list); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for text, part := range map[string]string{
		"A.b:BOL":      `did you mean BOOL`,
		"A.:BOOL":      "not like",
		".b":           "not like",
		"1A":           "not like",
		"A.b.c-d:BOOL": "",
		"A b A":        "twice",
		"IPOC:LONG":    "leave it out",
		"a<b":          "not like",
		`a"b`:          "not like",
		"Ä":            "not like",
		strings.Repeat("x", 3) + strings.Join(numbered(telegram.MostFields), " x"): "at most",
	} {
		_, err := telegram.ParseFields(text, telegram.Double)
		if (err == nil) != (part == "") || err != nil && !strings.Contains(err.Error(), part) {
			t.Errorf("%.30q: %v", text, err)
		}
	}
}

func numbered(n int) (list []string) {
	for i := range n + 1 {
		list = append(list, fmt.Sprint(i))
	}
	return list
}

// sensor returns the values of answers.
func sensor(t testing.TB) []telegram.Field {
	t.Helper()
	list, err := telegram.ParseFields("EStr:STRING AK.A1 AK.A2 AK.A6 EK.E1 Stop:BOOL DiO:LONG Tool.X Tool.M", telegram.Double)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func writer(t testing.TB, fields []telegram.Field) *telegram.Writer {
	t.Helper()
	w, err := telegram.NewWriter("Sen", "ImFree", fields, 4, "", "a < b & \"c\"", "ready")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestAnswer is what goes back, byte by byte.
func TestAnswer(t *testing.T) {
	w, into := writer(t, sensor(t)), make([]byte, 1024)
	for _, tt := range []struct {
		ipoc   string
		values []float64
		want   string
	}{
		{
			"4485717",
			[]float64{2, 12.5, 33.2, -12.33, 0, 0, 7, 40, 5},
			`<Sen Type="ImFree"><EStr>ready</EStr><AK A1="12.5000" A2="33.2000" A6="-12.3300"/><EK E1="0.0000"/><Stop>0</Stop><DiO>7</DiO><Tool X="40.0000" M="5.0000"/><IPOC>4485717</IPOC></Sen>`,
		},
		{
			"018446744073709551615",
			[]float64{1, 0.00004, 0.00005, -0.00004, 1e-300, 2, -3.4, 99999999.99996, -0.99995},
			`<Sen Type="ImFree"><EStr>a &lt; b &amp; &quot;c&quot;</EStr><AK A1="0.0000" A2="0.0001" A6="0.0000"/><EK E1="0.0000"/><Stop>1</Stop><DiO>-3</DiO><Tool X="100000000.0000" M="-1.0000"/><IPOC>018446744073709551615</IPOC></Sen>`,
		},
		{
			"1", []float64{99, 0, 0, 0, 0, 0, 0, 0, 0}, // a text that is not there
			`<Sen Type="ImFree"><EStr></EStr><AK A1="0.0000" A2="0.0000" A6="0.0000"/><EK E1="0.0000"/><Stop>0</Stop><DiO>0</DiO><Tool X="0.0000" M="0.0000"/><IPOC>1</IPOC></Sen>`,
		},
	} {
		n := w.Write(into, []byte(tt.ipoc), tt.values)
		if diff := cmp.Diff(tt.want, string(into[:n])); diff != "" {
			t.Error(diff)
		}
		for room := range n {
			if m := w.Write(into[:room], []byte(tt.ipoc), tt.values); m != 0 {
				t.Fatalf("%d bytes in a room of %d", m, room)
			}
		}
	}
}

// TestUnsayable: what cannot be written is not written, rather than something else.
func TestUnsayable(t *testing.T) {
	w, into := writer(t, sensor(t)), make([]byte, 1024)
	nan, inf, zero := 0.0, 1.0, 0.0
	nan, inf = nan/zero, inf/zero
	for _, v := range []float64{nan, inf, -inf, 1e15, -1e15, 1e300} {
		if n := w.Write(into, []byte("1"), []float64{0, v, 0, 0, 0, 0, 0, 0, 0}); n != 0 {
			t.Errorf("%v is written: %s", v, into[:n])
		}
	}
	if w.Write(into, []byte("1"), make([]float64, 8)) != 0 {
		t.Error("a value is missing")
	}
	if w.Write(into, nil, make([]float64, 9)) != 0 {
		t.Error("there is no time stamp")
	}
	for _, decimals := range []int{-1, 10} {
		if _, err := telegram.NewWriter("Sen", "ImFree", nil, decimals); err == nil {
			t.Errorf("%d digits", decimals)
		}
	}
}

// TestEmpty are telegrams with nothing but a time stamp.
func TestEmpty(t *testing.T) {
	w, err := telegram.NewWriter("Sen", "A\"B", nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	into := make([]byte, 100)
	n := w.Write(into, []byte("7"), nil)
	if got, want := string(into[:n]), `<Sen Type="A&quot;B"><IPOC>7</IPOC></Sen>`; got != want {
		t.Error(got)
	}
}

// full is a telegram with everything that a controller can be configured to send.
const full = `<Rob Type="KUKA"><RIst X="445.0000" Y="0.0000" Z="810.0000" A="-180.0000" B="0.0000" C="-180.0000"/>` +
	`<RSol X="445.0000" Y="0.0000" Z="810.0000" A="-180.0000" B="0.0000" C="-180.0000"/>` +
	`<AIPos A1="10.1234" A2="-90.5678" A3="90.0001" A4="-0.0003" A5="90.7771" A6="350.1234"/>` +
	`<ASPos A1="10.1234" A2="-90.5678" A3="90.0001" A4="-0.0003" A5="90.7771" A6="350.1234"/>` +
	`<EIPos E1="1000.1234" E2="0.0000" E3="0.0000" E4="0.0000" E5="0.0000" E6="0.0000"/>` +
	`<ESPos E1="1000.1234" E2="0.0000" E3="0.0000" E4="0.0000" E5="0.0000" E6="0.0000"/>` +
	`<MACur A1="1.2345" A2="-3.4567" A3="2.2222" A4="0.1111" A5="-0.2222" A6="0.0333"/>` +
	`<MECur E1="0.0000" E2="0.0000" E3="0.0000" E4="0.0000" E5="0.0000" E6="0.0000"/>` +
	`<Delay D="0"/><ProgStatus>4</ProgStatus><Dig i1="1" i2="0"/><Note>all is well</Note><IPOC>4485717</IPOC></Rob>`

// everything returns what a driver looks for in it, and answers.
func everything(t testing.TB) (rob, sen []telegram.Field) {
	t.Helper()
	axes := func(letter string) (list []string) {
		for i := range 6 {
			list = append(list, fmt.Sprint(letter, i+1))
		}
		return list
	}
	for _, e := range []string{"AIPos", "ASPos"} {
		rob = append(rob, telegram.Attributes(e, telegram.Double, axes("A")...)...)
	}
	for _, e := range []string{"EIPos", "ESPos"} {
		rob = append(rob, telegram.Attributes(e, telegram.Double, axes("E")...)...)
	}
	more, err := telegram.ParseFields("Delay.D:LONG ProgStatus:LONG Dig.i1:BOOL Dig.i2:BOOL Note:STRING", telegram.Double)
	if err != nil {
		t.Fatal(err)
	}
	sen = append(telegram.Attributes("AK", telegram.Double, axes("A")...), telegram.Attributes("EK", telegram.Double, axes("E")...)...)
	outs, err := telegram.ParseFields("Stop:BOOL Dig.o1:BOOL Dig.o2:BOOL Tool.X Tool.M", telegram.Double)
	if err != nil {
		t.Fatal(err)
	}
	return append(rob, more...), append(sen, outs...)
}

// exchange reads a full telegram and writes a full answer.
func exchange(t testing.TB) func() int {
	t.Helper()
	rob, sen := everything(t)
	r, values := reader(t, "Rob", rob), make([]telegram.Value, len(rob))
	w, into, out := writer(t, sen), make([]byte, 1024), make([]float64, len(sen))
	text := []byte(full)
	return func() int {
		h, f := r.Read(text, values)
		if f != telegram.Good {
			return 0
		}
		for i := range 6 {
			out[i] = values[i].Num - 10
		}
		return w.Write(into, h.Stamp.Of(text), out)
	}
}

func TestAllocations(t *testing.T) {
	once := exchange(t)
	if once() == 0 {
		t.Fatal("no answer")
	}
	if n := alloc.Least(func() { once() }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}
