package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/doctor"
)

// The kinds of arguments, by which they are completed.
const (
	kindNet         = "net"
	kindValue       = "value"
	kindFile        = "file"
	kindCalibration = "calibration"
	kindRule        = "rule"
	kindType        = "type"
	kindShell       = "shell"
	kindEthercat    = "ethercat"
	kindNets        = "nets" // separated by commas, of flags

	kindDevice     = "device" // or what to do with one
	kindDeviceMore = "device…"

	kindExtensionAct = "what to do with an extension"
	kindExtension    = "extension"
)

const missingNet = "a net is missing, such as rpinet0; rccctl nets has all"

var errEmptyName = errors.New("a name is empty") // such as a variable of a script that is empty by mistake

type netList struct {
	Nets []netEntry
}

type netEntry struct {
	Name, State, Description, Session, Cycle string
}

func (s streams) netsCommand() cli.Command {
	return cli.Command{
		Name: "nets", Synopsis: "[--json]", Doc: "the nets that are loaded",
		Examples: []string{"rccctl nets", "rccctl --url robot.local:8080 nets --json"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func([]string) int {
				var list netList
				return s.ask(daemon, "/nets/", *asJSON, &list, func(w io.Writer) error {
					rows := [][]string{{"NET", "STATE", "CYCLE", "SESSION", "DESCRIPTION"}}
					for _, n := range list.Nets {
						rows = append(rows, []string{n.Name, n.State, n.Cycle, n.Session, n.Description})
					}
					return table(w, rows)
				})
			}
		},
	}
}

// netView is everything about a net.
type netView struct {
	netEntry
	Realtime   bool
	Primitives int
	Ended      *struct {
		Cause string
		Cycle uint64
	}
	Values, Inputs pairs
	Tick           *tick
	Problems       []reason
	Warnings       []reason
	Refused        []struct {
		Device, Channel, Reason string
		Cycle, Cycles           uint64
	}
	Rules      []rule
	Statistics *statistics
}

// tick is the cycle that has left values, and its time in ns.
type tick struct {
	Cycle uint64 `json:"cycle"`
	Time  int64  `json:"time"`
}

// instant writes a time for people, as the pages of the daemon do.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// pairs is an object of JSON in its order.
type pairs [][2]string

// UnmarshalJSON reads an object whose values are strings.
func (list *pairs) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value string
		if err := d.Decode(&value); err != nil {
			return err
		}
		*list = append(*list, [2]string{fmt.Sprint(key), value})
	}
	return nil
}

func (s streams) showCommand() cli.Command {
	return cli.Command{
		Name: "show", Synopsis: "NET [--dio | --xml] [--json]", Doc: "a net with its values, or the net itself in either form",
		Examples: []string{"rccctl show rpinet0", "rccctl show rpinet0 --xml > net.xml    # to load it again"},
		Args:     []string{kindNet}, Least: 1, Most: 1, Missing: missingNet,
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			dio := set.Bool("dio", false, "the net itself, in the text form of DirectIO")
			xml := set.Bool("xml", false, "the net itself, in XML")
			return func(args []string) int {
				switch {
				case args[0] == "":
					return s.refuse(usage, errEmptyName)
				case *dio && *xml || *asJSON && (*dio || *xml):
					return s.refuse(usage, errors.New("choose only one form of output"))
				case *dio:
					return s.copyText(daemon, netPlace(args[0], "dio"))
				case *xml:
					return s.copyText(daemon, netPlace(args[0], "xml"))
				}
				var n netView
				return s.ask(daemon, netPlace(args[0]), *asJSON, &n, func(w io.Writer) error { return n.write(w, daemon.condition()) })
			}
		},
	}
}

// copyText writes what is text for people and programs alike.
func (s streams) copyText(daemon *client, path string) int {
	text, err := daemon.do(request{method: http.MethodGet, path: path, accept: typeJSON}) // refusals are JSON
	if err != nil {
		return s.refuseCall(err)
	}
	return s.answer(verbatim(s.out, string(text)))
}

