package protocol

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

var update = flag.Bool("update", false, "write what the scripts get instead of comparing it")

// TestScripts plays the conversations of testdata over every transport. The lines of a script:
//
//	# a comment
//	< a=ver("2.0")              the first connection says this; <2 is the second one
//	> a=ok("handshake ok")      and this is all it hears of the first line above that is no >; >2 is the second one
//	! let NET {…}               from here on $NET stands for this in statements
//	! advance 10ms              time goes on in the cell and for those who watch it
//	! device NAME TYPE          a device comes, ! gone NAME it goes, ! state NAME op its state changes without a word
//	! states A op B off         states change, and the driver of the last one announces it
//	! replace NAME TYPE         a device goes and another one of its name comes before the next look
//	<2! a=quit()                the connection is at its end after this
//	! only tcp                  the script is for these transports
//	! older                     the client is one of the older generations
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, tr := range transports {
				if !concerns(string(text), tr.name) {
					continue
				}
				t.Run(tr.name, func(t *testing.T) {
					got := play(t, string(text), tr)
					if *update {
						if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
							t.Fatal(err)
						}
						return
					}
					if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
						t.Error(diff)
					}
				})
			}
		})
	}
}

func concerns(script, transport string) bool {
	_, only, found := strings.Cut(script, "! only ")
	if !found {
		return true
	}
	only, _, _ = strings.Cut(only, "\n")
	return strings.Contains(" "+only+" ", " "+transport+" ")
}

// play returns the script with the answers that came.
func play(t *testing.T, script string, tr transport) string {
	p := &player{cell: newCell(t), transport: tr, lines: map[string]*caller{}, words: map[string]string{}}
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ">") {
			continue
		}
		fmt.Fprintln(&p.out, line)
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(kind, "<"):
			p.say(kind[1:], rest)
		case kind == "!":
			p.direct(strings.Fields(rest))
		}
	}
	for _, c := range p.lines {
		c.hangUp()
	}
	return p.out.String()
}

// player is a play in progress.
type player struct {
	*cell
	transport transport
	out       strings.Builder
	lines     map[string]*caller // connections by number, "" is the first
	order     []string
	words     map[string]string
	older     bool
}

func (p *player) say(number, statement string) {
	number, last := strings.CutSuffix(number, "!")
	for name, text := range p.words {
		statement = strings.ReplaceAll(statement, "$"+name, text)
	}
	c := p.lines[number]
	if c == nil {
		c = call(p.cell, p.transport, p.older)
		p.lines[number] = c
		p.order = append(p.order, number)
	}
	c.last = last
	c.say(statement)
	p.listen(c)
}

// direct follows a stage direction.
func (p *player) direct(words []string) {
	switch words[0] {
	case "only":
		return
	case "older":
		p.older = true
		return
	case "let":
		p.words[words[1]] = strings.Join(words[2:], " ")
		return
	case "advance":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			p.t.Fatal(err)
		}
		p.advance(d)
	case "device":
		p.create(words[1], words[2])
	case "gone":
		p.remove(words[1])
	case "replace":
		p.remove(words[1])
		p.create(words[1], words[2])
	case "state":
		p.turn(words[1], words[2])
	case "states":
		for i := 1; i < len(words); i += 2 {
			p.turn(words[i], words[i+1])
		}
		p.rings[words[len(words)-2]]()
	default:
		p.t.Fatalf("unknown direction %v", words)
	}
	p.listen(nil)
}

func (p *player) create(name, typeName string) {
	p.states[name] = new(atomic.Int32)
	if err := p.core.Devices.Create(name, typeName, map[string]string{"name": name}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *player) remove(name string) {
	if err := p.core.Devices.Remove(name); err != nil {
		p.t.Fatal(err)
	}
}

// turn changes the state of a device.
func (p *player) turn(name, word string) {
	states := map[string]device.State{"off": device.Offline, "safeop": device.SafeOperational, "op": device.Operational}
	state, ok := states[word]
	if !ok {
		p.t.Fatalf("no state %s", word)
	}
	p.states[name].Store(int32(state))
}

// listen writes down what has been said on all connections. Messages that do not answer a command are written subscription by
// subscription: nothing promises which of several hears of an event first.
func (p *player) listen(speaker *caller) {
	for _, number := range p.order {
		c := p.lines[number]
		var heard []string
		for range 2 { // what has begun with an answer may take a turn of the cycle to end
			p.settle()
			heard = append(heard, c.listen()...)
		}
		if c != speaker {
			slices.SortStableFunc(heard, func(a, b string) int { return strings.Compare(tagOf(a), tagOf(b)) })
		}
		for _, message := range heard {
			fmt.Fprintf(&p.out, ">%s %s\n", number, message)
		}
	}
}

func tagOf(message string) string {
	tag, _, _ := strings.Cut(message, "=")
	return tag
}

// caller is the client's end of a conversation.
type caller struct {
	t      testing.TB
	client client
	ended  <-chan error
	last   bool // nothing more will be said
	closed bool
	fences int
}

func call(c *cell, tr transport, older bool) *caller {
	client, ended := tr.connect(c, Config{Older: older, clock: c.people})
	return &caller{t: c.t, client: client, ended: ended}
}

func (c *caller) say(statement string) {
	c.t.Helper()
	if err := c.client.send(statement); err != nil {
		c.t.Fatal(err)
	}
}

// listen returns everything that has been said so far. It asks something twice and waits for the answers: when the
// second question is answered, the look that the first one caused has been sent.
func (c *caller) listen() (heard []string) {
	c.t.Helper()
	if c.closed {
		return nil
	}
	c.fences++
	first, second := fmt.Sprintf("fence%d", c.fences), fmt.Sprintf("fence%db", c.fences)
	for _, tag := range []string{first, second} {
		if !c.last {
			c.say(tag + "=fence()")
		}
	}
	for {
		message, err := c.client.receive()
		switch {
		case err != nil:
			c.closed = true
			if !c.last || !errors.Is(err, io.EOF) {
				c.t.Errorf("connection ended with %v", err)
			}
			return heard
		case strings.HasPrefix(message, first+"="):
		case strings.HasPrefix(message, second+"="):
			return heard
		default:
			heard = append(heard, message)
		}
	}
}

func (c *caller) hangUp() {
	c.t.Helper()
	c.client.leave()
	if err := <-c.ended; err != nil && !errors.Is(err, context.Canceled) {
		c.t.Errorf("conversation ended with %v", err)
	}
}
