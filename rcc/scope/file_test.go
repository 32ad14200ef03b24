package scope_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/mcap"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// shown is a capture with everything that a file has to keep.
func shown() *scope.Capture {
	return &scope.Capture{
		Setup: "a", Number: 3, Trigger: 2000000, Why: "edge", Before: 2 * ms, After: ms, Ticks: []int64{0, ms, 2 * ms, 3 * ms}, Lost: 2, Late: []string{"on"},
		Channels: []scope.Trace{
			{
				Name: "pos", Form: scope.Form{Type: "vector", Unit: "m", Components: []string{"x", "y", "z"}, Period: ms},
				Marks:  []scope.Mark{scope.Null, scope.Value, scope.Value, scope.Value},
				Values: [][]float64{{0, 1, 0.1, -3e-300}, {0, 2, math.NaN(), math.Inf(1)}, {0, 3, math.Inf(-1), math.Copysign(0, -1)}},
			},
			{
				Name: "on", Form: scope.Form{Type: "bool", Components: []string{""}, Period: 2 * ms},
				Marks: []scope.Mark{scope.Value, scope.Held, scope.Value, scope.Held}, Values: [][]float64{{0, 0, 1, 1}},
			},
			{
				Name: "state", Form: scope.Form{Type: scope.TypeState, Components: []string{""}, Figure: true, Period: 2 * ms, States: []string{"offline", "op, \"ready\""}},
				Marks: []scope.Mark{scope.Value, scope.Held, scope.Null, scope.Value}, Values: [][]float64{{1, 1, 0, 0}},
			},
		},
	}
}

func TestFilesOpenAgain(t *testing.T) {
	var file bytes.Buffer
	must(t, scope.WriteMCAP(&file, shown()))
	got, err := scope.ReadMCAP(&file)
	must(t, err)
	if diff := cmp.Diff(shown(), got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// TestRandomFiles: what a scope makes of random signals is read as it was written.
func TestRandomFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		setup := two(scope.Auto, 0.03, 0.05)
		s, err := scope.New(setup, groups(10*ms, 30*ms))
		must(t, err)
		s.Feed(0, block(randomSignal(t, 10*ms)...))
		s.Feed(1, block(randomSignal(t, 30*ms)...))
		s.End(0)
		s.End(1)
		for _, c := range collect(s) {
			var file bytes.Buffer
			must(t, scope.WriteMCAP(&file, c))
			got, err := scope.ReadMCAP(&file)
			must(t, err)
			if diff := cmp.Diff(c, got, cmpopts.EquateNaNs()); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestCSV(t *testing.T) {
	var table strings.Builder
	must(t, scope.WriteCSV(&table, shown()))
	want := "tick (ns),time (s),pos.x (m),pos.y (m),pos.z (m),on,state\n" +
		"0,-0.002000000,,,,0,\"op, \"\"ready\"\"\"\n" +
		"1000000,-0.001000000,1,2,3,,\n" +
		"2000000,0.000000000,0.1,NaN,-Inf,1,\n" +
		"3000000,0.001000000,-3e-300,+Inf,-0,,offline\n"
	if diff := cmp.Diff(want, table.String()); diff != "" {
		t.Error(diff)
	}
}

func TestOtherFiles(t *testing.T) {
	other := func(channels, name, value string, times ...uint64) []byte {
		var file bytes.Buffer
		w, err := mcap.NewWriter(&file, mcap.Options{})
		must(t, err)
		if channels != "" {
			must(t, w.Metadata(&mcap.Metadata{Name: "rccd.capture", Values: map[string]string{"capture": `{"channels":[` + channels + `]}`}}))
		}
		id, err := w.Channel(mcap.Channel{Topic: name})
		must(t, err)
		for _, at := range times {
			must(t, w.Write(&mcap.Message{Channel: id, LogTime: at, Data: []byte(value)}))
		}
		must(t, w.Close())
		return file.Bytes()
	}
	const one = `{"name":"a","type":"double","components":[""]}`
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"no MCAP", []byte("PNG and so on"), "mcap: byte 0: this is not an MCAP file of version 0"},
		{"not ours", other("", "a", `{"value":1}`, 1), "the file is not a capture of a scope: its metadata do not say so"},
		{"no channels", other(" ", "a", `{"value":1}`, 1), "metadata rccd.capture: 0 channels; a capture has 1 to 32"},
		{"no components", other(`{"name":"a"}`, "a", `{"value":1}`, 1), "metadata rccd.capture: channel 0 is not one of a capture"},
		{"other channel", other(one, "b", `{"value":1}`, 1), `channel "b" is not one of the capture`},
		{"text", other(one, "a", `{"value":"x"}`, 1), `message at 1: channel "a": "\"x\"" is not a value of type double`},
		{"list", other(`{"name":"a","type":"vector","components":["x","y"]}`, "a", `{"value":[1]}`, 1), `message at 1: channel "a": it has 1 numbers, not 2`},
		{"no JSON", other(one, "a", `value`, 1), `message at 1: channel "a": invalid character 'v' looking for beginning of value`},
		{"order", other(one, "a", `{"value":1}`, 2, 1), "message at 1: it stands behind a later one"},
		{"twice", other(one, "a", `{"value":1}`, 2, 2), `message at 2: channel "a" has two`},
		{"good", other(one, "a", `{"value":1}`, 1, 2), ""},
	} {
		c, err := scope.ReadMCAP(bytes.NewReader(test.file))
		switch {
		case test.want == "" && (err != nil || len(c.Ticks) != 2):
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || err.Error() != test.want):
			t.Errorf("%s:\ngot  %v\nwant %s", test.name, err, test.want)
		}
	}
}

func FuzzReadMCAP(f *testing.F) {
	var file bytes.Buffer
	must(f, scope.WriteMCAP(&file, shown()))
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := scope.ReadMCAP(bytes.NewReader(b))
		if err != nil {
			return
		}
		var again bytes.Buffer
		must(t, scope.WriteMCAP(&again, c))
		must(t, scope.WriteCSV(&again, c))
		for i := range c.Channels {
			_ = scope.Measure(c, i, 0, 0, math.MaxInt64)
			_, _ = scope.SpectrumOf(c, i, 0, 0, math.MaxInt64, scope.Hann)
		}
	})
}
