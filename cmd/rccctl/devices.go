package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// deviceView is a device with its interfaces (§9). The device rcc stands for the daemon itself and has an emergency stop
// instead. A list has neither parameters nor users.
type deviceView struct {
	Name, Type, State, Cause string
	EmergencyStop            *bool `json:"estop"`
	Interfaces               []struct {
		Name       string
		Parameters []struct{ Name, Value string }
	}
	Parameters []struct {
		Name, Value string
		Mutable     bool
	}
	UsedBy, Dependents, Uses []string // nets, and devices
	Pages                    []struct{ URI, Description string }
}

// deviceType is a kind of device that can be created.
type deviceType struct {
	Type, Doc  string
	Parameters []struct {
		Name, Default, Doc string
		Required           bool
	}
}

type deviceList struct {
	Devices []deviceView
	Types   []deviceType
}

func (s streams) devicesCommand() cli.Command {
	return cli.Command{
		Name: "devices", Synopsis: "[--json]", Doc: "the devices with their states and interfaces",
		Examples: []string{"rccctl devices"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func([]string) int {
				var list deviceList
				return s.ask(daemon, "/devices/", *asJSON, &list, func(w io.Writer) error {
					rows := [][]string{{"DEVICE", "TYPE", "STATE", "INTERFACES"}}
					for _, d := range list.Devices {
						var names []string
						for _, i := range d.Interfaces {
							names = append(names, i.Name)
						}
						rows = append(rows, []string{d.Name, d.Type, d.State, strings.Join(names, " ")})
					}
					return table(w, rows)
				})
			}
		},
	}
}

// Commands that change devices; each has at least one argument behind it.
const (
	createDevice = "create"
	removeDevice = "remove"
	setDevice    = "set"
	tellDevice   = "tell"
)

func (s streams) deviceCommand() cli.Command {
	return cli.Command{
		Name: "device", Synopsis: "NAME [PAGE-files [--out DIR]] | create NAME TYPE [KEY=VALUE…] | set NAME KEY=VALUE… | tell NAME PAGE KEY=VALUE… | remove NAME… [--json]",
		Doc: "a device with its parameters, users and interfaces, or the files that it has for others; or create one, change parameters, tell a page something, remove some",
		Examples: []string{
			"rccctl device arm",
			"rccctl device create left kuka_lwr_sim 'tcp={pos:{x:0,y:0,z:0.1},rot:{a:0,b:0,c:0}}'",
			"rccctl device remove left right",
			"rccctl device tell kr16 rsi rearm=true",
			"rccctl device kr16 krc-files --out files",
			"rccctl device bus sii-files --out files",
		},
		Args: []string{kindDevice, kindDeviceMore}, Least: 1, Most: -1, Missing: "a device is missing; rccctl devices has all",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			out := set.String("out", "", "`folder` into which the files of a device are written, standard output by default")
			return func(args []string) int {
				switch {
				case slices.Contains(args, ""):
					return s.refuse(usage, errEmptyName)
				case len(args) == 1:
					var d deviceView
					return s.ask(daemon, place("devices", args[0]), *asJSON, &d, d.write)
				}
				switch args[0] {
				case createDevice:
					return s.createDevice(daemon, args[1:], *asJSON)
				case setDevice:
					return s.setDevice(daemon, args[1:], *asJSON)
				case tellDevice:
					return s.tellDevice(daemon, args[1:])
				case removeDevice:
					return s.removeDevices(daemon, args[1:], *asJSON)
				}
				if len(args) == 2 && strings.HasSuffix(args[1], filesSuffix) {
					return s.deviceFiles(daemon, args[0], args[1], *out, *asJSON)
				}
				return s.refuse(usage, fmt.Errorf("%q is not create, set, tell or remove", args[0]))
			}
		},
	}
}

