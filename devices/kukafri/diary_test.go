package kukafri_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
)

var (
	clock = regexp.MustCompile(`\d\d:\d\d:\d\d\.\d\d\d`)
	after = regexp.MustCompile(`after \d+ telegrams`)
)

// log returns what the log says of the robot since some lines of it.
func (c *cell) log(before []string) (lines []string) {
	for _, line := range c.Diary() {
		if !slices.Contains(before, line) {
			lines = append(lines, after.ReplaceAllString(clock.ReplaceAllString(line, "T"), "after N telegrams"))
		}
	}
	return lines
}

// TestLog: begin and end of control are in the log, each once, with the real reason, however short they are.
func TestLog(t *testing.T) {
	for _, tt := range []struct {
		name   string
		happen func(c *cell)
		want   []string
	}{
		{"answers are missing", func(c *cell) { c.do("mute 5") }, []string{
			"not under control since T: monitor mode; the controller left command mode: answers were late or missing",
		}},
		{"emergency stop", func(c *cell) { c.do("estop") }, []string{
			"not under control since T: drives are off; the controller left command mode: drives lost power",
		}},
		{"power, for a moment", func(c *cell) { c.do("off"); c.Run(20 * time.Millisecond); c.do("on") }, []string{
			"not under control since T: drives are off",
			"under control since T: command mode",
		}},
		{"the program is halted", func(c *cell) { c.do("stop") }, []string{
			"not under control since T: monitor mode; the controller left command mode (its message window says why: a limit, its operator, or its program)",
		}},
		{"the cell is stopped", func(c *cell) { c.button.Press(true) }, []string{
			"not under control since T: command mode, joints stay where they are; the cell's emergency stop was pressed",
			"not under control since T: monitor mode; the cell's emergency stop was pressed",
		}},
		{"somebody disarms it, and arms it again", func(c *cell) { c.arm("false"); c.Run(time.Second); c.arm("true") }, []string{
			"not under control since T: command mode, joints stay where they are; the robot was taken out of command mode",
			"not under control since T: monitor mode; the robot was taken out of command mode",
			"under control since T: command mode",
		}},
		{"the interface is closed", func(c *cell) { c.do("close") }, []string{
			"session of 127.0.0.1:7000 since T ended after N telegrams: telegrams stopped: cable or power of the controller, or its program closed the interface (friClose)",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, n := moving(t, nil, nil)
			before := c.Diary()
			tt.happen(c)
			n.run(2 * time.Second)
			if got := c.log(before); !slices.Equal(got, tt.want) {
				t.Errorf("the log is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			c.sound()
		})
	}
}

// TestLogOfABadNetwork: single telegrams and answers that are lost are not worth a line.
func TestLogOfABadNetwork(t *testing.T) {
	c, n := moving(t, func(o *frisim.Config) { o.Bridge = 10 }, nil)
	before := c.Diary()
	c.do("loss 0.1")
	n.run(2 * time.Second)
	if got := c.log(before); len(got) > 0 {
		t.Error(strings.Join(got, "\n"))
	}
}
