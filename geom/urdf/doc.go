// Package urdf reads robots that are described in the Unified Robot Description Format: links, the joints between them, and
// their shapes.
//
//	model, err := urdf.Parse(text)
//	chain, err := model.Chain("base_link", "tool0")  // for kinematics
//	frames, err := model.Frames(map[string]float64{"joint_1": 0.5})  // for drawing
//
// A robot is a tree: every link but one, the root, is the child of one joint. At the value 0 of a joint the frame of its
// child is its origin as seen from its parent; the child turns about the axis of the joint, or slides along it.
// Lengths are in m, angles in rad. rpy="r p y" is Rz(y)·Ry(p)·Rx(r).
//
// The format is the one that the wiki of ROS describes (http://wiki.ros.org/urdf/XML) and that the library urdfdom reads.
// Elements that do not concern geometry – gazebo, transmission, sensor and all others that are not known – are passed
// over, as are attributes that are not known, unless they look like a slip of the pen. Stricter than urdfdom, Parse
// refuses what is probably a mistake: text in the place of an attribute, elements that belong elsewhere, a second origin that differs.
// A joint may follow another one (mimic) that itself follows.
//
// Files of the preprocessor xacro have to be expanded before: Parse says where it found them.
//
// A model is written as a text again by String.
//
// All that is wrong is reported at once, as an *Error of problems with line and column; a text that is not well-formed
// has one problem.
//
// # Limits
//
// A text has 4 MiB, 50,000 elements, nested 100 deep, with 1000 attributes each, at most. There are no entities but the
// five of XML and no document type declarations. Numbers are finite and at most 1e12 in amount, so that poses are
// numbers as well. Reports about a hostile text are bounded too. Time and memory are proportional to the text.
//
// Joints of the kinds floating and planar are read, and stay at their origin in frames; a chain cannot lead over them.
// Calibration is passed over.
package urdf