// write prints a net for people.
func (n *netView) write(w io.Writer, d *doctor.Daemon) error {
	pace := "not real-time"
	if n.Realtime {
		pace = "real-time"
	}
	rows := [][]string{
		{"NET", n.Name},
		{"state", n.State},
		{"description", n.Description},
		{"session", n.Session},
		{"cycle", n.Cycle + ", " + pace},
		{"primitives", strconv.Itoa(n.Primitives)},
	}
	if d != nil && d.State != "off" { // which says it all, and its owner knows
		rows = append(rows, []string{"daemon", d.State})
		for _, f := range d.Facts {
			rows = append(rows, []string{f.Name, f.State + ": " + f.Text})
		}
	}
	if n.Tick != nil {
		rows = append(rows, []string{"values", fmt.Sprintf("of cycle %d, %s", n.Tick.Cycle, instant(time.Unix(0, n.Tick.Time)))})
	}
	if n.Ended != nil {
		rows = append(rows, []string{"ended", fmt.Sprintf("%s, in cycle %d", n.Ended.Cause, n.Ended.Cycle)})
	}
	if n.Statistics != nil {
		rows = append(rows, []string{"cycles", n.Statistics.String()})
	}
	return errors.Join(
		table(w, rows),
		section(w, []string{"VALUE", "IS"}, n.Values, func(kv [2]string) []string { return kv[:] }),
		section(w, []string{"INPUT", "IS"}, n.Inputs, func(kv [2]string) []string { return kv[:] }),
		section(w, []string{"REFUSED BY", "SINCE CYCLE", "WHY"}, n.refused(), func(row []string) []string { return row }),
		section(w, []string{"PLACE", "PROBLEM"}, n.Problems, reason.row),
		section(w, []string{"PLACE", "WARNING"}, n.Warnings, reason.row),
		section(w, []string{"RULE", "STATE", "CONDITION"}, n.Rules, func(r rule) []string {
			return []string{strconv.Itoa(r.ID), r.State, r.condition()}
		}),
	)
}

// refused returns the actuators whose devices do not follow the net.
func (n *netView) refused() (rows [][]string) {
	for _, r := range n.Refused {
		rows = append(rows, []string{r.Device + "/" + r.Channel, strconv.FormatUint(r.Cycle, 10), r.Reason})
	}
	return rows
}

// section is a table below others, if it has anything.
func section[T any](w io.Writer, head []string, list []T, row func(T) []string) error {
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	rows := [][]string{head}
	for _, e := range list {
		rows = append(rows, row(e))
	}
	return table(w, rows)
}

// order is what a net is ordered to do.
type order struct {
	name, doc string
	of        func(state string) bool // of which nets with --all
	all       string
}

func orders() []order {
	return []order{
		{"start", "start nets, one after the other; sync t --start starts several in one tick", in(stateReady), "all nets that are READY"},
		{"cancel", "ask nets to end", in(stateRunning), "all nets that are RUNNING"},
		{"abort", "end nets at the next tick", in(stateRunning, stateCancelling), "all nets that run"},
		{orderUnload, "forget nets, those that run as soon as they have ended", not(in(stateRunning, stateCancelling, stateScheduled)), "all nets that neither run nor wait for a rule"},
	}
}

// The states of nets.
const (
	stateReady      = "READY"
	stateScheduled  = "SCHEDULED"
	stateRunning    = "RUNNING"
	stateCancelling = "CANCELLING"
	stateTerminated = "TERMINATED"
	stateRejected   = "REJECTED"
	stateUnloaded   = "UNLOADED"
	stateInvalid    = "INVALID"
)

// orderUnload is the order after which a net is not there any more.
const orderUnload = "unload"

func in(states ...string) func(string) bool {
	return func(state string) bool { return slices.Contains(states, state) }
}

func not(of func(string) bool) func(string) bool {
	return func(state string) bool { return !of(state) }
}

