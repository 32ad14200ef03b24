package wire

// Flags say which of the commands count.
type Flags uint32

// Flags. Bits that are not here are reserved, and not supported by controllers.
const (
	JointPosition      Flags = 0x0001
	JointTorque        Flags = 0x0004
	JointStiffness     Flags = 0x0010
	JointDamping       Flags = 0x0020
	CartesianFrame     Flags = 0x0100
	CartesianWrench    Flags = 0x0400
	CartesianStiffness Flags = 0x1000
	CartesianDamping   Flags = 0x2000
)

// Usual sizes of each controller.
const (
	ForPosition           = JointPosition
	ForCartesianImpedance = CartesianFrame | CartesianWrench | CartesianStiffness | CartesianDamping | JointPosition // for the elbow
	ForJointImpedance     = JointPosition | JointTorque | JointStiffness | JointDamping
)

// Answer is what the PC sends. Variables of KRL always count, all others if their flags are set.
type Answer struct {
	Header
	KRL
	Flags     Flags
	Joint     [Joints]float32
	Frame     [12]float32
	Torque    [Joints]float32 // additional
	Wrench    [6]float32      // additional; Fx Fy Fz Tz Ty Tx
	Stiffness [Joints]float32 // Nm/rad
	Damping   [Joints]float32 // 0 to 1
	Springs   [6]float32      // X Y Z RZ RY RX; N/m, Nm/rad
	Dampers   [6]float32      // the same order; 0 to 1
}

// Decode reads a datagram. A datagram that is refused changes nothing (cycle).
func (a *Answer) Decode(b []byte) Refusal {
	if r := check(b, CommandSize, CommandID); r != Good {
		return r
	}
	var flags uint32
	b = a.Header.decode(b)
	b = a.KRL.decode(b)
	flags, b = long(b)
	a.Flags = Flags(flags)
	b = floats(b, a.Joint[:])
	b = floats(b, a.Frame[:])
	b = floats(b, a.Torque[:])
	b = floats(b, a.Wrench[:])
	b = floats(b, a.Stiffness[:])
	b = floats(b, a.Damping[:])
	b = floats(b, a.Springs[:])
	floats(b, a.Dampers[:])
	return Good
}

// Encode writes the datagram and returns its size, or 0 if there is no room for it (cycle).
func (a *Answer) Encode(b []byte) int {
	if len(b) < CommandSize {
		return 0
	}
	b = a.Header.encode(b, CommandSize, CommandID)
	b = a.KRL.encode(b)
	b = putLong(b, uint32(a.Flags))
	b = putFloats(b, a.Joint[:])
	b = putFloats(b, a.Frame[:])
	b = putFloats(b, a.Torque[:])
	b = putFloats(b, a.Wrench[:])
	b = putFloats(b, a.Stiffness[:])
	b = putFloats(b, a.Damping[:])
	b = putFloats(b, a.Springs[:])
	putFloats(b, a.Dampers[:])
	return CommandSize
}
