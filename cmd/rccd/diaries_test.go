package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDiaries: an entry of a device is logged once; a device with too many entries does not fill the log, nor keep others from it.
func TestDiaries(t *testing.T) {
	var told []string
	d := diaries{tell: func(device, entry string) { told = append(told, device+": "+entry) }, of: map[string]*diary{}}
	now := time.Unix(1_000_000, 0)
	d.take(map[string][]string{"a": {"1", "2"}}, now)
	d.take(map[string][]string{"a": {"2", "3"}, "b": {"2"}}, now)
	if want := []string{"a: 1", "a: 2", "a: 3", "b: 2"}; !slices.Equal(told, want) {
		t.Errorf("%q instead of %q", told, want)
	}
	told = nil
	for i := range 200 {
		d.take(map[string][]string{"a": {fmt.Sprintf("silence %d", i)}, "b": {"2", "3"}}, now.Add(time.Duration(i)*100*time.Millisecond))
	}
	if n := len(told); n != mostEntries-3+2 || told[1] != "b: 3" || !strings.HasPrefix(told[n-1], "a: more than 60 entries in a minute: the rest of them is left out until 13:47:40") {
		t.Errorf("%d: %q", n, told)
	}
	told = nil
	if d.take(map[string][]string{"a": {"again"}}, now.Add(time.Minute)); !slices.Equal(told, []string{"a: again"}) {
		t.Errorf("%q", told)
	}
}
