package robots

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

// LWR4 is KUKA's light-weight robot LWR4+ with its seven axes. They count as its interface FRI does, where A2 is 90° less
// than in programs of the controller; E1 is the third one.
//
// Published limits differ from each other. These are the smaller ones.
func LWR4() *kinematics.Arm { return lwr4.Arm() }

var lwr4 = Robot{
	Name:        "LWR4+",
	Description: "KUKA light-weight robot, seven axes, 7 kg, as counted by its interface FRI",
	Sources: []string{
		"KUKA, Lightweight Robot 4+, specification: dimensions and limits",
		"github.com/CentroEPiaggio/kuka-lwr, lwr_description/model/kuka_lwr.urdf.xacro: d1 = 0.3105 m, other limits",
	},
	Assumed: assumed,
	also:    []string{"LWR", "LWR4", "LBR4", "LBR4+"},
	rows: with(degrees([]axis{
		{"A1", -170, 170, 100, 176},
		{"A2", -120, 120, 110, 176},
		{"E1", -170, 170, 100, 100},
		{"A3", -120, 120, 130, 100},
		{"A4", -170, 170, 130, 100},
		{"A5", -120, 120, 180, 30},
		{"A6", -170, 170, 180, 30},
	}), []kinematics.Row{
		{D: 0.3105, Alpha: quarter},
		{Alpha: -quarter},
		{D: 0.400, Alpha: -quarter},
		{Alpha: quarter},
		{D: 0.390, Alpha: quarter},
		{Alpha: -quarter},
		{D: 0.078},
	}),
}

// sizes are what differs between KUKA's arms with six axes.
type sizes struct {
	c1, a1 float64 // axis 2 above the floor, in front of axis 1
	c2     float64 // upper arm
	a3     float64 // axis 3 above the axis of the forearm when that is level
	c3     float64 // forearm
	c4     float64 // flange in front of the centre of the wrist
}

func (s sizes) rows(axes []axis) []kinematics.Row {
	return with(axes, []kinematics.Row{
		{D: s.c1, A: s.a1, Alpha: -quarter, Sign: -1},
		{A: s.c2},
		{Theta: quarter, A: s.a3, Alpha: quarter},
		{D: s.c3, Alpha: -quarter, Sign: -1},
		{Alpha: quarter},
		{D: s.c4, Sign: -1},
	})
}

const kukaExperimental = "github.com/ros-industrial/kuka_experimental, "

// KR16 is KUKA's KR 16-2.
func KR16() *kinematics.Arm { return kr16.Arm() }

var kr16 = Robot{
	Name:        "KR16-2",
	Description: "KUKA KR 16-2, six axes, 16 kg",
	Sources:     []string{kukaExperimental + "kuka_kr16_support/urdf/kr16_2_macro.xacro"},
	Assumed:     assumed,
	also:        []string{"KR16"},
	rows: sizes{c1: 0.675, a1: 0.260, c2: 0.680, a3: 0.035, c3: 0.670, c4: 0.158}.rows(degrees([]axis{
		{"A1", -185, 185, 156, 0},
		{"A2", -155, 35, 156, 0},
		{"A3", -130, 154, 156, 0},
		{"A4", -350, 350, 330, 0},
		{"A5", -130, 130, 330, 0},
		{"A6", -350, 350, 615, 0},
	})),
}

// KR6R900Sixx is KUKA's KR 6 R900 sixx (Agilus).
func KR6R900Sixx() *kinematics.Arm { return kr6R900Sixx.Arm() }

var kr6R900Sixx = Robot{
	Name:        "KR6 R900 sixx",
	Description: "KUKA KR 6 R900 sixx (Agilus), six axes, 6 kg",
	Sources:     []string{kukaExperimental + "kuka_kr6_support/urdf/kr6r900sixx_macro.xacro"},
	Assumed:     assumed,
	also:        []string{"KR6", "KR6 R900"},
	rows: sizes{c1: 0.400, a1: 0.025, c2: 0.455, a3: -0.035, c3: 0.420, c4: 0.080}.rows(degrees([]axis{
		{"A1", -170, 170, 360, 0},
		{"A2", -190, 45, 300, 0},
		{"A3", -120, 156, 360, 0},
		{"A4", -185, 185, 381, 0},
		{"A5", -120, 120, 388, 0},
		{"A6", -350, 350, 615, 0},
	})),
}

// KR6R900 is KUKA's KR 6 R900-2 (Agilus-2).
func KR6R900() *kinematics.Arm { return kr6R900.Arm() }

var kr6R900 = Robot{
	Name:        "KR6 R900-2",
	Description: "KUKA KR 6 R900-2 (Agilus-2), six axes, 6 kg",
	Sources:     []string{kukaExperimental + "kuka_kr6_support/urdf/kr6r900_2_macro.xacro"},
	Assumed:     assumed,
	rows: sizes{c1: 0.400, a1: 0.025, c2: 0.455, a3: -0.025, c3: 0.420, c4: 0.090}.rows(degrees([]axis{
		{"A1", -170, 170, 360, 0},
		{"A2", -190, 45, 300, 0},
		{"A3", -120, 156, 360, 0},
		{"A4", -185, 185, 450, 0},
		{"A5", -120, 120, 450, 0},
		{"A6", -350, 350, 540, 0},
	})),
}

