package wire

// State is the state of the interface.
type State uint16

// States. Off is never on the wire: nothing comes then.
const (
	Off     State = 0
	Monitor State = 1 // commands are ignored
	Command State = 2
)

func (s State) String() string {
	switch s {
	case Off:
		return "off"
	case Monitor:
		return "monitor"
	case Command:
		return "command"
	}
	return "invalid"
}

// Quality is the controller's rating of the answers. How it is computed is not published.
type Quality uint16

// Qualities.
const (
	Unacceptable Quality = iota
	Bad
	Fine
	Perfect
)

func (q Quality) String() string {
	switch q {
	case Unacceptable:
		return "unacceptable"
	case Bad:
		return "bad"
	case Fine:
		return "ok"
	case Perfect:
		return "perfect"
	}
	return "invalid"
}

// Controller is what moves the robot. The numbers are not those of the strategies of KRL.
type Controller uint16

// Controllers.
const (
	OtherController    Controller = 0
	PositionController Controller = 1
	CartesianImpedance Controller = 2
	JointImpedance     Controller = 3
)

// Interface is the state of the interface (20 bytes at 140).
type Interface struct {
	Time          float32 // s; too coarse after hours for anything but differences
	State         State
	Quality       Quality
	MeasurePeriod float32 // s
	CommandPeriod float32 // s
	SafetyLimits  float32 // share of the limits of the robot that the controller allows
}

// Statistics are the statistics of the answers (20 bytes at 160), averages of 100 cycles.
type Statistics struct {
	AnswerRate float32
	Latency    float32 // s
	Jitter     float32 // s
	MissRate   float32
	Missed     uint32 // in all
}

// Robot is the state of the drives (36 bytes at 180).
type Robot struct {
	Power       uint16 // a bit for each drive
	Controller  Controller
	Errors      uint16
	Warnings    uint16
	Temperature [Joints]float32
}

// Data are what the robot measures and does (700 bytes at 216). Frames are rotation and position, row by row.
type Data struct {
	Joint          [Joints]float32 // measured
	Frame          [12]float32
	Commanded      [Joints]float32 // before what is commanded over the interface
	Offset         [Joints]float32 // by the interface
	CommandedFrame [12]float32
	FrameOffset    [12]float32
	Torque         [Joints]float32
	External       [Joints]float32 // estimated
	Tip            [6]float32      // estimated; Fx Fy Fz Tz Ty Tx
	Jacobian       [6][Joints]float32
	Mass           [Joints][Joints]float32
	Gravity        [Joints]float32
}

// Measurement is what the controller sends.
type Measurement struct {
	Header
	KRL
	Interface
	Statistics
	Robot
	Data
}

// Powered reports whether all drives have power.
func (m *Measurement) Powered() bool { return m.Power&allDrives == allDrives }

const allDrives = 1<<Joints - 1

// Decode reads a datagram. A datagram that is refused changes nothing (cycle).
func (m *Measurement) Decode(b []byte) Refusal {
	if r := check(b, MeasurementSize, MeasurementID); r != Good {
		return r
	}
	b = m.Header.decode(b)
	b = m.KRL.decode(b)
	b = m.Interface.decode(b)
	b = m.Statistics.decode(b)
	b = m.Robot.decode(b)
	m.Data.decode(b)
	return Good
}

// Encode writes the datagram and returns its size, or 0 if there is no room for it (cycle).
func (m *Measurement) Encode(b []byte) int {
	if len(b) < MeasurementSize {
		return 0
	}
	b = m.Header.encode(b, MeasurementSize, MeasurementID)
	b = m.KRL.encode(b)
	b = m.Interface.encode(b)
	b = m.Statistics.encode(b)
	b = m.Robot.encode(b)
	m.Data.encode(b)
	return MeasurementSize
}

func (i *Interface) decode(b []byte) []byte {
	var state, quality uint16
	i.Time, b = float(b)
	state, b = word(b)
	quality, b = word(b)
	i.State, i.Quality = State(state), Quality(quality)
	i.MeasurePeriod, b = float(b)
	i.CommandPeriod, b = float(b)
	i.SafetyLimits, b = float(b)
	return b
}

func (i *Interface) encode(b []byte) []byte {
	b = putFloat(b, i.Time)
	b = putWord(b, uint16(i.State))
	b = putWord(b, uint16(i.Quality))
	b = putFloat(b, i.MeasurePeriod)
	b = putFloat(b, i.CommandPeriod)
	return putFloat(b, i.SafetyLimits)
}

func (s *Statistics) decode(b []byte) []byte {
	s.AnswerRate, b = float(b)
	s.Latency, b = float(b)
	s.Jitter, b = float(b)
	s.MissRate, b = float(b)
	s.Missed, b = long(b)
	return b
}

func (s *Statistics) encode(b []byte) []byte {
	b = putFloat(b, s.AnswerRate)
	b = putFloat(b, s.Latency)
	b = putFloat(b, s.Jitter)
	b = putFloat(b, s.MissRate)
	return putLong(b, s.Missed)
}

func (r *Robot) decode(b []byte) []byte {
	var controller uint16
	r.Power, b = word(b)
	controller, b = word(b)
	r.Controller = Controller(controller)
	r.Errors, b = word(b)
	r.Warnings, b = word(b)
	return floats(b, r.Temperature[:])
}

func (r *Robot) encode(b []byte) []byte {
	b = putWord(b, r.Power)
	b = putWord(b, uint16(r.Controller))
	b = putWord(b, r.Errors)
	b = putWord(b, r.Warnings)
	return putFloats(b, r.Temperature[:])
}

func (d *Data) decode(b []byte) {
	b = floats(b, d.Joint[:])
	b = floats(b, d.Frame[:])
	b = floats(b, d.Commanded[:])
	b = floats(b, d.Offset[:])
	b = floats(b, d.CommandedFrame[:])
	b = floats(b, d.FrameOffset[:])
	b = floats(b, d.Torque[:])
	b = floats(b, d.External[:])
	b = floats(b, d.Tip[:])
	for i := range d.Jacobian {
		b = floats(b, d.Jacobian[i][:])
	}
	for i := range d.Mass {
		b = floats(b, d.Mass[i][:])
	}
	floats(b, d.Gravity[:])
}

func (d *Data) encode(b []byte) {
	b = putFloats(b, d.Joint[:])
	b = putFloats(b, d.Frame[:])
	b = putFloats(b, d.Commanded[:])
	b = putFloats(b, d.Offset[:])
	b = putFloats(b, d.CommandedFrame[:])
	b = putFloats(b, d.FrameOffset[:])
	b = putFloats(b, d.Torque[:])
	b = putFloats(b, d.External[:])
	b = putFloats(b, d.Tip[:])
	for i := range d.Jacobian {
		b = putFloats(b, d.Jacobian[i][:])
	}
	for i := range d.Mass {
		b = putFloats(b, d.Mass[i][:])
	}
	putFloats(b, d.Gravity[:])
}
