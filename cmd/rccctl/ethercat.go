package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/internal/cli"
)

// Questions to a bus.
const (
	ethercatSlaves   = "slaves"
	ethercatPDOs     = "pdos"
	ethercatSDOs     = "sdos"
	ethercatUpload   = "upload"
	ethercatDownload = "download"
	ethercatStates   = "states"
)

var ethercatWords = []string{ethercatSlaves, ethercatPDOs, ethercatSDOs, ethercatUpload, ethercatDownload, ethercatStates}

// ethercatCall is one of them.
type ethercatCall struct {
	daemon *client
	asJSON bool
	bus    string
	kind   string // of a value
}

func (s streams) ethercatCommand() cli.Command {
	return cli.Command{
		Name:     "ethercat",
		Synopsis: "slaves | states [preop|op] | pdos [SLAVE] | sdos SLAVE | upload SLAVE INDEX [SUB] | download SLAVE INDEX SUB VALUE [--type T] [--bus NAME] [--json]",
		Doc:      "slaves of an EtherCAT bus, their process data and their objects; slaves count from 1",
		Examples: []string{
			"rccctl ethercat slaves",
			"rccctl ethercat pdos 4",
			"rccctl ethercat upload 4 0x1018 1",
			"rccctl ethercat download 4 0x8000 6 true",
			"rccctl ethercat states preop --bus bus2",
		},
		Args: []string{kindEthercat}, Least: 1, Most: 5, Missing: "one of " + strings.Join(ethercatWords, ", ") + " is missing",
		Flags: func(set *flag.FlagSet) func([]string) int {
			c := ethercatCall{daemon: s.clientFlag(set)}
			asJSON := jsonFlag(set)
			set.StringVar(&c.bus, "bus", "", "`name` of the bus, if there are several")
			set.StringVar(&c.kind, "type", "", "`type` of the value, such as INT, REAL or STRING; by default as the slave says")
			return func(args []string) int {
				c.asJSON = *asJSON
				return s.ethercat(&c, args[0], args[1:])
			}
		},
	}
}

// ethercat carries a call out.
func (s streams) ethercat(c *ethercatCall, what string, args []string) int {
	bounds := map[string][2]int{ethercatSlaves: {0, 0}, ethercatStates: {0, 1}, ethercatPDOs: {0, 1}, ethercatSDOs: {1, 1}, ethercatUpload: {2, 3}, ethercatDownload: {4, 4}}
	n, known := bounds[what]
	switch {
	case !known:
		return s.refuse(usage, fmt.Errorf("%q is not one of %s", what, strings.Join(ethercatWords, ", ")))
	case len(args) < n[0] || len(args) > n[1]:
		return s.refuse(usage, fmt.Errorf("%s takes %d to %d arguments; rccctl ethercat --help has them", what, n[0], n[1]))
	}
	if c.bus == "" {
		var err error
		if c.bus, err = c.daemon.onlyBus(); err != nil {
			return s.refuseCall(err)
		}
	}
	switch what {
	case ethercatSlaves:
		return s.ethercatSlaves(c)
	case ethercatStates:
		return s.ethercatStates(c, args)
	case ethercatPDOs:
		return s.ethercatPDOs(c, args)
	case ethercatSDOs:
		return s.ethercatSDOs(c, args[0])
	case ethercatUpload:
		return s.ethercatUpload(c, args)
	}
	return s.ethercatDownload(c, args)
}

var errNoBus = errors.New("there is no EtherCAT bus")

