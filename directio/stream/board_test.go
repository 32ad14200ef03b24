package stream

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// reader is a client of a board.
type reader struct {
	place place
	rows  map[string]string
	told  uint64 // changes, and how many were left out
	left  uint64
	since uint64 // number of the board when it began to count
}

// read takes one piece in.
func (r *reader) read(b *board, size int) (more bool) {
	c := b.next(&r.place, size)
	if c.all {
		r.rows, r.since, r.told, r.left = map[string]string{}, b.number, 0, 0
	}
	for _, row := range c.changed {
		if row.number > r.since {
			r.told++
		}
		r.rows[row.key] = string(row.text)
	}
	for _, row := range c.gone {
		if row.number > r.since {
			r.told++
		}
		delete(r.rows, row.key)
	}
	r.left += c.left
	return c.more
}

// TestBoard: whatever changes, and however seldom and in whatever pieces clients read, each knows in the end what there is, and the changes that
// it was told of and those that were left out are all that there were.
func TestBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, truth := newBoard(), map[string]string{}
		readers := []*reader{{}, {}, {}}
		sizes := rapid.SampledFrom([]int{1, 100, 1 << 20})
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			key := fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "key"))
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				text := fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "text"))
				b.put(key, 0, json.RawMessage(text))
				truth[key] = text
			case 2:
				b.drop(key)
				delete(truth, key)
			case 3:
				there := map[string]bool{}
				for k := range truth { // looks have put all that is there
					if k <= key {
						there[k] = true
					}
				}
				b.keep(there)
				maps.DeleteFunc(truth, func(k, _ string) bool { return !there[k] })
			case 4:
				b.skip(2)
			case 5:
				readers[rapid.IntRange(0, 2).Draw(t, "reader")].read(b, sizes.Draw(t, "size"))
			}
		}
		for i, r := range readers {
			for r.read(b, sizes.Draw(t, "size")) {
			}
			if diff := cmp.Diff(truth, r.rows); diff != "" {
				t.Fatalf("reader %d (-want +got):\n%s", i, diff)
			}
			if r.told+r.left != b.number-r.since {
				t.Fatalf("reader %d was told of %d changes, %d were left out, there were %d", i, r.told, r.left, b.number-r.since)
			}
		}
	})
}

// TestBoardForgets: what has gone costs a bounded amount, and a client that is too far behind begins again.
func TestBoardForgets(t *testing.T) {
	b := newBoard()
	b.put("stays", 0, json.RawMessage("1"))
	var behind reader
	behind.read(b, 1<<20)
	for i := range 10 * keptDepartures {
		key := fmt.Sprint(i)
		b.put(key, 0, json.RawMessage("1"))
		b.drop(key)
	}
	if n := b.order.Len(); n > 2*keptDepartures+1 {
		t.Errorf("%d are kept", n)
	}
	c := b.next(&behind.place, 1<<20)
	if !c.all || len(c.changed) != 1 || c.changed[0].key != "stays" || len(c.gone) > 0 {
		t.Errorf("all %v, %d changed, %d gone", c.all, len(c.changed), len(c.gone))
	}
}
