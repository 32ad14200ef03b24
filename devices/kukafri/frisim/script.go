package frisim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// order is a line that lets something happen.
type order struct {
	numbers string // what follows the word
	doc     string
	does    func(k *KRC, v []float64) error
}

// orders by their words.
func orders() map[string]order {
	plain := func(f func(k *KRC)) func(*KRC, []float64) error {
		return func(k *KRC, _ []float64) error { f(k); return nil }
	}
	return map[string]order{
		"on":        {"", "drives get power", plain(func(k *KRC) { k.power(true) })},
		"off":       {"", "drives lose power", plain(func(k *KRC) { k.power(false) })},
		"estop":     {"", "emergency stop: no power, monitor mode, the program is halted", plain((*KRC).emergency)},
		"release":   {"", "the emergency stop is released; drives stay off, the program halted", plain(func(k *KRC) { k.joints.EmergencyStop(false) })},
		"halt":      {"", "the program is halted", plain(func(k *KRC) { k.program.halted = true })},
		"run":       {"", "the program begins again", plain(func(k *KRC) { k.program.begin(k) })},
		"start":     {"", "friStart by hand", (*KRC).startByHand},
		"stop":      {"", "friStop by hand", plain(func(k *KRC) { k.fall("stopped by hand") })},
		"close":     {"", "friClose: no more telegrams", plain(func(k *KRC) { k.close(0) })},
		"open":      {"", "friOpen: telegrams, counted from 1", plain(func(k *KRC) { k.reopen() })},
		"restart":   {"ms", "friClose, and friOpen after a time", func(k *KRC, v []float64) error { k.close(k.now + int64(v[0]*1e6)); return nil }},
		"quality":   {"n", "rating from 0 to 3, whatever answers are; -1: as they are", (*KRC).setQuality},
		"version":   {"id", "id of telegrams, usually 8198", func(k *KRC, v []float64) error { k.id = uint16(v[0]); return nil }},
		"length":    {"bytes", "length of telegrams, usually 916", (*KRC).setLength},
		"lose":      {"n", "the next telegrams are lost", func(k *KRC, v []float64) error { k.network.lose[telegrams] = int(v[0]); return nil }},
		"mute":      {"n", "the next answers are lost", func(k *KRC, v []float64) error { k.network.lose[answers] = int(v[0]); return nil }},
		"late":      {"ms", "the next datagram is late", func(k *KRC, v []float64) error { k.network.late = milliseconds(v[0]); return nil }},
		"loss":      {"share", "share of datagrams that are lost", (*KRC).setLoss},
		"duplicate": {"share", "share of datagrams that come twice", (*KRC).setDuplicate},
		"delay":     {"ms", "time of each datagram on its way", func(k *KRC, v []float64) error { k.config.Delay = milliseconds(max(0, v[0])); return nil }},
		"jitter":    {"ms", "greatest of random times that are added", func(k *KRC, v []float64) error { k.config.Jitter = milliseconds(max(0, v[0])); return nil }},
		"fail":      {"n", "number of switches until one fails", func(k *KRC, v []float64) error { k.config.Fails = k.program.switches + int(v[0]); return nil }},
		"push":      {"joint torque", "torque in Nm that acts on a joint", func(k *KRC, v []float64) error { k.Push(int(v[0]), v[1]); return nil }},
		"force": {"x y z", "force in N that acts on the tip", func(k *KRC, v []float64) error {
			k.push.Force = geom.Vector{X: v[0], Y: v[1], Z: v[2]}
			return nil
		}},
		"bool": {"index value", "a variable for the PC, 0 or 1", func(k *KRC, v []float64) error { k.variable.SetBit(int(v[0]), v[1] != 0); return nil }},
		"int":  {"index value", "a variable for the PC", func(k *KRC, v []float64) error { k.variable.Int[int(v[0])&15] = int32(v[1]); return nil }},
		"real": {"index value", "a variable for the PC", func(k *KRC, v []float64) error { k.variable.Real[int(v[0])&15] = float32(v[1]); return nil }},
	}
}

