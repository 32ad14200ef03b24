package device

import "github.com/softrobot-rcc/rccd/geom"

// QuadcopterName is the name under which devices announce Quadcopter.
const QuadcopterName = "quadcopter"

// QuadcopterChannel is the resource of a quadcopter: its owner commands attitudes.
const QuadcopterChannel = "attitude"

// Quadcopter is the interface of devices that fly, keeps an attitude and a thrust by itself, and does not know where it
// is: that is seen by a tracking system (§11.2.3). Units are m, rad and s; Z of the world is up.
//
// Methods of the cycle may be called by any number of nets. Only the net that owns the quadcopter commands it.
type Quadcopter interface {
	Device
	// QuadcopterState returns what is known (cycle).
	QuadcopterState() QuadcopterState
	// CheckAttitude reports whether the quadcopter could fly with an attitude at all (cycle).
	CheckAttitude(a Attitude) PositionFault
	// CommandAttitude commands an attitude for some cycles. When it is not commanded any more it lands (cycle).
	CommandAttitude(a Attitude, at Instant)
}

// Attitude is how a quadcopter flies. Yaw turns it about Z of the world, pitch tilts it about its own Y, ahead when positive, and
// roll about its own X, to the right. Thrust is what its propellers give along its own Z, by its mass, m/s².
type Attitude struct{ Roll, Pitch, Yaw, Thrust float64 }

// QuadcopterState is what is known of a quadcopter.
type QuadcopterState struct {
	Pos       geom.Vector // as the tracking system sees it
	Seen      bool        // otherwise Pos is where it was seen last
	Yaw       float64     // as the compass says
	Commanded Attitude    // zero without a command
	Fault     BaseFault   // as that of bases: drives off, failed
}
