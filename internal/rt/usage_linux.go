package rt

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ReadUsage returns the resources that the process uses. After an error it returns what could be read.
func ReadUsage() (u Usage, err error) {
	var r unix.Rusage
	if e := unix.Getrusage(unix.RUSAGE_SELF, &r); e != nil {
		err = errors.Join(err, os.NewSyscallError("getrusage", e))
	}
	u.Started = started
	u.CPU = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	var limit unix.Rlimit
	if e := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); e != nil {
		err = errors.Join(err, os.NewSyscallError("getrlimit", e))
	}
	u.MaxFiles = limit.Cur
	text, e := os.ReadFile("/proc/self/status")
	err = errors.Join(err, e)
	u.Virtual, u.Resident = 1024*field(text, "VmSize:"), 1024*field(text, "VmRSS:")
	u.Threads = int(field(text, "Threads:"))
	files, e := countFiles()
	u.Files = files
	return u, errors.Join(err, e)
}

// field returns the number behind a name of /proc/self/status.
func field(text []byte, name string) uint64 {
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte(name)); ok {
			digits, _, _ := bytes.Cut(bytes.TrimSpace(value), []byte(" "))
			n, _ := strconv.ParseUint(string(digits), 10, 64) // the system prints numbers
			return n
		}
	}
	return 0
}

// countFiles counts the open descriptors, without the one that it needs itself.
func countFiles() (int, error) {
	folder, err := os.Open("/proc/self/fd")
	if err != nil {
		return 0, err
	}
	names, err := folder.Readdirnames(0)
	return max(len(names)-1, 0), errors.Join(err, folder.Close())
}
