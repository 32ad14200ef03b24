package link

import "strconv"

// Driver knows the meaning of telegrams. A Link calls it from one thread at a time (cycle).
type Driver interface {
	// Answer reads a telegram, writes the answer into the room for it and returns its length. Nothing is sent when that
	// is 0. Neither slice may be kept. The telegram is the first of a session when Stamp.N is 1: nothing of an earlier
	// session holds any longer.
	Answer(telegram, answer []byte, at Stamp) (n int, v Verdict)
	// Lost is called once when a session has ended, for whatever reason, after the last Answer of it. Stamp.N is the number of
	// the last telegram, Stamp.Span how long ago it came. It returns why the session has ended if the driver knows
	// better, and why otherwise: that is what pages and the log say.
	Lost(at Stamp, why Cause) Cause
}

// Stamp is the time of an event. Times are Unix times in nanoseconds, and those of nets (device.Instant).
type Stamp struct {
	Time  int64  // when the telegram arrived, as the kernel says where it does
	Taken int64  // when the thread took it
	Span  int64  // since the telegram in order before this one of its session, 0 for the first
	Quiet int64  // since anything came before this telegram that the robot may have sent, or since the Link was opened
	N     uint64 // of telegrams of the session, in order, from 1
}

// Verdict is the driver's judgement of a telegram.
type Verdict struct {
	Kind Kind
	Lost uint32 // of InOrder: telegrams that are missing before this one, by its number
	Why  Cause  // of Restart and Farewell: why the session has ended; Restarted and Ended when it is not said
	// Cycle of InOrder is that of the robot from now on, ns; 0: as before.
	Cycle int64
}

// Kind is the relation of a telegram to earlier ones.
type Kind uint8

// Kinds of telegrams. Only one in order keeps a session alive.
const (
	InOrder  Kind = iota
	Repeated      // it has been there
	Outdated      // it is older than the newest one
	Restart       // the robot has started again: the session ends, and Answer is called again with this telegram as the first of the next
	Farewell      // the last of its session, after which another one may begin
	Garbage       // not understood: it begins no session
)

func (k Kind) String() string {
	switch k {
	case InOrder:
		return "in order"
	case Repeated:
		return "repeated"
	case Outdated:
		return "outdated"
	case Restart:
		return "restart"
	case Farewell:
		return "farewell"
	case Garbage:
		return "garbage"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Order16 judges by a number that counts telegrams and begins at 0 again after 65535: half of the numbers are newer than
// any one (RFC 1982). Whether a large step is rather a restart is the driver's affair (cycle).
func Order16(newest, number uint16) Verdict {
	switch step := int16(number - newest); {
	case step > 0:
		return Verdict{Kind: InOrder, Lost: uint32(step - 1)}
	case step == 0:
		return Verdict{Kind: Repeated}
	default:
		return Verdict{Kind: Outdated}
	}
}

// Cause is why a session has ended. Drivers have numbers of their own from OwnCauses on, with the words of Options.Causes.
type Cause uint8

// Causes that are the same for all drivers.
const (
	Alive     Cause = iota // it has not
	Silent                 // no telegram for Options.Lapse cycles
	Restarted              // the robot has started again
	Ended                  // the robot has said so
	Closed                 // the device was closed
	Moved                  // Silent, while the robot's host called from another port
	OwnCauses Cause = 16
)

func (c Cause) String() string {
	switch c {
	case Alive:
		return "alive"
	case Silent:
		return "telegrams stopped"
	case Moved:
		return "telegrams stopped, and its host called from another port: another session began"
	case Restarted:
		return "the robot began another session"
	case Ended:
		return "the robot ended it"
	case Closed:
		return "the device was closed"
	}
	return "cause " + strconv.Itoa(int(c))
}
