package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	dio "github.com/softrobot-rcc/rccd/directio/client"
)

// forTest serves the tests that are not scripts.
func (d *daemon) forTest(t *testing.T) (url string) {
	t.Helper()
	folder := t.TempDir()
	cell := "realtime: {clock: virtual, speed: 0}\n"
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte(cell), 0o644); err != nil {
		t.Fatal(err)
	}
	url, end, err := d.serve(folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { t.Logf("log of the daemon:\n%s", end()) })
	return url
}

const watchedNet = `{number=Core::DoubleNetcommIn(Key='number',Value='21'),end=Core::BooleanNetcommIn(Key='end'),
 result=Core::DoubleNetcommOut(inValue=number.outValue,Key='result'),outTerminate=end.outValue}`

// TestWatch: what happens to a net is printed as it happens.
func TestWatch(t *testing.T) {
	rccd := &daemon{folder: t.TempDir()}
	url := rccd.forTest(t)
	t.Run("lines", func(t *testing.T) { watchLines(t, url) })
	t.Run("terminal", func(t *testing.T) { watchOnTerminal(t, url) })
	t.Run("interrupted", func(t *testing.T) { watchInterrupted(t, url) })
	t.Run("daemon ends", func(t *testing.T) { watchDaemonEnds(t, rccd) })
}

// loadWatched loads the net and returns its name.
func loadWatched(t *testing.T, url string) string {
	t.Helper()
	load := exec.Command("rccctl", "--url", url, "load", "-", "--cycle", "10ms")
	load.Stdin = strings.NewReader(watchedNet)
	name, err := load.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(name))
}

