// Package oldclient models how a client of the second generation reads what it is told, with its races, in a time of its
// own and by seed: for tests of what we send, and when.
//
//	connection ──frame──> reader ──> newest state of the net
//	                        └──> queue ──> listeners ──> results of the command
//
// One thread takes the frames of a connection. It stores the newest state of a net at once and queues listeners for a
// second thread, one queue for all nets. So a listener of a state looks at a state that may be newer than its own, while
// values wait behind it. A net that is seen to have ended before any result of its command is active makes all of them
// impossible, and the command waits for ever. The client asks for a rule before it listens to it: what becomes of the
// rule in between is lost.
//
// Beside it stand the motions that such clients plan, and the nets that they write for them (Arm, Motion).
//
// # What it takes for granted
//
// Threads that may take any time can be led astray by any sender. The bounds of Quiet follow from what was
// measured with the original client on a quiet machine: everything at once hangs some commands, so does a pause after
// RUNNING alone, and with each state 15 ms after the one before it none of 144 did. A listener of a state, with what
// it asks the daemon in it, therefore takes less than 15 ms, but two of them may take more. When a net is subscribed to, nobody
// listens to its first state yet.
//
// The model shares no code with what we send with.
package oldclient
