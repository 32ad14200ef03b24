package yielding

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Words of a payload behind the ticket. Rotations are quaternions.
const (
	payloadMass    = 1
	payloadCOM     = payloadMass + 1
	payloadInertia = payloadCOM + 7
	payloadTCP     = payloadInertia + 3
	payloadKeeps   = payloadTCP + 7 // the tip is where it was
	payloadWords   = payloadKeeps + 1
)

// Loads are what the flange carries, and is to carry. It is a part of device.Compliant.
type Loads struct {
	Carried device.Payload // of the thread of the robot
	coming  device.Payload
	request Request
}

// NewLoads begins with what the flange carries already (load).
func NewLoads(carried device.Payload) *Loads {
	l := &Loads{Carried: carried}
	l.request.Open(payloadWords - 1)
	words := wordsOf(&carried, 0)
	l.request.given.Put(words[:])
	return l
}

// SetPayload says what the flange carries (cycle).
func (l *Loads) SetPayload(is device.Payload) (ticket uint64) { return l.set(&is, 0) }

// Attach says what the flange carries, while the tip of the tool stays where it is (cycle).
func (l *Loads) Attach(is device.Tool) (ticket uint64) {
	return l.set(&device.Payload{Mass: is.Mass, COM: geom.Frame{Pos: is.COM}, Inertia: is.Inertia, TCP: l.Payload().TCP}, 1)
}

// Load returns what was set last, whether it is in use yet or not (any).
func (l *Loads) Load() device.Tool {
	p := l.Payload()
	return device.Tool{Mass: p.Mass, COM: p.COM.Pos, Inertia: p.Inertia}
}

// Payload returns the same with the tip of the tool (any).
func (l *Loads) Payload() device.Payload {
	var words [payloadWords]uint64
	l.request.given.Get(0, words[:])
	return payloadOf(&words)
}

func (l *Loads) set(is *device.Payload, keeps uint64) (ticket uint64) {
	words := wordsOf(is, keeps)
	return l.request.Ask(words[:])
}

func wordsOf(is *device.Payload, keeps uint64) (words [payloadWords]uint64) {
	words = [payloadWords]uint64{payloadKeeps: keeps}
	words[payloadMass] = math.Float64bits(is.Mass)
	for i, v := range frameWords(&is.COM) {
		words[payloadCOM+i] = v
	}
	for i, v := range [...]float64{is.Inertia.X, is.Inertia.Y, is.Inertia.Z} {
		words[payloadInertia+i] = math.Float64bits(v)
	}
	for i, v := range frameWords(&is.TCP) {
		words[payloadTCP+i] = v
	}
	return words
}

// PayloadDone reports whether it is in use (cycle).
func (l *Loads) PayloadDone(ticket uint64) (done bool, fault device.PayloadFault) {
	done, f := l.request.Done(ticket)
	return done, device.PayloadFault(f)
}

// Take reads a payload that is new. One that cannot be is refused at once (cycle).
func (l *Loads) Take(now int64) {
	var words [payloadWords]uint64
	if !l.request.Next(words[:], now) {
		return
	}
	l.coming = payloadOf(&words)
	if words[payloadKeeps] != 0 {
		l.coming.TCP = l.Carried.TCP
	}
	if !possible(&l.coming) {
		l.request.End(int32(device.PayloadWrong))
	}
}

// Coming returns the payload that has been asked for and is not in use yet, or nil, and since when (cycle).
func (l *Loads) Coming() (is *device.Payload, since int64) {
	if !l.request.Pending() {
		return nil, 0
	}
	return &l.coming, l.request.Since()
}

// Refuse sets why that payload does not come into use (cycle).
func (l *Loads) Refuse(why device.PayloadFault) { l.request.End(int32(why)) }

// Complete brings the payload into use that has been asked for (cycle).
func (l *Loads) Complete() {
	l.Carried = l.coming
	l.request.End(int32(device.PayloadGood))
}

func possible(p *device.Payload) bool {
	i := p.Inertia
	sound := p.COM.Pos.Finite() && p.COM.Rot.Finite() && p.TCP.Pos.Finite() && p.TCP.Rot.Finite() && i.Finite()
	return sound && p.Mass >= 0 && p.Mass <= math.MaxFloat64 && i.X >= 0 && i.Y >= 0 && i.Z >= 0
}

func payloadOf(words *[payloadWords]uint64) device.Payload {
	v := func(i int) float64 { return math.Float64frombits(words[i]) }
	return device.Payload{
		Mass: v(payloadMass), COM: frameOf(words[payloadCOM:payloadInertia]),
		Inertia: geom.Vector{X: v(payloadInertia), Y: v(payloadInertia + 1), Z: v(payloadInertia + 2)}, TCP: frameOf(words[payloadTCP:payloadKeeps]),
	}
}

func frameWords(f *geom.Frame) (words [7]uint64) {
	x, y, z, w := f.Rot.Quaternion()
	for i, v := range [...]float64{f.Pos.X, f.Pos.Y, f.Pos.Z, x, y, z, w} {
		words[i] = math.Float64bits(v)
	}
	return words
}

func frameOf(words []uint64) (f geom.Frame) {
	if len(words) < 7 {
		return f
	}
	var v [7]float64
	for i := range v {
		v[i] = math.Float64frombits(words[i])
	}
	return geom.Frame{Pos: geom.Vector{X: v[0], Y: v[1], Z: v[2]}, Rot: geom.FromQuaternion(v[3], v[4], v[5], v[6])}
}
