package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unruly is a driver and a simulated controller that are tried with whatever a network can do, over real wires.
type unruly struct {
	cell   string
	device string
	args   []string
	things []thing
	arm    string // page that takes arm=true after control has ended; none where it is not needed
}

// thing is what may happen: a line for the simulator, in which %N is a number of telegrams and %T a time in ms, and the lines that
// end it.
type thing struct {
	line, end string
}

// swings leads a joint to and fro. It begins where the joint is.
const swings = `{see=RobotArm::JointMonitor(Robot='%[1]s',Axis='0'),
	begun=Core::BooleanPre(inValue=Core::BooleanValue(Value='true').outValue),
	angle=Core::DoubleMultiply(inFirst=Core::Clock().outValue,Second='1.5'),
	to=Core::DoubleMultiply(inFirst=Core::DoubleCos(inValue=angle.outValue).outValue,Second='0.4'),
	go=Motion::OTG(inCurPos=Core::DoubleSetNull(inValue=see.outCommandedPosition,inNull=begun.outValue).outValue,
		inDestPos=to.outValue,MaxVel='0.8',MaxAcc='3',MaxJerk='30'),
	at=RobotArm::JointPosition(Robot='%[1]s',Axis='0',inPosition=go.outPos),outTerminate=Core::BooleanValue(Value='false').outValue}`

// TestUnruly: whatever happens to telegrams and answers, drivers never ask for a jump. RCCD_SEED says what happens; one in 10,000 of
// RCCD_STEPS is how many things do.
func TestUnruly(t *testing.T) {
	for name, u := range map[string]unruly{
		"rsisim": {
			cell: rsiCell, device: "arm", args: []string{"--timeout", "1000"},
			things: []thing{
				{"lose %N", ""},
				{"lose-answers %N", ""},
				{"repeat %N", ""},
				{"late %Tms %N", ""},
				{"jitter %Tms", "jitter 0s"},
				{"delay 3ms", "delay 0s"},
				{"garbage 3 %N", ""},
				{"foreign 2 %N", ""},
				{"pause %N", ""},
				{"restart", ""},
				{"loss 0.1", "loss 0"},
				{"answer-loss 0.1", "answer-loss 0"},
				{"duplicate 0.3", "duplicate 0"},
			},
		},
		"frisim": {
			cell:   "realtime: {mode: off}\ndevices:\n  - {name: lwr, type: kuka_lwr_fri, port: 0, cycle: 20ms, loss_limit: 30}\nnets: []\n",
			device: "lwr", args: []string{"--cycle", "20ms", "--bridge", "20", "--quality", "3"}, arm: "fri",
			things: []thing{
				{"lose %N", ""},
				{"mute %N", ""},
				{"late %T", ""},
				{"jitter %T", "jitter 0"},
				{"loss 0.1", "loss 0"},
				{"duplicate 0.3", "duplicate 0"},
				{"restart %T", ""},
				{"off", "on"},
				{"estop", "release\non\nrun"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u.run(t, name)
		})
	}
}

func (u *unruly) run(t *testing.T, simulator string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cell.yaml"), []byte(u.cell), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon, err := begin(ctx, folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml")
	if err != nil {
		t.Fatal(err)
	}
	page := daemon.url + "/devices/" + u.device + "/"
	listens := regexp.MustCompile(`"listens":"([^"]+)"`).FindStringSubmatch(askJSON(t, page+"link"))
	if listens == nil {
		t.Fatal(askJSON(t, page+"link"))
	}
	krc := simulate(ctx, t, simulator, append([]string{"--to", listens[1]}, u.args...)...)
	krc.until("event", "ready")
	becomes(t, page, `"state":"operational"`)

	things, _ := strconv.Atoi(os.Getenv("RCCD_STEPS"))
	seed, _ := strconv.ParseUint(os.Getenv("RCCD_SEED"), 10, 64)
	random := rand.New(rand.NewPCG(max(1, seed), 20))
	var said []string
	moving := 0
	for range min(max(12, things/10_000), 60) { // more of them take longer than the patience of a test
		for try := 0; !u.keepsMoving(t, daemon) && try < 30; try++ {
			pause(ctx, 100*time.Millisecond)
		}
		if u.keepsMoving(t, daemon) {
			moving++
		}
		what := u.things[random.IntN(len(u.things))]
		line := strings.NewReplacer("%N", strconv.Itoa(1+random.IntN(60)), "%T", strconv.Itoa(1+random.IntN(120))).Replace(what.line)
		said = append(said, line)
		krc.say(line)
		pause(ctx, time.Duration(random.IntN(300))*time.Millisecond)
		krc.say(what.end)
		pause(ctx, 200*time.Millisecond)
	}
	if moving < 3 {
		t.Errorf("the robot was seen to move %d times only", moving)
	}
	krc.say("quit")
	jumps := krc.rest(t)
	if len(jumps) > 0 {
		t.Errorf("seed %d: %s\nafter\n%s", max(1, seed), strings.Join(jumps, "\n"), strings.Join(said, "\n"))
	}
	if err := daemon.end(syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, daemon.log.String())
	}
}

// keepsMoving reports whether the first joint moves, and has a net lead it where none can do so any more.
func (u *unruly) keepsMoving(t *testing.T, daemon *process) bool {
	t.Helper()
	joint := daemon.jointOf(t, u.device)
	if joint.Error == 0 && joint.CommandedVelocity != 0 {
		return true
	}
	if u.arm != "" {
		answer, err := http.PostForm(daemon.url+"/devices/"+u.device+"/"+u.arm, url.Values{"arm": {"true"}})
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	var list struct{ Nets []struct{ URI string } }
	daemon.ask(t, "/nets/", &list)
	for _, net := range list.Nets {
		daemon.do(t, net.URI+"abort")
	}
	if joint.Error != 0 {
		return false
	}
	answer, err := http.Post(daemon.url+"/nets/?cycle=10ms", "text/plain", strings.NewReader(fmt.Sprintf(swings, u.device)))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusCreated { // or the joints are not free yet
		daemon.do(t, answer.Header.Get("Location")+"start")
	}
	return false
}

// rest reads until the end, and returns what was told of jumps.
func (s *simulated) rest(t *testing.T) (jumps []string) {
	t.Helper()
	last := ""
	for text, ok := s.next(); ok; text, ok = s.next() {
		if strings.Contains(text, `"event":"jump"`) {
			jumps = append(jumps, text)
		}
		last = text
	}
	if !strings.Contains(last, `"jumps":`) {
		t.Errorf("the last line is %s", last)
	}
	return jumps
}

// pause lets the simulated controller live for a while.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
