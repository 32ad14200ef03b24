package stream

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/pages"
)

// messageSize is about how many bytes of rows are sent in a message.
const messageSize = 64 << 10

// watch is the job of a client that watches a topic.
type watch struct {
	topic  *topic
	board  *board
	bell   bell
	place  place
	weight int // of the rows that it wants
}

func (c *conversation) watch(q Request) (job, error) {
	t := c.server.topics[q.Watch]
	if t == nil {
		return nil, pages.Refuse(pages.CodeRequest, "watch", "%q is not a topic; there are %s", shorten(q.Watch),
			strings.Join(slices.Sorted(maps.Keys(c.server.topics)), ", "))
	}
	w := &watch{topic: t, bell: c.bell}
	if q.Level != "" {
		if w.weight = weights[strings.ToUpper(q.Level)]; w.weight == 0 || q.Watch != "log" {
			return nil, pages.Refuse(pages.CodeRequest, "level", "only the log has levels: debug, info, warn, error")
		}
	}
	w.board = t.join(c.server.core, c.bell)
	return w, nil
}

func (w *watch) end() { w.topic.leave(w.bell) }

func (w *watch) due() (time.Time, bool) { return time.Time{}, false }

func (w *watch) tell(to *teller) (more bool) {
	news := w.board.next(&w.place, messageSize)
	light := func(r *row) bool { return r.weight < w.weight }
	changed, gone := slices.DeleteFunc(news.changed, light), slices.DeleteFunc(news.gone, light)
	if news.all || len(changed) > 0 || len(gone) > 0 || news.left > 0 {
		to.write(to.writeText, func(room []byte) []byte { return appendChanges(room, to.id, news.all, changed, gone, news.left) })
	}
	return news.more
}

// appendChanges appends a message of the kind of Changes.
func appendChanges(room []byte, id uint32, all bool, changed, gone []*row, left uint64) []byte {
	room = strconv.AppendUint(append(room, `{"id":`...), uint64(id), 10)
	if all {
		room = appendRows(append(room, `,"all":`...), changed)
	} else if len(changed) > 0 {
		room = appendRows(append(room, `,"changed":`...), changed)
	}
	for i, r := range gone {
		if i == 0 {
			room = append(room, `,"gone":[`...)
		} else {
			room = append(room, ',')
		}
		room = appendString(room, r.key)
	}
	if len(gone) > 0 {
		room = append(room, ']')
	}
	if left > 0 {
		room = strconv.AppendUint(append(room, `,"left":`...), left, 10)
	}
	return append(room, '}')
}
