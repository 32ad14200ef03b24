package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// rccd-told is the daemon of every day, except that every command of its test device goes to the file that it was given
// by the one who executes it, from beginning to end.
func toldDaemon() {
	s := streams{os.Stdout, os.Stderr}
	var report teller
	set := cli.FlagSet("rccd-told", "rccd-told [flags]", s.err)
	f := addCellFlags(set)
	f.addConfig()
	if err := cli.Parse(set, os.Args[1:]); err != nil {
		os.Exit(s.refuse(usage, err))
	}
	p := withTestDevice()
	p.devices = []device.Type{report.kind()}
	cfg, err := f.load(p)
	if err != nil {
		os.Exit(s.refuse(usage, err))
	}
	report.out = gob.NewEncoder(os.NewFile(givenFile, "told"))
	code := serve(cfg, p, s, performance{begin: func(string) <-chan time.Time {
		go report.goOn()
		return nil
	}})
	if err := report.finish(); err != nil {
		code = s.refuse(failed, err)
	}
	os.Exit(code)
}

// givenFile is the first one after the standard ones.
const givenFile = 3

// teller passes on the commands of a test device.
type teller struct {
	device *testdevice.Device
	out    *gob.Encoder
	told   uint64

	stop, stopped chan struct{}
}

// kind returns the test device, which exists when it is at hand.
func (t *teller) kind() device.Type {
	t.stop, t.stopped = make(chan struct{}), make(chan struct{})
	kind := testdevice.Type
	kind.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		dev, err := testdevice.Type.Open(env, params)
		if err == nil {
			t.device = dev.(*testdevice.Device)
		}
		return dev, err
	}
	return kind
}

func (t *teller) goOn() {
	defer close(t.stopped)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-t.stop:
			return
		case <-ticker.C:
		}
		if _, err := t.more(); err != nil {
			return // finish finds it as well
		}
	}
}

// more passes on what is new, unless some of it is just being written.
func (t *teller) more() (all bool, err error) {
	records := t.device.Records(t.told)
	if t.told+uint64(len(records)) != t.device.Recorded() {
		return false, nil
	}
	t.told += uint64(len(records))
	if len(records) == 0 {
		return true, nil
	}
	return true, t.out.Encode(records)
}

// finish passes on the rest when no more commands come.
func (t *teller) finish() error {
	close(t.stop)
	<-t.stopped
	all, err := t.more()
	if !all {
		err = errors.Join(err, fmt.Errorf("of %d commands only %d have been passed on", t.device.Recorded(), t.told))
	}
	return err
}
