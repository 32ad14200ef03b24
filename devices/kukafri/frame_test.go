package kukafri

import (
	"testing"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// aside and turnedAside are frames of controllers whose base and tool are not those that are known here.
var aside, turnedAside = [12]float32{0, -1, 0, 0.5, 1, 0, 0, -0.25, 0, 0, 1, 0.75}, [12]float32{1, 0, 0, 0.1, 0, 0, -1, 0.2, 0, 1, 0, 0.3}

// TestFrameBegins: the frame under Cartesian impedance begins where the controller has it, whatever was commanded before: with
// another strategy, in monitor mode while the program switches, with another tool. Otherwise the robot would jump.
func TestFrameBegins(t *testing.T) {
	r := quiet(t)
	m := wire.Measurement{}
	m.Power, m.Quality, m.MeasurePeriod, m.CommandPeriod = 0x7f, wire.Perfect, 0.002, 0.002
	m.FrameOffset = [12]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}
	at := link.Stamp{Time: 1_700_000_000e9}
	tell := func(state wire.State, by wire.Controller, frame [12]float32) (a wire.Answer) {
		t.Helper()
		at.N++
		at.Time += 2e6
		at.Taken = at.Time
		m.Count++
		m.State, m.Controller, m.CommandedFrame = state, by, frame
		var telegram, answer [wire.MeasurementSize]byte
		n, _ := r.Answer(telegram[:m.Encode(telegram[:])], answer[:], at)
		if why := a.Decode(answer[:n]); why != wire.Good {
			t.Fatalf("no answer to telegram %d: %v", at.N, why)
		}
		return a
	}
	begins := func(what string, a wire.Answer, frame [12]float32) {
		t.Helper()
		if got, want := frameOf(&a.Frame), frameOf(&frame); a.Flags != wire.ForCartesianImpedance || !got.Near(want, 1e-6, 1e-6) {
			t.Errorf("%s: flags %#04x, frame %v instead of %v", what, uint32(a.Flags), got, want)
		}
	}
	if q := r.Quality(); q != int32(wire.Unacceptable) {
		t.Errorf("without a telegram the connection is rated %d", q)
	}
	tell(wire.Monitor, wire.PositionController, aside)
	tell(wire.Command, wire.PositionController, aside)
	if q := r.Quality(); q != int32(wire.Perfect) {
		t.Errorf("a connection that is perfect is rated %d", q)
	}
	if r.session.phase != leading {
		t.Fatal("the robot is not commanded")
	}
	begins("after position control", tell(wire.Command, wire.CartesianImpedance, turnedAside), turnedAside)
	begins("going on", tell(wire.Command, wire.CartesianImpedance, aside), turnedAside)
	begins("in monitor mode", tell(wire.Monitor, wire.CartesianImpedance, aside), aside)
	begins("in command mode again", tell(wire.Command, wire.CartesianImpedance, aside), aside)
	r.Carried.TCP = geom.Frame{Pos: geom.Vector{Z: 0.1}}
	begins("with another tool", tell(wire.Command, wire.CartesianImpedance, turnedAside), turnedAside)
}
