package rcc

import (
	"maps"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Diaries returns the events of devices that keep a diary, by name. Devices that were removed since the last call are included: why a
// session ended is often known only when its device has been closed.
func (ds *Devices) Diaries() map[string][]string {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	list := ds.last.take()
	for name, d := range ds.byName {
		if diary, ok := d.Device.(device.Diary); ok {
			list[name] = append(list[name], diary.Diary()...)
		}
	}
	return list
}

// lastWords are the diaries of devices that are no longer there. ground.mu is held.
type lastWords struct {
	leaving map[string]device.Diary
	gone    map[string][]string // that nobody has read yet
}

// mostLastWords is how many devices are remembered if nobody reads their diaries.
const mostLastWords = 64

// leaves begins the removal of a device, in which its diary goes on.
func (last *lastWords) leaves(name string, d *lentDevice) {
	diary, ok := d.Device.(device.Diary)
	if !ok {
		return
	}
	if last.leaving == nil {
		last.leaving, last.gone = map[string]device.Diary{}, map[string][]string{}
	}
	last.leaving[name] = diary
}

// take returns the entries. Those of devices that are gone are returned once.
func (last *lastWords) take() map[string][]string {
	list := maps.Clone(last.gone)
	if list == nil {
		list = map[string][]string{}
	}
	clear(last.gone)
	for name, diary := range last.leaving {
		list[name] = append(list[name], diary.Diary()...)
	}
	return list
}

// hearLast keeps the diary of a device that has been closed.
func (ds *Devices) hearLast(name string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	last := &ds.last
	if diary, ok := last.leaving[name]; ok {
		delete(last.leaving, name)
		if len(last.gone) < mostLastWords {
			last.gone[name] = append(last.gone[name], diary.Diary()...)
		}
	}
}
