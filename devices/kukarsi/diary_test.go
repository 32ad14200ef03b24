package kukarsi_test

import (
	"encoding/xml"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

var (
	clock = regexp.MustCompile(`\d\d:\d\d:\d\d\.\d\d\d`)
	after = regexp.MustCompile(`after \d+ telegrams`)
)

// TestWhySessionsEnd: the log says once why a session ended, and it is the real reason.
func TestWhySessionsEnd(t *testing.T) {
	stays := func(o *rsisim.Options) { o.Stays = true }
	for _, tt := range []struct {
		name   string
		change func(o *rsisim.Options)
		params params
		happen func(c *cell)
		want   string
	}{
		{"nothing is known", nil, nil, func(c *cell) { c.command("halt") }, "telegrams stopped without notice: network, cable, power, emergency stop, or the program was halted"},
		{"nothing is known of a controller without patience", nil, params{"timeout": "1"}, func(c *cell) { c.command("halt") }, "telegrams stopped without notice: network, cable, power, emergency stop, or the program was halted"},
		{"late answers", nil, nil, func(c *cell) { c.command("lose-answers 1000") }, "RSITimeout: 100 answers were late or missing"},
		{"late answers of a shorter timeout", func(o *rsisim.Options) { o.Timeout = 40 }, nil, func(c *cell) { c.command("lose-answers 1000") }, "telegrams stopped after several answers in a row were late or missing: answers no longer arrive, the daemon did not run for a while, or the controller's Timeout is lower than the parameter timeout"},
		{"late answers in a row", func(o *rsisim.Options) { o.Forgiving = true }, nil, func(c *cell) { c.command("lose-answers 1000") }, "RSITimeout: 100 answers were late or missing"},
		{"late answers that nobody counts", func(o *rsisim.Options) { o.Late = "" }, params{"late": ""}, func(c *cell) { c.command("lose-answers 1000") }, "telegrams stopped without notice: RSITimeout, network, cable, power, emergency stop, or the program was halted (the controller does not count late answers, so these look alike)"},
		{"emergency stop", stays, nil, func(c *cell) { c.command("estop"); c.run(20); c.command("halt") }, "emergency stop at the controller"},
		{"drives", stays, nil, func(c *cell) { c.command("power off"); c.run(20); c.command("halt") }, "drives are off"},
		{"another session", func(o *rsisim.Options) { o.ReadFirst, o.Pause = false, 1 }, nil, func(c *cell) { c.command("restart") }, "another session began"},
		{"the device is closed", nil, nil, func(c *cell) {
			if err := c.arm.Close(); err != nil {
				c.t.Fatal(err)
			}
		}, "the device was closed"},
		{"a tool", nil, nil, func(c *cell) { c.arm.SetTool(5, device.Tool{Mass: 5}) }, "the program ended it to load a tool"},
		{"late answers while positions are read", nil, nil, func(c *cell) {
			c.command("restart")
			c.until(device.SafeOperational, "listening")
			c.command("lose-answers 1000")
		}, "RSITimeout: the controller took none of the answers: they do not arrive, or SENTYPE of its XML file and the parameter sen_type differ"},
		{"positions were read", nil, nil, func(c *cell) { c.command("restart") }, "the program ended it: positions have been read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ready(t, tt.change, tt.params)
			c.drive(100, nil)
			before := c.arm.Diary()
			tt.happen(c)
			c.drive(400, nil)
			n := 0
			for _, line := range c.arm.Diary() {
				if !slices.Contains(before, line) && strings.HasSuffix(line, ": "+tt.want) {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%d times %q in the log:\n%s", n, tt.want, strings.Join(c.arm.Diary(), "\n"))
			}
		})
	}
}

// TestLog: what an operator reads of a session that is stopped, re-armed and lost, each line once and without a look in between.
func TestLog(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.ReadFirst = false }, nil)
	c.drive(100, nil) // or the controller held nothing, and could be led on
	c.command("lose 50")
	c.run(60)
	c.until(device.SafeOperational, "re-arm")
	c.run(100)
	c.tell("rsi", params{"rearm": "true"})
	if is := c.arm.Status(); !strings.Contains(is.Cause, "the robot was re-armed, which counts as soon as") {
		t.Errorf("%v, %s", is.State, is.Cause)
	}
	c.until(device.Operational, "")
	c.command("halt")
	c.run(100)
	var got []string
	for _, line := range c.arm.Diary() {
		line = after.ReplaceAllString(clock.ReplaceAllString(line, "T"), "after N telegrams")
		got = append(got, strings.ReplaceAll(line, c.arm.Link().Sessions()[0].Peer.String(), "P"))
	}
	want := []string{
		"session of P since T began",
		"under control since T: a session without corrections began; corrections are known by the count of late answers",
		"session of P since T ended after N telegrams: telegrams stopped without notice: network, cable, power, emergency stop, or the program was halted",
		"session of P since T began",
		"not armed since T: telegrams were missing for too long, and the session goes on",
		"under control since T: the robot was re-armed; corrections are known by the count of late answers",
		"session of P since T ended after N telegrams: telegrams stopped without notice: network, cable, power, emergency stop, or the program was halted",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the log is\n%s", strings.Join(got, "\n"))
	}
}

