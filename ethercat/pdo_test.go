package ethercat

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// narrowed makes subindex 0 one byte long in answers to complete access, as a slave stack in wide use has it.
func narrowed(frame []byte) {
	const mail, command, index, size, data = 0, 8, 9, 12, 16
	reader := wire.Open(frame)
	for d, ok := reader.Next(); ok; d, ok = reader.Next() {
		m := d.Data[mail:]
		if d.Command != wire.FPRD || d.Counter == 0 || len(m) < 64 || m[5]&0x0f != 3 || m[7]>>4 != 3 || m[index+1] != 0x1c && m[index+1]&0xf0 != 0x10 {
			continue
		}
		length := binary.LittleEndian.Uint16(m)
		switch {
		case m[command] == 0x43 && m[size+1] == 0 && m[size] <= 1: // expedited: count, gap, one entry of two bytes
			copy(m[size+1:data], m[size+2:data])
			m[command] = 0x47
		case m[command] == 0x41 && length > 10 && m[data+1] == 0:
			binary.LittleEndian.PutUint32(m[size:], binary.LittleEndian.Uint32(m[size:])-1)
			copy(m[data+1:], m[data+2:])
			binary.LittleEndian.PutUint16(m, length-1)
		}
		d.Update(frame)
	}
}

// A slave whose answers to complete access have no room for the entries that they count is read entry by entry, and has its process data.
func TestCompleteAccessOfOtherShape(t *testing.T) {
	plain, _ := running(t, six(), Options{})
	r := newRig(t, six(), Options{})
	shorter := 0
	r.cable = cable.NewMemory(spoiled{r.chain, func(frame []byte) {
		before := string(frame)
		if narrowed(frame); before != string(frame) {
			shorter++
		}
	}}, startOfTime)
	r.m.options.Link, r.m.traffic.link = r.cable, r.cable
	r.m.Add(&everything{})
	r.start()
	r.cycles(20)
	if shorter < 4 {
		t.Fatalf("%d answers were shortened", shorter)
	}
	for i, s := range r.m.Slaves() {
		if want := plain.m.Slaves()[i].Place(); s.Place() != want || s.Status().Fault != "" {
			t.Errorf("%v has %+v instead of %+v: %s", s, s.Place(), want, s.Status().Fault)
		}
	}
}

// configured sets slaves up by position.
type configured map[int]ecat.Setup

func (c configured) Startup(slaves []ecat.Slave) error {
	for i, how := range c {
		if err := slaves[i].Configure(how); err != nil {
			return err
		}
	}
	return nil
}

func (configured) Shutdown()            {}
func (configured) Prepare(*ecat.Moment) {}

// A slave that gets to Op with nothing assigned, although its SII has room for it, says so; one of which nothing is wanted does not.
func TestNothingAssigned(t *testing.T) {
	const position = 3
	none := []ecat.Write{{Index: 0x1c13, Sub: 0, Data: []byte{0}}}
	for _, tt := range []struct {
		how   ecat.Setup
		fault string
	}{
		{ecat.Setup{}, ""},
		{ecat.Setup{Start: none}, "no PDO is assigned to SyncManager 3 (0x1c13)"},
		{ecat.Setup{Inputs: []ecat.PDO{}}, ""},
	} {
		r := newRig(t, six(), Options{})
		r.m.Add(configured{position: tt.how})
		if err := r.m.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		r.tend(1e9)
		if got := r.m.Slaves()[position].Status().Fault; !strings.HasPrefix(got, tt.fault) || tt.fault == "" && got != "" {
			t.Errorf("%+v: %q", tt.how, got)
		}
	}
}
