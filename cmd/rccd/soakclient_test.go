//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// line is how a customer talks to the daemon.
type line interface {
	say(statement string) error
	hear() (message string, err error)
	SetReadDeadline(time.Time) error
	Close() error
}

type webLine struct{ *websocket.Conn }

func (l webLine) say(statement string) error {
	return l.WriteMessage(websocket.TextMessage, []byte(statement))
}

func (l webLine) hear() (string, error) {
	_, message, err := l.ReadMessage()
	return string(message), err
}

type bareLine struct {
	net.Conn
	in *bufio.Reader
}

func (l bareLine) say(statement string) error {
	_, err := l.Write([]byte(statement + "#"))
	return err
}

func (l bareLine) hear() (string, error) {
	message, err := l.in.ReadString('#')
	return strings.TrimSpace(strings.TrimSuffix(message, "#")), err
}

// call reaches the daemon over one of its doors.
func (s *soak) call(bare bool) (line, error) {
	if bare {
		c, err := net.Dial("tcp", s.server.TCPAddr().String())
		return bareLine{c, bufio.NewReader(c)}, err
	}
	c, answer, err := websocket.DefaultDialer.Dial("ws://"+s.server.Addr().String()+"/DirectIO/", nil)
	if err != nil {
		return nil, err
	}
	_ = answer.Body.Close()
	return webLine{c}, nil
}

// customer is a client that leads nets through all kinds of lives, over one connection after another.
func (s *soak) customer(seed uint64) {
	c := &customer{soak: s, rand: rand.New(rand.NewPCG(seed, 1))}
	for s.goesOn() {
		if err := c.visit(); err != nil {
			s.Errorf("customer %d: %v", seed, err)
			return
		}
	}
}

type customer struct {
	*soak
	line
	rand *rand.Rand
	tags int
	told map[string]string // what has been heard last of each net: its state

	latest int // rule
}

// visit is what a customer does on one connection.
func (c *customer) visit() (err error) {
	if c.line, err = c.call(c.rand.IntN(2) == 0); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.line.Close()) }()
	c.told = map[string]string{}
	if _, err := c.ask(`ver("2.0")`); err != nil {
		return err
	}
	for range 1 + c.rand.IntN(5) {
		if !c.goesOn() {
			return nil
		}
		if err := c.life(); err != nil {
			return err
		}
	}
	return nil
}

// life takes two nets through theirs: the first is started by a rule and set, the second takes its place and is ended in
// one way or another.
func (c *customer) life() error {
	if err := c.blunder(); err != nil {
		return err
	}
	first, err := c.load(c.often())
	if err != nil {
		return err
	}
	second, err := c.load(c.seldom())
	if err != nil {
		return err
	}
	other := c.stayed[c.rand.IntN(len(c.stayed))].Name()
	if err := c.rule(`nesc("%s.outeven",[],[],[%q])`, other, first); err != nil {
		return err
	}
	if err := c.await(first, "RUNNING"); err != nil {
		return err
	}
	for range c.rand.IntN(5) {
		if _, err := c.ask(fmt.Sprintf(`snc({%s:{infeed:"%v"},%s:{infeed:"%d"}})`, first, c.rand.NormFloat64(), other, c.rand.IntN(100))); err != nil {
			return err
		}
	}
	if err := c.rule(`nesc("%s.outeven",[%q],[],[%q])`, first, first, second); err != nil {
		return err
	}
	if err := c.leave(first, sched.Replaced); err != nil {
		return err
	}
	if err := c.await(second, "RUNNING"); err != nil {
		return err
	}
	how, cause := "neca", sched.Terminated
	if c.rand.IntN(2) == 0 {
		how, cause = "neab", sched.Aborted
	}
	if _, err := c.ask(fmt.Sprintf("%s(%q)", how, second)); err != nil {
		return err
	}
	return c.leave(second, cause)
}

// blunder says what cannot be understood, or not be done.
func (c *customer) blunder() error {
	blunders := []string{
		`nene("{a=Core::DoubleAdd(inFirst=")`, `nene("` + strings.Repeat("{a=", 500) + `")`, `nest("rpinet999999999")`,
		`nesc("rpinet999999999.outx",[],[],[])`, `nesc("(",[],[],[])`, `snc({rpinet0:1})`, `nothing()`,
	}
	statement := blunders[c.rand.IntN(len(blunders))]
	if _, err := c.ask(statement); err == nil {
		return fmt.Errorf("%.60s: is understood", statement)
	}
	name, err := c.ask(`nene("{a=Core::DoubleAdd(inFirst=b.outValue),c=No::Such(),outTerminate=a.outValue}")`)
	if err == nil {
		_, err = c.ask(fmt.Sprintf("neun(%q)", name))
	}
	return err
}

