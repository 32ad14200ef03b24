package rsisim

import (
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// Power switches the drives on or off. Without them RSI stops.
func (c *Controller) Power(on bool) {
	c.plant.Power(on)
	if !c.plant.Powered() {
		c.lost("drives are off")
	}
	c.happen("power", "%t", c.plant.Powered())
}

// EmergencyStop presses or releases it. Released, it leaves drives without power and the program halted: the operator has to
// switch on and to start.
func (c *Controller) EmergencyStop(pressed bool) {
	c.plant.EmergencyStop(pressed)
	if pressed {
		c.lost("emergency stop")
	}
	c.happen("emergency stop", "%t", pressed)
}

// lost makes the robot brake by itself.
func (c *Controller) lost(why string) {
	if !c.options.Stays {
		c.fail("RSI off", "%s", why)
		return
	}
	c.cause = why
}

// Start runs the program from its beginning, as the operator does.
func (c *Controller) Start() error {
	switch {
	case c.plant.Stopped():
		return errors.New("the emergency stop is active")
	case !c.plant.Powered():
		return fmt.Errorf("drives are off")
	}
	c.readDone = !c.options.ReadFirst
	c.phase, c.pause, c.cause = Waiting, 1, ""
	return nil
}

// Halt stops the program.
func (c *Controller) Halt() { c.fail("halted", "by the operator") }

// Restart begins the next session in the next cycle, as if the program had been reset and started in between.
func (c *Controller) Restart() error {
	c.rsiOff(Halted)
	return c.Start()
}

// SetType changes the required type of answers.
func (c *Controller) SetType(name string) { c.options.SenType = name }

// SetInput sets a digital or an analog input.
func (c *Controller) SetInput(analog bool, i int, v float64) error {
	list := c.in[0]
	if analog {
		list = c.in[1]
	}
	if i < 0 || i >= len(list) {
		return fmt.Errorf("no input %d; the controller has %d", i, len(list))
	}
	list[i] = v
	return nil
}

// Push moves an axis away from outside while RSI is off, as sagging brakes do.
func (c *Controller) Push(axis int, torque float64) { c.plant.Push(axis, torque) }

// Status is the state of a controller.
type Status struct {
	Cycle    uint64    `json:"cycle"`
	Phase    Phase     `json:"phase"`
	Cause    string    `json:"cause,omitempty"`
	Powered  bool      `json:"powered"`
	Stopped  bool      `json:"emergencyStop"`
	Session  int       `json:"session"`
	IPOC     uint64    `json:"ipoc"`
	Answers  int       `json:"answers"`
	Late     int       `json:"late"`
	Jumps    uint64    `json:"jumps"`          // of axes, in one cycle, farther than they can move in it
	Jump     string    `json:"jump,omitempty"` // the newest
	Brakes   uint64    `json:"brakes"`         // stops by answers that were harder than axes stop
	Message  string    `json:"message,omitempty"`
	Axes     []float64 `json:"axes"`     // where they are, degrees or mm
	Commands []float64 `json:"commands"` // where they should be
	Outputs  []float64 `json:"outputs"`
	Analog   []float64 `json:"analog"`
	Tool     Tool      `json:"tool"`
}

// Status returns the state of the whole simulation.
func (c *Controller) Status() Status {
	s := Status{
		Cycle: c.cycle, Phase: c.phase, Cause: c.cause, Powered: c.plant.Powered(), Stopped: c.plant.Stopped(),
		Session: c.session.Number, IPOC: c.session.IPOC, Answers: c.session.Answers, Late: c.session.Late, Message: c.session.Message,
		Outputs: append([]float64{}, c.out[0]...), Analog: append([]float64{}, c.out[1]...), Tool: c.tool,
	}
	s.Jumps, s.Brakes = c.judge.Count(), c.judge.Brakes()
	if s.Jumps > 0 {
		s.Jump = c.judge.Newest().String()
	}
	for i := range axes {
		s.Axes = append(s.Axes, c.plant.Position(i))
		s.Commands = append(s.Commands, c.command[i])
	}
	return s
}

// Jumps returns the first impossible motions that answers commanded.
func (c *Controller) Jumps() []plant.Violation { return c.judge.Violations() }

// Phase returns the phase of the program.
func (c *Controller) Phase() Phase { return c.phase }
