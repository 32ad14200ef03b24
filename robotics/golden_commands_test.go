package robotics_test

import (
	"time"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// cyclesOf returns the time of some cycles.
func cyclesOf(n int) time.Duration { return time.Duration(n) * period }

// goldenCommands are lives of commands: waiting, transactions, events and effects.
func goldenCommands() goldens {
	lamp := robotics.DigitalOutput{Device: "io", Port: 2}
	return goldens{
		"wait": func(*scene) robotics.Command { return robotics.NewWait(cyclesOf(10)) },
		"wait for cancel": func(s *scene) robotics.Command {
			s.cancel(4)
			return robotics.NewWaitForCancel()
		},
		"wait cancelled before its time": func(s *scene) robotics.Command {
			s.cancel(4)
			return robotics.NewWait(cyclesOf(10))
		},
		"sequence": func(*scene) robotics.Command {
			return robotics.Sequence(robotics.NewWait(cyclesOf(2)), robotics.NewCommand(lamp, robotics.SetDigital{Value: true}), robotics.NewWait(cyclesOf(3)))
		},
		"sequence cancelled": func(s *scene) robotics.Command {
			s.cancel(2)
			return robotics.Sequence(robotics.NewWaitForCancel(), robotics.NewWait(cyclesOf(9)), robotics.NewCommand(lamp, robotics.SetDigital{Value: true}))
		},
		"parallel": func(*scene) robotics.Command {
			return robotics.Parallel(robotics.NewWait(cyclesOf(2)), robotics.NewWait(cyclesOf(4)))
		},
		"nested": func(*scene) robotics.Command {
			inner := robotics.Parallel(robotics.NewWait(cyclesOf(1)), robotics.NewWait(cyclesOf(2)))
			return robotics.Sequence(robotics.Sequence(robotics.NewWait(cyclesOf(2)), inner), robotics.NewWait(cyclesOf(1)))
		},
		"listing 10.1": func(s *scene) robotics.Command {
			high, low := robotics.NewCommand(lamp, robotics.SetDigital{Value: true}), robotics.NewCommand(lamp, robotics.SetDigital{})
			wait, finished := robotics.NewWaitForCancel(), robotics.DigitalInput{Device: "io", Port: 2}
			tc := robotics.NewTransaction(high, wait, low)
			tc.AddStart(high)
			tc.OnFirstEntered(high.Completed(), robotics.Start(wait))
			tc.OnFirstEntered(wait.Completed(), robotics.Start(low))
			tc.OnFirstEntered(robotics.Or(robotics.Long(robotics.IsTrue(finished), cyclesOf(5)), tc.Cancelled()), robotics.Cancel(wait))
			return tc
		},
		"listing 10.1 cancelled": func(s *scene) robotics.Command {
			s.cancel(6)
			high, low := robotics.NewCommand(lamp, robotics.SetDigital{Value: true}), robotics.NewCommand(lamp, robotics.SetDigital{})
			wait, finished := robotics.NewWaitForCancel(), robotics.DigitalInput{Device: "io", Port: 7}
			tc := robotics.NewTransaction(high, wait, low)
			tc.AddStart(high)
			tc.OnFirstEntered(high.Completed(), robotics.Start(wait))
			tc.OnFirstEntered(wait.Completed(), robotics.Start(low))
			tc.OnFirstEntered(robotics.Or(robotics.IsTrue(finished), tc.Cancelled()), robotics.Cancel(wait))
			return tc
		},
		"start conditions": func(*scene) robotics.Command {
			tc := robotics.NewTransaction()
			yes, no := robotics.NewWait(period), robotics.NewWait(period)
			tc.AddStartWhen(yes, robotics.Not(robotics.IsTrue(lamp)))
			tc.AddStartWhen(no, robotics.IsTrue(lamp))
			return tc
		},
		"cancel is not forwarded": func(s *scene) robotics.Command {
			s.cancel(2)
			tc := robotics.NewTransaction()
			tc.AddStart(robotics.NewWait(cyclesOf(5)))
			return tc
		},
		"cancel is forwarded": func(s *scene) robotics.Command {
			s.cancel(2)
			short, long := robotics.NewWait(cyclesOf(4)), robotics.NewWait(cyclesOf(5))
			tc := robotics.NewTransaction(short)
			tc.Add(long)
			tc.AddStart(short, long)
			tc.ForwardCancel(long)
			return tc
		},
		"stop of a transaction": func(*scene) robotics.Command {
			inner := robotics.Parallel(robotics.NewWait(cyclesOf(9)), robotics.NewWaitForCancel())
			clock := robotics.NewWait(cyclesOf(3))
			tc := robotics.Parallel(inner, clock)
			tc.OnEntered(clock.Completed(), robotics.Stop(inner))
			return tc
		},
		"stop wins against start": func(*scene) robotics.Command {
			first, second := robotics.NewWait(cyclesOf(3)), robotics.NewWait(cyclesOf(4))
			tc := robotics.NewTransaction(second)
			tc.AddStart(first)
			tc.OnEntered(first.Started(), robotics.Stop(second))
			tc.OnEntered(first.Completed(), robotics.Start(second))
			return tc
		},
		"cancel before start": func(*scene) robotics.Command {
			first, second := robotics.NewWait(cyclesOf(3)), robotics.NewWaitForCancel()
			tc := robotics.NewTransaction(second)
			tc.AddStart(first)
			tc.OnEntered(first.Started(), robotics.Cancel(second))
			tc.OnEntered(first.Completed(), robotics.Start(second))
			return tc
		},
		"events": func(s *scene) robotics.Command {
			w := robotics.NewWait(cyclesOf(20))
			pulses := robotics.Or(robotics.Below(clock(), 0.0081), robotics.And(robotics.Above(clock(), 0.013), robotics.Below(clock(), 0.0201)))
			s.watch("pulses", pulses)
			w.OnEntered(pulses, s.called("entered"))
			w.OnLeft(pulses, s.called("left"))
			w.OnFirstEntered(pulses, s.called("first entered"))
			w.OnFirstLeft(pulses, s.called("first left"))
			return w
		},
		"effects": func(s *scene) robotics.Command {
			first, second := robotics.NewWait(cyclesOf(3)), robotics.NewWaitForCancel()
			raised := robotics.NewRaised("raised")
			s.watch("raised", raised)
			tc := robotics.NewTransaction(first, second)
			tc.AddStart(first)
			tc.OnEntered(first.Completed(), robotics.Start(second), robotics.Raise(raised))
			tc.OnEntered(raised, s.called("raised"), s.token("token"), robotics.Cancel(second))
			tc.OnEntered(second.Completed(), robotics.Stop(tc))
			return tc
		},
	}
}

// goldenStates are states, by themselves and made of others.
func goldenStates() goldens {
	early := robotics.Below(clock(), 0.0061) // 3 cycles
	late := robotics.Above(clock(), 0.0099)  // from the 5th on
	watched := func(state robotics.State) func(s *scene) robotics.Command {
		return func(s *scene) robotics.Command {
			s.watch("state", state)
			return robotics.NewWait(cyclesOf(8))
		}
	}
	return goldens{
		"sensor state": func(s *scene) robotics.Command {
			lamp := robotics.DigitalOutput{Device: "io", Port: 1}
			s.watch("state", robotics.IsTrue(robotics.DigitalInput{Device: "io", Port: 1}))
			on, off := robotics.NewCommand(lamp, robotics.SetDigital{Value: true}), robotics.NewCommand(lamp, robotics.SetDigital{})
			return robotics.Sequence(on, robotics.NewWait(cyclesOf(2)), off, robotics.NewWait(cyclesOf(2)))
		},
		"and":  watched(robotics.And(robotics.Not(early), robotics.Not(late))),
		"or":   watched(robotics.Or(early, late)),
		"not":  watched(robotics.Not(early)),
		"ever": watched(robotics.Ever(robotics.And(robotics.Not(early), robotics.Not(late)))),
		"long": watched(robotics.Long(robotics.Not(early), cyclesOf(3))),
		"states of commands": func(s *scene) robotics.Command {
			first, second := robotics.NewWait(cyclesOf(2)), robotics.NewWait(cyclesOf(9))
			seq := robotics.Sequence(first, second)
			seq.OnEntered(robotics.Long(second.Active(), cyclesOf(3)), robotics.Cancel(second))
			seq.OnFirstEntered(second.Active(), s.called("active"))
			seq.OnFirstEntered(second.Started(), s.called("started"))
			seq.OnFirstEntered(second.Completed(), s.called("completed"))
			seq.OnFirstEntered(second.Cancelled(), s.called("cancelled"))
			seq.OnFirstEntered(second.Failed(), s.called("failed"))
			return seq
		},
		"state of an actuator": func(s *scene) robotics.Command {
			s.happen(4, "kr16", "off")
			s.watch("faulty", s.arm.Faulty())
			return robotics.NewWait(cyclesOf(10))
		},
		"states of an action": func(s *scene) robotics.Command {
			m := robotics.NewCommand(s.arm, motions.LIN{To: poseAt(corner), In: s.arm.Base()})
			s.watch("80 % of the time", m.State(motions.Progress(0.8)))
			s.watch("half of the way", m.State(motions.Passed(0.5)))
			return m
		},
	}
}