// often and seldom are periods: the usual ones, and one of many by which executors come and go. Two of which one is often
// have common ticks, in which rules can exchange nets, soon.
func (c *customer) often() time.Duration {
	periods := []time.Duration{125 * time.Microsecond, 250 * time.Microsecond, time.Millisecond, 2 * time.Millisecond}
	return periods[c.rand.IntN(len(periods))]
}

func (c *customer) seldom() time.Duration {
	return time.Duration(1+c.rand.IntN(64)) * 250 * time.Microsecond
}

// load loads a witness.
func (c *customer) load(period time.Duration) (name string, err error) {
	name, err = c.ask(fmt.Sprintf(`nene("%s",0,"of a customer",%v,%d)`, witness(-1), period.Seconds(), c.rand.IntN(2)))
	if err != nil {
		return "", err
	}
	c.loads.Add(1)
	_, err = c.ask(fmt.Sprintf("gne(%q,0.0)", name))
	return name, err
}

func (c *customer) rule(format string, names ...any) error {
	number, err := c.ask(fmt.Sprintf(format, names...))
	if err != nil {
		return err
	}
	c.rules.Add(1)
	c.latest, err = strconv.Atoi(number)
	return err
}

// leave waits for the end of a net, asks it what it has seen, and unloads it.
func (c *customer) leave(name string, cause sched.Cause) error {
	if err := c.await(name, "TERMINATED"); err != nil {
		return err
	}
	n, err := c.cell.Nets.Get(name)
	if err != nil {
		return err
	}
	if end, _ := n.Ended(); end.Cause != cause {
		return fmt.Errorf("%s of %v: %v in cycle %d, not %v", name, n.Period(), end.Cause, end.Cycle, cause)
	}
	if err := testimony(n); err != nil {
		return err
	}
	if _, err := c.ask(fmt.Sprintf("neun(%q)", name)); err != nil {
		return err
	}
	return c.await(name, "UNLOADED")
}

// await hears until a net is in a state.
func (c *customer) await(name, state string) error {
	_ = c.SetReadDeadline(time.Now().Add(patience))
	for c.told[name] != state {
		if c.told[name] == rcc.Terminated.String() && state == rcc.Running.String() {
			return fmt.Errorf("%s has ended", name)
		}
		message, err := c.hear()
		if err != nil {
			return fmt.Errorf("%s is %s, not %s: %w; %s", name, c.told[name], state, err, c.affairs(name))
		}
		c.note(message)
	}
	return nil
}

// affairs says what the core knows of a net and of the newest rule.
func (c *customer) affairs(name string) string {
	known := "is not there"
	if n, err := c.cell.Nets.Get(name); err == nil {
		stats, _ := n.Stats()
		known = fmt.Sprintf("of %v, %v, %d cycles", n.Period(), n.State(), stats.Cycles)
	}
	if r, err := c.cell.Rules.Get(c.latest); err == nil {
		state, reason := r.State()
		known += fmt.Sprintf("; rule %+v %v %s", r.Request(), state, reason)
	}
	return known
}

// note keeps what a message says about the state of a net. The tag of a subscription is the name of its net.
func (c *customer) note(message string) {
	if name, state, ok := strings.Cut(message, `=ns("`); ok {
		c.told[name] = strings.TrimSuffix(state, `")`)
	}
}

// ask says a statement and returns the first value of its answer.
func (c *customer) ask(statement string) (value string, err error) {
	c.tags++
	tag := fmt.Sprint("c", c.tags)
	if name, ok := strings.CutPrefix(statement, `gne("`); ok {
		tag, _, _ = strings.Cut(name, `"`)
	}
	_ = c.SetReadDeadline(time.Now().Add(patience))
	if err := c.say(tag + "=" + statement); err != nil {
		return "", err
	}
	for {
		message, err := c.hear()
		if err != nil {
			return "", fmt.Errorf("no answer to %.60s: %w", statement, err)
		}
		if value, ok := strings.CutPrefix(message, tag+"=ok("); ok {
			return strings.Trim(strings.TrimSuffix(value, ")"), `"`), nil
		}
		if refusal, ok := strings.CutPrefix(message, tag+"=err("); ok {
			return "", fmt.Errorf("%.60s: %s", statement, refusal)
		}
		c.note(message)
	}
}
