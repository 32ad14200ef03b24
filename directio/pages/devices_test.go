package pages

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// lamp is a device with one of everything that pages tell of devices: an interface with a page that is asked and told
// something, a page of its own, and a parameter that can be changed.
type lamp struct {
	env        *device.Env
	cfg        lampConfig
	brightness atomic.Uint64
}

type lampConfig struct {
	Name  string      `rcc:"label" doc:"what is written on it"`
	Max   float64     `rcc:"max" default:"1" min:"0" unit:"lm" mutable:"true" doc:"of the brightness"`
	Kind  string      `rcc:"kind" default:"led" enum:"led bulb" doc:"how it makes light"`
	Place geom.Vector `rcc:"place" required:"true" unit:"m" doc:"where it <b>hangs</b>"`
	Arms  []float64   `rcc:"arms" doc:"lengths"`
	On    string      `rcc:"on" doc:"device that it is fixed to"`
}

func (l *lamp) Status() device.Status {
	return device.Status{State: device.SafeOperational, Cause: "nobody has paid <the> bill"}
}

func (l *lamp) Interfaces() []device.Interface {
	return []device.Interface{{Name: "light", Params: map[string]string{"colours": "3"}}, {Name: "warmth"}}
}
func (l *lamp) Close() error { return nil }

func (l *lamp) Tune(cfg *lampConfig) error {
	if cfg.Max > 100 {
		return errors.New("the fuse would blow")
	}
	return nil
}

type lightView struct {
	XMLName xml.Name    `xml:"light" json:"-"`
	At      device.Num  `xml:"at,attr" json:"at"`
	Never   *device.Num `xml:"never,attr,omitempty" json:"never,omitempty"`
	Colours []colour    `xml:"colour" json:"colours"`
	Place   spot        `xml:"place" json:"place"`
	Words   []string    `xml:"word" json:"words"`
}

type colour struct {
	Number int        `xml:"nr,attr" json:"nr"`
	Share  device.Num `xml:"share,attr" json:"share"`
}

type spot struct {
	X device.Num `xml:"x,attr" json:"x"`
	Y device.Num `xml:"y,attr" json:"y"`
}

type ownView struct {
	XMLName xml.Name `xml:"fixture" json:"-"`
	Serial  string   `xml:"serial,attr" json:"serial"`
}

type lightTold struct {
	Brightness float64 `rcc:"brightness" required:"true" min:"0" doc:"from now on"`
	Fade       bool    `rcc:"fade" default:"false" doc:"slowly"`
}

var lightPage = device.DeclarePage(device.Sheet[*lamp, lightTold]{
	Path: "light", Doc: "what it looks like",
	Asks: func(*lamp) []device.Param {
		return []device.Param{{Name: "x", Unit: "m", Doc: "to the right"}, {Name: "y", Min: "0", Doc: "up"}}
	},
	Show: func(l *lamp, q device.Question) (any, error) {
		if q["x"] == 13 {
			return nil, errors.New("nobody looks from there")
		}
		return &lightView{
			At: device.Num(math.Float64frombits(l.brightness.Load())), Colours: []colour{{0, 0.25}, {1, device.Num(math.NaN())}},
			Place: spot{device.Num(q["x"]), device.Num(q["y"])}, Words: []string{"a<b", "c"},
		}, nil
	},
	Take: func(l *lamp, told *lightTold) error {
		if told.Brightness > l.cfg.Max {
			return device.ParamError{Name: "brightness", Err: errors.New("it is too bright")}
		}
		l.brightness.Store(math.Float64bits(told.Brightness))
		return nil
	},
})

var lampType = device.Declare(device.Kind{Name: "lamp", Extension: "lamps", Doc: "a lamp", Pages: []device.Page{
	device.DeclarePage(device.Sheet[*lamp, device.Nothing]{
		Show: func(*lamp, device.Question) (any, error) { return ownView{Serial: "4711"}, nil },
	}),
}}, func(env *device.Env, cfg *lampConfig) (device.Device, error) {
	if cfg.On != "" {
		if _, err := device.Lend[*testdevice.Device](env, cfg.On, "a test device"); err != nil {
			return nil, err
		}
	}
	return &lamp{env: env, cfg: *cfg}, nil
})

func lit(cfg *rcc.Config) {
	cfg.DeviceTypes = []device.Type{lampType, testdevice.Type}
	cfg.Interfaces = []device.InterfaceType{{Name: "light", Doc: "light", Pages: []device.Page{lightPage}}}
}

