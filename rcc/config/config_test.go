package config

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

var known = Known{
	DeviceTypes: []device.Type{
		device.Declare(device.Kind{Name: "testdevice", Extension: "test"}, func(*device.Env, *testDevice) (device.Device, error) { return nil, nil }),
		{Name: "arm", Extension: "robots"},
	},
	Extensions: []string{"rpicore", "test", "robots"},
}

type testDevice struct {
	Joints int        `rcc:"joints" default:"2" min:"1" doc:"number of joints"`
	Limits []float64  `rcc:"limits" doc:"for each joint"`
	Base   geom.Frame `rcc:"base" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"where it stands"`
}

func load(text string) (*Config, error) {
	return Load(fstest.MapFS{
		"cell.yaml": {Data: []byte(text)},
		"nets/a":    {Data: []byte("{outTerminate=Cancel().outCancel}")},
	}, "cell.yaml", "cell.yaml", known)
}

func TestLoad(t *testing.T) {
	cfg, err := load(`
server:
  listen: localhost:0   # any port
  log-level: debug
realtime:
  mode: off
  cycle: 1ms
limits:
  nets: 10
devices:
  - name: left arm
    type: testdevice
    place: {x: 0.5, a: -1.5}
    joints: 7
  - {name: right, type: testdevice, limits: [1, 0.5], base: {pos: {x: 1, y: 0, z: 0}, rot: {a: 0, b: 0, c: 0}}}
frames:
  - {name: table, of: right, place: {z: 0.7}}
nets:
  - {file: nets/a, cycle: 4ms, start: true}
extensions: [rpicore, test]
auth:
`)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Server.Listen, want.Server.LogLevel = "localhost:0", "debug"
	want.Realtime.Mode, want.Realtime.Cycle = "off", time.Millisecond
	want.Limits.Nets = 10
	want.Devices = []Device{
		{Name: "left arm", Type: "testdevice", Place: Place{X: 0.5, A: -1.5}, Params: map[string]string{"joints": "7"}},
		{Name: "right", Type: "testdevice", Params: map[string]string{"limits": "[1,0.5]", "base": "{pos:{x:1,y:0,z:0},rot:{a:0,b:0,c:0}}"}},
	}
	want.Frames = []Frame{{Name: "table", Of: "right", Place: Place{Z: 0.7}}}
	want.Nets = []Net{{File: "nets/a", Cycle: 4 * time.Millisecond, Start: StartInOrder, Text: "{outTerminate=Cancel().outCancel}"}}
	want.Extensions = []string{"rpicore", "test"}
	if diff := cmp.Diff(want, cfg, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Error(diff)
	}
}

func TestDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "server:\n", "devices: []\nrealtime: {}\n"} {
		cfg, err := load(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if diff := cmp.Diff(Default(), cfg, cmpopts.IgnoreUnexported(Config{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if d := Default(); d.Server.Listen != "127.0.0.1:8080" || d.Realtime.Cycle != 2*time.Millisecond || d.Limits.Nets != 1024 {
		t.Errorf("defaults are %+v", d)
	}
}

func TestProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown section", "sever: {}", `cell.yaml:1: sever: unknown key, did you mean server?`},
		{"unknown key", "server:\n  listn: x", `cell.yaml:2: server.listn: unknown key, did you mean listen?`},
		{"nothing like it", "server:\n  frobnicate: x", `cell.yaml:2: server.frobnicate: unknown key`},
		{"twice", "server:\n  grace: 1s\n  grace: 2s", `cell.yaml:3: server.grace: given twice, first in line 2`},
		{"list for section", "server: [1]", `cell.yaml:1: server: keys with values are expected`},
		{"value for section", "server: fast", `cell.yaml:1: server: keys with values are expected`},
		{"section for value", "server:\n  listen:\n    a: b", `cell.yaml:3: server.listen: a single value is expected`},
		{"value for list", "devices: none", `cell.yaml:1: devices: a list is expected`},
		{"alias", "server: &a {}\nauth: *a", `cell.yaml:2: auth: references to other places are not followed; write the value`},
		{"word", "realtime: {mode: requird}", `cell.yaml:1: realtime.mode: "requird" is not one of auto, required, off, did you mean required?`},
		{"duration", "realtime: {cycle: 2}", `cell.yaml:1: realtime.cycle: "2" is not a duration; write for example 2ms`},
		{"too short", "realtime: {cycle: 1us}", `cell.yaml:1: realtime.cycle: 1µs is less than 100µs`},
		{"too long", "realtime: {max-cycle: 2h}", `cell.yaml:1: realtime.max-cycle: 2h0m0s is more than 1h0m0s`},
		{"place", "devices: [{name: arm, type: arm_sim, place: {x: 1, y: left}}]", `cell.yaml:1: devices[0].place.y: "left" is not a number`},
		{"place without end", "devices: [{name: arm, type: arm_sim, place: {x: .inf}}]", `cell.yaml:1: devices[0].place.x: ".inf" is not a number`},
		{"speed", "realtime: {speed: fast}", `cell.yaml:1: realtime.speed: "fast" is neither a number nor max`},
		{"speed below zero", "realtime: {speed: -1}", `cell.yaml:1: realtime.speed: -1 is less than 0`},
		{"number", "limits: {nets: many}", `cell.yaml:1: limits.nets: "many" is not a whole number`},
		{"out of bounds", "limits: {nets: 0}", `cell.yaml:1: limits.nets: 0 is less than 1`},
		{"bool", "nets: [{file: nets/a, start: yes}]", `cell.yaml:1: nets[0].start: "yes" is not one of true, false, always`},
		{"missing", "devices:\n  - name: a", `cell.yaml:2: devices[0].type: is missing`},
		{"empty item", "devices:\n  -", "cell.yaml:2: devices[0]: is empty"},
		{"device type", "devices:\n  - name: a\n    type: testdevic", `cell.yaml:3: devices[0].type: unknown device type "testdevic", did you mean testdevice?`},
		{"device of an extension that is off", "extensions: [rpicore]\ndevices: [{name: a, type: arm}]", `cell.yaml:2: devices[0].type: unknown device type "arm"`},
		{"device name twice", "devices: [{name: a, type: arm}, {name: a, type: arm}]", `cell.yaml:1: devices[1].name: "a" is the name of devices[0] already`},
		{"device parameter", "devices:\n  - name: a\n    type: testdevice\n    joint: 3", `cell.yaml:4: devices[0].joint: testdevice has no such parameter, did you mean joints?`},
		{"device parameter is a list", "devices:\n  - {name: a, type: testdevice, joints: [1]}", `cell.yaml:2: devices[0].joints: "[1]" is not a whole number of 32 bits`},
		{"device parameter is a reference", "devices:\n  - {name: &a x, type: testdevice, joints: *a}", `cell.yaml:2: devices[0].joints: a value is expected, or a list or structure of values`},
		{"device parameter out of bounds", "devices:\n  - {name: a, type: testdevice, joints: 0}", `cell.yaml:2: devices[0].joints: 0 is not 1 or more`},
		{"frame twice", "frames: [{name: table}, {name: table}]", `cell.yaml:1: frames[1].name: "table" is the name of frames[0] already`},
		{"frame of nothing", "devices: [{name: arm, type: arm}]\nframes: [{name: table, of: amr}]", `cell.yaml:2: frames[0].of: unknown device "amr", did you mean arm?`},
		{"frame without name", "frames: [{place: {x: 1}}]", `cell.yaml:1: frames[0].name: is missing`},
		{"extension", "extensions: [rpicor]", `cell.yaml:1: extensions[0]: unknown extension "rpicor", did you mean rpicore?`},
		{"no address", "server: {listen: 8080}", `cell.yaml:1: server.listen: "8080" is not an address; write for example 127.0.0.1:8080`},
		{"open to all", "server:\n  listen: 0.0.0.0:80", `cell.yaml:2: server.listen: 0.0.0.0:80 can be reached by others; if everybody may, say so with auth.mode: none`},
		{"open to all over tcp", "server:\n  directio-tcp: :8081", `cell.yaml:2: server.directio-tcp: :8081 can be reached by others; if everybody may, say so with auth.mode: none`},
		{"cycles", "realtime:\n  min-cycle: 10ms\n  cycle: 5ms", `cell.yaml:3: realtime.cycle: 5ms is not between min-cycle 10ms and max-cycle 1m0s`},
		{"cycles the wrong way round", "realtime: {min-cycle: 1s, max-cycle: 1ms}", `cell.yaml:1: realtime.min-cycle: 1s is more than max-cycle 1ms`},
		{"virtual and required", "realtime: {mode: required, clock: virtual}", `cell.yaml:1: realtime.clock: the virtual clock is never real-time, and mode says required`},
		{"no net", "nets: [{file: nets/b}]", `cell.yaml:1: nets[0].file: nets/b: file does not exist`},
		{"net elsewhere", "nets: [{file: ../b}]", `cell.yaml:1: nets[0].file: "../b" is not in or below the folder of this file`},
		{"no yaml", "server:\n\tlisten: x", `cell.yaml:2: found character that cannot start any token`},
		{"two documents", "server: {}\n---\nauth: {}", `cell.yaml: expected single document, found multiple`},
		{
			"all at once, in order", "realtime: {cycle: 2}\nserver:\n  listn: x\n  grace: -1s\n",
			"cell.yaml:1: realtime.cycle: \"2\" is not a duration; write for example 2ms\n" +
				"cell.yaml:3: server.listn: unknown key, did you mean listen?\ncell.yaml:4: server.grace: -1s is less than 0s",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(tt.text)
			if err == nil {
				t.Fatal("accepted")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOpenToAllWhenWritten(t *testing.T) {
	if _, err := load("server: {listen: '0.0.0.0:80'}\nauth: {mode: none}"); err != nil {
		t.Error(err)
	}
}

// TestSet is about values that come with a flag.
func TestSet(t *testing.T) {
	cfg := Default()
	if err := cfg.Set("realtime.mode", "of"); err == nil || err.Error() != `"of" is not one of auto, required, off, did you mean off?` {
		t.Errorf("got %v", err)
	}
	if err := cfg.Set("server.directio-tcp", "192.168.1.1:8081"); err != nil {
		t.Fatal(err)
	}
	err := cfg.Check()
	want := "command line: server.directio-tcp: 192.168.1.1:8081 can be reached by others; if everybody may, say so with auth.mode: none"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestProblem is about what is found wrong later, by those who use a value.
func TestProblem(t *testing.T) {
	cfg, err := load("devices:\n  - name: a\n    type: arm\n")
	if err != nil {
		t.Fatal(err)
	}
	err = cfg.Problem("devices[0].type", errors.New("no licence\nno power"))
	want := "cell.yaml:3: devices[0].type: no licence\ncell.yaml:3: devices[0].type: no power"
	if err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestMissingFile(t *testing.T) {
	_, err := Load(fstest.MapFS{}, "x.yaml", "/etc/x.yaml", known)
	if err == nil || err.Error() != "/etc/x.yaml: file does not exist" {
		t.Errorf("got %v", err)
	}
}

// TestSchema compares the published schema with the one that the struct has now.
func TestSchema(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "config.schema.json")
	if *update {
		if err := os.WriteFile(name, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	published, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(published), string(Schema())); diff != "" {
		t.Error("make generate brings it up to date:\n", diff)
	}
}

// FuzzLoad looks for texts that are neither read nor refused with a place.
func FuzzLoad(f *testing.F) {
	f.Add("server: {listen: 'localhost:0'}\ndevices:\n  - {name: a, type: testdevice, joints: 7}\n")
	f.Add("a: &x [*x]\n? {b: c}\n: - d\n")
	f.Add("<<: {server: {}}\n!!binary x: !!map {}")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := load(text)
		var problems Error
		if err != nil && (!errors.As(err, &problems) || strings.TrimSpace(err.Error()) == "") {
			t.Errorf("refused without a word: %v", err)
		}
	})
}
