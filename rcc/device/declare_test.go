package device_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// common is what several kinds of devices have in their configurations.
type common struct {
	Cycle time.Duration `rcc:"cycle" default:"4ms" min:"1ms" max:"1s" doc:"between two exchanges"`
	Tool  geom.Frame    `rcc:"tcp" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"tip of the tool"`
}

type config struct {
	common
	Port   int         `rcc:"port" default:"49938" min:"1" max:"65535" doc:"where the robot sends to"`
	Factor float64     `rcc:"factor" default:"1" max:"1" unit:"1" doc:"of the limits"`
	Mode   string      `rcc:"mode" default:"position" enum:"position torque" doc:"what is commanded"`
	Host   string      `rcc:"ip" required:"true" doc:"address of the robot"`
	Limits []float64   `rcc:"max_vel" unit:"rad/s" doc:"for each joint"`
	Centre geom.Vector `rcc:"moi" doc:"moments of inertia"`
	Power  bool        `rcc:"power" default:"true" doc:"drives are on at the start"`
}

type robot struct {
	device.Device
	cfg config
}

var kind = device.Declare(device.Kind{Name: "robot", Extension: "robots", Doc: "a robot"},
	func(_ *device.Env, cfg *config) (device.Device, error) {
		if len(cfg.Limits) == 1 {
			return nil, errors.New("there is more than one joint")
		}
		return &robot{cfg: *cfg}, nil
	})

