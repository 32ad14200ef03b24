// Command rccd is the robot control daemon: it receives primitive nets from applications, compiles them and executes
// them cyclically.
//
//	rccd                         the built-in simulation cell on 127.0.0.1:8080
//	rccd --config cell.yaml      a cell of your own
//	rccd check --config cell.yaml [--net net.dio]    checks configurations and nets
//	rccd demo [--headless] [--for 10s]               the demonstration
//	rccd catalogue [--json]      every primitive, device type and interface
//	rccd rsisim, frisim, ethersim                    the other end of a wire: KUKA controllers, EtherCAT slaves
//	rccd latency                 how late this machine wakes up
//	rccd version
//
// When it serves, it prints exactly one line on standard output, for example
//
//	rccd: ready http://127.0.0.1:8080 realtime=off
//
// and logs to standard error. After SIGTERM, SIGINT, SIGHUP or SIGQUIT it starts nothing and cancels all nets; those that have
// not ended after half of the grace time are aborted. Joints brake within their limits, sessions with robots end in order,
// devices are closed, and the daemon exits with 0. A second signal aborts nets at once, a third one ends the process whatever
// moves.
//
// With --state, or $STATE_DIRECTORY, it knows after a start whether it ended in that order before. If not, nets with start: true
// are loaded but not started. Numbers of nets, sessions and rules continue where they ended; none is used twice.
//
// Standard error need not be read: unread lines are dropped, and counted at /metrics.
//
// Exit codes: 0 done, 1 failed or found something wrong, 2 wrong usage or configuration, nothing was started, 70 ended cleanly
// after a panic of its own.
package main