// createDevice takes a name, a type and parameters.
func (s streams) createDevice(daemon *client, args []string, asJSON bool) int {
	if len(args) < 2 {
		return s.refuse(usage, errors.New("a type is missing; rccctl devices --json has all"))
	}
	form, err := parameters(args[2:])
	if err != nil {
		return s.refuse(usage, err)
	}
	form.Set("name", args[0])
	form.Set("type", args[1])
	answer, err := daemon.post("/devices/", form)
	if err != nil {
		return s.refuseCall(err)
	}
	var d deviceView
	return s.show(answer, asJSON, &d, func(w io.Writer) error { return table(w, [][]string{{d.Name, d.State}}) })
}

// setDevice changes what can be changed while a device exists.
func (s streams) setDevice(daemon *client, args []string, asJSON bool) int {
	form, err := parameters(args[1:])
	if err == nil && len(form) == 0 {
		err = errors.New("parameters are missing, such as speed=0.5")
	}
	if err != nil {
		return s.refuse(usage, err)
	}
	answer, err := daemon.post(place("devices", args[0], "parameters"), form)
	if err != nil {
		return s.refuseCall(err)
	}
	var d deviceView
	return s.show(answer, asJSON, &d, func(io.Writer) error { return nil })
}

// tellDevice posts parameters to a page of a device.
func (s streams) tellDevice(daemon *client, args []string) int {
	if len(args) < 2 {
		return s.refuse(usage, errors.New("a page is missing; rccctl device NAME has all"))
	}
	form, err := parameters(args[2:])
	if err == nil && len(form) == 0 {
		err = errors.New("no parameter to pass, such as rearm=true")
	}
	if err != nil {
		return s.refuse(usage, err)
	}
	if _, err := daemon.post(place("devices", args[0], args[1]), form); err != nil {
		return s.refuseCall(err)
	}
	return done
}

// parameters reads those of a device. The names that the form has for itself are none.
func parameters(args []string) (url.Values, error) {
	form := url.Values{}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		switch {
		case !ok || key == "":
			return nil, fmt.Errorf("%q: expected KEY=VALUE, such as speed=0.5", arg)
		case key == "name" || key == "type" || key == "action":
			return nil, fmt.Errorf("%q: no device has a parameter of this name", arg)
		case form.Has(key):
			return nil, fmt.Errorf("%q is set twice", key)
		}
		form.Set(key, value)
	}
	return form, nil
}

// removeDevices removes devices in their order, each whether or not another one was refused.
func (s streams) removeDevices(daemon *client, devices []string, asJSON bool) int {
	code := done
	removed := []string{}
	for _, name := range devices {
		_, err := daemon.get(place("devices", name)) // a name of nothing is an error
		if err == nil {
			_, err = daemon.post("/devices/", url.Values{"name": {name}, "action": {removeDevice}})
		}
		if err != nil {
			code = max(code, s.refuseCall(err))
			if code == noConnection {
				break
			}
			continue
		}
		removed = append(removed, name)
	}
	if asJSON {
		return max(code, s.answer(writeJSON(s.out, removed)))
	}
	var rows [][]string
	for _, name := range removed {
		rows = append(rows, []string{name, "removed"})
	}
	return max(code, s.answer(table(s.out, rows)))
}

