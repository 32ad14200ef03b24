package kukayoubot

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// What is changed is claimed, so that two nets that change the same cannot run at the same time (§6.2). Within a net only one
// primitive may have a value in a cycle: of several none takes effect, and those that know say that they have no success.

// kept returns the fault of drives that are as they were a cycle after something else was asked for (cycle).
func kept(is bool) int32 {
	if is {
		return 1
	}
	return 0
}

type strategy struct {
	Robot      spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the arm"`
	Controller spec.In[int32]     `rcc:"inController" or:"Controller=0" should:">= 0; <= 1 -- the arm has no other controllers and keeps the one that it has" doc:"0 position, 1 impedance; null leaves it as it is"`
	Success    spec.Out[bool]     `rcc:"outSuccess" doc:"the controller is in force"`

	arm      device.YouBotArm
	actuator generic.Actuator
	now      device.Controller
	asked    device.Controller
	since    uint64 // cycle in which it was asked for, 0 if it was not
}

func (p *strategy) Init(env *spec.Env) (err error) {
	if p.arm, err = spec.Device[device.YouBotArm](env, p.Robot.V); err != nil {
		return err
	}
	p.actuator.Claim(env, p.Robot.V, "controller")
	p.actuator.Explain(env, p.Robot.V, "controller", func(int32, spec.RefusedAs) string {
		return "the drives keep their controller: there is no such one, or joints are not where they are commanded"
	})
	return nil
}

func senseController(run []strategy, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.Controller()
	}
}

func chooseController(run []strategy, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v, there := p.Controller.Get(cy)
		concurrent := there && p.actuator.Enter(cy)
		fault := kept(there && p.since != 0 && p.since+1 == cy.N && p.now != p.asked)
		p.actuator.Refuse(cy, concurrent, fault, device.PositionGood)
		p.Success.Set(cy, there && !concurrent && p.now == device.Controller(v))
	}
}

func setController(run []strategy, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, there := p.Controller.Get(cy); there && p.actuator.Alone(cy) && p.now != device.Controller(v) {
			p.arm.SetController(device.Controller(v))
			p.asked, p.since = device.Controller(v), cy.N
		}
	}
}

var armControlStrategy = spec.Declare(spec.Decl{
	Name: "KUKA::youBot::ArmControlStrategy", Extension: extension, Doc: "chooses the controller of the drives of an arm, while joints are where they are commanded",
	Examples: []spec.Example{
		{
			Doc: "another one, none that there is, and back", Params: params{"Robot": "youbot"}, In: series{"inController": {"1", "1", "7", "7", "null", "0", "0"}},
			Out: series{"outSuccess": {"false", "true", "false", "false", "false", "false", "true"}},
		},
		{Doc: "the one in force", Params: params{"Robot": "youbot"}, Out: series{"outSuccess": {"true"}}},
		{Doc: "no such device", Params: params{"Robot": "yuobot"}, Reject: `"yuobot"`},
		{Doc: "something else", Params: params{"Robot": "jaws"}, Reject: `"jaws"`},
	},
}, spec.Kernels[strategy]{Sense: senseController, Run: chooseController, Act: setController})

type impedance struct {
	Robot     spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the arm"`
	Joint     spec.Param[int32]  `rcc:"JointIndex" default:"0" any:"loading asks the device whether it has one" doc:"number of the joint, from 0"`
	Add       spec.In[float64]   `rcc:"inAddTorque" or:"AddTorque=0" must:"finite" doc:"torque that the joint exerts beside, Nm"`
	Damping   spec.In[float64]   `rcc:"inDamping" or:"Damping=0" should:">= 0; <= 1" doc:"damping, 0 to 1"`
	Max       spec.In[float64]   `rcc:"inMaxTorque" or:"MaxTorque=0" should:">= 0" doc:"torque that the drive exerts at most, Nm; 0: as much as it can"`
	Stiffness spec.In[float64]   `rcc:"inStiffness" or:"Stiffness=0" should:">= 0" doc:"stiffness, Nm/rad; while one of the values is null all stay as they are"`
	Success   spec.Out[bool]     `rcc:"outSuccess" doc:"the joint is held like that under impedance control"`

	arm      device.YouBotArm
	joint    int
	actuator generic.Actuator
	now      device.DriveSpring
	next     device.DriveSpring
	asked    device.DriveSpring
	since    uint64 // cycle in which it was asked for, 0 if it was not
	given    bool
}