func TestConfiguration(t *testing.T) {
	want := config{common: common{Cycle: 4 * time.Millisecond}, Port: 49938, Factor: 1, Mode: "position", Host: "::1", Power: true}
	tests := []struct {
		name   string
		params map[string]string
		change func(*config)
	}{
		{"defaults", nil, func(*config) {}},
		{"as clients write", map[string]string{
			"max_vel": "[1.0,2.0E0,-0.5]", "moi": "{x:1,y:2,z:3}", "tcp": "{pos:{x:0.1,y:0,z:0},rot:{a:0,b:0,c:0}}", "power": "false",
		}, func(c *config) {
			c.Limits, c.Centre, c.Power = []float64{1, 2, -0.5}, geom.Vector{X: 1, Y: 2, Z: 3}, false
			c.Tool.Pos.X = 0.1
		}},
		{"at the bounds", map[string]string{"cycle": "1s", "port": "65535", "factor": "-3", "mode": "torque"}, func(c *config) {
			c.Cycle, c.Port, c.Factor, c.Mode = time.Second, 65535, -3, "torque"
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			params := map[string]string{"ip": "::1"}
			for name, text := range tt.params {
				params[name] = text
			}
			dev, err := kind.Open(nil, params)
			if err != nil {
				t.Fatal(err)
			}
			want := want
			tt.change(&want)
			if diff := cmp.Diff(want, dev.(*robot).cfg, cmp.AllowUnexported(config{}, common{}), cmp.Comparer(func(a, b geom.Frame) bool { return a == b })); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWrongConfigurations: everything that is wrong is reported at once, each with its parameter.
func TestWrongConfigurations(t *testing.T) {
	params := map[string]string{
		"cycle": "0s", "port": "0", "factor": "nan", "mode": "speed", "max_vel": "[1,x]", "moi": "{q:1}", "power": "yes", "pord": "1", "tcp": "",
	}
	want := []string{
		"cycle: 0s is not between 1ms and 1s", "tcp: ", "port: 0 is not between 1 and 65535", "factor: nan is not 1 or less",
		`mode: "speed" is not one of position torque`, "ip: is missing", "max_vel: ", "moi: ", `power: "yes" is neither true nor false`, "pord: robot has no such parameter, did you mean port?",
	}
	var got []string
	for _, e := range kind.Check(params) {
		got = append(got, strings.TrimPrefix(e.Error(), "parameter "))
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("told is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	for name, text := range map[string]string{"moi": "{x:0,y:nan,z:0}", "tcp": "{pos:{x:1e999,y:0,z:0},rot:{a:0,b:0,c:0}}"} {
		if wrong := kind.Check(map[string]string{"ip": "::1", name: text}); len(wrong) != 1 || !strings.HasSuffix(wrong[0].Error(), "is not finite") {
			t.Errorf("%s is %s: %v", name, text, wrong)
		}
	}
	_, err := kind.Open(nil, params)
	if err == nil || strings.Count(err.Error(), "\n")+1 != len(want) {
		t.Errorf("opening tells %v", err)
	}
	if _, err := kind.Open(nil, map[string]string{"ip": "a", "max_vel": "[1]"}); err == nil || err.Error() != "there is more than one joint" {
		t.Errorf("what depends on it all: %v", err)
	}
}

// TestParametersAreDocumented: the declaration is what is published.
func TestParametersAreDocumented(t *testing.T) {
	var got []string
	for _, p := range kind.Params {
		got = append(got, strings.Join([]string{p.Name, string(p.Type), p.Default, p.Unit, p.Min, p.Max, strings.Join(p.Enum, " "), p.Doc}, "|"))
		if p.Required != (p.Name == "ip") {
			t.Errorf("%s is required: %t", p.Name, p.Required)
		}
	}
	want := []string{
		"cycle|string|4ms||1ms|1s||between two exchanges",
		"tcp|frame|{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}|||||tip of the tool",
		"port|int|49938||1|65535||where the robot sends to",
		"factor|double|1|1||1||of the limits",
		"mode|string|position||||position torque|what is commanded",
		"ip|string||||||address of the robot",
		"max_vel|array<double>||rad/s||||for each joint",
		"moi|vector||||||moments of inertia",
		"power|bool|true|||||drives are on at the start",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestMistakesInDeclarations: what cannot be read is found when the program starts, not by a user.
func TestMistakesInDeclarations(t *testing.T) {
	for name, declare := range map[string]func(){
		"default": func() {
			type c struct {
				A int `rcc:"a" default:"x"`
			}
			device.Declare(device.Kind{}, func(*device.Env, *c) (device.Device, error) { return nil, nil })
		},
		"default out of bounds": func() {
			type c struct {
				A int `rcc:"a" default:"3" max:"2"`
			}
			device.Declare(device.Kind{}, func(*device.Env, *c) (device.Device, error) { return nil, nil })
		},
		"type": func() {
			type c struct {
				A chan int `rcc:"a"`
			}
			device.Declare(device.Kind{}, func(*device.Env, *c) (device.Device, error) { return nil, nil })
		},
		"name of a parameter": func() {
			type c struct {
				A int `rcc:"action"`
			}
			device.Declare(device.Kind{}, func(*device.Env, *c) (device.Device, error) { return nil, nil })
		},
		"path of a page": func() { device.DeclarePage(device.Sheet[device.Device, device.Nothing]{Path: "a/b"}) },
		"taken path":     func() { device.DeclarePage(device.Sheet[device.Device, device.Nothing]{Path: device.Parameters}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("was taken")
				}
			}()
			declare()
		})
	}
}

type speeds struct {
	Most float64 `rcc:"max_vel" default:"1"`
}

type forces struct {
	Most float64 `rcc:"max_force" default:"2"`
}

// TestHiddenFields has two embedded structures whose fields have one name in Go, which hides both.
func TestHiddenFields(t *testing.T) {
	type both struct {
		speeds
		forces
	}
	var got both
	kind := device.Declare(device.Kind{Name: "both"}, func(_ *device.Env, cfg *both) (device.Device, error) {
		got = *cfg
		return nil, errors.New("only looked at")
	})
	if len(kind.Params) != 2 {
		t.Fatalf("parameters %v", kind.Params)
	}
	_, _ = kind.Open(nil, map[string]string{"max_force": "7"})
	if got.speeds.Most != 1 || got.forces.Most != 7 {
		t.Errorf("read %v", got)
	}
}

// TestParametersTwice declares one parameter by two fields, which is refused where the program starts.
func TestParametersTwice(t *testing.T) {
	type twice struct {
		speeds

		Least float64 `rcc:"max_vel"`
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "two fields") || !strings.Contains(text, "max_vel") {
			t.Errorf("declared: %s", text)
		}
	}()
	device.Declare(device.Kind{Name: "twice"}, func(*device.Env, *twice) (device.Device, error) { return nil, errors.New("not opened") })
}
