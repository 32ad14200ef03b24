package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// friRobot is rccd frisim in a process of its own.
type friRobot struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   output
	log   output
}

func simulateLWR(t *testing.T, args ...string) *friRobot {
	t.Helper()
	s := &friRobot{t: t, cmd: exec.CommandContext(t.Context(), "rccd", append([]string{"frisim"}, args...)...)}
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.log
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// say gives the robot lines, and waits until it has written something.
func (s *friRobot) say(lines, until string) {
	s.t.Helper()
	if _, err := io.WriteString(s.stdin, lines+"\n"); err != nil {
		s.t.Fatalf("%v: %s", err, s.log.String())
	}
	if err := s.out.await(regexp.MustCompile("(?m)" + until)); err != nil {
		s.t.Fatalf("%v\n%s", err, s.log.String())
	}
}

// newest returns its newest line of status.
func (s *friRobot) newest() (status struct {
	State      string
	Violations int
	Jumps      int
	Taken      int
	Measured   []float64
},
) {
	s.t.Helper()
	for line := range strings.Lines(s.out.String()) {
		if strings.Contains(line, `"violations"`) {
			if err := json.Unmarshal([]byte(line), &status); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return status
}

// ask gets a page as JSON.
func askJSON(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// becomes looks at a page until it says something.
func becomes(t *testing.T, url, pattern string) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	is := regexp.MustCompile(pattern)
	text := ""
	for end := time.After(patience); ; {
		if text = askJSON(t, url); is.MatchString(text) {
			return
		}
		select {
		case <-again.C:
		case <-end:
			t.Fatalf("%s never says %s: %s", url, pattern, text)
		}
	}
}

// TestFrisim connects the real daemon with the real simulation: command mode, a net that moves, an emergency stop, and what it takes
// to come back. The machine may stand still at times: cycles are as long as they can be, answers may be missing for long, and in a
// cycle all of the motion is allowed. The network loses telegrams and answers, and doubles others, of any age up to 30 ms.
func TestFrisim(t *testing.T) {
	t.Parallel()
	cell := "server: {listen: \"127.0.0.1:0\"}\nrealtime: {mode: off}\ndevices:\n  - {name: lwr, type: kuka_lwr_fri, port: 0, cycle: 100ms, loss_limit: 100, lapse: 100}\nnets: []\n"
	p := beginCell(t.Context(), t, cell)
	lwr := p.url + "/devices/lwr/"
	robot := simulateLWR(t, "--to", p.listens(t, "lwr"), "--cycle", "100ms", "--bridge", "1000", "--quality", "3", "--loss", "0.03", "--duplicate", "0.2", "--jitter", "30ms",
		"--joints", "[0.3,0.6,-0.2,1.2,0.1,0.8,0.4]")
	robot.say("await command", `"event":"command"`)
	becomes(t, lwr, `"state":"operational"`)

	const net = `{see=RobotArm::JointMonitor(Robot='lwr',Axis='2'),
		begun=Core::BooleanPre(inValue=Core::BooleanValue(Value='true').outValue),
		go=Motion::OTG(inCurPos=Core::DoubleSetNull(inValue=see.outCommandedPosition,inNull=begun.outValue).outValue,
			inDestPos=Core::DoubleValue(Value='0.1').outValue,MaxVel='0.1',MaxAcc='0.5',MaxJerk='5'),
		at=RobotArm::JointPosition(Robot='lwr',Axis='2',inPosition=go.outPos),outTerminate=go.outReached}`
	response, err := http.Post(p.url+"/nets/?cycle=100ms", "text/plain", strings.NewReader(net))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response, err = http.Post(p.url+"/nets/rpinet0/start", "text/plain", nil); err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	becomes(t, p.url+"/nets/rpinet0/", `"state":"TERMINATED"`)
	becomes(t, lwr+"robotarm", `"nr":2,"measured":0\.(1|09999)`)

	robot.say("estop", `"done":"estop"`)
	becomes(t, lwr, `drives are off|lost power`)
	robot.say("release\non\nrun", `"done":"run"`)
	becomes(t, lwr, `arm the robot`)
	if response, err = http.PostForm(lwr+"fri", url.Values{"arm": {"true"}}); err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	robot.say("await command\nnonsense", `"refused":"nonsense"`)
	becomes(t, lwr, `"state":"operational"`)
	robot.say("quit", `"done":"quit"`)
	if err := robot.cmd.Wait(); err != nil {
		t.Error(err, robot.log.String())
	}
	if s := robot.newest(); s.State != "command" || s.Violations != 0 || s.Jumps != 0 || s.Taken == 0 {
		t.Errorf("%+v: %s", s, robot.out.String())
	}
	becomes(t, lwr, `"state":"offline"`)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, p.log.String())
	}
	for _, want := range []string{" began\"", "under control since", "the controller left command mode: drives lost power", "ended after", "telegrams stopped: cable or power"} {
		if !strings.Contains(p.log.String(), want) {
			t.Errorf("the log does not say %q: %s", want, p.log.String())
		}
	}
}
