package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"go.uber.org/zap"
)

// lookAtDiaries is how often the log asks devices what has happened to them.
const lookAtDiaries = 500 * time.Millisecond

// copyDiaries puts idle devices at ease, and logs the diaries of devices until stop is closed, to the last entry.
func (v *service) copyDiaries(stop <-chan struct{}) {
	ticker := time.NewTicker(lookAtDiaries)
	defer ticker.Stop()
	d := diaries{tell: func(device, entry string) { v.log.Info(entry, zap.String("device", device)) }, of: map[string]*diary{}}
	look := func() {
		if v.cfg.Realtime.Clock != "virtual" {
			v.cell.Executors.Ease()
		}
		v.cell.Nets.LogRefusals()
		d.take(v.cell.Devices.Diaries(), time.Now())
	}
	for {
		look()
		select {
		case <-stop:
			look()
			return
		case <-ticker.C:
		}
	}
}

// mostEntries is how many entries of a device are logged in a minute. A wire that is cut a hundred times in a minute is described by
// the first of them.
const mostEntries = 60

// diaries are what devices have reported.
type diaries struct {
	tell func(device, entry string)
	of   map[string]*diary
}

// diary is what a device has reported.
type diary struct {
	before []string  // at the newest look
	since  time.Time // a minute
	n      int       // entries in it
}

// take logs the entries that were not there at the look before.
func (d *diaries) take(all map[string][]string, now time.Time) {
	maps.DeleteFunc(d.of, func(name string, _ *diary) bool { return all[name] == nil })
	for _, name := range slices.Sorted(maps.Keys(all)) {
		of := d.of[name]
		if of == nil {
			of = new(diary)
			d.of[name] = of
		}
		for _, entry := range all[name] {
			if !slices.Contains(of.before, entry) {
				d.log(name, of, entry, now)
			}
		}
		of.before = all[name]
	}
}

func (d *diaries) log(name string, of *diary, entry string, now time.Time) {
	if now.Sub(of.since) >= time.Minute {
		of.since, of.n = now, 0
	}
	switch of.n++; {
	case of.n <= mostEntries:
		d.tell(name, entry)
	case of.n == mostEntries+1:
		d.tell(name, fmt.Sprintf("more than %d entries in a minute: the rest of them is left out until %s; pages of the device have the newest",
			mostEntries, of.since.Add(time.Minute).UTC().Format(time.TimeOnly)))
	}
}
