package drives

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Setting is the identity that a slave with axes must have, and its settings, as parameters of a device.
type Setting struct {
	ecat.Who

	RxPDOs  string `rcc:"rx_pdos" doc:"PDOs of outputs that are assigned, such as 0x1600 0x1610; left out: those that the slave has, or one for each axis if rx_mapping is given"`
	TxPDOs  string `rcc:"tx_pdos" doc:"PDOs of inputs that are assigned"`
	RxMap   string `rcc:"rx_mapping" doc:"objects of the first axis that are mapped into each PDO of outputs, such as 0x6040 0x6060 pad8 0x607A; left out: as the slave has it"`
	TxMap   string `rcc:"tx_mapping" doc:"objects of the first axis that are mapped into each PDO of inputs"`
	Startup string `rcc:"startup" doc:"objects that are written in Pre-Op, such as 0x605A=2/16 axes:0x6065=10000/32 for 16 bits, and for 32 bits of each axis"`

	Cycle         time.Duration `rcc:"cycle" default:"4ms" min:"125us" max:"100ms" doc:"of the drive: its SYNC0, some cycles of the bus"`
	Activate      string        `rcc:"activate" default:"0x0300" doc:"word that switches SYNC0 on, AssignActivate of its description; 0: it runs free"`
	Shift         time.Duration `rcc:"shift" default:"0s" min:"-100ms" max:"100ms" doc:"by how much later than the grid of the bus SYNC0 comes"`
	Interpolation string        `rcc:"interpolation" default:"write" enum:"write read none" doc:"time between two targets (0x60C2): it is written, only compared with the cycle, or not looked at"`
	Mode          string        `rcc:"mode" default:"pdo" enum:"pdo sdo" doc:"how the mode of operation is set: with each cycle, or once as an object"`
}

// Ports are which objects are inputs and outputs, as parameters.
type Ports struct {
	DigitalIn  string  `rcc:"digin" default:"0x60FD.16-23" doc:"digital inputs: bits of objects in the process data"`
	DigitalOut string  `rcc:"digout" default:"0x60FE:1.16-23" doc:"digital outputs: bits of objects in the process data"`
	AnalogIn   string  `rcc:"anin" doc:"analog inputs: objects with numbers, such as 0x2200:1, or 0x2200:1u without a sign"`
	AnalogOut  string  `rcc:"anout" doc:"analog outputs: objects with numbers"`
	Unit       float64 `rcc:"analog_unit" default:"1" doc:"what one count of an analog input or output is"`
}

// Motion is how set-points become targets, and when there is to be a stop, as parameters.
type Motion struct {
	Arm       bool          `rcc:"arm" default:"true" doc:"drives are switched on when the bus is in operation for the first time; after a stop or a fault they always have to be armed"`
	Smooth    int           `rcc:"smooth" default:"50" min:"1" max:"1000" doc:"cycles whose average is the cycle time, against jitter"`
	Ahead     time.Duration `rcc:"ahead" default:"0s" min:"-1s" max:"1s" doc:"by how much later than at SYNC0 values take effect"`
	Lapse     int           `rcc:"lapse" default:"5" min:"1" max:"1000" doc:"cycles without set-point after which joints come to rest"`
	Margin    float64       `rcc:"margin" default:"0.01" min:"0.000001" max:"10" unit:"1" doc:"share by which set-points may be beyond limits"`
	Slack     float64       `rcc:"slack" default:"4" min:"1" max:"100" unit:"1" doc:"how many times the limit of acceleration values may need from one cycle to the next"`
	Following float64       `rcc:"following_error" default:"0.25" min:"0.000001" max:"10" unit:"rad or m" doc:"distance of measured and commanded joints that is a quick stop"`
	Lost      int           `rcc:"lost_frames" default:"5" min:"1" max:"25" doc:"cycles in a row without an answer of the drive that are a quick stop"`
	Patience  time.Duration `rcc:"patience" default:"10s" min:"100ms" max:"10m" doc:"how long the axes may take for one stage of being switched on"`
	Search    time.Duration `rcc:"home_time" default:"1m" min:"1s" max:"1h" doc:"how long axes may look for their home"`
	Resets    int           `rcc:"resets" default:"3" min:"1" max:"100" doc:"attempts to reset a fault when the drives are armed"`
	Backoff   time.Duration `rcc:"backoff" default:"200ms" min:"10ms" max:"1m" doc:"time after the first of them; it doubles with each one"`
}

// Wrong returns all mistakes in the options that show without a slave, each once.
func (o *Options) Wrong() error {
	_, err := o.Identity()
	_, ports := newTerminals(&o.Ports)
	errs := []error{err, ports}
	for _, u := range o.Units {
		_, err := o.setup(u.Order, o.Mode)
		errs = append(errs, err)
	}
	var all []error
	told := map[string]bool{}
	for _, e := range device.ParamErrors(errors.Join(errs...)) {
		if text := e.Error(); !told[text] {
			told[text] = true
			all = append(all, e)
		}
	}
	return errors.Join(all...)
}

