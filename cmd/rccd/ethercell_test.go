package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
)

const rackWithDrive = `
slaves:
  - {type: EK1100, name: head}
  - {type: EL1008, name: in}
  - {type: EL2008, name: out}
  - {type: drive, name: arm, drive: {axes: 6, strict: true}}
`

// cellWithDrive has times that a machine keeps on which others work as well.
const cellWithDrive = `
realtime: {mode: off}
devices:
  - {name: bus, type: ethercat, ethernetdevice: ` + veth.A + `, rack: rack.yaml, cycle: 20ms, patience: 50, record: 2000}
  - {name: buttons, type: el1008, ethercatdevice: bus}
  - {name: lamps, type: el2008, ethercatdevice: bus, watchdog: 4s}
  - name: robot
    type: staubli_tx90_ec
    ethercatdevice: bus
    slave: 4
    counts_per_rad: "[1e5,1e5,-1e5,1e5,1e5,1e5]"
    cycle: 20ms
    lost_frames: 25
    following_error: 3
`

// moving turns a joint slowly from where it is, and lets a lamp follow a button.
const moving = `{

	time=Core::Clock(Increment='1'),
	far=Core::DoubleMultiply(inFirst=time.outValue,Second='0.05'),
	way=Core::DoubleAdd(inFirst=far.outValue,Second='FROM'),
	go=RobotArm::JointPosition(Robot='robot',Axis='0',inPosition=way.outValue),
	button=IO::InBool(DeviceID='buttons',Port='2'),
	lamp=IO::OutBool(DeviceID='lamps',Port='0',inIO=button.outIO),
	stop=Cancel(),
	outTerminate=stop.outCancel
}`

// cabled is a daemon with a bus, the slaves at the other end of its cable, and what people do with both.
type cabled struct {
	*testing.T
	daemon *process
	rack   *slaves
}

// TestBusOnACable: a daemon and a rack at both ends of a cable. A net moves the robot and switches a lamp; the cable is pulled, a terminal
// loses its supply, the safety chain opens in motion; after each of them it goes on as the guides say.
func TestBusOnACable(t *testing.T) {
	t.Parallel()
	if !veth.Enter(t) {
		return
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"rack.yaml": rackWithDrive, "cell.yaml": cellWithDrive} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := &cabled{T: t, rack: simulateRack(t, rackWithDrive, "--link", veth.B)}
	var err error
	if c.daemon, err = begin(t.Context(), folder, "--listen", "127.0.0.1:0", "--config", "cell.yaml"); err != nil {
		t.Fatal(err)
	}
	c.until("bus/", `state="operational"`)
	c.until("robot/", `state="operational"`)

	// Motion, and a button that reaches a lamp.
	net := c.move()
	c.command("slave in input 3 on")
	c.until("lamps/terminal", `port="digout 0" value="1"`)

	// The cable is pulled and put back: the drives stay off until they are armed, the lamp follows as before.
	c.ip("link set " + veth.B + " down")
	c.until("bus/", "frames do not come back")
	c.until("robot/", `state="offline"`)
	c.until("buttons/terminal", `port="digin 2" value="0"`)
	c.ip("link set " + veth.B + " up")
	c.until("bus/", `state="operational"`)
	c.until("robot/", "drives are off: .*; "+armHint)
	c.until("lamps/terminal", `port="digout 0" value="1"`)
	c.end(net)
	c.arm()

	// A terminal loses its supply: the others go on.
	net = c.move()
	c.command("slave out cycle")
	c.until("bus/slaves", `number="3"[^>]*state="Op"[^>]*recoveries="[1-9]`)
	c.until("lamps/terminal", `port="digout 0" value="1"`)
	c.end(net)

	// The safety chain opens in motion.
	net = c.move()
	c.command("slave arm safety open")
	c.until("robot/", "drives are off: axis [1-6] went by itself to .* as when the safety chain is opened")
	c.end(net)
	c.command("slave arm safety closed")
	c.arm()
	c.end(c.move())

	if err := c.daemon.end(syscall.SIGTERM); err != nil {
		t.Errorf("end of the daemon: %v\n%s", err, c.daemon.log.String())
	}
	for _, name := range []string{"in", "out", "arm"} {
		c.rack.say("status", `"name":"`+name+`","type":"[^"]*","state":"Pre-Op"`)
	}
	c.rack.say("quit", `"frames"`)
	if err := c.rack.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, c.rack.log.String())
	}
}