// Orders returns all lines that Do knows, with what they do, for people.
func Orders() (lines [][2]string) {
	all := orders()
	for _, word := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, [2]string{strings.TrimSpace(word + " " + all[word].numbers), all[word].doc})
	}
	return lines
}

// Do executes a command before the next step: "off", "lose 5", "push 3 10".
func (k *KRC) Do(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	all := orders()
	is, ok := all[words[0]]
	if !ok {
		return fmt.Errorf("unknown command %s%s", words[0], suggest.DidYouMean(words[0], maps.Keys(all)))
	}
	if want := len(strings.Fields(is.numbers)); len(words)-1 != want {
		return fmt.Errorf("%s needs %d numbers: %s", words[0], want, is.numbers)
	}
	var v []float64
	for _, text := range words[1:] {
		n, err := strconv.ParseFloat(text, 64)
		if whole, asInt := strconv.ParseInt(text, 0, 32); asInt == nil {
			n, err = float64(whole), nil
		}
		if err != nil || !(n > -1e9 && n < 1e9) {
			return fmt.Errorf("%s: %s is not a number", words[0], text)
		}
		v = append(v, n)
	}
	return is.does(k, v)
}

func milliseconds(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

func (k *KRC) power(on bool) {
	k.joints.Power(on)
	k.tell("power", map[bool]string{true: "on", false: "off"}[on])
}

func (k *KRC) emergency() {
	k.joints.EmergencyStop(true)
	k.fall("emergency stop")
	k.program.halted = true
	k.tell("estop", "")
}

func (k *KRC) startByHand([]float64) error {
	if !k.start() {
		return fmt.Errorf("no friStart in state %v, with quality %v and power %v", k.State(), k.quality(), k.joints.Powered())
	}
	return nil
}

func (k *KRC) setQuality(v []float64) error {
	if !(v[0] >= -1 && v[0] <= float64(wire.Perfect)) {
		return fmt.Errorf("quality %v is out of range", v[0])
	}
	k.judge.forced, k.judge.isForced = wire.Quality(v[0]), v[0] >= 0
	return nil
}

func (k *KRC) setLength(v []float64) error {
	if v[0] < 0 || v[0] > wire.MeasurementSize+1 {
		return fmt.Errorf("telegrams of %v bytes are not possible", v[0])
	}
	k.length = int(v[0])
	return nil
}

func (k *KRC) setLoss(v []float64) error {
	if v[0] < 0 || v[0] > 1 {
		return fmt.Errorf("%v is not a share from 0 to 1", v[0])
	}
	k.config.Loss = v[0]
	return nil
}

func (k *KRC) setDuplicate(v []float64) error {
	if v[0] < 0 || v[0] > 1 {
		return fmt.Errorf("%v is not a share from 0 to 1", v[0])
	}
	k.config.Duplicate = v[0]
	return nil
}

// Status is the state of a controller.
type Status struct {
	At        float64              `json:"at"` // s since the start
	State     string               `json:"state"`
	Quality   string               `json:"quality"`
	Power     bool                 `json:"power"`
	Stopped   bool                 `json:"estop"`
	Halted    bool                 `json:"halted"`
	Strategy  int                  `json:"strategy"`
	Mass      float64              `json:"mass"`
	Measured  [wire.Joints]float64 `json:"measured"`
	Commanded [wire.Joints]float64 `json:"commanded"`
	Bools     uint16               `json:"bools"` // from the PC
	Ints      [16]int32            `json:"ints"`
	Reals     [16]float32          `json:"reals"`
	Figures
}

// Status returns the state after the newest step.
func (k *KRC) Status() Status {
	heard := k.Variable()
	s := Status{
		At: time.Duration(k.now - k.began).Seconds(), State: k.State().String(), Quality: k.quality().String(),
		Power: k.joints.Powered(), Stopped: k.joints.Stopped(), Halted: k.program.halted, Strategy: int(k.strategy), Mass: k.load.Mass,
		Commanded: k.commands, Bools: heard.Bool, Ints: heard.Int, Reals: heard.Real, Figures: k.Figures(),
	}
	for i := range s.Measured {
		s.Measured[i] = k.joints.Position(i)
	}
	return s
}