func (p *impedance) Init(env *spec.Env) (err error) {
	if p.arm, err = spec.Device[device.YouBotArm](env, p.Robot.V); err != nil {
		return err
	}
	p.joint = int(p.Joint.V)
	if n := p.arm.Joints(); p.joint < 0 || p.joint >= n {
		return fmt.Errorf("parameter JointIndex: device %q has no joint %d, only 0 to %d", p.Robot.V, p.joint, n-1)
	}
	channel := fmt.Sprintf("joint impedance %d", p.joint)
	p.actuator.Claim(env, p.Robot.V, channel)
	p.actuator.Explain(env, p.Robot.V, channel, func(int32, spec.RefusedAs) string {
		return "the drive keeps its spring: a value is negative or not a number, or damping is above 1"
	})
	return nil
}

func senseSpring(run []impedance, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.now = p.arm.DriveSpring(p.joint)
	}
}

func chooseSpring(run []impedance, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		var add, damping, most, stiffness bool
		p.next.Add, add = p.Add.Get(cy)
		p.next.Damping, damping = p.Damping.Get(cy)
		p.next.Max, most = p.Max.Get(cy)
		p.next.Stiffness, stiffness = p.Stiffness.Get(cy)
		p.given = add && damping && most && stiffness
		concurrent := p.given && p.actuator.Enter(cy)
		fault := kept(p.given && p.since != 0 && p.since+1 == cy.N && p.now != p.asked)
		p.actuator.Refuse(cy, concurrent, fault, device.PositionGood)
		p.Success.Set(cy, p.given && !concurrent && p.now == p.next)
	}
}

func setSpring(run []impedance, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.given && p.actuator.Alone(cy) && p.now != p.next {
			p.arm.SetDriveSpring(p.joint, p.next)
			p.asked, p.since = p.next, cy.N
		}
	}
}

var jointImpParameters = spec.Declare(spec.Decl{
	Commands: []string{"Robot", "JointIndex"},
	Name:     "KUKA::youBot::JointImpParameters", Extension: extension, Doc: "sets how a joint is held under impedance control",
	Unrelated: "torques, damping and stiffness are quantities of different kinds",
	Examples: []spec.Example{
		{
			Doc: "softer, something that cannot be, and nothing", Params: params{"Robot": "youbot", "JointIndex": "4", "Damping": "0.7", "MaxTorque": "5"},
			In:  series{"inStiffness": {"20", "20", "-1", "-1", "null", "20"}},
			Out: series{"outSuccess": {"false", "true", "false", "false", "false", "true"}},
		},
		{Doc: "no such joint", Params: params{"Robot": "youbot", "JointIndex": "5"}, Reject: `device "youbot" has no joint 5, only 0 to 4`},
		{Doc: "no such device", Params: params{"Robot": "yuobot"}, Reject: `"yuobot"`},
	},
}, spec.Kernels[impedance]{Sense: senseSpring, Run: chooseSpring, Act: setSpring})

