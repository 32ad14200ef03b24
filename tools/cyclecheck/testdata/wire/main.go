// Command wire has drivers of robots that call: one that keeps to the rules of the cycle and one that does not. It is never
// run: the checker reads it.
package main

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// echo keeps to the rules.
type echo struct{ newest byte }

func (e *echo) Answer(telegram, answer []byte, at link.Stamp) (int, link.Verdict) {
	if len(telegram) == 0 || at.Span < 0 {
		return 0, link.Verdict{Kind: link.Garbage}
	}
	v := link.Order16(uint16(e.newest), uint16(telegram[0]))
	e.newest = telegram[0]
	return copy(answer, telegram), v
}

func (e *echo) Lost(_ link.Stamp, why link.Cause) link.Cause {
	e.newest = 0
	return why
}

// loose does in each of its functions something that it must not.
type loose struct {
	seen  [][]byte
	names map[link.Cause]int
}

func (l *loose) Answer(telegram, _ []byte, _ link.Stamp) (int, link.Verdict) {
	l.seen = append(l.seen, telegram)
	fmt.Println("answered", len(l.seen))
	return 0, link.Verdict{}
}

func (l *loose) Lost(_ link.Stamp, why link.Cause) link.Cause {
	l.names[why]++
	return why
}

func main() {
	var errs []error
	for _, d := range []link.Driver{new(echo), &loose{names: map[link.Cause]int{}}} {
		wire, err := link.Open(link.Options{
			Listen: netip.MustParseAddrPort("127.0.0.1:0"), Cycle: time.Millisecond, Thread: &rt.Thread{CPU: rt.AnyCPU},
		}, d)
		if err == nil {
			err = wire.Close()
		}
		errs = append(errs, err)
	}
	fmt.Println(errors.Join(errs...))
}
