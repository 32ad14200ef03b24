package latency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// ErrNoCyclictest is wrapped when cyclictest is not installed.
var ErrNoCyclictest = errors.New("cyclictest is not installed; sudo apt install rt-tests")

// Cyclictest runs cyclictest at the same pace, on the same CPU and one priority above, until stop is called. Its
// Wakeups have no missed ticks: it does not count them.
func Cyclictest(p Pace) (stop func() (*Wakeups, error), err error) {
	program, err := exec.LookPath("cyclictest")
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNoCyclictest, err)
	}
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(context.Background(), program, cyclictestArgs(p)...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := startOn(cmd, p.Thread); err != nil {
		return nil, fmt.Errorf("cyclictest: %w", err)
	}
	return func() (*Wakeups, error) {
		_ = cmd.Process.Signal(os.Interrupt) // it then prints what it has found, unless it has ended already
		if err := cmd.Wait(); err != nil {
			return nil, fmt.Errorf("cyclictest: %w %s", err, complaint(complaints.String()))
		}
		return parseCyclictest(out.String())
	}, nil
}

// grace is how much longer cyclictest may run than it is needed, if it is not stopped.
const grace = 5 * time.Second

func cyclictestArgs(p Pace) []string {
	args := []string{
		"--default-system", // whether CPUs may sleep is up to the user
		"-q", "-t", "1", "-i", strconv.FormatInt(p.Period.Microseconds(), 10), "-h", strconv.Itoa(classes),
		"-D", strconv.Itoa(int((p.For + grace).Seconds())),
	}
	if p.Thread == nil {
		return args
	}
	if p.Thread.CPU != rt.AnyCPU {
		args = append(args, "-a", strconv.Itoa(p.Thread.CPU))
	}
	if p.Thread.Priority != 0 {
		args = append(args, "-p", strconv.Itoa(min(p.Thread.Priority+1, 99)))
	}
	return args
}

// startOn starts a program that may use the CPU of a thread too: the CPUs of this process, which programs inherit, may be
// others.
func startOn(cmd *exec.Cmd, thread *rt.Thread) error {
	if thread == nil || thread.CPU == rt.AnyCPU {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	own, err := rt.Affinity(0)
	if err != nil {
		return err
	}
	if err := rt.SetAffinity(0, append(own[:len(own):len(own)], thread.CPU)); err != nil {
		return err
	}
	return errors.Join(cmd.Start(), rt.SetAffinity(0, own))
}

// complaint returns what a program has complained about, without warnings.
func complaint(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "WARN") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// parseCyclictest reads a histogram: lines of microseconds and counts, and comments with the rest.
func parseCyclictest(text string) (*Wakeups, error) {
	w := &Wakeups{}
	for line := range strings.Lines(text) {
		comment, isComment := strings.CutPrefix(line, "#")
		name, value, named := strings.Cut(comment, ":")
		var err error
		switch fields := strings.Fields(line); {
		case isComment && named:
			err = w.setFigure(strings.TrimSpace(name), strings.TrimSpace(value))
		case !isComment && len(fields) == 2:
			err = w.setClass(fields[0], fields[1])
		}
		if err != nil {
			return nil, fmt.Errorf("cyclictest says %q: %w", strings.TrimSpace(line), err)
		}
	}
	if w.Ticks == 0 {
		return nil, errors.New("cyclictest measured nothing in this time")
	}
	return w, nil
}

// setFigure takes over what is not in the classes.
func (w *Wakeups) setFigure(name, value string) error {
	if name != "Max Latencies" && name != "Histogram Overflows" {
		return nil
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if name == "Max Latencies" {
		w.Max = time.Duration(n) * time.Microsecond
	} else {
		w.Over, w.Ticks = n, w.Ticks+n
	}
	return err
}

func (w *Wakeups) setClass(microseconds, count string) error {
	class, err := strconv.Atoi(microseconds)
	if err != nil || class < 0 || class >= classes {
		return errors.Join(err, errors.New("no class"))
	}
	w.Classes[class], err = strconv.ParseUint(count, 10, 64)
	w.Ticks += w.Classes[class]
	return err
}
