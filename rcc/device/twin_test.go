package device_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

type opened struct {
	device.Device
	by string
}

func (opened) Close() error { return nil }

type wired struct {
	Port  int `rcc:"port" required:"true" min:"1" max:"65535" doc:"where the robot sends to"`
	Lapse int `rcc:"lapse" default:"5" min:"1" doc:"cycles"`
}

type played struct {
	Lapse int     `rcc:"lapse" default:"7" min:"1" doc:"cycles"`
	Noise float64 `rcc:"noise" default:"0" min:"0" doc:"of what is measured"`
}

// TestOpenTwin opens what stands in for a device while that goes on, also for a type that is made of another one.
func TestOpenTwin(t *testing.T) {
	var original *device.Original
	kept := ""
	machine := device.Declare(device.Kind{Name: "machine"}, func(*device.Env, *wired) (device.Device, error) { return opened{by: "wire"}, nil })
	sim := device.Declare(device.Kind{Name: "sim", Simulated: true}, func(env *device.Env, c *played) (device.Device, error) {
		original, kept = env.Original, fmt.Sprint(c.Lapse, c.Noise)
		return opened{by: "twin"}, nil
	})
	both := device.WithTwin(machine, sim)
	own, wrong := device.Preset(device.Kind{Name: "own"}, &both, []device.Param{{Name: "patience"}}, map[string]device.Given{
		"port": {Value: "7"}, "simulated": {Value: "false"}, "lapse": {Own: "patience"},
	})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for _, tt := range []struct {
		kind   device.Type
		params map[string]string
		kept   string
	}{
		{sim, map[string]string{"lapse": "3"}, "3 0"},
		{both, map[string]string{"port": "7", "lapse": "4"}, "4 0"},
		{both, map[string]string{"port": "7", "simulated": "true", "noise": "2"}, "7 2"},
		{own, map[string]string{"patience": "9"}, "9 0"},
		{machine, map[string]string{"port": "7"}, ""},
	} {
		of := &device.Original{}
		d, err := tt.kind.OpenTwin(&device.Env{Original: of}, tt.params)
		switch {
		case tt.kept == "":
			if !errors.Is(err, device.ErrNoTwin) {
				t.Errorf("%s: %v", tt.kind.Name, err)
			}
		case err != nil || d.(opened).by != "twin" || original != of || kept != tt.kept:
			t.Errorf("%s: %v, %v, %s instead of %s", tt.kind.Name, d, err, kept, tt.kept)
		}
	}
}

// TestTwin exchanges a device for its twin by one parameter; all others may stay.
func TestTwin(t *testing.T) {
	var noise float64
	var lapse int
	both := device.WithTwin(
		device.Declare(device.Kind{Name: "arm"}, func(*device.Env, *wired) (device.Device, error) { return opened{by: "wire"}, nil }),
		device.Declare(device.Kind{Name: "arm_sim"}, func(_ *device.Env, c *played) (device.Device, error) {
			noise, lapse = c.Noise, c.Lapse
			return opened{by: "twin"}, nil
		}),
	)
	for _, tt := range []struct {
		name   string
		params map[string]string
		by     string
		wrong  string
	}{
		{"real", map[string]string{"port": "7"}, "wire", ""},
		{"real, said", map[string]string{"port": "7", "simulated": "false"}, "wire", ""},
		{"twin", map[string]string{"port": "7", "simulated": "true", "noise": "0.5", "lapse": "3"}, "twin", ""},
		{"not a word", map[string]string{"port": "7", "simulated": "perhaps"}, "", "simulated"},
		{"what only the twin has", map[string]string{"port": "7", "noise": "0.5"}, "", "noise"},
		{"what nobody has", map[string]string{"port": "7", "simulated": "true", "nois": "1"}, "", "nois"},
		{"the line must be right when it is exchanged again", map[string]string{"port": "0", "simulated": "true"}, "", "port"},
		{"wrong for the twin", map[string]string{"port": "7", "simulated": "true", "noise": "-1"}, "", "noise"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wrong := both.Check(tt.params)
			if tt.wrong != "" {
				if len(wrong) == 0 || !strings.Contains(wrong[0].Error(), tt.wrong) {
					t.Fatalf("%v", wrong)
				}
				return
			}
			d, err := both.Open(&device.Env{Name: "it"}, tt.params)
			if len(wrong) > 0 || err != nil {
				t.Fatal(wrong, err)
			}
			if got := d.(opened).by; got != tt.by {
				t.Errorf("opened by %s", got)
			}
		})
	}
	if noise != 0.5 || lapse != 3 {
		t.Errorf("the twin got noise %v, lapse %v", noise, lapse)
	}
	for _, want := range []string{"port", "simulated", "noise"} {
		found := 0
		for _, p := range both.Params {
			if p.Name == want {
				found++
			}
		}
		if found != 1 {
			t.Errorf("parameter %s is documented %d times", want, found)
		}
	}
}

// TestForOlder: older clients get what they do not know as they need it, unless they give it, and never from a real device.
func TestForOlder(t *testing.T) {
	type cfg struct {
		Margin float64 `rcc:"margin" default:"0.01" older:"1" doc:"of limits"`
		Noise  float64 `rcc:"noise" default:"0" doc:"of what is measured"`
	}
	sim := device.Declare(device.Kind{Name: "sim", Simulated: true}, func(_ *device.Env, c *cfg) (device.Device, error) {
		return opened{by: fmt.Sprint(c.Margin)}, nil
	})
	machine := device.Declare(device.Kind{Name: "machine"}, func(*device.Env, *wired) (device.Device, error) { return opened{by: "wire"}, nil })
	both := device.WithTwin(machine, sim)
	for _, tt := range []struct {
		kind          device.Type
		params, wants map[string]string
	}{
		{sim, nil, map[string]string{"margin": "1"}},
		{sim, map[string]string{"margin": "2", "noise": "3"}, map[string]string{"margin": "2", "noise": "3"}},
		{both, map[string]string{"port": "7"}, map[string]string{"port": "7"}},
	} {
		if got := tt.kind.ForOlder(tt.params); fmt.Sprint(got) != fmt.Sprint(tt.wants) {
			t.Errorf("%s: %v instead of %v", tt.kind.Name, got, tt.wants)
		}
	}
	d, err := sim.Open(&device.Env{}, map[string]string{})
	if got, is := d.(opened); err != nil || !is || got.by != "0.01" {
		t.Errorf("for all others: %v, %v", d, err)
	}
}
