package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEdit(t *testing.T) {
	place := Edit{List: "devices", Name: "arm", Key: "place", Value: "{x: 1, a: 0.5}"}
	again := place
	again.Replace = true
	table := Edit{List: "frames", Name: "table 2", Key: "place", Value: "{z: 0.7}", Add: true, Of: "arm"}
	for _, tt := range []struct {
		name         string
		edit         Edit
		before, want string
	}{
		{
			"in a block", place,
			"devices:\n  - name: arm   # the left one\n    type: arm\n\n    joints: 7\n  - {name: b, type: arm}\n",
			"devices:\n  - name: arm   # the left one\n    type: arm\n    place: {x: 1, a: 0.5}\n\n    joints: 7\n  - {name: b, type: arm}\n",
		},
		{
			"on a line", place,
			"devices: [{name: b, type: arm}, {type: arm, name: 'arm'}] # two\n",
			"devices: [{name: b, type: arm}, {type: arm, name: 'arm', place: {x: 1, a: 0.5}}] # two\n",
		},
		{
			"behind a comma", place,
			"devices:\n  - {name: arm, type: arm,}\n",
			"devices:\n  - {name: arm, type: arm, place: {x: 1, a: 0.5}}\n",
		},
		{
			"at the end without a line", place,
			"devices:\n- type: arm\n  name: arm",
			"devices:\n- type: arm\n  name: arm\n  place: {x: 1, a: 0.5}\n",
		},
		{
			"behind letters of several bytes", place,
			"devices: [{name: Bär, type: ärm}, {name: arm, type: arm}]",
			"devices: [{name: Bär, type: ärm}, {name: arm, type: arm, place: {x: 1, a: 0.5}}]",
		},
		{
			"without a value", place,
			"devices:\n  - name: arm\n    type: arm\n    place: # not measured\n",
			"devices:\n  - name: arm\n    type: arm\n    place: {x: 1, a: 0.5} # not measured\n",
		},
		{
			"instead of one", again,
			"devices:\n  - name: arm\n    place: {x: 0.1} # by tape\n    type: arm\n",
			"devices:\n  - name: arm\n    place: {x: 1, a: 0.5} # by tape\n    type: arm\n",
		},
		{
			"instead of one of several lines", again,
			"devices:\n  - name: arm\n    place:\n      x: 0.1\n      y: 2\n    type: arm\n",
			"devices:\n  - name: arm\n    place: {x: 1, a: 0.5}\n    type: arm\n",
		},
		{
			"instead of brackets of several lines", again,
			"devices:\n  - name: arm\n    place: {x: 0.1, # }\n      y: 2}\n    type: arm\n",
			"devices:\n  - name: arm\n    place: {x: 1, a: 0.5}\n    type: arm\n",
		},
		{
			"a parameter of the type",
			Edit{List: "devices", Name: "arm", Key: "tcp", Value: "{pos: {z: 0.1}}"},
			"devices:\n  - name: arm\n    type: arm\n    \"place\": {x: 1}\n",
			"devices:\n  - name: arm\n    type: arm\n    tcp: {pos: {z: 0.1}}\n    \"place\": {x: 1}\n",
		},
		{
			"first frame", table,
			"# cell\ndevices: [{name: arm, type: arm}]\n",
			"# cell\ndevices: [{name: arm, type: arm}]\n\nframes:\n  - {name: table 2, of: arm, place: {z: 0.7}}\n",
		},
		{"into nothing", Edit{List: "frames", Name: "a: b", Key: "place", Value: "{}", Add: true}, "", "frames:\n  - {name: \"a: b\", place: {}}\n"},
		{"into a list without entries", table, "frames: []\nauth: {}\n", "frames: [{name: table 2, of: arm, place: {z: 0.7}}]\nauth: {}\n"},
		{"into a key without list", table, "frames: # none\nauth: {}\n", "frames: # none\n  - {name: table 2, of: arm, place: {z: 0.7}}\nauth: {}\n"},
		{
			"next frame", table,
			"frames:\n    - name: tray\n      place:\n        x: 1 # m\n\n# who may\nauth: {}\n",
			"frames:\n    - name: tray\n      place:\n        x: 1 # m\n    - {name: table 2, of: arm, place: {z: 0.7}}\n\n# who may\nauth: {}\n",
		},
		{"next frame on the line", table, "frames: [{name: tray}]\n", "frames: [{name: tray}, {name: table 2, of: arm, place: {z: 0.7}}]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.edit.Apply([]byte(tt.before), "cell.yaml")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEditRefused(t *testing.T) {
	place := Edit{List: "devices", Name: "arm", Key: "place", Value: "{x: 1}"}
	for _, tt := range []struct{ name, text, want string }{
		{"there", "devices:\n  - name: arm\n    type: arm\n    place: {x: 0}\n", `cell.yaml:4: place of "arm" already exists`},
		{"nobody", "devices: [{name: amr, type: arm}]", `cell.yaml: devices has no entry "arm"`},
		{"no configuration", "sever: {}", `cell.yaml:1: sever: unknown key, did you mean server?`},
		{"no YAML", "devices: [", `cell.yaml:2: `},
		{"keys of several lines", "devices:\n  - ? name\n    : arm\n    ? type\n    : arm\n", `cannot be written into this layout; write it by hand: place: {x: 1}`},
	} {
		got, err := place.Apply([]byte(tt.text), "cell.yaml")
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %s", tt.name, err, got)
		}
		if (tt.name == "there") != errors.Is(err, ErrThere) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// FuzzEdit changes any text: nothing panics, and what comes out is a configuration with the value.
func FuzzEdit(f *testing.F) {
	f.Add("devices:\n  - name: arm\n    type: arm # 'x\n    place: {x: 0}\n")
	f.Add("devices: [{name: \"arm\", type: 'a''b', place: \n {x: 0, y: [}]")
	f.Add("devices:\n- {name: arm, type: arm, place: }\n...\n")
	f.Add("%YAML 1.2\n---\ndevices: &a\n- !!map {name: arm, type: arm}\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range []Edit{
			{List: "devices", Name: "arm", Key: "place", Value: "{x: 1}", Replace: true},
			{List: "frames", Name: "table", Key: "place", Value: "{x: 1}", Add: true, Of: "arm", Replace: true},
		} {
			got, err := e.Apply([]byte(text), "cell.yaml")
			if err != nil {
				continue
			}
			cfg, _, err := Decode[Config](got, "cell.yaml")
			if err != nil {
				t.Fatalf("%q becomes %q: %v", text, got, err)
			}
			is := Place{}
			for _, d := range cfg.Devices {
				if e.List == "devices" && d.Name == e.Name {
					is = d.Place
				}
			}
			for _, f := range cfg.Frames {
				if e.List == "frames" && f.Name == e.Name {
					is = f.Place
				}
			}
			if is != (Place{X: 1}) {
				t.Fatalf("%q becomes %q", text, got)
			}
		}
	})
}