type slave struct {
	Robot spec.Param[string] `rcc:"Robot" any:"loading looks for a device of this name" doc:"name of the device"`
	Port  spec.Param[int32]  `rcc:"Port" default:"0" any:"loading asks the device whether it has one" doc:"number of the drive, from 0"`

	Bit0  spec.Out[bool] `rcc:"bit0" doc:"too much current"`
	Bit1  spec.Out[bool] `rcc:"bit1" doc:"the voltage is too low"`
	Bit2  spec.Out[bool] `rcc:"bit2" doc:"the voltage is too high"`
	Bit3  spec.Out[bool] `rcc:"bit3" doc:"too hot"`
	Bit4  spec.Out[bool] `rcc:"bit4" doc:"the motor is halted"`
	Bit5  spec.Out[bool] `rcc:"bit5" doc:"the Hall sensor is broken"`
	Bit8  spec.Out[bool] `rcc:"bit8" doc:"the motor is controlled by the width of pulses"`
	Bit9  spec.Out[bool] `rcc:"bit9" doc:"the motor is controlled by velocity"`
	Bit10 spec.Out[bool] `rcc:"bit10" doc:"the motor is controlled by position"`
	Bit11 spec.Out[bool] `rcc:"bit11" doc:"the motor is controlled by torque"`
	Bit14 spec.Out[bool] `rcc:"bit14" doc:"the position has been reached"`
	Bit15 spec.Out[bool] `rcc:"bit15" doc:"the drive is initialised"`
	Bit16 spec.Out[bool] `rcc:"bit16" doc:"the bus has been silent for too long"`
	Bit17 spec.Out[bool] `rcc:"bit17" doc:"too much load for too long (I²t)"`

	device device.Slaves
	number int
	flags  uint32
}

func (p *slave) Init(env *spec.Env) (err error) {
	if p.device, err = spec.Device[device.Slaves](env, p.Robot.V); err != nil {
		return err
	}
	p.number = int(p.Port.V)
	if n := p.device.Slaves(); p.number < 0 || p.number >= n {
		return fmt.Errorf("parameter Port: device %q has no drive %d, only 0 to %d", p.Robot.V, p.number, n-1)
	}
	return nil
}

func senseSlave(run []slave, _ *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.flags = p.device.SlaveFlags(p.number)
	}
}

func tellSlave(run []slave, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Bit0.Set(cy, p.flags>>device.SlaveOvercurrent&1 != 0)
		p.Bit1.Set(cy, p.flags>>device.SlaveUndervoltage&1 != 0)
		p.Bit2.Set(cy, p.flags>>device.SlaveOvervoltage&1 != 0)
		p.Bit3.Set(cy, p.flags>>device.SlaveTooHot&1 != 0)
		p.Bit4.Set(cy, p.flags>>device.SlaveHalted&1 != 0)
		p.Bit5.Set(cy, p.flags>>device.SlaveHallSensor&1 != 0)
		p.Bit8.Set(cy, p.flags>>device.SlavePWM&1 != 0)
		p.Bit9.Set(cy, p.flags>>device.SlaveVelocity&1 != 0)
		p.Bit10.Set(cy, p.flags>>device.SlavePosition&1 != 0)
		p.Bit11.Set(cy, p.flags>>device.SlaveTorque&1 != 0)
		p.Bit14.Set(cy, p.flags>>device.SlaveReached&1 != 0)
		p.Bit15.Set(cy, p.flags>>device.SlaveInitialised&1 != 0)
		p.Bit16.Set(cy, p.flags>>device.SlaveTimeout&1 != 0)
		p.Bit17.Set(cy, p.flags>>device.SlaveOverload&1 != 0)
	}
}

var slaveError = spec.Declare(spec.Decl{
	Name: "KUKA::youBot::SlaveError", Extension: extension, Doc: "what a drive on the bus tells of itself",
	Examples: []spec.Example{
		{
			Doc: "a drive that works, by position", Params: params{"Robot": "youbot", "Port": "2"},
			Out: series{
				"bit0": {"false"}, "bit1": {"false"}, "bit2": {"false"}, "bit3": {"false"}, "bit4": {"false"}, "bit5": {"false"}, "bit8": {"false"},
				"bit9": {"false"}, "bit10": {"true"}, "bit11": {"false"}, "bit14": {"true"}, "bit15": {"true"}, "bit16": {"false"}, "bit17": {"false"},
			},
		},
		{Doc: "no such drive", Params: params{"Robot": "youbot", "Port": "5"}, Reject: `device "youbot" has no drive 5, only 0 to 4`},
		{Doc: "a device without drives", Params: params{"Robot": "jaws"}, Reject: `"jaws"`},
	},
}, spec.Kernels[slave]{Sense: senseSlave, Run: tellSlave})
