package device

import "github.com/softrobot-rcc/rccd/geom/kinematics"

// ArmKinematicsName is the name under which devices announce ArmKinematics.
const ArmKinematicsName = "armkinematics"

// ArmKinematics is the interface of arms that know where they are in space (§9.2): poses of the flange, seen from the base.
type ArmKinematics interface {
	Device
	// Arm does not change while the device exists (any). A net takes from it at load what the cycle needs: its Chain and its Solver.
	Arm() *kinematics.Arm
}

// AnnounceKinematics returns what an ArmKinematics announces to applications.
func AnnounceKinematics() Interface { return Interface{Name: ArmKinematicsName} }
