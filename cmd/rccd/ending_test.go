package main

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// swinging swings a joint by 0.5 rad and up to 0.5 rad/s until it is ended; outTerminate is its response to that.
const swinging = `{clock=Core::Clock(), wave=Core::DoubleSin(inValue=clock.outValue),
	to=Core::DoubleMultiply(inFirst=wave.outValue,Second='0.5'),
	far=Core::DoubleMultiply(inFirst=clock.outValue,Second='0.5'),
	share=Core::DoubleConditional(inCondition=Core::DoubleGreater(inFirst=far.outValue,Second='1').outValue,True='1',inFalse=far.outValue),
	soft=Core::DoubleBezier(inValue=share.outValue,From='0',To='1',FromVel='0',ToVel='0'),
	at=Core::DoubleMultiply(inFirst=to.outValue,inSecond=soft.outValue),
	joint=RobotArm::JointPosition(inPosition=at.outValue,Robot='arm',Axis='0'),
	outTerminate=%s}`

const (
	atOnce = `Cancel().outCancel`
	never  = `Core::BooleanValue(Value='false').outValue`
)

// watched is a daemon whose arm is seen in each of its cycles.
type watched struct {
	*process

	mu    sync.Mutex
	sight []sight
	moves chan struct{} // closed as soon as the arm is fast
	ended chan struct{} // closed after the last cycle
}

func watch(t *testing.T, server, net string, more ...string) *watched {
	t.Helper()
	return watchWith(t, nil, server, net, more...)
}

// watchWith is watch with a standard error of its own.
func watchWith(t *testing.T, stderr *os.File, server, net string, more ...string) *watched {
	t.Helper()
	folder := t.TempDir()
	files := map[string]string{
		"swinging.dio": net,
		"cell.yaml": fmt.Sprintf("server: {listen: \"127.0.0.1:0\"%s}\nrealtime: {mode: off}\ndevices:\n"+
			"  - {name: arm, type: kuka_lwr_sim}\n%snets: [{file: swinging.dio, start: true}]\n", server, strings.Join(more, "")),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "rccd-seen", "--config", "cell.yaml")
	cmd.Dir, cmd.ExtraFiles = folder, []*os.File{out}
	if stderr != nil {
		cmd.Stderr = stderr
	}
	p, err := beginCommand(cmd)
	_ = out.Close()
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{process: p, moves: make(chan struct{}), ended: make(chan struct{})}
	go w.look(in)
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // when a test has ended early
		<-p.ended
	})
	return w
}

// fast is a velocity at which it matters how the daemon ends, in rad/s.
const fast = 0.25

func (w *watched) look(in *os.File) {
	defer close(w.ended)
	moves := sync.OnceFunc(func() { close(w.moves) })
	for all := gob.NewDecoder(in); ; {
		var s sight
		if all.Decode(&s) != nil {
			return
		}
		w.mu.Lock()
		w.sight = append(w.sight, s)
		w.mu.Unlock()
		if math.Abs(s.Measured.Vel) > fast {
			moves()
		}
	}
}

// signal waits until the arm is fast and sends signals, each when the log reports the one before. It returns the cycles from there on.
func (w *watched) signal(t *testing.T, signals ...syscall.Signal) []sight {
	t.Helper()
	<-w.moves
	w.mu.Lock()
	from := len(w.sight) - 1
	w.mu.Unlock()
	told := []string{"a second signal aborts", "a third signal ends"}
	for i, s := range signals {
		if err := w.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if i+1 < len(signals) {
			if err := w.log.await(regexp.MustCompile(told[i])); err != nil {
				t.Fatal(err)
			}
		}
	}
	<-w.ended
	return w.sight[from:]
}

