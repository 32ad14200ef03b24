package main

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
)

const rackOfThree = `
slaves:
  - {type: EK1100, name: head}
  - {type: EL1008, name: in}
  - {type: EL2008, name: out}
`

// slaves is rccd ethersim in a process of its own.
type slaves struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   output
	log   output
}

func simulateRack(t *testing.T, text string, args ...string) *slaves {
	t.Helper()
	rack := filepath.Join(t.TempDir(), "rack.yaml")
	if err := os.WriteFile(rack, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &slaves{t: t, cmd: exec.CommandContext(t.Context(), "rccd", append([]string{"ethersim", "--config", rack}, args...)...)}
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.log
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.await(`"event":"ready"`)
	return s
}

func (s *slaves) await(pattern string) {
	s.t.Helper()
	if err := s.out.await(regexp.MustCompile(pattern)); err != nil {
		s.t.Fatalf("%v\n%s", err, s.log.String())
	}
}

func (s *slaves) say(line, until string) {
	s.t.Helper()
	if _, err := io.WriteString(s.stdin, line+"\n"); err != nil {
		s.t.Fatalf("%v: %s", err, s.log.String())
	}
	s.await(until)
}

// carry sends frames to the slaves and brings what comes back; nil when nothing does for a while.
type carry func(frame []byte) []byte

// work does with slaves what shows that they are there: count, read, bring to Op, switch an output, suffer a fault.
func (s *slaves) work(do carry, w *wire.Writer) {
	s.t.Helper()
	index := uint8(0)
	send := func(c wire.Command, a wire.Address, data ...byte) (uint16, []byte) {
		s.t.Helper()
		index++
		w.Clear()
		w.Write(c, index, a, data)
		r := wire.Open(do(w.Frame()))
		d, ok := r.Next()
		if !ok || d.Index != index {
			s.t.Fatalf("%v: %v", c, r.Fault())
		}
		return d.Counter, d.Data
	}
	if n, _ := send(wire.BRD, wire.Broadcast(wire.RegType), 0); n != 3 {
		s.t.Fatalf("%d slaves", n)
	}
	send(wire.BWR, wire.Broadcast(wire.RegControl), byte(wire.PreOp), 0)
	sm := make([]byte, wire.SyncManagerSize)
	wire.SyncManager{Start: 0x0f00, Length: 1, Control: wire.ControlDigitalOut, Activate: wire.SyncEnable}.Put(sm)
	send(wire.APWR, wire.Position(2, wire.SyncManagerAt(0)), sm...)
	send(wire.APWR, wire.Position(2, wire.RegWatchdog), 0, 0)
	for _, state := range []wire.State{wire.SafeOp, wire.Op} {
		send(wire.APWR, wire.Position(2, wire.RegControl), byte(state), 0)
	}
	if n, _ := send(wire.APWR, wire.Position(2, 0x0f00), 0x10); n != 1 {
		s.t.Errorf("working counter %d", n)
	}
	s.await(`"slave":"out","state":"Op"`)
	s.say("slave in input 3 on", `"done":"slave in input 3 on"`)
	s.say("drop 1", `"done":"drop 1"`)
	w.Clear()
	w.Add(wire.BRD, 99, wire.Broadcast(wire.RegType), 1)
	if back := do(w.Frame()); back != nil {
		s.t.Errorf("a frame that is dropped comes back: % x", back)
	}
	send(wire.BRD, wire.Broadcast(wire.RegType), 0)
	s.say("slave ot vanish", "did you mean out")
	s.say("help", `drop \[N\]`)
	s.say("status", `"frames":9,"datagrams":8,"refused":0,"lost":1`)
}

// quit ends it and looks at its last words.
func (s *slaves) quit() {
	s.t.Helper()
	if _, err := io.WriteString(s.stdin, "quit\n"); err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Fatalf("%v: %s", err, s.log.String())
	}
	lines := strings.Split(strings.TrimSpace(s.out.String()), "\n")
	var last etherStatus
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || len(last.Slaves) != 3 || last.Slaves[2].State != "Op" {
		s.t.Errorf("%v %+v", err, last)
	}
}

// drops is how long nothing has to come for a frame to be lost.
const drops = 200 * time.Millisecond

func TestEthersimOnACable(t *testing.T) {
	t.Parallel()
	if !veth.Enter(t) {
		return
	}
	s := simulateRack(t, rackOfThree, "--link", veth.B)
	p, err := rt.OpenPacket(veth.A, wire.EtherType)
	if err != nil {
		t.Fatal(err)
	}
	clock, room := rt.NewReal(), make([]byte, wire.LongestFrame)
	wait := patience
	do := func(frame []byte) []byte {
		if !p.Send(frame) {
			t.Fatal("not sent")
		}
		if frame[17] == 99 { // the one that is dropped
			wait = drops
		} else {
			wait = patience
		}
		n, how := p.Receive(clock, clock.Now()+int64(wait), room)
		if how != rt.Received {
			return nil
		}
		if !wire.WasProcessed(room[:n]) {
			t.Error("not marked as processed")
		}
		return room[:n]
	}
	s.work(do, wire.NewWriter(make([]byte, wire.LongestFrame), p.MAC()))
	s.quit()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestEthersimOverUDP(t *testing.T) {
	t.Parallel()
	s := simulateRack(t, rackOfThree, "--udp", "127.0.0.1:0", "--way")
	at := regexp.MustCompile(`"link":"([^"]*)"`).FindStringSubmatch(s.out.String())
	conn, err := net.Dial("udp", at[1])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	room := make([]byte, wire.LongestFrame)
	do := func(frame []byte) []byte {
		if _, err := conn.Write(frame[wire.EthernetHeader:]); err != nil {
			t.Fatal(err)
		}
		wait := patience
		if frame[17] == 99 {
			wait = drops
		}
		_ = conn.SetReadDeadline(time.Now().Add(wait))
		n, err := conn.Read(room[copy(room, frame[:wire.EthernetHeader]):])
		if err != nil {
			return nil
		}
		return room[:wire.EthernetHeader+n]
	}
	s.work(do, wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{2}))
	s.quit()
}
