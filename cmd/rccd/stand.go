package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// machine is what is simulated: the other end of a wire, as a program of its own.
type machine interface {
	ready() any   // the line that announces it
	turn()        // lives on for a moment, and obeys the lines that have come since
	status() any  // the line with its state
	close() error // the end, with what has gone wrong
}

// stand is what a simulated machine stands on: it lets the machine live for as long as the flags say, brings it the lines of
// standard input, and writes reports as lines of JSON. A machine acts in its turns only, so that nothing happens to it in
// between.
type stand struct {
	all, every time.Duration

	out   *json.Encoder
	clock *rt.Real
	alarm rt.Alarm // rings when something was said or heard
	ended atomic.Bool
	lines chan string
}

// standFor makes a stand for a command, and the flags of the command, which begin with those of the stand. The help of the flags
// ends with more.
func standFor(synopsis, about, lines string, s streams) (*stand, *flag.FlagSet) {
	t := &stand{out: json.NewEncoder(s.out), clock: rt.NewReal(), lines: make(chan string)}
	name, _, _ := strings.Cut(synopsis, " ")
	set := s.flags(name, "")
	set.DurationVar(&t.all, "for", 0, "`time` after which it ends, 0 = never")
	set.DurationVar(&t.every, "status", 0, "`time` between two lines of status, 0 = none but those that are asked for")
	set.Usage = func() {
		fmt.Fprintf(s.out, "usage: rccd %s\n\n%s What happens it writes as lines of JSON.\n\n", synopsis, about)
		set.PrintDefaults()
		fmt.Fprintf(s.out, "\nLines of standard input:%s\n\nexample:\n  %s\n", lines, exampleOf(name))
	}
	return t, set
}

// run runs a machine until it is ordered to end.
func (t *stand) run(m machine) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	guard.Go("signals", func() {
		<-signals
		t.end()
	})
	guard.Go("standard input", func() { t.read(os.Stdin) })
	t.tell(m.ready())
	begin := t.clock.Now()
	for report := begin + int64(t.every); !t.ended.Load(); {
		m.turn()
		now := t.clock.Now()
		if t.every > 0 && now >= report {
			t.tell(m.status())
			report += int64(t.every)
		}
		if t.all > 0 && now-begin >= int64(t.all) {
			break
		}
	}
	t.tell(m.status())
	return m.close()
}

// end lets the turn be the last one.
func (t *stand) end() {
	t.ended.Store(true)
	t.alarm.Ring()
}

// tell writes a line. When the reader has gone, the program ends.
func (t *stand) tell(v any) {
	if t.out.Encode(v) != nil {
		t.end()
	}
}

// answer is the outcome of a line.
type answer struct {
	Done    string `json:"done,omitempty"`
	Refused string `json:"refused,omitempty"`
	Why     string `json:"why,omitempty"`
}

// answer writes the outcome of a line.
func (t *stand) answer(line string, err error) {
	if err != nil {
		t.tell(answer{Refused: line, Why: err.Error()})
		return
	}
	t.tell(answer{Done: line})
}

// read takes lines. When there are no more of them everything goes on.
func (t *stand) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		t.lines <- strings.TrimSpace(lines.Text())
		t.alarm.Ring()
	}
}

// line returns one that was said and is not taken yet.
func (t *stand) line() (line string, ok bool) {
	select {
	case line = <-t.lines:
		return line, true
	default:
		return "", false
	}
}

// hear takes what comes over a wire, until that is closed.
func (t *stand) hear(conn *net.UDPConn, into chan<- []byte) {
	var room [8 << 10]byte
	for {
		n, err := conn.Read(room[:])
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // the other end was not there
		}
		select {
		case into <- slices.Clone(room[:n]):
			t.alarm.Ring()
		default: // a flood
		}
	}
}

// actor is a machine that plays scripts.
type actor interface {
	machine
	do(line string) error
	state() string // of those that may be awaited
}

// script is lines of standard input of which some let the next ones wait: for a time, or for a state of the machine.
type script struct {
	*stand
	actor
	states  []string
	refusal string // what is said to other states

	held  string // a line that waits
	until int64  // for an instant
}

// inColumns returns how lines of a script are explained.
func inColumns(orders [][2]string, more ...[2]string) string {
	text := ""
	for _, order := range slices.Concat(orders, more) {
		text += fmt.Sprintf("\n  %-20s %s", order[0], order[1])
	}
	return text
}

// take obeys the lines that have come since, up to one that waits.
func (s *script) take() {
	for !s.waits() {
		line, ok := s.line()
		if !ok {
			return
		}
		s.play(line)
	}
}

// waits reports whether a line that was said before lets the next one wait.
func (s *script) waits() bool {
	state, awaits := strings.CutPrefix(s.held, "await ")
	switch {
	case s.held == "":
		return false
	case awaits && s.state() != state, !awaits && s.clock.Now() < s.until:
		return true
	}
	s.answer(s.held, nil)
	s.held = ""
	return false
}

// play does what a line says.
func (s *script) play(line string) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
	case "quit":
		s.end()
		s.answer(line, nil)
	case "status":
		s.tell(s.status())
	case "await":
		if !slices.Contains(s.states, rest) {
			s.answer(line, errors.New(s.refusal))
			return
		}
		s.held = "await " + rest
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			s.answer(line, errors.New("not a time; write for example wait 2s"))
			return
		}
		s.held, s.until = line, s.clock.Now()+int64(d)
	default:
		s.answer(line, s.do(line))
	}
}
