package main

import (
	"encoding/gob"
	"os"
	"sync"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// rccd-seen is the daemon of every day, but the test sees each cycle of its arms, up to the last one, in the file that it
// has been given; and it knows a device that never closes (type stuck), and one that panics
// (type bomb).
func seenDaemon() {
	s := streams{os.Stdout, os.Stderr}
	set := cli.FlagSet("rccd-seen", "rccd-seen [flags]", s.err)
	f := addCellFlags(set)
	f.addConfig()
	if err := cli.Parse(set, os.Args[1:]); err != nil {
		os.Exit(s.refuse(usage, err))
	}
	p := builtIn()
	show := shower{out: gob.NewEncoder(os.NewFile(givenFile, "seen"))}
	for i := range p.devices {
		if p.devices[i].Name == "kuka_lwr_sim" {
			p.devices[i].Open = show.open(p.devices[i].Open)
		}
	}
	p.devices = append(p.devices, device.Type{Name: "stuck", Extension: "test", Open: func(*device.Env, map[string]string) (device.Device, error) {
		return stuck{}, nil
	}}, device.Type{Name: "bomb", Extension: "test", Open: func(*device.Env, map[string]string) (device.Device, error) {
		return bomb{}, nil
	}})
	cfg, err := f.load(p)
	if err != nil {
		os.Exit(s.refuse(usage, err))
	}
	os.Exit(serve(cfg, p, s, performance{}))
}

// sight is the first joint of an arm in a cycle.
type sight struct {
	Time                int64
	Commanded, Measured device.JointMotion
}

// shower passes on what arms do.
type shower struct {
	mu  sync.Mutex
	out *gob.Encoder
}

type opening func(*device.Env, map[string]string) (device.Device, error)

func (s *shower) open(arm opening) opening {
	return func(env *device.Env, params map[string]string) (device.Device, error) {
		is, err := arm(env, params)
		if err != nil {
			return nil, err
		}
		return &seenArm{is.(visible), s}, nil
	}
}

// visible is what arms are, as far as the tests need it.
type visible interface {
	device.MultiJoint
	device.Cyclic
	device.Mover
}

type seenArm struct {
	visible
	*shower
}

func (a *seenArm) Tick(t device.Tick) {
	a.visible.Tick(t)
	is := a.Joint(0)
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = a.out.Encode(sight{t.Time, is.Commanded, is.Measured})
}

// bomb is a device that panics as soon as there is a file of that name.
type bomb struct{}

func (bomb) Status() device.Status          { return device.Status{State: device.Operational} }
func (bomb) Interfaces() []device.Interface { return nil }
func (bomb) Close() error                   { return nil }

func (bomb) Diary() []string {
	if _, err := os.Stat("bomb"); err == nil {
		panic("bang")
	}
	return nil
}

// stuck is a device that never closes.
type stuck struct{}

func (stuck) Status() device.Status          { return device.Status{State: device.Operational} }
func (stuck) Interfaces() []device.Interface { return nil }
func (stuck) Close() error                   { select {} }