// write prints a device for people.
func (d *deviceView) write(w io.Writer) error {
	rows := [][]string{{"DEVICE", d.Name}}
	if d.EmergencyStop != nil {
		rows = append(rows, []string{"emergency stop", strconv.FormatBool(*d.EmergencyStop)})
	} else {
		rows = append(rows, []string{"type", d.Type}, []string{"state", d.State})
	}
	for _, fact := range []struct {
		name string
		is   []string
	}{{"cause", strings.Fields(d.Cause)}, {"used by nets", d.UsedBy}, {"used by devices", d.Dependents}, {"uses devices", d.Uses}} {
		if len(fact.is) > 0 {
			rows = append(rows, []string{fact.name, strings.Join(fact.is, " ")})
		}
	}
	var own, interfaces, pages [][]string
	for _, p := range d.Parameters {
		own = append(own, []string{p.Name, p.Value, strconv.FormatBool(p.Mutable)})
	}
	for _, i := range d.Interfaces {
		interfaces = append(interfaces, []string{i.Name, "", ""})
		for _, p := range i.Parameters {
			interfaces = append(interfaces, []string{i.Name, p.Name, p.Value})
		}
	}
	for _, p := range d.Pages {
		pages = append(pages, []string{p.URI, p.Description})
	}
	same := func(row []string) []string { return row }
	return errors.Join(
		table(w, rows),
		section(w, []string{"PARAMETER", "VALUE", "MUTABLE"}, own, same),
		section(w, []string{"INTERFACE", "PARAMETER", "VALUE"}, interfaces, same),
		section(w, []string{"PAGE", "SHOWS"}, pages, same),
	)
}

// completeDevice returns what may come behind the first argument of device: there, words and devices may come.
func completeDevice(daemon *client, given []string) (list []cli.Candidate) {
	var all deviceList
	switch {
	case given[0] == removeDevice, (given[0] == setDevice || given[0] == tellDevice) && len(given) == 1:
		return devicesThere(daemon)
	case given[0] == setDevice:
		var d deviceView
		daemon.fill(&d, place("devices", given[1]))
		for _, p := range d.Parameters {
			if p.Mutable {
				list = append(list, cli.Candidate{Word: p.Name + "=", Doc: "is " + p.Value})
			}
		}
	case given[0] == tellDevice && len(given) == 2:
		var d deviceView
		daemon.fill(&d, place("devices", given[1]))
		for _, p := range d.Pages {
			list = append(list, cli.Candidate{Word: path.Base(p.URI), Doc: p.Description})
		}
	case given[0] != createDevice && len(given) == 1:
		var d deviceView
		daemon.fill(&d, place("devices", given[0]))
		for _, p := range d.Pages {
			if name := path.Base(p.URI); strings.HasSuffix(name, filesSuffix) {
				list = append(list, cli.Candidate{Word: name, Doc: p.Description})
			}
		}
	case given[0] != createDevice || len(given) == 1: // the name of a new device is not known
	case len(given) == 2:
		daemon.fill(&all, "/devices/")
		for _, t := range all.Types {
			list = append(list, cli.Candidate{Word: t.Type, Doc: t.Doc})
		}
	default:
		daemon.fill(&all, "/devices/")
		for _, t := range all.Types {
			for _, p := range t.Parameters {
				if t.Type == given[2] {
					list = append(list, cli.Candidate{Word: p.Name + "=", Doc: p.Doc})
				}
			}
		}
	}
	return list
}

func devicesThere(daemon *client) (list []cli.Candidate) {
	var all deviceList
	daemon.fill(&all, "/devices/")
	for _, d := range all.Devices {
		list = append(list, cli.Candidate{Word: d.Name, Doc: d.Type + " " + d.State})
	}
	return list
}

func (s streams) sessionsCommand() cli.Command {
	return cli.Command{
		Name: "sessions", Synopsis: "[--json]", Doc: "the sessions of applications with their nets",
		Examples: []string{"rccctl sessions"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func([]string) int {
				var list struct {
					Sessions []struct {
						Name, Description string
						Nets              []netEntry
					}
				}
				return s.ask(daemon, "/sessions/", *asJSON, &list, func(w io.Writer) error {
					rows := [][]string{{"SESSION", "NETS", "DESCRIPTION"}}
					for _, e := range list.Sessions {
						var nets []string
						for _, n := range e.Nets {
							nets = append(nets, n.Name+" "+n.State)
						}
						rows = append(rows, []string{e.Name, strings.Join(nets, ", "), e.Description})
					}
					return table(w, rows)
				})
			}
		},
	}
}
