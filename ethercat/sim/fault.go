package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// lineFaults are those of frames. Numbers say how many frames are left to suffer.
type lineFaults struct {
	drop, unanswered, twice, stale, cut, wrongIndex, foreign int

	late     int
	lateness int64
	counter  int16 // is added to working counters
	counters int   // of this many frames
	silent   int64 // until when nothing gets through
	random   *rand.Rand
}

// slaveFaults are those of one slave.
type slaveFaults struct {
	letters  int // of the word that resets
	deaf     bool
	loseMail int
	aborts   map[uint16]coe.Abort
}

// takes reports whether a fault hits now.
func (f *lineFaults) takes(left *int) bool {
	if *left == 0 {
		return false
	}
	*left--
	return true
}

// deliver hands a frame on, unchanged or with faults.
func (f *lineFaults) deliver(c *Chain, frame []byte, at int64, deliver func([]byte, int64)) {
	if f.takes(&f.counters) {
		changeFirst(frame, func(d *wire.Datagram) { d.Counter += uint16(f.counter) })
	}
	if f.takes(&f.wrongIndex) {
		changeFirst(frame, func(d *wire.Datagram) { frame[d.At+1]++ })
	}
	if f.takes(&f.late) {
		at += f.lateness
	}
	if f.takes(&f.stale) && len(c.before) > 0 {
		deliver(c.before, at)
		return
	}
	if f.takes(&f.foreign) {
		r := open(frame)
		deliver(f.foreigner(r.Ethernet()), at)
	}
	c.before = append(c.before[:0], frame...)
	if f.takes(&f.cut) {
		deliver(frame[:used(frame)/2], at) // short frames are half padding, which is not missed
		return
	}
	deliver(frame, at)
	if f.takes(&f.twice) {
		deliver(c.before, at+int64(len(frame)+between)*nsPerByte)
	}
}

// foreigner returns a frame of another sender: not EtherCAT, not datagrams, cut short, or those of another master.
func (f *lineFaults) foreigner(ethernet bool) []byte {
	if f.random == nil {
		f.random = rand.New(rand.NewPCG(0, 0))
	}
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{2, 0, 0, 0, 0, byte(f.random.IntN(256))})
	command := wire.Command(1 + f.random.IntN(int(wire.FRMW)))
	at, _ := w.Add(command, byte(f.random.IntN(256)), wire.Address(f.random.Uint32()), f.random.IntN(64))
	frame := w.Frame()
	for i := at; i < len(frame); i++ {
		frame[i] = byte(f.random.IntN(256))
	}
	const header = wire.EthernetHeader
	switch f.random.IntN(4) {
	case 0: // network variables
		frame[header+1] = frame[header+1]&0x0f | 4<<4
	case 1: // longer than it is
		frame[header], frame[header+1] = 0xff, frame[header+1]|7
	case 2: // ARP, which asks on every interface
		if ethernet {
			frame[header-2], frame[header-1] = 0x08, 0x06
		}
	}
	if !ethernet {
		frame = frame[header:]
	}
	return frame
}

// open reads a frame, or what comes over UDP.
func open(frame []byte) wire.Reader {
	r := wire.Follow(frame)
	if r.Fault() != wire.Good {
		r = wire.FollowPayload(frame)
	}
	return r
}

// used returns where the datagrams of a frame end.
func used(frame []byte) (end int) {
	r := open(frame)
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		end = d.At + wire.Overhead + len(d.Data)
	}
	return end
}

// changeFirst changes the first datagram of a frame.
func changeFirst(frame []byte, change func(d *wire.Datagram)) {
	r := open(frame)
	if d, ok := r.Next(); ok {
		change(&d)
		d.Update(frame)
	}
}

// A command is a word and what it does; see Commands.
type command struct {
	usage string
	about string
	do    func(c *Chain, words []string) error
}