// setup returns how a slave with some axes is to be configured, or all that is wrong.
func (c *Setting) setup(order []int, mode cia402.Mode) (s ecat.Setup, err error) {
	var errs []error
	activate, err := strconv.ParseUint(c.Activate, 0, 16)
	if err != nil {
		errs = append(errs, device.WrongParam("activate", "%q is not a number such as 0x0300", c.Activate))
	}
	if activate != 0 {
		s.Clock = &ecat.Clock{Activate: uint16(activate), Shift: c.Shift, Cycle: c.Cycle}
	}
	s.Outputs, err = pdos("rx", c.RxPDOs, c.RxMap, cia402.FirstRxPDO, order)
	errs = append(errs, err)
	s.Inputs, err = pdos("tx", c.TxPDOs, c.TxMap, cia402.FirstTxPDO, order)
	errs = append(errs, err)
	value, exponent, ok := cia402.Interpolation(c.Cycle)
	if !ok && c.Interpolation != "none" {
		errs = append(errs, device.WrongParam("cycle", "%v does not fit into 0x60C2; take another cycle, or interpolation: none", c.Cycle))
	}
	for _, a := range order {
		if c.Interpolation == "write" {
			index := cia402.Of(cia402.InterpolationTime, a)
			s.Start = append(s.Start, ecat.Write{Index: index, Sub: 1, Data: []byte{value}}, ecat.Write{Index: index, Sub: 2, Data: []byte{byte(exponent)}})
		}
		if c.Mode == "sdo" {
			s.Start = append(s.Start, ecat.Write{Index: cia402.Of(cia402.ModeOfOperation, a), Data: []byte{byte(mode)}})
		}
	}
	own, err := startup(c.Startup, order)
	if err != nil {
		errs = append(errs, device.WrongParam("startup", "%w", err))
	}
	s.Start = append(s.Start, own...)
	return s, errors.Join(errs...)
}

// pdos returns those that are assigned, with what is mapped into them, by parameters for one way.
func pdos(way, list, mapping string, first uint16, order []int) (all []ecat.PDO, err error) {
	wrong := func(name, format string, args ...any) ([]ecat.PDO, error) {
		return nil, device.WrongParam(way+name, format, args...)
	}
	words, objects := strings.Fields(list), strings.Fields(mapping)
	for _, w := range words {
		index, err := strconv.ParseUint(w, 0, 16)
		if err != nil || index == 0 {
			return wrong("_pdos", "%q is not a PDO such as %#04x", w, first)
		}
		all = append(all, ecat.PDO{Index: uint16(index)})
	}
	if len(objects) == 0 {
		return all, nil
	}
	if all == nil {
		for _, a := range order {
			all = append(all, ecat.PDO{Index: first + cia402.PDOStep*uint16(a)})
		}
		slices.SortFunc(all, func(a, b ecat.PDO) int { return int(a.Index) - int(b.Index) })
	}
	if len(all) != len(order) {
		return wrong("_pdos", "%d PDOs for %d axes; a mapping needs one PDO for each axis", len(all), len(order))
	}
	axes := slices.Clone(order)
	slices.Sort(axes)
	for i := range all {
		if all[i].Entries, err = mapped(objects, axes[i]); err != nil {
			return wrong("_mapping", "%w", err)
		}
	}
	return all, nil
}

// bitsOf are those of objects that are usual in process data.
var bitsOf = map[uint16]uint8{
	cia402.ErrorCode: 16, cia402.Controlword: 16, cia402.Statusword: 16, cia402.ModeOfOperation: 8, cia402.ModeDisplay: 8, cia402.ActualPosition: 32,
	cia402.ActualVelocity: 32, cia402.TargetTorque: 16, cia402.ActualTorque: 16, cia402.TargetPosition: 32, cia402.VelocityOffset: 32,
	cia402.TorqueOffset: 16, cia402.FollowingDistance: 32, cia402.DigitalInputs: 32, cia402.DigitalOutputs: 32, cia402.TargetVelocity: 32,
}

// mapped returns the entries of the PDO of an axis. Objects may say how many bits they have, as in 0x2000:1/16.
func mapped(words []string, axis int) (list []coe.Mapping, err error) {
	for _, w := range words {
		if digits, is := strings.CutPrefix(w, "pad"); is {
			bits, err := strconv.ParseUint(digits, 10, 8)
			if err != nil || bits == 0 {
				return nil, fmt.Errorf("%q is not a padding such as pad8", w)
			}
			list = append(list, coe.Map(0, 0, uint8(bits)))
			continue
		}
		object, size, sized := strings.Cut(w, "/")
		index, sub, err := ecat.ParseObject(object)
		if err != nil {
			return nil, err
		}
		bits := uint64(bitsOf[index])
		if sized {
			if bits, err = strconv.ParseUint(size, 10, 8); err != nil {
				return nil, fmt.Errorf("%q: bits are 1 to 255", w)
			}
		}
		if bits == 0 {
			return nil, fmt.Errorf("%q: say how many bits it has, for example %s/16", w, object)
		}
		if index >= 0x6000 {
			index = cia402.Of(index, axis)
		}
		list = append(list, coe.Map(index, sub, uint8(bits)))
	}
	return list, nil
}

// startup are objects that are written at the start. Those of axes are behind axes:, as they are for the first axis.
func startup(text string, order []int) (list []ecat.Write, err error) {
	words, err := ecat.Words(text)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		rest, each := strings.CutPrefix(w, "axes:")
		one, err := ecat.ParseWrite(rest)
		if err != nil {
			return nil, err
		}
		if !each {
			list = append(list, one)
			continue
		}
		for _, a := range order {
			of := one
			of.Index = cia402.Of(one.Index, a)
			list = append(list, of)
		}
	}
	return list, nil
}
