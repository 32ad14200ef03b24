package geom

// Twist is a velocity: that of the point of reference of a body, and that of its rotation.
type Twist struct{ Vel, Rot Vector }

// Add returns t + u.
func (t Twist) Add(u Twist) Twist { return Twist{t.Vel.Add(u.Vel), t.Rot.Add(u.Rot)} }

// Sub returns t - u.
func (t Twist) Sub(u Twist) Twist { return Twist{t.Vel.Sub(u.Vel), t.Rot.Sub(u.Rot)} }

// Neg returns -t.
func (t Twist) Neg() Twist { return Twist{t.Vel.Neg(), t.Rot.Neg()} }

// Scale returns t times s.
func (t Twist) Scale(s float64) Twist { return Twist{t.Vel.Scale(s), t.Rot.Scale(s)} }

// Rotate returns t as seen from the reference of r.
func (t Twist) Rotate(r Rotation) Twist { return Twist{r.Rotate(t.Vel), r.Rotate(t.Rot)} }

// At returns the motion of the same body with its point of reference moved by v.
func (t Twist) At(v Vector) Twist { return Twist{t.Vel.Add(t.Rot.Cross(v)), t.Rot} }

// Wrench is a force at a point of reference and the torque about it.
type Wrench struct{ Force, Torque Vector }

// Add returns w + u.
func (w Wrench) Add(u Wrench) Wrench { return Wrench{w.Force.Add(u.Force), w.Torque.Add(u.Torque)} }

// Sub returns w - u.
func (w Wrench) Sub(u Wrench) Wrench { return Wrench{w.Force.Sub(u.Force), w.Torque.Sub(u.Torque)} }

// Neg returns -w.
func (w Wrench) Neg() Wrench { return Wrench{w.Force.Neg(), w.Torque.Neg()} }

// Scale returns w times s.
func (w Wrench) Scale(s float64) Wrench { return Wrench{w.Force.Scale(s), w.Torque.Scale(s)} }

// Rotate returns w as seen from the reference of r.
func (w Wrench) Rotate(r Rotation) Wrench { return Wrench{r.Rotate(w.Force), r.Rotate(w.Torque)} }

// At returns the same wrench with its point of reference moved by v.
func (w Wrench) At(v Vector) Wrench { return Wrench{w.Force, w.Torque.Add(w.Force.Cross(v))} }

// Power returns the power of the wrench on a body that moves with the twist, both with respect to one point.
func (w Wrench) Power(t Twist) float64 { return w.Force.Dot(t.Vel) + w.Torque.Dot(t.Rot) }
