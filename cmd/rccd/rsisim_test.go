package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// rsiCell is a cell whose robot is at the end of a real wire. Both ends wait longer than robots do: machines of tests stand still
// at times.
const rsiCell = `
server: {listen: "127.0.0.1:0"}
realtime: {mode: off}
devices:
  - {name: net, type: ethernet_udp_standard, port: 0, address: 127.0.0.1}
  - {name: arm, type: kuka_kr_arm_rsi, ethernet: net, silence: 1000, timeout: 100000}
  - {name: track, type: kuka_kr_extaxis, kr_arm: arm}
`

// beginCell begins a daemon with a cell of its own.
func beginCell(ctx context.Context, t *testing.T, cell string) *process {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte(cell), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := begin(ctx, folder, "--config", "cell.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// listens returns where a device expects its robot to call.
func (p *process) listens(t *testing.T, device string) string {
	t.Helper()
	var wire struct{ Listens string }
	if p.ask(t, "/devices/"+device+"/link", &wire); wire.Listens == "" {
		t.Fatalf("%s has no wire", device)
	}
	return wire.Listens
}

// simulated is a simulator that takes commands and reports events as lines. Reports are buffered, so that it never waits for
// the test to read them.
type simulated struct {
	t       *testing.T
	process *os.Process
	in      io.WriteCloser
	ended   chan error

	mu    sync.Mutex
	lines []string
	more  chan struct{}
}

func simulate(ctx context.Context, t *testing.T, simulator string, args ...string) *simulated {
	t.Helper()
	cmd := exec.CommandContext(ctx, "rccd", append([]string{simulator}, args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &simulated{t: t, process: cmd.Process, in: in, ended: make(chan error, 1), more: make(chan struct{}, 1)}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			s.mu.Lock()
			s.lines = append(s.lines, lines.Text())
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
		}
		close(s.more)
		s.ended <- cmd.Wait()
	}()
	return s
}

func (s *simulated) say(line string) {
	s.t.Helper()
	if _, err := fmt.Fprintln(s.in, line); err != nil {
		s.t.Fatal(err)
	}
}

// next returns the next line; there is none when the program has ended.
func (s *simulated) next() (string, bool) {
	for open := true; ; {
		s.mu.Lock()
		if len(s.lines) > 0 {
			line := s.lines[0]
			s.lines = s.lines[1:]
			s.mu.Unlock()
			return line, true
		}
		s.mu.Unlock()
		if !open {
			return "", false
		}
		_, open = <-s.more
	}
}

// until reads lines up to one that has a value at a key.
func (s *simulated) until(key, value string) map[string]any {
	s.t.Helper()
	var seen []string
	for text, ok := s.next(); ok; text, ok = s.next() {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			s.t.Fatalf("%s: %v", text, err)
		}
		if fmt.Sprint(line[key]) == value {
			return line
		}
		switch line["event"] {
		case "KSS01102", "KSS01073", "moved":
			s.t.Fatal(text)
		}
		seen = append(seen, text)
	}
	s.t.Fatalf("no %s %s in %s", key, value, strings.Join(seen, "\n"))
	return nil
}

// ask gets a page as JSON.
func (p *process) ask(t *testing.T, path string, into any) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, p.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s, %v", path, answer.Status, text, err)
	}
	if raw, ok := into.(*string); ok {
		*raw = string(text)
		return
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// await asks for the state of a device until it is one.
func (p *process) await(ctx context.Context, t *testing.T, device, state string) {
	t.Helper()
	var is struct{ State, Cause string }
	for ctx.Err() == nil {
		if p.ask(t, "/devices/"+device+"/", &is); is.State == state {
			return
		}
	}
	t.Fatalf("%s is not %s: %+v", device, state, is)
}

// TestRSI lets a daemon and a simulated controller, which are both real programs, talk over a real wire: a session begins, a net
// moves the robot, telegrams are lost, and an emergency stop ends it.
func TestRSI(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	daemon := beginCell(ctx, t, rsiCell)
	daemon.await(ctx, t, "arm", "offline")

	krc := simulate(ctx, t, "rsisim", "--to", daemon.listens(t, "arm"), "--external", "1", "--timeout", "100000", "--shuffled", "--loss", "0.01", "--duplicate", "0.01")
	krc.until("event", "ready")
	krc.until("event", "moving")
	daemon.await(ctx, t, "arm", "operational")
	daemon.await(ctx, t, "track", "operational")

	move(ctx, t, daemon)
	krc.say("lose 5")
	krc.until("done", "lose 5")
	daemon.await(ctx, t, "arm", "operational")
	krc.say("jump 5")
	krc.until("refused", "jump 5")
	krc.say("status")
	if is := krc.until("phase", "moving"); is["message"] != "rccd: control" {
		t.Error(is)
	}

	var figures string
	daemon.ask(t, "/metrics", &figures)
	for _, want := range []string{"rsi_late_answers", "link_telegrams_total", "link_answer_seconds"} {
		if !strings.Contains(figures, want) {
			t.Errorf("no %s in %s", want, figures)
		}
	}
	var rsi struct {
		Phase string
		Axes  []struct{ Name string }
	}
	daemon.ask(t, "/devices/arm/rsi", &rsi)
	if rsi.Phase != "under control" || len(rsi.Axes) != 7 || rsi.Axes[6].Name != "E1" {
		t.Errorf("%+v", rsi)
	}

	krc.say("estop")
	krc.until("event", "RSI off")
	daemon.await(ctx, t, "arm", "offline")
	krc.say("start")
	krc.until("why", "start: the emergency stop is active")
	for _, line := range []string{"release", "power on", "start", "await moving"} {
		krc.say(line)
	}
	krc.until("done", "await moving")
	daemon.await(ctx, t, "arm", "operational")
	if err := daemon.end(syscall.SIGTERM); err != nil { // while the robot is led
		t.Error(err)
	}
	krc.until("event", "stopped")
	krc.say("await reading")
	krc.until("done", "await reading")
	krc.say("quit")
	if err := <-krc.ended; err != nil {
		t.Error(err)
	}
	for _, want := range []string{ // how late the last answers were is up to this machine; TestWhySessionsEnd of the driver has the reasons
		" began\"", "telegrams: telegrams stopped ", "under control since", "corrections are known by the count of late answers",
		"closing since", "telegrams: the program ended it, as the device is being closed",
	} {
		if !strings.Contains(daemon.log.String(), want) {
			t.Errorf("the log does not say %q: %s", want, daemon.log.String())
		}
	}
}

// swingNet leads the first joint by 0.3 rad.
const swingNet = `{clock=Core::Clock(), half=Core::DoubleMultiply(inFirst=clock.outValue,Second='0.5'),
	done=Core::DoubleGreater(inFirst=half.outValue,Second='1'),
	share=Core::DoubleConditional(inCondition=done.outValue,True='1',inFalse=half.outValue),
	to=Core::DoubleBezier(inValue=share.outValue,From='%v',To='%v',FromVel='0',ToVel='0'),
	joint=RobotArm::JointPosition(inPosition=to.outValue,Robot='arm',Axis='0'),
	error=Core::IntNetcommOut(inValue=joint.outError,Key='error'),
	outTerminate=Core::BooleanValue(Value='false').outValue}`

// jointState is what is reported of a joint.
type jointState struct {
	Measured, Commanded, CommandedVelocity float64
	Error                                  int
}

// joint returns the first joint.
func (p *process) joint(t *testing.T) jointState { return p.jointOf(t, "arm") }

func (p *process) jointOf(t *testing.T, device string) jointState {
	t.Helper()
	var arm struct{ Joints []jointState }
	p.ask(t, "/devices/"+device+"/robotarm", &arm)
	return arm.Joints[0]
}

// move lets a net lead the first joint until it is measured elsewhere. Where the machine has stood still for too long the net fails,
// and another one goes on.
func move(ctx context.Context, t *testing.T, daemon *process) {
	t.Helper()
	begin := daemon.joint(t).Measured
	for ctx.Err() == nil {
		is := daemon.joint(t)
		if is.Error != 0 || is.CommandedVelocity != 0 {
			continue // it comes to rest, and the net before is forgotten
		}
		from := is.Commanded
		answer, err := http.Post(daemon.url+"/nets/?cycle=10ms", "text/plain", strings.NewReader(fmt.Sprintf(swingNet, from, from+0.3)))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		net := answer.Header.Get("Location")
		if answer.StatusCode != http.StatusCreated {
			t.Fatal(answer.Status)
		}
		daemon.do(t, net+"start")
		for failed := false; !failed && ctx.Err() == nil; {
			if math.Abs(daemon.joint(t).Measured-begin) > 0.2 {
				daemon.do(t, net+"abort")
				return
			}
			var is struct {
				Status string
				Data   map[string]string
			}
			daemon.ask(t, net, &is)
			failed = is.Data["outerror"] != "" && is.Data["outerror"] != "0" || is.Status == "TERMINATED"
		}
		daemon.do(t, net+"abort")
	}
	t.Error("the robot has not moved")
}

func (p *process) do(t *testing.T, path string) {
	t.Helper()
	p.post(t, path, "")
}

func (p *process) post(t *testing.T, path, text string) {
	t.Helper()
	answer, err := http.Post(p.url+path, "text/plain", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}
