// Package krl lets a PC ask the KRL program of a lightweight robot for what the interface itself cannot do: command mode,
// another control strategy, another load (§9.4.4). Both sides have only the variables that every datagram
// carries. There is no standard for that; these are hand-shakes in use.
//
//	values   bool[handshake] is set while PC and program talk; int[handshake] numbers what is sent, and comes back when it has been
//	         taken: 1 the strategy, in int[communication], 2 to 17 the load, in real[communication]. The program then stops,
//	         changes what has to be changed, starts again and clears its bool. Strategy 0 only stops.
//	numbers  int[0] strategy, int[1] 1 start, 0 stop; back int[1] 1 started, 0 stopped, 10 at the beginning
//	request  bool[0] with int[0] 1 start, 2 stop; back bool[0] until it is done
//	codes    bool[0] set, int[14] strategy, int[15] 10 start, 20 stop; back int[15] 20 while it is started
//	commands bool[0] with int[15] 1 start, 2 stop, 30 strategy in int[1]; back bool[0] with int[14] the command and int[15] 100
//	         when it was good
//
// Indexes count from 0, as in datagrams; KRL counts from 1. Only the first one informs the program of loads, and request cannot
// change the strategy either.
package krl
