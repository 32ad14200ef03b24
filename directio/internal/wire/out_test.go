package wire

import (
	"net"
	"strings"
	"testing"
	"time"
)

// recorder is a connection that keeps what is written and how often a deadline is set.
type recorder struct {
	net.Conn
	pieces    []string
	deadlines int
}

func (r *recorder) Write(b []byte) (int, error) {
	r.pieces = append(r.pieces, string(b))
	return len(b), nil
}

func (r *recorder) SetWriteDeadline(time.Time) error {
	r.deadlines++
	return nil
}

// TestOut: messages go out in few pieces and as they are, and a deadline that is good enough stays.
func TestOut(t *testing.T) {
	r := new(recorder)
	o := NewOut(r)
	var want strings.Builder
	put := func(within time.Duration, message string) {
		t.Helper()
		want.WriteString(message)
		if err := o.Put(within, func(dst []byte) []byte { return append(dst, message...) }); err != nil {
			t.Fatal(err)
		}
	}
	flush := func(within time.Duration, pieces, deadlines int) {
		t.Helper()
		if err := o.Flush(within); err != nil {
			t.Fatal(err)
		}
		if len(r.pieces) != pieces || r.deadlines != deadlines {
			t.Errorf("%d pieces and %d deadlines, not %d and %d", len(r.pieces), r.deadlines, pieces, deadlines)
		}
	}
	flush(time.Hour, 0, 0)
	for range 100 {
		put(time.Hour, "message")
	}
	flush(time.Hour, 1, 1)
	put(time.Hour, "another")
	flush(time.Hour, 2, 1)
	put(time.Minute, "the last words")
	flush(time.Minute, 3, 2)
	put(time.Hour, "more")
	flush(time.Hour, 4, 3)
	for range 3 {
		put(time.Hour, strings.Repeat("x", pieceSize))
	}
	put(time.Hour, "y")
	flush(time.Hour, 8, 3)
	if got := strings.Join(r.pieces, ""); got != want.String() {
		t.Errorf("%d bytes were written, not the %d that were put", len(got), want.Len())
	}
}
