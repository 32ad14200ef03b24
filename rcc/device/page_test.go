package device_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// lamp is a device with a page, whose brightness can be changed.
type lamp struct {
	device.Device
	cfg lampConfig
}

type lampConfig struct {
	Brightness float64 `rcc:"brightness" default:"0.5" min:"0" max:"1" mutable:"true" doc:"of the light"`
	Socket     int     `rcc:"socket" default:"1" doc:"where it is plugged in"`
}

func (l *lamp) Tune(cfg *lampConfig) error {
	if cfg.Brightness == 0.25 {
		return errors.New("it flickers")
	}
	l.cfg = *cfg
	return nil
}

type switched struct {
	On bool `rcc:"on" required:"true" doc:"light"`
}

type lampView struct {
	XMLName xml.Name   `xml:"lamp" json:"-"`
	At      device.Num `xml:"at,attr" json:"at"`
	Sum     device.Num `xml:"sum,attr" json:"sum"`
}

var lampPage = device.DeclarePage(device.Sheet[*lamp, switched]{
	Path: "light", Doc: "how bright it is",
	Asks: func(l *lamp) []device.Param { return []device.Param{{Name: "x", Max: "10"}, {Name: "y"}} },
	Show: func(l *lamp, q device.Question) (any, error) {
		if len(q) == 0 {
			return lampView{At: device.Num(math.NaN()), Sum: device.Num(math.Inf(-1))}, nil
		}
		return lampView{At: device.Num(l.cfg.Brightness), Sum: device.Num(q["x"] + q["y"])}, nil
	},
	Take: func(l *lamp, told *switched) error {
		if !told.On {
			l.cfg.Brightness = 0
		}
		return nil
	},
})

var lampType = device.Declare(device.Kind{Name: "lamp", Pages: []device.Page{lampPage}},
	func(_ *device.Env, cfg *lampConfig) (device.Device, error) { return &lamp{cfg: *cfg}, nil })

func openLamp(t *testing.T, params map[string]string) *lamp {
	t.Helper()
	d, err := lampType.Open(nil, params)
	if err != nil {
		t.Fatal(err)
	}
	return d.(*lamp)
}

func TestPages(t *testing.T) {
	l := openLamp(t, nil)
	page := lampType.Pages[0]
	if !page.Fits(l) || page.Fits(&robot{}) {
		t.Error("a page fits what it was declared for, and nothing else")
	}
	for _, tt := range []struct {
		ask            map[string]string
		xml, json, err string
	}{
		{map[string]string{"x": "1.5", "y": "2"}, `<lamp at="0.5" sum="3.5"></lamp>`, `{"at":0.5,"sum":3.5}`, ""},
		{map[string]string{"x": "", "y": ""}, `<lamp at="nan" sum="-inf"></lamp>`, `{"at":null,"sum":null}`, ""},
		{map[string]string{"x": "11"}, "", "", "parameter x: 11 is not 10 or less"},
		{map[string]string{"z": "1", "y": "a"}, "", "", "parameter y: \"a\" is not a number\nparameter z: unknown question"},
	} {
		view, err := page.View(l, tt.ask)
		if err != nil || tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v: %v, not %q", tt.ask, err, tt.err)
			}
			continue
		}
		x, errX := xml.Marshal(view)
		j, errJ := json.Marshal(view)
		if string(x) != tt.xml || string(j) != tt.json || errX != nil || errJ != nil {
			t.Errorf("%v: %s %s %v %v", tt.ask, x, j, errX, errJ)
		}
	}
	if err := page.Tell(l, map[string]string{"on": "false"}); err != nil || l.cfg.Brightness != 0 {
		t.Errorf("%v, brightness %v", err, l.cfg.Brightness)
	}
	if err := page.Tell(l, map[string]string{"of": "false"}); err == nil || !strings.Contains(err.Error(), "parameter on: is missing") {
		t.Error(err)
	}
	silent := device.DeclarePage(device.Sheet[*lamp, device.Nothing]{Path: "a"})
	if err := silent.Tell(l, nil); !errors.Is(err, device.ErrTakesNothing) {
		t.Error(err)
	}
}

// TestTune changes what can be changed, all of it or nothing.
func TestTune(t *testing.T) {
	l := openLamp(t, map[string]string{"socket": "2"})
	now := map[string]string{"socket": "2"}
	for _, tt := range []struct {
		change map[string]string
		err    string
		want   lampConfig
	}{
		{map[string]string{"brightness": "1"}, "", lampConfig{1, 2}},
		{map[string]string{"brightness": "2"}, "parameter brightness: 2 is not between 0 and 1", lampConfig{1, 2}},
		{map[string]string{"brightness": "0", "socket": "3"}, "parameter socket: it cannot be changed", lampConfig{1, 2}},
		{map[string]string{"brightness": "0.25"}, "it flickers", lampConfig{1, 2}},
		{map[string]string{"colour": "red"}, "lamp has no such parameter", lampConfig{1, 2}},
		{map[string]string{"on": "true"}, "parameter on: not a parameter, but the device's page light takes it: rccctl device tell NAME light on=true", lampConfig{1, 2}},
		{map[string]string{"brightness": "0.75"}, "", lampConfig{0.75, 2}},
	} {
		next, err := lampType.Tune(l, now, tt.change)
		if err == nil != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%v: %v, not %q", tt.change, err, tt.err)
		}
		if l.cfg != tt.want {
			t.Errorf("%v: %+v, not %+v", tt.change, l.cfg, tt.want)
		}
		now = next
	}
	if diff := cmp.Diff(map[string]string{"socket": "2", "brightness": "0.75"}, now); diff != "" {
		t.Error(diff)
	}
	if _, err := kind.Tune(&robot{}, map[string]string{"ip": "::1"}, nil); !errors.Is(err, device.ErrImmutable) {
		t.Error(err)
	}
}

// still declares that it can be changed and has nothing that does.
type still struct{ device.Device }

func (still) Close() error { return nil }

func TestMutableNeedsATuner(t *testing.T) {
	declared := device.Declare(device.Kind{Name: "still"}, func(*device.Env, *lampConfig) (device.Device, error) { return still{}, nil })
	if _, err := declared.Open(nil, nil); err == nil || !strings.Contains(err.Error(), "type still has no method") {
		t.Error(err)
	}
}