func (s streams) orderCommand(o order) cli.Command {
	return cli.Command{
		Name: o.name, Synopsis: "NET… | --all [--json]", Doc: o.doc,
		Examples: []string{
			"rccctl " + o.name + " rpinet0 rpinet1",
			"rccctl " + o.name + " --all    # " + o.all,
		},
		Args: []string{kindNet}, Most: -1,
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			all := set.Bool("all", false, o.all)
			return func(nets []string) int {
				switch {
				case *all && len(nets) > 0:
					return s.refuse(usage, errors.New("either nets or --all, not both"))
				case !*all && len(nets) == 0:
					return s.refuse(usage, errors.New(missingNet+", or --all"))
				case slices.Contains(nets, ""):
					return s.refuse(usage, errEmptyName)
				}
				if *all {
					var err error
					if nets, err = daemon.netsIn(o.of); err != nil {
						return s.refuseCall(err)
					}
				}
				return s.command(daemon, o.name, nets, *asJSON)
			}
		},
	}
}

func (c *client) netsIn(of func(string) bool) (names []string, err error) {
	answer, err := c.get("/nets/")
	if err != nil {
		return nil, err
	}
	var list netList
	if err := json.Unmarshal(answer, &list); err != nil {
		return nil, fmt.Errorf("answer of the daemon: %w", err)
	}
	for _, n := range list.Nets {
		if of(n.State) {
			names = append(names, n.Name)
		}
	}
	return names, nil
}

// command gives an order to every net, even if another one has refused it, and prints the outcome.
func (s streams) command(daemon *client, order string, nets []string, asJSON bool) int {
	code := done
	answers := []json.RawMessage{}
	rows := [][]string{}
	for _, name := range nets {
		answer, err := daemon.post(netPlace(name, order), nil)
		var n netEntry
		if err == nil {
			err = json.Unmarshal(answer, &n)
		}
		if err != nil {
			code = max(code, s.refuseCall(err))
			if code == noConnection {
				break
			}
			continue
		}
		answers = append(answers, answer)
		rows = append(rows, []string{n.Name, outcome(order, n.State)})
	}
	var err error
	if asJSON {
		var list []byte
		if list, err = json.Marshal(answers); err == nil {
			err = showJSON(s.out, list)
		}
	} else {
		err = table(s.out, rows)
	}
	return max(code, s.answer(err))
}

// outcome returns the result of an order to a net. One that is to be unloaded and does not run is forgotten as soon as its executor has
// let go of it, which may be before the answer or after.
func outcome(order, state string) string {
	if order == orderUnload && in(stateReady, stateTerminated, stateRejected)(state) {
		return stateUnloaded
	}
	return state
}

func (s streams) setCommand() cli.Command {
	return cli.Command{
		Name: "set", Synopsis: "NET KEY=VALUE… [--json]", Doc: "set inputs of a net, all of them in one cycle",
		Examples: []string{"rccctl set rpinet0 innumber=1.5 inend=true", "rccctl set rpinet0 'inoffset={x:1,y:0,z:0}'"},
		Args:     []string{kindNet, kindValue}, Least: 2, Most: -1,
		Missing: "a net and values are missing, such as rpinet0 innumber=1.5",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func(args []string) int {
				if args[0] == "" {
					return s.refuse(usage, errEmptyName)
				}
				form, err := inputs(args[1:])
				if err != nil {
					return s.refuse(usage, err)
				}
				answer, err := daemon.post(netPlace(args[0]), form)
				if err != nil {
					return s.refuseCall(err)
				}
				var n netView
				return s.show(answer, *asJSON, &n, func(io.Writer) error { return nil })
			}
		},
	}
}

// inputs reads values. Keys without prefix never reach the daemon, which knows others for orders at the same address.
func inputs(args []string) (url.Values, error) {
	form := url.Values{}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		switch {
		case !ok:
			return nil, fmt.Errorf("%q: expected KEY=VALUE, such as innumber=1.5", arg)
		case !strings.HasPrefix(key, "in"):
			return nil, fmt.Errorf("%q: keys of inputs begin with in, as rccctl show has them", key)
		case form.Has(key):
			return nil, fmt.Errorf("%q is set twice", key)
		}
		form.Set(key, value)
	}
	return form, nil
}
