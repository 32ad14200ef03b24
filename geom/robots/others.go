package robots

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

const staubliExperimental = "github.com/ros-industrial/staubli_experimental, staubli_tx90_support/urdf/"

// tx90s returns the table of Stäubli's TX90 and its longer forms. The base is the foot: Stäubli's own world is 0.478 m above it.
func tx90s(upper, fore float64, axes []axis) []kinematics.Row {
	return with(axes, []kinematics.Row{
		{D: 0.478, A: 0.050, Alpha: -quarter},
		{Theta: -quarter, A: upper},
		{Theta: quarter, D: 0.050, Alpha: quarter},
		{D: fore, Alpha: -quarter},
		{Alpha: quarter},
		{D: 0.100},
	})
}

// TX90 is Stäubli's TX90. Its velocities are the largest that single axes may have.
func TX90() *kinematics.Arm { return tx90.Arm() }

var tx90 = Robot{
	Name:        "TX90",
	Description: "Stäubli TX90, six axes",
	Sources:     []string{staubliExperimental + "tx90_macro.xacro"},
	Assumed:     assumed,
	rows: tx90s(
		0.425, 0.425,
		degrees([]axis{
			{"J1", -180, 180, 400, 318},
			{"J2", -130, 147.5, 400, 166},
			{"J3", -145, 145, 430, 76},
			{"J4", -270, 270, 540, 34},
			{"J5", -115, 140, 475, 29},
			{"J6", -270, 270, 760, 11},
		}),
	),
}

// TX90L is Stäubli's TX90L. Its velocities are the largest that single axes may have; the source has nominal ones of 215,
// 170, 255, 430, 350 and 600 °/s. Joint 1 may have 318 Nm when the arm stands, 111 Nm when it hangs on a wall.
func TX90L() *kinematics.Arm { return tx90L.Arm() }

var tx90L = Robot{
	Name:        "TX90L",
	Description: "Stäubli TX90L, six axes, long",
	Sources: []string{
		staubliExperimental + "tx90l_macro.xacro",
		"Stäubli, TX series 90 family, data sheet: largest velocities",
	},
	Assumed: assumed,
	rows: tx90s(
		0.500, 0.550,
		degrees([]axis{
			{"J1", -180, 180, 400, 318},
			{"J2", -130, 147.5, 390, 130},
			{"J3", -145, 145, 420, 65},
			{"J4", -270, 270, 540, 34},
			{"J5", -115, 140, 475, 29},
			{"J6", -270, 270, 760, 11},
		}),
	),
}

// TX90XL is Stäubli's TX90XL. Its velocities are nominal ones.
func TX90XL() *kinematics.Arm { return tx90XL.Arm() }

var tx90XL = Robot{
	Name:        "TX90XL",
	Description: "Stäubli TX90XL, six axes, extra long",
	Sources:     []string{staubliExperimental + "tx90xl_macro.xacro"},
	Assumed:     assumed,
	rows: tx90s(
		0.650, 0.650,
		[]axis{
			{"J1", -180 * degree, 180 * degree, 3.32, 318},
			{"J2", -130 * degree, 147.5 * degree, 2.79, 90},
			{"J3", -145 * degree, 145 * degree, 4.01, 53},
			{"J4", -270 * degree, 270 * degree, 6.98, 34},
			{"J5", -115 * degree, 140 * degree, 6.02, 29},
			{"J6", -270 * degree, 270 * degree, 10.47, 11},
		},
	),
}

// UR5 is Universal Robots' UR5 of the series CB3. Robots that have been delivered are calibrated, and differ from the table
// by up to some mm.
func UR5() *kinematics.Arm { return ur5.Arm() }

var ur5 = Robot{
	Name:        "UR5",
	Description: "Universal Robots UR5, six axes, 5 kg",
	Sources: []string{
		"Universal Robots, service manual CB3, appendix C.1, table C.3 (UR5 series 3)",
		"github.com/ros-industrial/universal_robot, ur_description/urdf/ur5.urdf.xacro: efforts",
	},
	Assumed: assumed,
	rows: with(degrees([]axis{
		{"shoulder_pan", -360, 360, 180, 150},
		{"shoulder_lift", -360, 360, 180, 150},
		{"elbow", -360, 360, 180, 150},
		{"wrist_1", -360, 360, 180, 28},
		{"wrist_2", -360, 360, 180, 28},
		{"wrist_3", -360, 360, 180, 28},
	}), []kinematics.Row{
		{D: 0.089159, Alpha: quarter},
		{A: -0.425},
		{A: -0.39225},
		{D: 0.10915, Alpha: quarter},
		{D: 0.09465, Alpha: -quarter},
		{D: 0.0823},
	}),
}

// Panda is Franka Emika's Panda with its seven axes. Its maker publishes all limits.
func Panda() *kinematics.Arm { return panda.Arm() }

