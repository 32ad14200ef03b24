// Package actuator has the actuators of commands (chapter 10): devices with joints, arms, lightweight robots, several arms that
// move as one, mobile bases and grippers. Each is the proxy of a device, with sensors and states, with frames if it stands or
// carries something in space, and with default parameters for its commands.
//
//	arm, err := actuator.FindArm(ctx, runtime, "kr16") // with the model that its device reports
//	err = runtime.Execute(ctx, robotics.NewCommand(arm, motions.PTP{To: home}))
//
// # Your own actions
//
// Functions that lead joints and frames within their limits are for actions of applications as for those of package motions:
// JointsOf and LastPositions for actions of joints, Cartesian, Origin and Advance for motions along a path in space, Lead for
// joints that go to a goal.
package actuator
