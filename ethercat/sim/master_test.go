package sim

import (
	"encoding/binary"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// master is the least that can talk to slaves: it does one thing after another, in virtual time.
type master struct {
	t     testing.TB
	chain *Chain
	link  *Link
	w     *wire.Writer
	now   int64
	index uint8

	expected uint16 // working counter of the process data
	size     int    // of the process image
	image    []byte
	cycle    int64
	clocks   bool
	clients  map[*Slave]*coe.Client
}

const cycleTime = 1_000_000

func newMaster(t testing.TB, rack string) *master {
	t.Helper()
	r, err := ParseRack([]byte(rack))
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChain(r, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &master{
		t: t, chain: c, link: &Link{Chain: c}, w: wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{1, 1, 1, 1, 1, 1}), cycle: cycleTime,
	}
}

func (m *master) slave(name string) *Slave {
	m.t.Helper()
	s, err := m.chain.Slave(name)
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

func (m *master) do(command string) {
	m.t.Helper()
	if err := m.chain.Do(command); err != nil {
		m.t.Fatal(err)
	}
}

// try sends one datagram and waits for it for a while.
func (m *master) try(c wire.Command, a wire.Address, data []byte) (wire.Datagram, bool) {
	m.index++
	m.w.Clear()
	m.w.Write(c, m.index, a, data)
	m.link.Send(m.w.Frame(), m.now)
	frame, at, ok := m.link.Receive(m.now + cycleTime)
	if !ok {
		m.now += cycleTime
		return wire.Datagram{}, false
	}
	m.now = at
	r := wire.Open(frame)
	return r.Next()
}

// send does, and it has to come back; it returns the working counter and the data.
func (m *master) send(c wire.Command, a wire.Address, data ...byte) (uint16, []byte) {
	m.t.Helper()
	d, ok := m.try(c, a, data)
	if !ok {
		m.t.Fatalf("%v %08x did not come back", c, uint32(a))
	}
	return d.Counter, d.Data
}

func (m *master) read(s *Slave, r wire.Register, size int) []byte {
	m.t.Helper()
	n, data := m.send(wire.FPRD, wire.Station(s.Station(), r), make([]byte, size)...)
	if n != 1 {
		m.t.Fatalf("%s: reading %v: working counter %d", s.Name(), r, n)
	}
	return data
}

func (m *master) write(s *Slave, r wire.Register, data ...byte) {
	m.t.Helper()
	if n, _ := m.send(wire.FPWR, wire.Station(s.Station(), r), data...); n != 1 {
		m.t.Fatalf("%s: writing %v: working counter %d", s.Name(), r, n)
	}
}

func word(v uint16) []byte   { return binary.LittleEndian.AppendUint16(nil, v) }
func long(v uint32) []byte   { return binary.LittleEndian.AppendUint32(nil, v) }
func quad(v uint64) []byte   { return binary.LittleEndian.AppendUint64(nil, v) }
func word16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

// scan gives every slave an address and brings it to Init.
func (m *master) scan() {
	m.t.Helper()
	n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0)
	m.send(wire.BWR, wire.Broadcast(wire.RegControl), byte(wire.Init|wire.ErrorBit), 0)
	m.send(wire.BWR, wire.Broadcast(wire.RegControl), byte(wire.Init), 0)
	m.send(wire.BWR, wire.Broadcast(wire.RegFMMU), make([]byte, 48)...)
	m.send(wire.BWR, wire.Broadcast(wire.RegSyncManager), make([]byte, 32)...)
	m.send(wire.BWR, wire.Broadcast(wire.RegActivation), 0)
	for i := range int(n) {
		m.send(wire.APWR, wire.Position(i, wire.RegStation), word(0x1001+uint16(i))...)
	}
}

// request asks for a state and waits for it, or for an error, while process data go on.
func (m *master) request(s *Slave, to wire.State) (wire.State, wire.Code) {
	m.t.Helper()
	m.write(s, wire.RegControl, byte(to), 0)
	for range 200 {
		m.exchange()
		status := m.read(s, wire.RegStatus, 6)
		is := wire.State(status[0])
		if is == to || is.Error() {
			return is, wire.Code(word16(status[4:]))
		}
	}
	status := m.read(s, wire.RegStatus, 6)
	return wire.State(status[0]), wire.Code(word16(status[4:]))
}

func (m *master) want(s *Slave, to wire.State) {
	m.t.Helper()
	if is, code := m.request(s, to); is != to {
		m.t.Fatalf("%s: %v, %v, want %v", s.Name(), is, code, to)
	}
}

// mailboxes sets SyncManagers 0 and 1 as the SII says.
func (m *master) mailboxes(s *Slave) {
	m.t.Helper()
	d := s.Description()
	for i, sm := range d.SyncManagers {
		if sm.Use == sii.MailOut || sm.Use == sii.MailIn {
			m.manager(s, i, sm, sm.Length)
		}
	}
}

func (m *master) manager(s *Slave, i int, sm sii.SyncManager, length uint16) {
	m.t.Helper()
	settings := wire.SyncManager{Start: sm.Start, Length: length, Control: wire.SyncControl(sm.Control)}
	if length > 0 {
		settings.Activate = wire.SyncEnable
	}
	b := make([]byte, wire.SyncManagerSize)
	settings.Put(b)
	m.write(s, wire.SyncManagerAt(i), b...)
}

// alter changes settings of a SyncManager that is on: for that it has to be off.
func (m *master) alter(s *Slave, i, offset int, data ...byte) {
	m.t.Helper()
	at := wire.SyncManagerAt(i)
	m.write(s, at+wire.SyncUseOffset, 0)
	m.write(s, at+wire.Register(offset), data...)
	m.write(s, at+wire.SyncUseOffset, wire.SyncEnable)
}

// processData maps what a slave has by default to the process image, outputs and inputs one behind the other.
func (m *master) processData(s *Slave) {
	m.t.Helper()
	d, fmmu := s.Description(), 0
	for i, sm := range d.SyncManagers {
		t := map[sii.Use]wire.FMMUType{sii.Outputs: wire.FMMUWrite, sii.Inputs: wire.FMMURead}[sm.Use]
		if t == 0 || sm.Length == 0 {
			continue
		}
		m.manager(s, i, sm, sm.Length)
		b := make([]byte, wire.FMMUSize)
		wire.MapBytes(uint32(m.size), sm.Start, int(sm.Length), t).Put(b)
		m.write(s, wire.FMMUAt(fmmu), b...)
		fmmu++
		m.size += int(sm.Length)
		if m.expected++; t == wire.FMMUWrite {
			m.expected++
		}
	}
	m.image = append(m.image, make([]byte, m.size-len(m.image))...)
}

// exchange sends a frame of a cycle and returns its working counter; inputs and outputs are in the image.
func (m *master) exchange() uint16 {
	m.t.Helper()
	begin := m.now
	var counter uint16
	if m.clocks {
		m.send(wire.FRMW, wire.Station(0x1001, wire.RegSystemTime), make([]byte, 8)...)
	}
	if m.size > 0 {
		n, data := m.send(wire.LRW, wire.Logical(0), m.image...)
		copy(m.image, data)
		counter = n
	}
	m.now = max(m.now, begin+m.cycle)
	m.chain.Advance(m.now)
	return counter
}

// place returns where process data of a slave stand in the image.
func (m *master) place(s *Slave, t wire.FMMUType) []byte {
	m.t.Helper()
	for _, f := range s.data.fmmus {
		if f.Active && f.Type == t {
			return m.image[f.Logical : int(f.Logical)+int(f.Length)]
		}
	}
	m.t.Fatalf("%s has no process data of type %d", s.Name(), t)
	return nil
}

// start brings all slaves to a state.
func (m *master) start(to wire.State) {
	m.t.Helper()
	m.scan()
	for _, step := range []wire.State{wire.PreOp, wire.SafeOp, wire.Op} {
		if step > to {
			return
		}
		for s := range m.chain.Slaves() {
			switch step {
			case wire.PreOp:
				m.mailboxes(s)
			case wire.SafeOp:
				m.processData(s)
			}
			m.want(s, step)
		}
	}
}

// talk carries out a transfer with a slave; every mail is written and read through SyncManagers.
func (m *master) talk(s *Slave, begin func(c *coe.Client)) *coe.Client {
	m.t.Helper()
	c := m.client(s)
	begin(c)
	m.carry(s, c)
	return c
}

// client returns the one of a slave; counters of mails go on from transfer to transfer.
func (m *master) client(s *Slave) *coe.Client {
	if m.clients == nil {
		m.clients = map[*Slave]*coe.Client{}
	}
	if m.clients[s] == nil {
		d := s.Description()
		m.clients[s] = coe.NewClient(int(d.Mailbox.OutSize))
	}
	return m.clients[s]
}

func (m *master) carry(s *Slave, c *coe.Client) {
	m.t.Helper()
	box := s.Description().Mailbox
	for range 10_000 {
		if c.Done() {
			return
		}
		if mail, ok := c.Request(); ok {
			area := append(mail, make([]byte, int(box.OutSize)-len(mail))...)
			for {
				n, _ := m.send(wire.FPWR, wire.Station(s.Station(), wire.Register(box.Out)), area...)
				if n == 1 {
					break
				}
				m.exchange()
			}
			continue
		}
		n, data := m.send(wire.FPRD, wire.Station(s.Station(), wire.Register(box.In)), make([]byte, box.InSize)...)
		if n == 1 {
			c.Answer(data)
		} else {
			m.exchange()
		}
	}
	m.t.Fatalf("%s does not answer", s.Name())
}

// upload returns a value that has to be there.
func (m *master) upload(s *Slave, index uint16, sub uint8) []byte {
	m.t.Helper()
	c := m.talk(s, func(c *coe.Client) { c.Upload(index, sub, false) })
	if c.Err() != nil {
		m.t.Fatalf("%s: %v", s.Name(), c.Err())
	}
	return c.Data()
}