// TestCycleInTheLog: a cycle that is not the configured one is in the log once, whatever its jitter.
func TestCycleInTheLog(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.Cycle = 6 * time.Millisecond }, params{"cycle": "4ms"})
	c.station.Jitter = time.Millisecond
	c.run(2000)
	n := 0
	for _, line := range c.arm.Diary() {
		if strings.Contains(line, "the parameter cycle 4ms: axes are led with the limits of the shorter one") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d times in\n%s", n, strings.Join(c.arm.Diary(), "\n"))
	}
}

// TestUnknownYet: the page does not say how corrections are known before they are.
func TestUnknownYet(t *testing.T) {
	known := func(c *cell) string {
		for _, kind := range c.types() {
			for _, page := range kind.Pages {
				if kind.Name == "kuka_kr_arm_rsi" && page.Path == "rsi" {
					view, err := page.View(c.arm, nil)
					if err != nil {
						t.Fatal(err)
					}
					text, err := xml.Marshal(view)
					if err != nil {
						t.Fatal(err)
					}
					if m := regexp.MustCompile(` known="([^"]*)"`).FindStringSubmatch(string(text)); m != nil {
						return m[1]
					}
				}
			}
		}
		return ""
	}
	c := open(t, nil, nil)
	if is := known(c); is != "" {
		t.Errorf("before the first telegram: %q", is)
	}
	c.run(1)
	if is := known(c); is != "" {
		t.Errorf("while listening: %q", is)
	}
	c.until(device.Operational, "")
	if is := known(c); is != "count of late answers" {
		t.Errorf("under control: %q", is)
	}
}

// TestThirdCaller: another caller beside the robot is named, as long as it calls.
func TestThirdCaller(t *testing.T) {
	c := ready(t, nil, nil)
	for _, from := range []string{"10.0.0.1:1", "10.0.0.2:2"} {
		c.net.Send(netip.MustParseAddrPort(from), c.wire.To(), []byte("<Rob/>"))
	}
	c.run(1)
	if is := c.arm.Status().Cause; !strings.HasPrefix(is, "dropping telegrams of 10.0.0.1:1 and 10.0.0.2:2: 192.168.10.2:") {
		t.Error(is)
	}
	c.run(300)
	if is := c.arm.Status().Cause; is != "" {
		t.Errorf("a second later: %s", is)
	}
}

// TestRestsThroughAGap: a robot that holds no corrections is led on after a silence, without a claim that it takes no answers.
func TestRestsThroughAGap(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.ReadFirst = false }, nil)
	c.run(50)
	c.command("lose 15")
	c.run(25)
	if is := c.arm.Status(); is.State != device.Operational || !strings.Contains(is.Cause, "late or missing") || strings.Contains(is.Cause, "none") {
		t.Errorf("%v, %s", is.State, is.Cause)
	}
}
