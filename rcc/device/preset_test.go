package device

import (
	"fmt"
	"strings"
	"testing"
)

// dimmer is a device whose parameters can be changed while it exists.
type dimmer struct{ cfg dimmerConfig }

type dimmerConfig struct {
	Bulb  string  `rcc:"bulb" required:"true" enum:"led arc" doc:"what is lit"`
	Level float64 `rcc:"level" default:"1" min:"0" max:"10" unit:"cd" mutable:"true" doc:"how bright"`
	Ramp  int     `rcc:"ramp" default:"3" min:"1" doc:"steps"`
}

func (d *dimmer) Status() Status          { return Status{State: Operational} }
func (d *dimmer) Interfaces() []Interface { return nil }
func (d *dimmer) Close() error            { return nil }
func (d *dimmer) Tune(cfg *dimmerConfig) error {
	d.cfg = *cfg
	return nil
}

var dimmerType = Declare(Kind{Name: "dimmer"}, func(_ *Env, cfg *dimmerConfig) (Device, error) { return &dimmer{*cfg}, nil })

// TestPreset: a preset opens and tunes the device of the other type, by its own names.
func TestPreset(t *testing.T) {
	lamp, wrong := Preset(Kind{Name: "lamp", Doc: "a lamp"}, &dimmerType,
		[]Param{{Name: "light", Default: "4", Doc: "in the room"}, {Name: "bulb"}},
		map[string]Given{"level": {Own: "light"}, "bulb": {Own: "bulb"}, "ramp": {Value: "7"}})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	light, bulb := lamp.Params[0], lamp.Params[1]
	if light.Default != "4" || light.Unit != "cd" || light.Max != "10" || !light.Mutable || light.Doc != "in the room" {
		t.Errorf("%+v", light)
	}
	if !bulb.Required || bulb.Default != "" || len(bulb.Enum) != 2 || bulb.Doc != "what is lit" {
		t.Errorf("%+v", bulb)
	}
	params := map[string]string{"bulb": "arc"}
	opened, err := lamp.Open(&Env{}, params)
	if err != nil {
		t.Fatal(err)
	}
	d := opened.(*dimmer)
	if d.cfg != (dimmerConfig{"arc", 4, 7}) {
		t.Errorf("it is %+v", d.cfg)
	}
	params, err = lamp.Tune(d, params, map[string]string{"light": "5"})
	if err != nil || d.cfg != (dimmerConfig{"arc", 5, 7}) || params["light"] != "5" {
		t.Errorf("it is %+v by %v: %v", d.cfg, params, err)
	}
	for _, tt := range []struct{ name, value, want string }{
		{"light", "11", "parameter light: 11 is not between 0 and 10"},
		{"bulb", "led", "parameter bulb: " + ErrImmutable.Error()},
		{"level", "1", "parameter level: lamp has no such parameter"},
	} {
		if _, err := lamp.Tune(d, params, map[string]string{tt.name: tt.value}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if d.cfg.Level != 5 {
		t.Errorf("what was refused has changed it: %+v", d.cfg)
	}
	if _, err := lamp.Open(&Env{}, nil); err == nil || err.Error() != "parameter bulb: is missing" {
		t.Error(err)
	}
}

// TestPresetOfRequired: a parameter without default must be given, or be one of the new type.
func TestPresetOfRequired(t *testing.T) {
	_, wrong := Preset(Kind{Name: "lamp"}, &dimmerType, nil, nil)
	if got := fmt.Sprint(wrong); got != "[parameter bulb: is missing]" {
		t.Error(got)
	}
	_, wrong = Preset(Kind{Name: "lamp"}, &dimmerType, []Param{{Name: "x"}}, map[string]Given{"bulb": {Own: "x"}, "ramp": {Own: "x"}})
	if got := fmt.Sprint(wrong); !strings.Contains(got, "parameter ramp: x is string for bulb and int here") {
		t.Error(got)
	}
}