// onlyBus returns the name of the bus, if there is one only.
func (c *client) onlyBus() (string, error) {
	answer, err := c.get("/devices/")
	if err != nil {
		return "", err
	}
	var all deviceList
	if err := json.Unmarshal(answer, &all); err != nil {
		return "", fmt.Errorf("answer of the daemon: %w", err)
	}
	var names []string
	for _, d := range all.Devices {
		for _, i := range d.Interfaces {
			if i.Name == "ethercatmaster" {
				names = append(names, d.Name)
			}
		}
	}
	switch len(names) {
	case 0:
		return "", errNoBus
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("there are several buses, say which one: --bus %s", strings.Join(names, "|"))
}

// question asks a page of the bus.
func (c *ethercatCall) question(page string, q url.Values) (json.RawMessage, error) {
	return c.daemon.json(request{method: "GET", path: place("devices", c.bus, page), query: q})
}

// ask shows what a page of the bus answers.
func (s streams) askBus(c *ethercatCall, page string, q url.Values, view any, text func(io.Writer) error) int {
	answer, err := c.question(page, q)
	if err != nil {
		return s.refuseCall(err)
	}
	return s.show(answer, c.asJSON, view, text)
}

// ethercatSlave is one in the answers of the daemon.
type ethercatSlave struct {
	Number, Alias                                           int
	Name, State, Trouble, Inputs, Vendor, Product, Revision string
	Serial                                                  uint32
}

func (s streams) ethercatSlaves(c *ethercatCall) int {
	var v struct{ Slaves []ethercatSlave }
	return s.askBus(c, "slaves", nil, &v, func(w io.Writer) error {
		rows := [][]string{{"SLAVE", "STATE", "INPUTS", "VENDOR", "PRODUCT", "REVISION", "SERIAL", "ALIAS", "NAME", "TROUBLE"}}
		for _, x := range v.Slaves {
			rows = append(rows, []string{
				strconv.Itoa(x.Number), x.State, x.Inputs, x.Vendor, x.Product, x.Revision, strconv.FormatUint(uint64(x.Serial), 10), strconv.Itoa(x.Alias), x.Name, x.Trouble,
			})
		}
		return table(w, rows)
	})
}

// ethercatStates shows the states of the bus and of its slaves, or asks the bus for one.
func (s streams) ethercatStates(c *ethercatCall, args []string) int {
	if len(args) > 0 {
		if !slices.Contains([]string{"preop", "op"}, args[0]) {
			return s.refuse(usage, fmt.Errorf("%q is neither preop nor op", args[0]))
		}
		if _, err := c.daemon.post(place("devices", c.bus, "state"), url.Values{"ask": {args[0]}}); err != nil {
			return s.refuseCall(err)
		}
	}
	var bus struct {
		Phase, Trouble, Waiting string
	}
	answer, err := c.question("state", nil)
	if err == nil {
		err = json.Unmarshal(answer, &bus)
	}
	if err != nil {
		return s.refuseCall(err)
	}
	var v struct{ Slaves []ethercatSlave }
	if answer, err = c.question("slaves", nil); err == nil {
		err = json.Unmarshal(answer, &v)
	}
	if err != nil {
		return s.refuseCall(err)
	}
	states := busStates{Bus: c.bus, Phase: bus.Phase, Trouble: bus.Trouble, Waiting: bus.Waiting, Slaves: []slaveState{}}
	for _, x := range v.Slaves {
		states.Slaves = append(states.Slaves, slaveState{x.Number, x.State, x.Trouble, x.Name})
	}
	if answer, err = json.Marshal(states); err != nil {
		return s.refuse(failed, err)
	}
	return s.show(answer, c.asJSON, &states, func(w io.Writer) error {
		rows := [][]string{{"SLAVE", "STATE", "TROUBLE", "NAME"}, {"bus", bus.Phase, bus.Trouble + bus.Waiting, c.bus}}
		for _, x := range states.Slaves {
			rows = append(rows, []string{strconv.Itoa(x.Number), x.State, x.Trouble, x.Name})
		}
		return table(w, rows)
	})
}

// busStates are the state of a bus and those of its slaves, as programs get them.
type busStates struct {
	Bus     string       `json:"bus"`
	Phase   string       `json:"phase"`
	Trouble string       `json:"trouble"`
	Waiting string       `json:"waiting"`
	Slaves  []slaveState `json:"slaves"`
}

type slaveState struct {
	Number  int    `json:"number"`
	State   string `json:"state"`
	Trouble string `json:"trouble"`
	Name    string `json:"name"`
}

func (s streams) ethercatPDOs(c *ethercatCall, args []string) int {
	q := url.Values{}
	if len(args) > 0 {
		q.Set("slave", args[0])
	}
	var v struct {
		Entries []struct {
			Slave, SyncManager, Bits                                int
			Name, Direction, PDO, Title, Place, Object, Entry, Type string
		}
	}
	return s.askBus(c, "pdos", q, &v, func(w io.Writer) error {
		rows := [][]string{{"SLAVE", "SM", "DIRECTION", "PDO", "BYTE.BIT", "BITS", "OBJECT", "TYPE", "ENTRY", "OF"}}
		for _, x := range v.Entries {
			rows = append(rows, []string{
				strconv.Itoa(x.Slave), strconv.Itoa(x.SyncManager), x.Direction, x.PDO, x.Place, strconv.Itoa(x.Bits), x.Object, x.Type, x.Entry, x.Title,
			})
		}
		return table(w, rows)
	})
}

// Lists of objects are read in the background; the daemon is asked for them again and again, but not for ever.
const (
	listTime  = 2 * time.Minute
	listPause = 200 * time.Millisecond
)

func (s streams) ethercatSDOs(c *ethercatCall, slave string) int {
	var v struct {
		Known   string
		Objects []struct {
			Index, Name, Type string
			Entries           int
			Subindexes        []struct {
				Sub, Bits          int
				Name, Type, Access string
			}
		}
	}
	var answer json.RawMessage
	for end := time.Now().Add(listTime); ; time.Sleep(listPause) {
		var err error
		if answer, err = c.question("objects", url.Values{"slave": {slave}}); err != nil {
			return s.refuseCall(err)
		}
		v.Known = ""
		if err := json.Unmarshal(answer, &v); err != nil {
			return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
		}
		if !strings.HasSuffix(v.Known, "so far") || time.Now().After(end) {
			break
		}
	}
	code := s.show(answer, c.asJSON, &v, func(w io.Writer) error {
		rows := [][]string{{"OBJECT", "TYPE", "BITS", "ACCESS", "NAME"}}
		for _, o := range v.Objects {
			rows = append(rows, []string{o.Index, o.Type, "", "", o.Name})
			for _, e := range o.Subindexes {
				rows = append(rows, []string{fmt.Sprintf("%s:%d", o.Index, e.Sub), e.Type, strconv.Itoa(e.Bits), e.Access, e.Name})
			}
		}
		return table(w, rows)
	})
	if n, err := strconv.Atoi(v.Known); err != nil || n != len(v.Objects) {
		return max(code, s.refuse(failed, fmt.Errorf("objects of slave %s: %s", slave, v.Known)))
	}
	return code
}

func (s streams) ethercatUpload(c *ethercatCall, args []string) int {
	q := url.Values{"slave": {args[0]}, "index": {args[1]}}
	if len(args) > 2 {
		q.Set("sub", args[2])
	}
	answer, err := c.question("objects", q)
	if err != nil {
		return s.refuseCall(err)
	}
	if c.kind != "" {
		if answer, err = as(answer, c.kind); err != nil {
			return s.refuse(failed, err)
		}
	}
	var v struct{ Entry, Name, Value, Type, Is, Number, Text string }
	return s.show(answer, c.asJSON, &v, func(w io.Writer) error {
		is := v.Is
		for _, other := range []string{v.Text, v.Number} {
			if is == "" {
				is = other
			}
		}
		return table(w, [][]string{{"OBJECT", "TYPE", "VALUE", "BYTES", "NAME"}, {v.Entry, v.Type, is, v.Value, v.Name}})
	})
}

// as returns the answer about an object with its value read by another type.
func as(answer json.RawMessage, kind string) (json.RawMessage, error) {
	var fields map[string]any
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, fmt.Errorf("answer of the daemon: %w", err)
	}
	digits, _ := fields["value"].(string)
	data, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("answer of the daemon: %w", err)
	}
	is, bits, known := coe.TypeNamed(kind)
	value, fits := is.Format(data)
	switch {
	case !known:
		return nil, fmt.Errorf("--type: %q is not a type such as INT, REAL or STRING", kind)
	case bits == 0:
		value = strings.TrimRight(string(data), "\x00")
	case !fits:
		return nil, fmt.Errorf("--type: %v has %d bytes, %s has %d", fields["entry"], len(data), strings.ToUpper(kind), (bits+7)/8)
	}
	fields["type"], fields["is"] = strings.ToUpper(kind), value
	return json.Marshal(fields)
}

func (s streams) ethercatDownload(c *ethercatCall, args []string) int {
	form := url.Values{"slave": {args[0]}, "index": {args[1]}, "sub": {args[2]}}
	if digits, bytes := strings.CutPrefix(args[3], "#"); bytes {
		form.Set("data", digits)
	} else {
		form.Set("value", args[3])
	}
	if c.kind != "" {
		form.Set("type", c.kind)
	}
	if _, err := c.daemon.post(place("devices", c.bus, "objects"), form); err != nil {
		return s.refuseCall(err)
	}
	if c.asJSON {
		return s.ethercatUpload(c, args[:3])
	}
	return done
}