// KR6R700Sixx is KUKA's KR 6 R700 sixx (Agilus).
func KR6R700Sixx() *kinematics.Arm { return kr6R700Sixx.Arm() }

var kr6R700Sixx = Robot{
	Name:        "KR6 R700 sixx",
	Description: "KUKA KR 6 R700 sixx (Agilus), six axes, 6 kg",
	Sources:     []string{kukaExperimental + "kuka_kr6_support/urdf/kr6r700sixx_macro.xacro"},
	Assumed:     assumed,
	also:        []string{"KR6 R700"},
	rows: sizes{c1: 0.400, a1: 0.025, c2: 0.315, a3: -0.035, c3: 0.365, c4: 0.080}.rows(degrees([]axis{
		{"A1", -170, 170, 360, 0},
		{"A2", -190, 45, 300, 0},
		{"A3", -120, 156, 360, 0},
		{"A4", -185, 185, 381, 0},
		{"A5", -120, 120, 388, 0},
		{"A6", -350, 350, 615, 0},
	})),
}

// KR10R1100Sixx is KUKA's KR 10 R1100 sixx (Agilus).
func KR10R1100Sixx() *kinematics.Arm { return kr10R1100Sixx.Arm() }

var kr10R1100Sixx = Robot{
	Name:        "KR10 R1100 sixx",
	Description: "KUKA KR 10 R1100 sixx (Agilus), six axes, 10 kg",
	Sources:     []string{kukaExperimental + "kuka_kr10_support/urdf/kr10r1100sixx_macro.xacro"},
	Assumed:     assumed,
	also:        []string{"KR10", "KR10 R1100"},
	rows: sizes{c1: 0.400, a1: 0.025, c2: 0.560, a3: -0.035, c3: 0.515, c4: 0.080}.rows(degrees([]axis{
		{"A1", -170, 170, 300, 0},
		{"A2", -190, 45, 225, 0},
		{"A3", -120, 156, 225, 0},
		{"A4", -185, 185, 381, 0},
		{"A5", -120, 120, 311, 0},
		{"A6", -350, 350, 492, 0},
	})),
}

// KR210 is KUKA's KR 210 R2700-2 (Quantec-2). Efforts are those of the source, in Nm.
func KR210() *kinematics.Arm { return kr210.Arm() }

var kr210 = Robot{
	Name:        "KR210 R2700-2",
	Description: "KUKA KR 210 R2700-2 (Quantec-2), six axes, 210 kg",
	Sources:     []string{"github.com/kroshu/kuka_robot_descriptions, kuka_quantec_support/urdf/kr210_r2700_2_macro.xacro"},
	Assumed:     assumed,
	also:        []string{"KR210", "KR210 R2700"},
	rows: sizes{c1: 0.645, a1: 0.330, c2: 1.150, a3: -0.115, c3: 1.220, c4: 0.215}.rows([]axis{
		{"A1", -185 * degree, 185 * degree, 2.0384, 7290},
		{"A2", -140 * degree, -5 * degree, 1.9451, 8910},
		{"A3", -120 * degree, 168 * degree, 112 * degree, 6988},
		{"A4", -350 * degree, 350 * degree, 179 * degree, 2274},
		{"A5", -125 * degree, 125 * degree, 172 * degree, 1398},
		{"A6", -350 * degree, 350 * degree, 220 * degree, 781},
	}),
}

// YouBot returns the arm of KUKA's youBot with its five axes. The base is the plate on which it stands (arm_link_0 of the
// source), the tip the link that carries the gripper (arm_link_5). All joints are 0 where the arm is folded.
func YouBot() *kinematics.Arm { return youBot.Arm() }

var youBot = Robot{
	Name:        "youBot",
	Description: "arm of the KUKA youBot, five axes, 0.5 kg",
	Sources: []string{
		"github.com/usnistgov/youbot, youbot_description/urdf/youbot_arm/arm.urdf.xacro: origins, velocities, efforts",
		"github.com/micpalmia/youbot_ros_tools, youbot_description/urdf/youbot_arm/limits.urdf.xacro: ranges",
	},
	Assumed: assumed,
	base:    geom.Frame{Pos: geom.Vector{X: 0.024, Z: 0.096}},
	rows: with(degrees([]axis{
		{"A1", 0, 338, 90, 9.5},
		{"A2", 0, 155, 90, 9.5},
		{"A3", -297, 0, 90, 6},
		{"A4", 0, 205, 90, 2},
		{"A5", 0, 335, 90, 1},
	}), []kinematics.Row{
		{Theta: 170 * degree, D: 0.019, A: 0.033, Alpha: -quarter, Sign: -1},
		{Theta: -155 * degree, A: 0.155},
		{Theta: 146 * degree, A: 0.135},
		{Theta: -12.5 * degree, A: -0.002, Alpha: quarter},
		{Theta: 167.5 * degree, D: 0.130, Sign: -1},
	}),
}
