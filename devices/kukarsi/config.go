package kukarsi

import (
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
)

// config is the parameters of an arm. Applications send those of package arm, and ethernet.
type config struct {
	Ethernet string `rcc:"ethernet" required:"true" doc:"name of the device that has the port, such as one of type ethernet_udp_standard"`
	arm.Table
	arm.Limits
	arm.Load
	channels.Names
	wireConfig
}

// wireConfig is how to talk to the controller.
type wireConfig struct {
	Peer     string        `rcc:"ip" doc:"address of the controller; any host if left out"`
	Cycle    time.Duration `rcc:"cycle" default:"4ms" min:"1ms" max:"1s" doc:"of the controller: 4ms unfiltered, 12ms filtered"`
	Mode     string        `rcc:"mode" default:"absolute" enum:"absolute relative" doc:"of RSI_ON: corrections are relative to the start, or added in every cycle"`
	HoldOn   string        `rcc:"holdon" enum:"0 1" doc:"HOLDON of the corrections in the Ethernet configuration of the controller: 1 with mode absolute, 0 with relative, which are also the defaults"`
	Digits   int           `rcc:"digits" default:"6" min:"3" max:"9" doc:"behind the point, of what is sent"`
	Silence  int           `rcc:"silence" default:"10" min:"2" max:"1000" doc:"cycles without telegram after which the session is lost"`
	Timeout  int           `rcc:"timeout" default:"100" min:"1" max:"100000" doc:"late answers after which the controller ends the session, as Timeout of its ETHERNET object"`
	Warning  int           `rcc:"warning" default:"10" min:"1" max:"100000" doc:"late answers from which on the device warns"`
	Apart    float64       `rcc:"apart" default:"0.01" min:"0.000001" max:"1" unit:"rad or m" doc:"how far positions that should be the same may be apart when control begins"`
	Smooth   int           `rcc:"smooth" default:"20" min:"1" max:"1000" doc:"cycles whose average is the cycle time, against jitter"`
	Ahead    time.Duration `rcc:"ahead" default:"0s" min:"-1s" max:"1s" doc:"by how much later than at the time of a telegram values take effect"`
	Lapse    int           `rcc:"lapse" default:"5" min:"1" max:"1000" doc:"cycles without set-point after which joints come to rest"`
	Margin   float64       `rcc:"margin" default:"0.01" min:"0.000001" max:"10" unit:"1" doc:"share by which set-points may be beyond limits"`
	Slack    float64       `rcc:"slack" default:"2" min:"1" max:"100" unit:"1" doc:"how many times the limit of acceleration values may need from one cycle to the next"`
	ToolTime time.Duration `rcc:"tool_time" default:"30s" min:"100ms" max:"1h" doc:"how long it may take until a tool is in use"`
}

// checkHold refuses what would turn silence into motion: absolute corrections that drop to 0 when an answer is missing jump back to
// the start, relative ones that are held are added again in every cycle.
func (c *wireConfig) checkHold() error {
	switch {
	case c.HoldOn == "0" && c.Mode == "absolute":
		return errors.New(`parameter holdon: with HOLDON="0" a missing answer lets the robot jump back to its start; set HOLDON="1" in the Ethernet configuration, or use mode relative`)
	case c.HoldOn == "1" && c.Mode == "relative":
		return errors.New(`parameter holdon: with HOLDON="1" a missing answer moves the robot on; set HOLDON="0" in the Ethernet configuration, or use mode absolute`)
	}
	return nil
}
