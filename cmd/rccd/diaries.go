package main

import (
	"maps"
	"slices"
	"time"

	"go.uber.org/zap"
)

// lookAtDiaries is how often the log asks devices what has happened to them.
const lookAtDiaries = 500 * time.Millisecond

// copyDiaries logs what happens to devices until stop is closed, and what has happened by then.
func (v *service) copyDiaries(stop <-chan struct{}) {
	ticker := time.NewTicker(lookAtDiaries)
	defer ticker.Stop()
	for logged := v.logDiaries(nil); ; logged = v.logDiaries(logged) {
		select {
		case <-stop:
			v.logDiaries(logged)
			return
		case <-ticker.C:
		}
	}
}

// logDiaries logs the entries that were not there at the look before, and returns all that there are.
func (v *service) logDiaries(before map[string][]string) map[string][]string {
	v.cell.LogRefusals()
	now := v.cell.Diaries()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		for _, entry := range now[name] {
			if !slices.Contains(before[name], entry) {
				v.log.Info(entry, zap.String("device", name))
			}
		}
	}
	return now
}
