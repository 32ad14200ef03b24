// Package graph builds primitive nets for applications (§10.2): graphs of primitives, their text for the daemon, and the
// optimiser of §10.2.7. It imports nothing of the daemon.
//
// A Graph grows by primitives, whose in ports are linked to out ports and whose parameters are set:
//
//	g := graph.New()
//	joint := g.Add("RobotArm::JointMonitor").Set("Robot", "arm").Set("Axis", 0)
//	far := g.Add("Core::DoubleGreater").Link("inFirst", joint.Out("outMeasuredPosition")).Set("Second", 1.5)
//	g.Terminate(graph.As[bool](far.Out("outValue")))
//	text, err := g.Text()
//
// Out ports whose Go type is known are signals, of which the compiler checks the type, and for what most nets consist of
// there are functions:
//
//	speed := graph.In(g, "Speed", 1.0)
//	slow := graph.Less(speed, graph.Const(g, 0.1))
//	graph.Publish(g, "Slow", graph.And(slow, graph.Not(done)))
//
// # Ports that are not there yet
//
// Parts of a net are made one after another, and one may need what a later one gives. A Wire is a signal that is
// connected later. A Wire that is never connected is open, as is the zero Signal: the in port takes what its parameter says. A
// cycle of links must run through a Pre (§5.2.2).
//
// # Mistakes
//
// Building calls do not return errors: a Graph collects what is wrong, with the place (Under) where it was made, and Text and
// Optimise return all of it. A net without problems is one that the daemon does not refuse for its structure: its types
// are known, its ports and parameters exist and fit together, required ones are there, no cycle is without Pre. Checks that only
// the daemon can make, above all whether a device exists, are left to it.
//
// # Which primitives there are
//
// Standard is the catalogue of the daemon that this package was tested with. Types of extensions are declared by Catalogue.With.
package graph
