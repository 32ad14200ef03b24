// Package frisim simulates the controller of a lightweight robot as seen from the other end of its Fast Research Interface:
// it sends what the robot measures in every cycle, judges the answers, runs a KRL program with one of the hand-shakes of package
// krl, and moves a robot that gives way.
//
//	KRC.Step ──telegram──> network with faults ──> PC ──answer──> network with faults ──> KRC.Receive
//
// It does those things that published facts say of the real one: monitor and command mode, the rating of
// answers, single answers bridged by going on as before, the fall back to monitor mode when answers are missing or a command is
// beyond a limit, power and emergency stop. Where nothing is published, it has numbers of its own: the quality is perfect when 99
// of the last 100 answers were in time, ok with 95, bad with 50; KRL looks at its variables every 12 ms.
//
// Whatever else happens, plant.Judge looks at each command: what no joint can do in one cycle is a jump, which is reported and counted. A
// driver never causes one. The facts are in docs/facts/kuka-fri.md.
//
// Nothing here knows a clock. Wire runs it against a link.Virtual, the command rccd frisim in real time over UDP. Faults are
// lines of text (Do), for tests and for people alike.
package frisim
