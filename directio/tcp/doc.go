// Package tcp carries DirectIO over a bare TCP connection, as the older generation of clients does. A command ends with
// "#", white space around it is ignored; a message ends with "#" and a line feed.
//
// A "#" inside a string belongs to the string, also in a comment of the net that the string may be. The original ended the
// command there; as a "#" outside a string is never part of a statement, looking at the quotes changes nothing for
// statements that the original understood: outside, a "#" ends the command, whatever stands before it. A command whose
// last string is not closed swallows what follows it up to the next quote. In the other direction nothing can be done:
// clients that do not look at quotes misread a message with a "#" in a string.
package tcp