// brakes checks whether the arm has come to rest, and no harder than it may.
func brakes(t *testing.T, all []sight) {
	t.Helper()
	hardest := 0.0
	for i := range all[1:] {
		was, is := all[i], all[i+1]
		span := float64(is.Time-was.Time) * 1e-9
		hardest = max(hardest, math.Abs(is.Commanded.Vel-was.Commanded.Vel)/span)
	}
	last := all[len(all)-1]
	if last.Commanded.Vel != 0 || math.Abs(last.Measured.Vel) > 1e-4 {
		t.Errorf("after %d cycles the process ends with the arm at %v rad/s, commanded %v", len(all), last.Measured.Vel, last.Commanded.Vel)
	}
	if limit := limitOfAcceleration(t); hardest > limit*1.02 {
		t.Errorf("it brakes with up to %v rad/s², its limit is %v", hardest, limit)
	}
}

// limitOfAcceleration returns the limit of the first joint.
func limitOfAcceleration(t *testing.T) float64 {
	t.Helper()
	for _, kind := range builtIn().devices {
		if kind.Name == "kuka_lwr_sim" {
			d, err := kind.Open(&device.Env{Name: "arm"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return d.(interface{ JointModel(int) kinematics.Joint }).JointModel(0).Acceleration
		}
	}
	t.Fatal("no device type kuka_lwr_sim")
	return 0
}

// TestEndsAtRest ends the daemon while an arm moves: with every signal, and with nets that end as soon as they are cancelled, or never.
// The arm brakes within its limits, and rests when the process ends.
func TestEndsAtRest(t *testing.T) {
	for _, test := range []struct {
		name    string
		server  string
		ends    string
		signals []syscall.Signal
	}{
		{"TERM", "", atOnce, []syscall.Signal{syscall.SIGTERM}},
		{"INT", "", atOnce, []syscall.Signal{syscall.SIGINT}},
		{"HUP", "", atOnce, []syscall.Signal{syscall.SIGHUP}},
		{"QUIT", "", atOnce, []syscall.Signal{syscall.SIGQUIT}},
		{"deaf net", ", grace: 200ms", never, []syscall.Signal{syscall.SIGTERM}},
		{"no grace", ", grace: 0s", never, []syscall.Signal{syscall.SIGTERM}},
		{"second signal", ", grace: 10m", never, []syscall.Signal{syscall.SIGTERM, syscall.SIGINT}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := watch(t, test.server, fmt.Sprintf(swinging, test.ends))
			brakes(t, w.signal(t, test.signals...))
			if err := w.wait(); err != nil || !strings.Contains(w.log.String(), `"msg":"stopped"`) || strings.Contains(w.log.String(), `"level":"error"`) {
				t.Error(err, w.log.String())
			}
		})
	}
}

// TestNobodyReadsErrors ends a daemon whose standard error is not read, while an arm moves: neither the motion nor the end wait for
// that, nor does a reader that has gone end them.
func TestNobodyReadsErrors(t *testing.T) {
	for _, gone := range []bool{true, false} {
		t.Run(fmt.Sprintf("gone=%t", gone), func(t *testing.T) {
			t.Parallel()
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if gone {
				_ = in.Close()
			} else {
				fill(t, out)
			}
			w := watchWith(t, out, ", log-level: debug", fmt.Sprintf(swinging, never))
			_ = out.Close()
			for lost := 0.0; gone && lost == 0; {
				w.post(t, "/nets/", "{a=Nothing()}")
				lost = w.lost(t)
			}
			brakes(t, w.signal(t, syscall.SIGTERM))
			if err := w.wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// fill writes into a pipe until nothing more goes in.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	fd := int(pipe.Fd())
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for room := make([]byte, 4096); ; {
		if _, err := syscall.Write(fd, room); errors.Is(err, syscall.EAGAIN) {
			if len(room) == 1 {
				break
			}
			room = room[:1]
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
}

// lost returns how many lines of the log the daemon counts as lost.
func (p *process) lost(t *testing.T) (n float64) {
	t.Helper()
	var figures string
	p.ask(t, "/metrics", &figures)
	m := regexp.MustCompile(`(?m)^rccd_log_lines_lost_total (\S+)$`).FindStringSubmatch(figures)
	if m == nil {
		t.Fatal("no rccd_log_lines_lost_total in ", figures)
	}
	if _, err := fmt.Sscan(m[1], &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPanicEndsAtRest lets a goroutine panic while an arm moves: that is logged with its stack, and the daemon ends as by a signal, but
// with a code of its own.
func TestPanicEndsAtRest(t *testing.T) {
	t.Parallel()
	w := watch(t, "", fmt.Sprintf(swinging, atOnce), "  - {name: bomb, type: bomb}\n")
	<-w.moves
	w.mu.Lock()
	from := len(w.sight) - 1
	w.mu.Unlock()
	if err := os.WriteFile(filepath.Join(w.cmd.Dir, "bomb"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	<-w.ended
	brakes(t, w.sight[from:])
	_ = w.wait()
	for _, want := range []string{`"msg":"panic","goroutine":"diaries","value":"bang"`, "bomb.Diary", `"msg":"stopped"`} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log does not say %s", want)
		}
	}
	if w.cmd.ProcessState.ExitCode() != broken {
		t.Error(w.cmd.ProcessState, w.log.String())
	}
}

// TestThirdSignal ends a daemon that cannot end.
func TestThirdSignal(t *testing.T) {
	t.Parallel()
	w := watch(t, ", grace: 10m", fmt.Sprintf(swinging, never), "  - {name: stuck, type: stuck}\n")
	w.signal(t, syscall.SIGTERM, syscall.SIGTERM, syscall.SIGTERM)
	if _ = w.wait(); w.cmd.ProcessState.ExitCode() != failed {
		t.Error(w.cmd.ProcessState, w.log.String())
	}
}

// TestEndsRSIInOrder: a controller over RSI sees its stop bit, with joints at rest before.
func TestEndsRSIInOrder(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	daemon := beginCell(ctx, t, rsiCell)
	krc := simulate(ctx, t, "rsisim", "--to", daemon.listens(t, "arm"), "--external", "1", "--timeout", "100000")
	krc.until("event", "moving")
	daemon.await(ctx, t, "arm", "operational")
	inMotion(ctx, t, daemon, "arm")
	if err := daemon.end(syscall.SIGTERM); err != nil {
		t.Error(err, daemon.log.String())
	}
	krc.until("event", "stopped") // by the stop bit
	krc.say("status")
	if is := krc.until("emergencyStop", "false"); is["jumps"] != 0.0 || is["brakes"] != 0.0 {
		t.Error(is)
	}
	krc.say("quit")
	if err := <-krc.ended; err != nil {
		t.Error(err)
	}
}

// TestEndsFRIInOrder: a controller over FRI is led out of command mode, with joints at rest before.
func TestEndsFRIInOrder(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cell := "server: {listen: \"127.0.0.1:0\"}\nrealtime: {mode: off}\ndevices:\n  - {name: arm, type: kuka_lwr_fri, port: 0, cycle: 20ms, loss_limit: 100, lapse: 100}\nnets: []\n"
	daemon := beginCell(ctx, t, cell)
	robot := simulateLWR(t, "--to", daemon.listens(t, "arm"), "--cycle", "20ms", "--bridge", "1000", "--quality", "3")
	robot.say("await command", `"event":"command"`)
	daemon.await(ctx, t, "arm", "operational")
	inMotion(ctx, t, daemon, "arm")
	if err := daemon.end(syscall.SIGTERM); err != nil {
		t.Error(err, daemon.log.String())
	}
	robot.say("status\nquit", `"done":"quit"`)
	if err := robot.cmd.Wait(); err != nil {
		t.Error(err)
	}
	var is struct {
		State                     string
		Violations, Jumps, Brakes uint64
		Interruptions             uint64
	}
	for line := range strings.Lines(robot.out.String()) {
		if strings.Contains(line, `"violations"`) {
			if err := json.Unmarshal([]byte(line), &is); err != nil {
				t.Fatal(err)
			}
		}
	}
	if is.State != "monitor" || is.Jumps+is.Violations+is.Brakes+is.Interruptions > 0 {
		t.Errorf("%+v\n%s", is, robot.out.String())
	}
}

// TestEndsEtherCATInOrder: drives on a bus see their joints come to rest and are shut down, and then disabled, before their slave leaves
// Op, which it does without an error. A machine that keeps the bus waiting for as long as the watchdog of a slave spoils the attempt.
func TestEndsEtherCATInOrder(t *testing.T) {
	t.Parallel()
	if !veth.Enter(t) {
		return
	}
	for end := time.Now().Add(patience); ; {
		life := driveLife(t)
		if !strings.Contains(strings.Join(life, ","), " fault") {
			endsInOrder(t, life)
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the machine is too slow for the bus: %q", life)
		}
	}
}

// driveLife runs a cell whose robot moves and ends the daemon. It returns what the slave with the drives has seen: states of axes, with
// "moving" where one left operation in motion, and its own states.
func driveLife(t *testing.T) (life []string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"rack.yaml": rackWithDrive, "cell.yaml": cellWithDrive} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := &cabled{T: t, rack: simulateRack(t, rackWithDrive, "--link", veth.B)}
	var err error
	if c.daemon, err = begin(t.Context(), folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml"); err != nil {
		t.Fatal(err)
	}
	c.until("robot/", `state="operational"`)
	c.move()
	if err := c.daemon.end(syscall.SIGTERM); err != nil {
		t.Error(err, c.daemon.log.String())
	}
	c.rack.say("quit", `"frames"`)
	if err := c.rack.cmd.Wait(); err != nil {
		t.Error(err, c.rack.log.String())
	}
	for line := range strings.Lines(c.rack.out.String()) {
		var e struct {
			Event, Slave, State, Code, From string
			Axis                            int
			Velocity                        float64
		}
		if json.Unmarshal([]byte(line), &e) != nil || e.Slave != "arm" {
			continue
		}
		switch text := e.State; e.Event {
		case "axis":
			text = fmt.Sprint(e.Axis, " ", e.State)
			if e.From == "operation enabled" && math.Abs(e.Velocity) > 200 { // of 100,000 for a rad
				text += " moving"
			}
			life = append(life, text)
		case "state":
			life = append(life, strings.TrimSpace(text+" "+e.Code))
		}
	}
	return life
}

// endsInOrder looks at the end of what a slave with six drives has seen.
func endsInOrder(t *testing.T, life []string) {
	t.Helper()
	want := []string{}
	for _, state := range []string{"operation enabled", "ready to switch on", "switch-on disabled"} {
		for a := range 6 {
			want = append(want, fmt.Sprint(a+1, " ", state))
		}
	}
	axes := slices.DeleteFunc(slices.Clone(life), func(s string) bool { return !strings.Contains("123456", s[:1]) })
	if is := axes[max(0, len(axes)-len(want)):]; !slices.Equal(is, want) {
		t.Errorf("axes: %q, not %q", is, want)
	}
	if all := strings.Join(life, ", "); !strings.HasSuffix(all, "6 switch-on disabled, Safe-Op, Pre-Op") && !strings.HasSuffix(all, "6 switch-on disabled, Pre-Op") {
		t.Errorf("the slave does not just go to Safe-Op and Pre-Op behind all axes: %s", all)
	}
}

// inMotion starts a net that moves the first joint, and returns when it does.
func inMotion(ctx context.Context, t *testing.T, daemon *process, device string) {
	t.Helper()
	from := daemon.jointOf(t, device).Commanded
	text := fmt.Sprintf(swinging, never)
	text = strings.Replace(text, "at=Core::DoubleMultiply(inFirst=to.outValue,inSecond=soft.outValue)",
		fmt.Sprintf("by=Core::DoubleMultiply(inFirst=to.outValue,inSecond=soft.outValue),at=Core::DoubleAdd(inFirst=by.outValue,Second='%v')", from), 1)
	daemon.post(t, "/nets/?cycle=10ms", text)
	daemon.do(t, "/nets/rpinet0/start")
	for ctx.Err() == nil {
		if math.Abs(daemon.jointOf(t, device).CommandedVelocity) > fast {
			return
		}
	}
	t.Fatal("the robot does not move")
}