// TestDevicesOverHTTP creates, looks at, tells, changes and removes devices, and tries what is not possible.
func TestDevicesOverHTTP(t *testing.T) {
	const (
		form = "application/x-www-form-urlencoded"
		web  = "/devices/"
	)
	c := newCell(t, Options{Ports: func() (int, int) { return 8080, 0 }}, lit)
	for _, tt := range []struct{ name, path, media, accept, body string }{
		{"create_raw", web, form, "", "name=left lamp&type=lamp&place={x:1,y:2.0,z:-3E-1}&arms=[0.5,1.0E0]&label="},
		{"create_encoded", web, form, forJSON, "type=test&name=a%2Bb&channels=3"},
		{"create_untyped", web, "", "", "name=shade&type=lamp&place={x:0,y:0,z:0}&on=a%2Bb&kind=bulb"},
		{"create_json", web, "application/json", forJSON, `{"name":"j","type":"lamp","parameters":{"place":{"x":1,"y":2,"z":3e0},"max":20,"arms":[1,2.5],"label":"\"<","on":null}}`},
		{"create_html", web, form, browser, "name=h+i&type=test&channels=8&records=16"},
		{"create_empty", web, form, browser, "name=e&type=test&channels=8&records="},
		{"exists", web, form, "", "name=j&type=test"},
		{"rcc", web, form, "", "name=rcc&type=rcc&webport=8080"},
		{"unknown_type", web, form, forJSON, "name=x&type=Lamp"},
		{"no_type", web, form, forJSON, "name=x"},
		{"no_name", web, form, forJSON, "type=test"},
		{"dots", web, form, forJSON, "name=..&type=test"},
		{"all_wrong", web, form, "", "name=x&type=lamp&max=-1&kind=candle&colour=red&arms=[1"},
		{"all_wrong_html", web, form, browser, "name=x&type=lamp&max=-1&kind=candle&colour=<red>"},
		{"no_other", web, form, forJSON, "name=x&type=lamp&place={x:0,y:0,z:0}&on=nowhere"},
		{"twice", web, form, forJSON, "name=x&type=test&channels=1&channels=2"},
		{"image", web, "image/png", forJSON, "x"},
		{"broken_json", web, "application/json", forJSON, `{"name":`},
		{"json_list", web, "application/json", forJSON, `["name"]`},
		{"action", web, form, forJSON, "name=j&action=dance"},

		{"tell", web + "j/light", form, "", "brightness=12.5"},
		{"tell_json", web + "j/light", "application/json", forJSON, `{"brightness":13,"fade":true}`},
		{"tell_html", web + "j/light", form, browser, "brightness=1&fade=true"},
		{"tell_wrong", web + "j/light", form, forJSON, "brightness=-1&fade=1"},
		{"tell_much", web + "j/light", form, forJSON, "brightness=21"},
		{"tell_nobody", web + "k/light", form, forJSON, "brightness=21"},
		{"tell_nothing", web + "j/warmth", form, forJSON, "brightness=21"},
		{"tune", web + "j/parameters", form, "", "max=30"},
		{"tune_html", web + "j/parameters", form, browser, "max=31"},
		{"tune_wrong", web + "j/parameters", form, forJSON, "max=x&kind=led&dim=1"},
		{"tune_refused", web + "j/parameters", form, forJSON, "max=101"},
		{"tune_rcc", web + "rcc/parameters", form, forJSON, "webport=1"},
		{"tune_nobody", web + "k/parameters", form, forJSON, "max=1"},

		{"remove_in_use", web, form, "", "name=a%2Bb&action=remove"},
		{"remove_in_use_json", web, "application/json", forJSON, `{"name":"a+b","action":"remove"}`},
		{"remove", web, form, "", "name=shade&action=remove"},
		{"remove_html", web, form, browser, "name=a%2Bb&action=remove"},
		{"remove_absent", web, form, "", "name=shade&action=remove"},
		{"remove_rcc", web, form, forJSON, "name=rcc&action=remove"},
	} {
		r := request("POST", tt.path, tt.body, "Accept", tt.accept)
		if tt.media != "" {
			r.Header.Set("Content-Type", tt.media)
		}
		checkGolden(t, "device_"+tt.name, c.answer(r))
	}
	for _, path := range []string{
		"/devices/", "/devices/j/", "/devices/j/parameters", "/devices/j/light", "/devices/j/light?x=1.5&y=2e0", "/devices/rcc/parameters",
		"/devices/j/light?x=&z=2&y=-1", "/devices/j/light?x=13", "/devices/h%20i/",
	} {
		for name, accept := range allForms {
			checkGolden(t, "lit_"+fileName(path)+"."+name, c.answer(request("GET", path, "", "Accept", accept)))
		}
	}
}

// TestForeignPagesChangeNoDevices: a page from elsewhere cannot create or remove them.
func TestForeignPagesChangeNoDevices(t *testing.T) {
	c := newCell(t, Options{}, lit)
	for _, body := range []string{"name=x&type=test", `{"name":"x","type":"test"}`} {
		a := c.answer(request("POST", "/devices/", body, "Origin", "http://elsewhere.example", "Content-Type", "text/plain"))
		if a.StatusCode != 403 || len(c.Devices.All()) != 1 {
			t.Errorf("%s: %s, %d devices", body, a.Status, len(c.Devices.All()))
		}
	}
}

// TestUsersOfDevices: a device tells who uses it, until they have gone.
func TestUsersOfDevices(t *testing.T) {
	c := newCell(t, Options{}, lit)
	for _, body := range []string{"name=base&type=test", "name=top&type=lamp&place={x:0,y:0,z:0}&on=base"} {
		if a := c.answer(request("POST", "/devices/", body)); a.StatusCode != 201 {
			t.Fatal(a.text)
		}
	}
	var d struct{ Dependents, Uses []string }
	ask := func(name string) {
		t.Helper()
		d.Dependents, d.Uses = nil, nil
		a := c.answer(request("GET", "/devices/"+name+"/", "", "Accept", forJSON))
		if err := json.Unmarshal([]byte(a.text), &d); err != nil {
			t.Fatal(err)
		}
	}
	if ask("base"); strings.Join(d.Dependents, " ") != "top" || len(d.Uses) != 0 {
		t.Errorf("%+v", d)
	}
	if ask("top"); strings.Join(d.Uses, " ") != "base" || len(d.Dependents) != 0 {
		t.Errorf("%+v", d)
	}
	if err := c.Devices.Remove("top"); err != nil {
		t.Fatal(err)
	}
	if ask("base"); len(d.Dependents) != 0 {
		t.Errorf("%+v", d)
	}
}