// lineCommands returns those of the cable.
func lineCommands() []command {
	return []command{
		{"drop [N]", "the next N frames are lost on their way to the slaves", lineCount(func(f *lineFaults) *int { return &f.drop })},
		{"unanswered [N]", "the next N frames reach the slaves, and are lost on their way back", lineCount(func(f *lineFaults) *int { return &f.unanswered })},
		{"silence DURATION", "no frame reaches the slaves for so long", silence},
		{"foreign [N]", "with the next N frames comes one of another sender", lineCount(func(f *lineFaults) *int { return &f.foreign })},
		{"intruder WHAT", "another master clears fmmus, managers, mailboxes or all of the settings of all slaves, which stay in their states", foreignScan},
		{"plan SEED EVERY", "faults of all kinds happen by themselves, so often on average; plan off ends them", planFaults},
		{"twice [N]", "the next N frames come back twice", lineCount(func(f *lineFaults) *int { return &f.twice })},
		{"stale [N]", "instead of the next N frames an old one comes back", lineCount(func(f *lineFaults) *int { return &f.stale })},
		{"cut [N]", "of the next N frames half comes back", lineCount(func(f *lineFaults) *int { return &f.cut })},
		{"index [N]", "the next N frames come back with a wrong index", lineCount(func(f *lineFaults) *int { return &f.wrongIndex })},
		{"late DURATION [N]", "the next N frames come back later", late},
		{"counter DIFFERENCE [N]", "the next N frames have a wrong working counter", wrongCounter},
	}
}

// commandsOfSlaves stand behind the word slave and a name.
func commandsOfSlaves() []slaveCommand {
	return []slaveCommand{
		{"vanish", "is taken out of the rack, and all behind it", func(c *Chain, s *Slave, _ []string) error { return c.remove(s) }},
		{"return", "is put back as it was switched on, and what is behind it on the E-bus", func(c *Chain, s *Slave, _ []string) error { return c.restore(s) }},
		{"cycle", "is switched off and on, and what it feeds", func(c *Chain, s *Slave, _ []string) error { return c.powerCycle(s) }},
		{"break", "the cable that leads to it breaks", func(c *Chain, s *Slave, _ []string) error { return c.setCut(s, true) }},
		{"mend", "the cable is whole again", func(c *Chain, s *Slave, _ []string) error { return c.setCut(s, false) }},
		{"deaf", "lets frames pass and does nothing", func(_ *Chain, s *Slave, _ []string) error { s.faults.deaf = true; return nil }},
		{"hear", "is not deaf any more", func(_ *Chain, s *Slave, _ []string) error { s.faults.deaf = false; return nil }},
		{"error CODE [STATE]", "falls to a state with an AL status code", alError},
		{"abort INDEX CODE", "refuses an object; code 0 ends that", abortObject},
		{"losemail [N]", "its next N mails are lost", loseMail},
		{"emergency CODE [N]", "it sends N emergencies", emergencies},
		{"stuck on|off", "its SII is busy for ever", stuck},
		{"refuse [N]", "its SII does not acknowledge the next N accesses", refuse},
		{"forget WHAT", "its fmmus, managers (of process data), mailboxes or all of them are cleared; it stays in its state", forgetSettings},
		{"close N", "it switches its SyncManager N off by itself", closeManager},
		{"sync off", "its SYNC0 stops", func(_ *Chain, s *Slave, _ []string) error { s.clock.running = false; return nil }},
	}
}

type slaveCommand struct {
	usage string
	about string
	do    func(c *Chain, s *Slave, words []string) error
}

// commander is a device that has commands of its own.
type commander interface{ commands() []slaveCommand }

// Commands returns all that Do understands, one line each.
func (c *Chain) Commands() []string {
	var lines []string
	for _, k := range lineCommands() {
		lines = append(lines, fmt.Sprintf("%-28s %s", k.usage, k.about))
	}
	seen := map[string]bool{}
	add := func(k slaveCommand) {
		if !seen[k.usage] {
			seen[k.usage] = true
			lines = append(lines, fmt.Sprintf("%-28s %s", "slave NAME "+k.usage, k.about))
		}
	}
	for _, k := range commandsOfSlaves() {
		add(k)
	}
	for _, s := range c.slaves {
		if d, ok := s.device.(commander); ok {
			for _, k := range d.commands() {
				add(k)
			}
		}
	}
	return lines
}

// Do carries out a command, which is a line of words such as "drop 3" or "slave drive vanish".
func (c *Chain) Do(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return errors.New("no command")
	}
	if words[0] == "slave" {
		return c.doSlave(words[1:])
	}
	all := []string{"slave"}
	for _, k := range lineCommands() {
		if first(k.usage) == words[0] {
			return wrap(words[0], k.do(c, words[1:]), k.usage)
		}
		all = append(all, first(k.usage))
	}
	return fmt.Errorf("no command %q%s", words[0], suggest.DidYouMean(words[0], slices.Values(all)))
}