// until asks for a page of a device until it shows something.
func (c *cabled) until(page, pattern string) string {
	c.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	is := regexp.MustCompile(pattern)
	for end := time.Now().Add(patience); ; <-look.C {
		text := c.ask(http.MethodGet, "/devices/"+page, "", nil)
		if is.MatchString(text) {
			return text
		}
		if time.Now().After(end) {
			c.Fatalf("%s does not show %s:\n%s\n%s\nslaves: %s\nlog: %s", page, pattern, text,
				c.ask(http.MethodGet, "/devices/bus/", "", nil), c.rack.out.String(), c.daemon.log.String())
		}
	}
}

func (c *cabled) ask(method, path, media string, body io.Reader) string {
	c.Helper()
	text, refused := c.told(method, path, media, body)
	if refused {
		c.Fatalf("%s %s: %s", method, path, text)
	}
	return text
}

// told sends a request, and reports whether the daemon has refused it.
func (c *cabled) told(method, path, media string, body io.Reader) (text string, refused bool) {
	c.Helper()
	req, err := http.NewRequestWithContext(c.Context(), method, c.daemon.url+path, body)
	if err != nil {
		c.Fatal(err)
	}
	req.Header.Set("Accept", "application/xml")
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		c.Fatalf("%s %s: %s, %v\n%s", method, path, answer.Status, err, data)
	}
	return answer.Header.Get("Location") + "\n" + string(data), answer.StatusCode >= http.StatusBadRequest
}

func (c *cabled) post(path string, form url.Values) {
	c.Helper()
	c.ask(http.MethodPost, path, formMedia, strings.NewReader(form.Encode()))
}

const formMedia = "application/x-www-form-urlencoded"

// move starts the net and returns its address when the robot moves. On a busy machine, threads without real-time priority may
// wait for so long that the drives are stopped; then they are armed again as people would do it, and the net is started again.
func (c *cabled) move() string {
	c.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	net, from := c.load(), c.joint()
	for end := time.Now().Add(patience); c.joint() < from+0.01; <-look.C {
		if time.Now().After(end) {
			c.Fatalf("joint 0 stays at %v: %s\n%s", c.joint(), c.ask(http.MethodGet, net, "", nil), c.until("robot/drives", ""))
		}
		if strings.Contains(c.until("robot/", ""), armHint) {
			c.end(net)
			c.arm()
			net, from = c.load(), c.joint()
		}
	}
	return net
}

// armHint is what a robot says whose drives are off.
const armHint = "to be armed by arm=true"

// load starts the net.
func (c *cabled) load() string {
	c.Helper()
	text := strings.ReplaceAll(moving, "FROM", strconv.FormatFloat(c.joint(), 'f', -1, 64))
	said := c.ask(http.MethodPost, "/nets/?cycle=20ms", "text/plain", strings.NewReader(text))
	net, _, _ := strings.Cut(said, "\n")
	c.post(net, url.Values{"action": {"START"}})
	return net
}

var firstJoint = regexp.MustCompile(`<joint nr="0" measured="([^"]*)"`)

// joint returns where joint 0 is.
func (c *cabled) joint() (at float64) {
	c.Helper()
	text := c.until("robot/robotarm", firstJoint.String())
	if _, err := fmt.Sscan(firstJoint.FindStringSubmatch(text)[1], &at); err != nil {
		c.Fatalf("%v in %s", err, text)
	}
	return at
}

// end ends a net, so that the robot is free for another one.
func (c *cabled) end(net string) {
	c.Helper()
	c.post(net, url.Values{"action": {"ABORT"}})
	c.post(net, url.Values{"action": {"UNLOAD"}})
}

// arm arms the robot, and again as people do while it says that it is to be armed: a bus that the machine keeps waiting refuses it, or
// loses the drives on the way. Faults are always reset: nothing tries that on drives that are not in Op yet.
func (c *cabled) arm() {
	c.Helper()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	answer := ""
	for end := time.Now().Add(patience); ; <-look.C {
		page := c.until("robot/", "")
		if strings.Contains(page, `state="operational"`) {
			return
		}
		if time.Now().After(end) {
			c.Fatalf("the robot is not armed: %s\n%s\nlog: %s", answer, page, c.daemon.log.String())
		}
		if strings.Contains(page, "could not be reset") {
			c.Fatalf("%s\nlog: %s", page, c.daemon.log.String())
		}
		if strings.Contains(page, armHint) {
			answer, _ = c.told(http.MethodPost, "/devices/robot/drives", formMedia, strings.NewReader("arm=true"))
		}
	}
}

// command lets something happen to the rack.
func (c *cabled) command(line string) {
	c.Helper()
	c.rack.say(line, `"done":"`+line+`"`)
}

func (c *cabled) ip(words string) {
	c.Helper()
	if out, err := exec.CommandContext(c.Context(), "ip", strings.Fields(words)...).CombinedOutput(); err != nil {
		c.Fatalf("ip %s: %v: %s", words, err, out)
	}
}