func watchLines(t *testing.T, url string) {
	net := loadWatched(t, url)
	cmd := exec.Command("rccctl", "--url", url, "watch", net, "--every", "20ms")
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	expect := func(want string) {
		t.Helper()
		if line, err := out.ReadString('\n'); line != want+"\n" {
			t.Fatalf("%q, %v; expected %s", line, err, want)
		}
	}
	expect("READY")
	mustSend(t, url+"/nets/"+net+"/start", "")
	expect("RUNNING")
	mustSend(t, url+"/clock?advance=20ms", "")
	expect("outresult=21")
	mustSend(t, url+"/nets/"+net+"/", "innumber=1.5")
	mustSend(t, url+"/clock?advance=20ms", "")
	expect("outresult=1.5")
	mustSend(t, url+"/nets/"+net+"/", "inend=true")
	mustSend(t, url+"/clock?advance=20ms", "")
	expect("outresult=1.5")
	expect("TERMINATED")
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestTicksOfValues: whatever shows values of a net says which tick has left them, where it is asked for or does no harm.
func TestTicksOfValues(t *testing.T) {
	url := (&daemon{folder: t.TempDir()}).forTest(t)
	net := loadWatched(t, url)
	mustSend(t, url+"/nets/"+net+"/start", "")
	mustSend(t, url+"/clock?advance=100ms", "")
	mustSend(t, url+"/nets/"+net+"/", "inend=true")
	mustSend(t, url+"/clock?advance=20ms", "")
	const at = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
	for args, want := range map[string]string{
		"show":          `(?m)^values +of cycle 11, ` + at + `$`,
		"watch --json":  `"tick":{"cycle":11,"time":\d+},"values":{"outresult":"21"}`,
		"watch --ticks": `(?m)^11 ` + at + ` outresult=21$`,
		"watch":         `(?m)^outresult=21$`,
	} {
		out, err := exec.Command("rccctl", append(strings.Fields(args), "--url", url, net)...).Output()
		if err != nil || !regexp.MustCompile(want).Match(out) {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
}

// tooLong is what nothing takes that will still come.
const tooLong = time.Minute

// terminalProgram is rccctl on a pseudo-terminal.
type terminalProgram struct {
	*exec.Cmd
	keyboard *os.File // and screen
	tty      *os.File
	seen     strings.Builder
}

func onTerminal(t *testing.T, args ...string) *terminalProgram {
	t.Helper()
	p := &terminalProgram{Cmd: exec.Command("rccctl", args...)}
	var err error
	if p.keyboard, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err != nil {
		t.Skip("skip: no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { _ = p.keyboard.Close() })
	fd := int(p.keyboard.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: 60, Row: 12})
	}
	if err != nil {
		t.Fatal(err)
	}
	if p.tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip("skip: no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { _ = p.tty.Close() })
	p.Stdin, p.Stdout = p.tty, p.tty
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	giveUp := time.AfterFunc(tooLong, func() { // then reading from it ends
		_ = p.Process.Kill()
		_ = p.tty.Close()
	})
	t.Cleanup(func() {
		giveUp.Stop()
		_ = p.Process.Kill() // of one that has ended this does nothing
	})
	return p
}

// until reads the screen until something is there that was not before.
func (p *terminalProgram) until(t *testing.T, pattern string) {
	t.Helper()
	re := regexp.MustCompile(pattern)
	begin := p.seen.Len()
	var piece [4096]byte
	for !re.MatchString(p.seen.String()[begin:]) {
		n, err := p.keyboard.Read(piece[:])
		if err != nil {
			t.Fatalf("%v; no %s in %q", err, pattern, p.seen.String()[begin:])
		}
		p.seen.Write(piece[:n])
	}
}

func (p *terminalProgram) mode(t *testing.T) unix.Termios {
	t.Helper()
	mode, err := unix.IoctlGetTermios(int(p.tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *mode
}

func watchOnTerminal(t *testing.T, url string) {
	net := loadWatched(t, url)
	p := onTerminal(t, "--url", url, "watch", net, "--every", "20ms")
	p.until(t, `^\x1b\[\?25l\x1b\[\?7l(?s:.*)\r`+net+`  READY  cycle 10ms`)
	mustSend(t, url+"/nets/"+net+"/start", "")
	mustSend(t, url+"/clock?advance=20ms", "")
	p.until(t, `\x1b\[\d+A\r`+net+`  RUNNING  cycle 10ms\x1b\[K\r\n(?s:.*)outresult  21  ▄+`)
	p.until(t, `\rcycles \d+, execution `)
	mustSend(t, url+"/nets/"+net+"/", "innumber=5")
	mustSend(t, url+"/clock?advance=20ms", "")
	p.until(t, `outresult  5 +█*▁+\x1b\[K\r\n\x1b\[J`)
	if p.mode(t).Lflag&unix.ICANON != 0 {
		t.Error("keys would wait for the end of a line")
	}
	if _, err := p.keyboard.WriteString("xq"); err != nil {
		t.Fatal(err)
	}
	p.until(t, `\x1b\[\?7h\x1b\[\?25h$`)
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if p.mode(t).Lflag&unix.ICANON == 0 {
		t.Error("the terminal is not as it was")
	}

	p = onTerminal(t, "--url", url, "watch", net)
	p.until(t, `RUNNING`)
	mustSend(t, url+"/nets/"+net+"/abort", "")
	mustSend(t, url+"/clock?advance=20ms", "")
	p.until(t, `TERMINATED(?s:.*)outresult  5 (?s:.*)\x1b\[\?7h\x1b\[\?25h$`)
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

func watchInterrupted(t *testing.T, url string) {
	for _, signal := range []os.Signal{os.Interrupt, unix.SIGTERM} {
		net := loadWatched(t, url)
		p := onTerminal(t, "--url", url, "watch", net)
		p.until(t, `READY`)
		if err := p.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		p.until(t, `\x1b\[\?7h\x1b\[\?25h$`)
		if err := p.Wait(); err != nil {
			t.Error(signal, err)
		}
		if p.mode(t).Lflag&unix.ICANON == 0 {
			t.Error(signal, "the terminal is not as it was")
		}
	}
}

// watchDaemonEnds: a net whose daemon is gone cannot be watched any more, and that is said.
func watchDaemonEnds(t *testing.T, rccd *daemon) {
	url, end, err := rccd.serve(t.TempDir(), "--listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	net := loadWatched(t, url)
	cmd := exec.Command("rccctl", "--url", url, "watch", net)
	var log strings.Builder
	cmd.Stderr = &log
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(pipe).ReadString('\n'); line != "READY\n" {
		t.Fatal(line, err)
	}
	end()
	_ = cmd.Wait() // the exit code says it
	if cmd.ProcessState.ExitCode() != noConnection || !strings.HasPrefix(log.String(), "rccctl: no connection: ") {
		t.Error(cmd.ProcessState, log.String())
	}
}

// TestWatchIsBounded: however quick a net is, the screen is drawn when time has passed.
func TestWatchIsBounded(t *testing.T) {
	var out strings.Builder
	p := &picture{screen: newScreen(&netView{}), file: os.Stdin, redraw: redraw{out: &out}}
	for i := range 10000 {
		if err := p.values(map[string]string{"outx": strconv.Itoa(i)}, dio.Tick{}); err != nil {
			t.Fatal(err)
		}
	}
	if out.Len() > 0 {
		t.Errorf("drawn without a look: %.100q", out.String())
	}
	if err := p.look(); err != nil || strings.Count(out.String(), clearBelow) != 1 || !strings.Contains(out.String(), "9999") {
		t.Errorf("%v: %q", err, out.String())
	}
}
