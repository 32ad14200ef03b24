// Package simarm has simulated arms, and external axes, of the types that applications know: they take set-points as the
// drivers of the real ones do (package setpoint), move as joints with drives do (package plant), and live in the time of the
// cell.
//
//	kuka_lwr_sim kuka_iiwa_sim                            seven axes, link_lengths
//	kuka_kr_arm_sim staubli_tx90_sim schunk_lwa_sim       six axes, dh_d dh_a dh_t dh_al
//	kuka_youbot_arm_sim                                   five axes
//	kuka_kr_extaxis                                       axes beside a kuka_kr_arm_sim, whose drives they share
//
// Values that the parameters leave open are those of the models in geom/robots. With a table of Denavit and Hartenberg (its usual
// form, Rz(t)·Tz(d)·Tx(a)·Rx(al)) or with lengths of links, the kinematics are those of the table. With a direction of
// linear_axis the arm stands on a linear unit, which is its first joint.
//
// A simulated arm is one cycle behind nets, as one at the end of a bus would be: in each tick it moves to where the nets of
// the tick before have commanded it.
//
// Arms that older clients create have margin 1 and strict false: those clients change velocities at once, begin blends late, and reset
// joints by a constant set-point, to which these jump.
//
// A lightweight arm can touch something: a surface of a stiffness (contact), and a screw that stands out of it. Its tip feels that, and
// gives way, as to all forces that people push with (page forces).
//
// Faults for tests happen by the parameter faults, a script such as "2s off; 3s on; 4s fail 1; 5s repair 1; 6s estop" (package
// plant).
package simarm
