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
// Out ports whose Go type is known are signals, whose types the compiler checks. The most frequent primitives have functions:
//
//	speed := graph.In(g, "Speed", 1.0)
//	slow := graph.Less(speed, graph.Const(g, 0.1))
//	graph.Publish(g, "Slow", graph.And(slow, graph.Not(done)))
//
// # Ports that do not exist yet
//
// Parts of a net are made one after another, and one may need the output of a later one. A Wire is a signal that is connected
// later. A Wire that is never connected is open, as is the zero Signal: the in port takes what its parameter says. A cycle of
// links must run through a Pre (§5.2.2).
//
// # Mistakes
//
// Calls that build do not return errors: a Graph collects mistakes, each with the place (Under) where it was made, and Text and
// Optimise return all of them. The daemon does not refuse a net without problems for its structure: its types are known, its
// ports and parameters exist and fit together, required ones are there, no cycle is without Pre. Checks that only the daemon can
// make, above all whether a device exists, are left to it.
//
// # Catalogues
//
// Standard is the catalogue of the daemon that this package was tested with. Types of extensions are declared by Catalogue.With.
package graph
