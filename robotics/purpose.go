package robotics

// Methods that say what parameters are for, so that the compiler refuses others.

// Parameter marks a parameter of commands.
func (Speed) Parameter() {}

// OfJoints marks a parameter of motions of joints.
func (Speed) OfJoints() {}

// InSpace marks a parameter of motions in space.
func (Speed) InSpace() {}

// OnArc marks a parameter of arcs.
func (Speed) OnArc() {}

// Parameter marks a parameter of commands.
func (Acceleration) Parameter() {}

// OfJoints marks a parameter of motions of joints.
func (Acceleration) OfJoints() {}

// InSpace marks a parameter of motions in space.
func (Acceleration) InSpace() {}

// OnArc marks a parameter of arcs.
func (Acceleration) OnArc() {}

// Parameter marks a parameter of commands.
func (JointLimits) Parameter() {}

// OfJoints marks a parameter of motions of joints.
func (JointLimits) OfJoints() {}

// InSpace marks a parameter of motions in space.
func (JointLimits) InSpace() {}

// OnArc marks a parameter of arcs.
func (JointLimits) OnArc() {}

// Parameter marks a parameter of commands.
func (Slowest) Parameter() {}

// OfJoints marks a parameter of motions of joints.
func (Slowest) OfJoints() {}

// InSpace marks a parameter of motions in space.
func (Slowest) InSpace() {}

// OnArc marks a parameter of arcs.
func (Slowest) OnArc() {}

// Parameter marks a parameter of commands.
func (MotionCenter) Parameter() {}

// InSpace marks a parameter of motions in space.
func (MotionCenter) InSpace() {}

// OnArc marks a parameter of arcs.
func (MotionCenter) OnArc() {}

// Parameter marks a parameter of commands.
func (CartesianLimits) Parameter() {}

// InSpace marks a parameter of motions in space.
func (CartesianLimits) InSpace() {}

// OnArc marks a parameter of arcs.
func (CartesianLimits) OnArc() {}

// Parameter marks a parameter of commands.
func (HandOver) Parameter() {}

// Parameter marks a parameter of commands.
func (TakeOver) Parameter() {}
