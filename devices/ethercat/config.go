package ethercat

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// config are the parameters of a bus. The first three are what applications send; they count milliseconds, by which both defaults are
// long enough for terminals (for slaves that store what is written to them, mailboxtimeout has to be longer).
type config struct {
	Interface string        `rcc:"ethernetdevice" default:"eth0" doc:"interface of the machine that belongs to the bus; sim for simulated slaves, those of the parameter rack"`
	Reply     int           `rcc:"ethercattimeout" default:"50" min:"1" max:"10000" unit:"ms" doc:"how long answers are waited for that are not of the cycle, until they are asked for again"`
	Mailbox   int           `rcc:"mailboxtimeout" default:"50" min:"1" max:"60000" unit:"ms" doc:"how long a mailbox may take to answer, at least"`
	Rack      string        `rcc:"rack" doc:"slaves that there must be: a file in YAML, or order numbers as in EK1100,EL1008,EL2008; any if left out"`
	Cycle     time.Duration `rcc:"cycle" default:"1ms" min:"100us" max:"100ms" doc:"how often process data are exchanged"`
	Clocks    string        `rcc:"clocks" default:"auto" enum:"auto on off" doc:"distributed clocks: auto where a device on the bus wants SYNC0"`
	Shift     time.Duration `rcc:"shift" default:"0s" min:"-100ms" max:"100ms" doc:"by which SYNC0 of all slaves comes later than multiples of the cycle"`
	Phase     time.Duration `rcc:"phase" default:"0s" min:"0s" max:"100ms" doc:"after SYNC0 at which frames pass the reference clock; 0s: half a cycle"`
	Settle    time.Duration `rcc:"settle" default:"10s" min:"100ms" max:"10m" doc:"how long clocks may take to come together"`
	Answer    time.Duration `rcc:"answer" default:"0s" min:"0s" max:"100ms" doc:"how long frames of a cycle are waited for, at most the cycle less what the bus itself needs; inputs that come later count for the next cycle; 0s: half a cycle"`
	Patience  int           `rcc:"patience" default:"10" min:"1" max:"10000" doc:"cycles for which inputs that do not come are held before they are invalid"`
	Spin      time.Duration `rcc:"spin" default:"20us" min:"0s" max:"1ms" doc:"for which the CPU is kept awake before each cycle, and after a frame was sent, beside the time that answers usually take up to 200 us; 0s: it sleeps"`
	Restart   string        `rcc:"restart" default:"auto" enum:"auto manual" doc:"of a bus that runs, for devices that were added and slaves that were connected: by itself when nothing would be lost by it, or on the page"`
	Record    int           `rcc:"record" default:"0" min:"0" max:"100000" doc:"newest frames that are kept for the page frame-files, 0 for none"`
}

// simulated is the interface that is none.
const simulated = "sim"

// leastMailbox is what a mailbox gets in any case: existing clients send 50 for whatever is connected, and drives may take longer.
const leastMailbox = 500 * time.Millisecond

var errNoRack = errors.New("missing; name the simulated slaves, for example EK1100,EL1008,EL2008")

// Check reports parameters that contradict each other.
func (c *config) Check() (wrong []device.ParamError) {
	for _, t := range []struct {
		name string
		is   time.Duration
	}{{"answer", c.Answer}, {"phase", c.Phase}, {"spin", c.Spin}} {
		if t.is >= c.Cycle {
			wrong = append(wrong, device.ParamError{Name: t.name, Err: fmt.Errorf("%v is not shorter than the cycle, %v", t.is, c.Cycle)})
		}
	}
	if c.Interface == simulated && c.Rack == "" {
		wrong = append(wrong, device.ParamError{Name: "rack", Err: errNoRack})
	}
	return wrong
}

// options returns those of the master, without what it stands on.
func (c *config) options() ethercat.Options {
	o := ethercat.Options{
		Cycle: c.Cycle, Answer: c.Answer, Patience: c.Patience, Partial: true,
		Reply: time.Duration(c.Reply) * time.Millisecond, Mailbox: max(leastMailbox, time.Duration(c.Mailbox)*time.Millisecond),
	}
	if c.Clocks != "off" {
		o.Sync = &ethercat.Sync{Shift: c.Shift, Phase: c.Phase, Settle: c.Settle, Wanted: c.Clocks == "auto"}
	}
	return o
}

// rack reads which slaves there must be, and makes a chain of them; nil where any will do.
func (c *config) rack(now int64) (*sim.Rack, *sim.Chain, error) {
	if c.Rack == "" {
		return nil, nil, nil
	}
	rack, folder, err := readRack(c.Rack)
	if err != nil {
		return nil, nil, device.WrongParam("rack", "%w", err)
	}
	chain, err := sim.NewChain(rack, os.DirFS(folder), now)
	if err != nil {
		return nil, nil, device.WrongParam("rack", "%w", err)
	}
	return rack, chain, nil
}

// readRack reads a file, or order numbers. These have no dot.
func readRack(text string) (rack *sim.Rack, folder string, err error) {
	if strings.Contains(text, ".") {
		yaml, err := os.ReadFile(text)
		if err != nil {
			return nil, "", err
		}
		rack, err = sim.ParseRack(yaml)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", text, err)
		}
		return rack, filepath.Dir(text), nil
	}
	rack = &sim.Rack{}
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		rack.Slaves = append(rack.Slaves, sim.SlaveGiven{Type: name})
	}
	return rack, ".", nil
}

// expected returns the same as the master compares it. A revision counts where it is given.
func expected(rack *sim.Rack, chain *sim.Chain) (list []ethercat.Expected) {
	if rack == nil {
		return nil
	}
	i := 0
	for s := range chain.Slaves() {
		given, is := rack.Slaves[i], s.Description().Identity
		is.Revision, is.Serial = given.Revision, given.Serial
		list = append(list, ethercat.Expected{Name: s.Name(), Identity: is, Alias: given.Alias})
		i++
	}
	return list
}
