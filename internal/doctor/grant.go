package doctor

import (
	"fmt"
	"strings"
)

// Grant says how a program gets a right: any of the three will do.
type Grant struct {
	File  string // command that gives it to the file of the program, until the file is replaced
	Unit  string // line of the [Service] section of a unit of systemd
	Shell string // command for the shell that starts it, where the limits of the user allow that (limits.conf)
}

// maxPriority is the highest that is granted: above are only threads that keep the kernel alive.
const maxPriority = 95

// GrantPriority says how a program may get real-time priorities (SCHED_FIFO).
func GrantPriority(program string) Grant {
	return Grant{
		File:  setcap + quoted(program),
		Unit:  fmt.Sprintf("LimitRTPRIO=%d", maxPriority),
		Shell: fmt.Sprintf("ulimit -r %d", maxPriority),
	}
}

// GrantMemory says how a program may lock its memory.
func GrantMemory(program string) Grant {
	return Grant{File: setcap + quoted(program), Unit: "LimitMEMLOCK=infinity", Shell: "ulimit -l unlimited"}
}

// setcap gives both rights, because giving one would take the other away.
const setcap = "sudo setcap cap_sys_nice,cap_ipc_lock+ep "

// setcapFrames gives that of sending and receiving frames beside them.
const setcapFrames = "sudo setcap cap_sys_nice,cap_ipc_lock,cap_net_raw+ep "

// quoted returns a name as a shell takes it.
func quoted(name string) string {
	if strings.ContainsAny(name, " \t\n'\"\\$`;&|<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

// String returns the grant as a hint at the end of a message.
func (g Grant) String() string {
	return fmt.Sprintf("%s; or %s in its unit of systemd; or %s before it is started", g.File, g.Unit, g.Shell)
}