func (c *Chain) doSlave(words []string) error {
	if len(words) < 2 {
		return errors.New("slave: give its name and a command")
	}
	s, err := c.Slave(words[0])
	if err != nil {
		return err
	}
	list := commandsOfSlaves()
	if d, ok := s.device.(commander); ok {
		list = slices.Concat(list, d.commands())
	}
	var all []string
	for _, k := range list {
		if first(k.usage) == words[1] {
			return wrap(s.name+" "+words[1], k.do(c, s, words[2:]), k.usage)
		}
		all = append(all, first(k.usage))
	}
	return fmt.Errorf("slave %s: no command %q%s", s.name, words[1], suggest.DidYouMean(words[1], slices.Values(all)))
}

func first(usage string) string { word, _, _ := strings.Cut(usage, " "); return word }

func wrap(place string, err error, usage string) error {
	if err != nil {
		return fmt.Errorf("%s: %w; it is: %s", place, err, usage)
	}
	return nil
}

// count returns a number at the end of a command, 1 when it is left out.
func count(words []string, at int) (int, error) {
	if len(words) > at+1 {
		return 0, fmt.Errorf("unexpected word %q", words[at+1])
	}
	if len(words) == at {
		return 1, nil
	}
	n, err := strconv.Atoi(words[at])
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a count", words[at])
	}
	return n, nil
}

func lineCount(field func(f *lineFaults) *int) func(c *Chain, words []string) error {
	return func(c *Chain, words []string) error {
		n, err := count(words, 0)
		if err == nil {
			*field(&c.faults) = n
		}
		return err
	}
}

func late(c *Chain, words []string) error {
	if len(words) == 0 {
		return errors.New("need how late, such as 200us")
	}
	d, err := time.ParseDuration(words[0])
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a duration", words[0])
	}
	n, err := count(words, 1)
	if err == nil {
		c.faults.late, c.faults.lateness = n, int64(d)
	}
	return err
}

func wrongCounter(c *Chain, words []string) error {
	if len(words) == 0 {
		return errors.New("need by how much, such as -1")
	}
	by, err := strconv.ParseInt(words[0], 0, 16)
	if err != nil {
		return fmt.Errorf("%q is not a number (how much to change the working counter by)", words[0])
	}
	n, err := count(words, 1)
	if err == nil {
		c.faults.counters, c.faults.counter = n, int16(by)
	}
	return err
}

func number(word string, bits int) (uint64, error) {
	v, err := strconv.ParseUint(word, 0, bits)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of %d bits", word, bits)
	}
	return v, nil
}

func silence(c *Chain, words []string) error {
	if len(words) != 1 {
		return errors.New("need a duration, such as 10ms")
	}
	d, err := time.ParseDuration(words[0])
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a duration", words[0])
	}
	c.faults.silent = c.now + int64(d)
	return nil
}

func planFaults(c *Chain, words []string) error {
	if len(words) == 1 && words[0] == "off" {
		c.Plan(Schedule{})
		return nil
	}
	if len(words) != 2 {
		return errors.New("need a seed and a duration, or off")
	}
	seed, err := number(words[0], 64)
	if err != nil {
		return err
	}
	d, err := time.ParseDuration(words[1])
	if err != nil || d < shortestPlan {
		return fmt.Errorf("%q is not a duration of %v or more", words[1], shortestPlan)
	}
	c.Plan(Schedule{Seed: seed, Every: d})
	return nil
}

// shortestPlan bounds how much a plan has to do.
const shortestPlan = 100 * time.Microsecond

// settings are registers that a master writes once, and slaves do not check afterwards.
type settings uint8

const (
	theFMMUs settings = 1 << iota
	theManagers
	theMailboxes
)

func settingsOf(words []string) (settings, error) {
	all := map[string]settings{
		"fmmus": theFMMUs, "managers": theManagers, "mailboxes": theMailboxes, "all": theFMMUs | theManagers | theMailboxes,
	}
	if len(words) == 1 && all[words[0]] != 0 {
		return all[words[0]], nil
	}
	return 0, errors.New("need fmmus, managers, mailboxes or all")
}

func forgetSettings(c *Chain, s *Slave, words []string) error {
	which, err := settingsOf(words)
	if err == nil {
		s.forget(c.now, which)
	}
	return err
}

func closeManager(_ *Chain, s *Slave, words []string) error {
	if len(words) != 1 {
		return errors.New("need the number of a SyncManager")
	}
	n, err := number(words[0], 8)
	switch {
	case err != nil:
		return err
	case int(n) >= len(s.data.managers):
		return fmt.Errorf("it has %d SyncManagers, counted from 0", len(s.data.managers))
	}
	s.data.close(int(n))
	return nil
}

// foreignScan is forgetSettings by the broadcasts of another master that scans the bus.
func foreignScan(c *Chain, words []string) error {
	which, err := settingsOf(words)
	if err == nil {
		for _, p := range c.steps {
			p.slave.forget(c.now, which)
		}
	}
	return err
}

