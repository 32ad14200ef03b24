package univaldrive

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/drives"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// six is how many axes these arms have.
const six = 6

// config are the parameters. Those of package arm are what applications send; what is not public about the drive has no default that
// could be right for it.
type config struct {
	ecat.Where
	arm.Table
	arm.Limits
	arm.Load
	drives.Setting
	axisConfig
	drives.Ports
	drives.Motion
}

// Check reports all mistakes in the process data, the ports and the objects that are written at the start.
func (c *config) Check() []device.ParamError {
	order, err := c.order()
	o := drives.Options{Setting: c.Setting, Ports: c.Ports, Mode: cia402.CyclicPosition}
	if err == nil {
		o.Units = []drives.Unit{{Order: order}}
	}
	return device.ParamErrors(errors.Join(err, o.Wrong()))
}

// axisConfig is how joints and axes of the drive belong together.
type axisConfig struct {
	Order    string    `rcc:"axis_order" default:"1 2 3 4 5 6" doc:"which axis of the drive each joint is"`
	Counts   []float64 `rcc:"counts_per_rad" required:"true" unit:"1/rad" doc:"counts of each axis for one rad, negative where it turns the other way"`
	Offset   []float64 `rcc:"offset" unit:"rad" doc:"angle of each axis when its counts are 0; 0 if left out"`
	Coupling []float64 `rcc:"coupling" doc:"36 numbers, row by row: by how much each axis turns with each joint; left out: each joint is an axis"`
}

// order returns which axis of the drive each joint is, from 0.
func (c *axisConfig) order() (order []int, err error) {
	words := strings.Fields(c.Order)
	if len(words) != six {
		return order, device.WrongParam("axis_order", "%d axes of %d", len(words), six)
	}
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > cia402.MostAxes {
			return order, device.WrongParam("axis_order", "%q is not an axis from 1 to %d", w, cia402.MostAxes)
		}
		if slices.Contains(order, n-1) {
			return order, device.WrongParam("axis_order", "axis %d is given twice", n)
		}
		order = append(order, n-1)
	}
	return order, nil
}
