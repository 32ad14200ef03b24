package kinematics

// ArmOf makes an arm of a chain, with the solver that suits it: in closed form where the chain is built in one of the ways
// that have one, otherwise numeric, for all directions and without any posture to go to.
func ArmOf(c *Chain) (*Arm, error) {
	if s, err := NewWrist(c); err == nil {
		return &Arm{c, s}, nil
	}
	if s, err := NewUR(c); err == nil {
		return &Arm{c, s}, nil
	}
	if s, err := NewSRS(c); err == nil {
		return &Arm{c, s}, nil
	}
	s, err := NewNumeric(c, Options{})
	if err != nil {
		return nil, err
	}
	return &Arm{c, s}, nil
}