var panda = Robot{
	Name:        "Panda",
	Description: "Franka Emika Panda, seven axes, 3 kg",
	Sources: []string{
		"Franka Control Interface, Robot and interface specifications: table and limits",
		"github.com/frankaemika/franka_ros, franka_description/robots/panda_arm.xacro",
	},
	also:     []string{"Franka"},
	modified: true,
	rows: []kinematics.Row{
		{D: 0.333, Joint: pandaJoint("1", 2.8973, 2.1750, 15, 7500, 87)},
		{Alpha: -quarter, Joint: pandaJoint("2", 1.7628, 2.1750, 7.5, 3750, 87)},
		{D: 0.316, Alpha: quarter, Joint: pandaJoint("3", 2.8973, 2.1750, 10, 5000, 87)},
		{A: 0.0825, Alpha: quarter, Joint: kinematics.Joint{
			Name: "joint4", Min: -3.0718, Max: -0.0698, Velocity: 2.1750, Acceleration: 12.5, Jerk: 6250, Effort: 87,
		}},
		{D: 0.384, A: -0.0825, Alpha: -quarter, Joint: pandaJoint("5", 2.8973, 2.6100, 15, 7500, 12)},
		{Alpha: quarter, Joint: kinematics.Joint{
			Name: "joint6", Min: -0.0175, Max: 3.7525, Velocity: 2.6100, Acceleration: 20, Jerk: 10000, Effort: 12,
		}},
		{A: 0.088, Alpha: quarter, Joint: pandaJoint("7", 2.8973, 2.6100, 20, 10000, 12)},
	},
	tool: geom.Frame{Pos: geom.Vector{Z: 0.107}},
}

func pandaJoint(number string, most, velocity, acceleration, jerk, effort float64) kinematics.Joint {
	return kinematics.Joint{
		Name: "joint" + number, Min: -most, Max: most,
		Velocity: velocity, Acceleration: acceleration, Jerk: jerk, Effort: effort,
	}
}

// LWA is Schunk's light-weight arm LWA of seven axes, of PowerCube modules. Right angles are exact here, where the source
// rounds. The arm stands on its base, which is turned about x against the one of the source; the tip is arm_7_link.
func LWA() *kinematics.Arm { return lwa.Arm() }

var lwa = Robot{
	Name:        "LWA",
	Description: "Schunk light-weight arm (PowerCube), seven axes",
	Sources: []string{
		"github.com/ipa320/schunk_modular_robotics, schunk_description/urdf/lwa/lwa.urdf.xacro",
		"github.com/ipa320/schunk_modular_robotics, schunk_description/ros/robots/lwa.urdf.xacro: how it is mounted",
	},
	Assumed: assumed,
	also:    []string{"Schunk LWA"},
	base:    geom.Frame{Rot: geom.FromABC(0, 0, math.Pi)},
	rows: with([]axis{
		{"1", -3.1415, 3.1415, 2, 370},
		{"2", -1.97, 1.97, 2, 370},
		{"3", -3.1415, 3.1415, 2, 176},
		{"4", -1.97, 1.97, 2, 176},
		{"5", -3.1415, 3.1415, 2, 41.6},
		{"6", -1.97, 1.97, 2, 20.1},
		{"7", -3.1415, 3.1415, 2, 9.6},
	}, []kinematics.Row{
		{Theta: math.Pi, D: -0.250, Alpha: quarter},
		{Alpha: -quarter},
		{D: -0.408, Alpha: quarter},
		{Alpha: -quarter},
		{D: -0.3165, Alpha: quarter},
		{Alpha: -quarter},
		{D: -0.1927},
	}),
}

// LWA4P is Schunk's Powerball arm LWA 4P of six axes. Right angles are exact here, where the source rounds. The base is the
// foot below it (lwa4p_podest_link); the tip is the centre of the wrist, as the source says nothing of the flange.
func LWA4P() *kinematics.Arm { return lwa4P.Arm() }

var lwa4P = Robot{
	Name:        "LWA 4P",
	Description: "Schunk Powerball arm LWA 4P, six axes, 6 kg, to the centre of its wrist",
	Sources:     []string{"github.com/larics/schunk_lwa4p_ros, schunk_lwa4p_description/urdf/lwa4p/lwa4p_arm.xacro"},
	Assumed:     assumed,
	also:        []string{"Powerball", "Schunk LWA 4P"},
	base:        geom.Frame{Pos: geom.Vector{Z: 0.10}},
	rows: with([]axis{
		{"joint1", -2.947, 2.947, 1.26, 370},
		{"joint2", -2.947, 2.947, 1.26, 370},
		{"joint3", -2.694, 2.694, 1.26, 176},
		{"joint4", -2.947, 2.947, 1.26, 176},
		{"joint5", -2.947, 2.947, 1.26, 41.6},
		{"joint6", -2.947, 2.947, 1.26, 20.1},
	}, []kinematics.Row{
		{Alpha: quarter},
		{Theta: quarter, A: 0.350, Alpha: math.Pi},
		{Theta: -quarter, Alpha: -quarter},
		{Theta: math.Pi, D: 0.305, Alpha: -quarter},
		{Theta: math.Pi, Alpha: -quarter},
		{},
	}),
}