// forget clears settings as a write of zeros does.
func (s *Slave) forget(now int64, which settings) {
	if which&theFMMUs != 0 {
		s.write(now, wire.RegFMMU, make([]byte, wire.FMMUSize*int(s.kind.fmmus)))
	}
	for i := range int(s.kind.managers) {
		group := theManagers
		if s.mail.server != nil && i <= mailIn {
			group = theMailboxes
		}
		if which&group != 0 {
			s.write(now, wire.SyncManagerAt(i), make([]byte, wire.SyncManagerSize))
		}
	}
}

func alError(_ *Chain, s *Slave, words []string) error {
	if len(words) == 0 {
		return errors.New("need a code, such as 0x1b")
	}
	code, err := number(words[0], 16)
	if err != nil {
		return err
	}
	to := s.state.status.Base()
	if len(words) > 1 {
		states := map[string]wire.State{"init": wire.Init, "preop": wire.PreOp, "safeop": wire.SafeOp}
		goal, ok := states[strings.ToLower(words[1])]
		if !ok {
			return fmt.Errorf("%q is not one of init, preop and safeop", words[1])
		}
		to = min(to, goal)
	}
	s.state.fall(to, wire.Code(code))
	return nil
}

func abortObject(_ *Chain, s *Slave, words []string) error {
	if len(words) != 2 {
		return errors.New("need an index and a code")
	}
	index, err := number(words[0], 16)
	if err != nil {
		return err
	}
	code, err := number(words[1], 32)
	if err != nil {
		return err
	}
	if s.faults.aborts == nil {
		s.faults.aborts = map[uint16]coe.Abort{}
	}
	if code == 0 {
		delete(s.faults.aborts, uint16(index))
		return nil
	}
	s.faults.aborts[uint16(index)] = coe.Abort(code)
	return nil
}

func loseMail(_ *Chain, s *Slave, words []string) error {
	n, err := count(words, 0)
	if err == nil {
		s.faults.loseMail = n
	}
	return err
}

func emergencies(_ *Chain, s *Slave, words []string) error {
	if len(words) == 0 {
		return errors.New("need a code, such as 0x1b")
	}
	code, err := number(words[0], 16)
	if err != nil {
		return err
	}
	n, err := count(words, 1)
	if err != nil {
		return err
	}
	if s.mail.server == nil || !s.mail.open {
		return errors.New("the mailbox of the slave is not open")
	}
	for range min(n, coe.MostReplies) {
		s.mail.emergency(coe.Emergency{Code: uint16(code), Register: 1})
	}
	return nil
}

func refuse(_ *Chain, s *Slave, words []string) error {
	n, err := count(words, 0)
	if err == nil {
		s.sii.refuse = n
	}
	return err
}

func stuck(_ *Chain, s *Slave, words []string) error {
	on, err := onOff(words)
	if err == nil {
		s.sii.stuck = on
	}
	return err
}

func onOff(words []string) (bool, error) {
	if len(words) == 1 && (words[0] == "on" || words[0] == "off") {
		return words[0] == "on", nil
	}
	return false, errors.New("need on or off")
}

// remove takes a slave out of the rack: it has no supply, and nothing behind it is reached.
func (c *Chain) remove(s *Slave) error {
	s.away = true
	c.wireUp()
	return nil
}

// restore puts it back. It knows nothing of before, and neither do those on the E-bus behind it, whose supply comes through it.
func (c *Chain) restore(s *Slave) error {
	if s.away {
		s.away = false
		s.supply(c.now)
	}
	c.wireUp()
	return nil
}

// powerCycle switches a slave off and on, and with a coupler the terminals that it feeds.
func (c *Chain) powerCycle(s *Slave) error {
	if wire.PortKindOf(s.kind.ports, 0) == wire.PortEBus {
		s.powerOn(c.now)
	} else {
		s.supply(c.now)
	}
	c.wireUp()
	return nil
}

// supply switches a slave on, and those that it feeds over the E-bus.
func (s *Slave) supply(now int64) {
	s.powerOn(now)
	for port := 1; port < wire.Ports; port++ {
		if to := s.ports[port].to; to != nil && wire.PortKindOf(s.kind.ports, port) == wire.PortEBus {
			to.supply(now)
		}
	}
}

// setCut breaks a cable: both sides close their loops, and what is behind goes on by itself.
func (c *Chain) setCut(s *Slave, cut bool) error {
	s.cut = cut
	c.wireUp()
	return nil
}
