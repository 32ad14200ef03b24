package actuator

// Methods that say what parameters are for, so that the compiler refuses others.

// Parameter marks a parameter of commands.
func (Under) Parameter() {}

// OfJoints marks a parameter of motions of joints.
func (Under) OfJoints() {}

// InSpace marks a parameter of motions in space.
func (Under) InSpace() {}

// OnArc marks a parameter of arcs.
func (Under) OnArc() {}

// Parameter marks a parameter of commands.
func (Transition) Parameter() {}

// OfJoints marks a parameter of motions of joints.
func (Transition) OfJoints() {}

// InSpace marks a parameter of motions in space.
func (Transition) InSpace() {}

// OnArc marks a parameter of arcs.
func (Transition) OnArc() {}

// Parameter marks a parameter of commands.
func (BaseLimits) Parameter() {}

// Parameter marks a parameter of commands.
func (InStep) Parameter() {}
