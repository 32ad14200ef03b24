package main

import (
	"errors"
	"flag"
	"io"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// deviceView is a device with its interfaces (§9). The device rcc stands for the daemon itself and has an emergency stop
// instead.
type deviceView struct {
	Name, Type, State string
	EmergencyStop     *bool `json:"estop"`
	Interfaces        []struct {
		Name       string
		Parameters []struct{ Name, Value string }
	}
}

func (s streams) devicesCommand() cli.Command {
	return cli.Command{
		Name: "devices", Synopsis: "[--json]", Doc: "the devices with their states and interfaces",
		Examples: []string{"rccctl devices"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func([]string) int {
				var list struct{ Devices []deviceView }
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

func (s streams) deviceCommand() cli.Command {
	return cli.Command{
		Name: "device", Synopsis: "NAME [--json]", Doc: "a device with its interfaces and their parameters",
		Examples: []string{"rccctl device arm"},
		Args:     []string{kindDevice}, Least: 1, Most: 1, Missing: "a device is missing; rccctl devices has all",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func(args []string) int {
				if args[0] == "" {
					return s.refuse(usage, errEmptyName)
				}
				var d deviceView
				return s.ask(daemon, place("devices", args[0]), *asJSON, &d, d.write)
			}
		},
	}
}

// write tells a device to people.
func (d *deviceView) write(w io.Writer) error {
	rows := [][]string{{"DEVICE", d.Name}}
	if d.EmergencyStop != nil {
		rows = append(rows, []string{"emergency stop", strconv.FormatBool(*d.EmergencyStop)})
	} else {
		rows = append(rows, []string{"type", d.Type}, []string{"state", d.State})
	}
	var params [][]string
	for _, i := range d.Interfaces {
		params = append(params, []string{i.Name, "", ""})
		for _, p := range i.Parameters {
			params = append(params, []string{i.Name, p.Name, p.Value})
		}
	}
	return errors.Join(
		table(w, rows),
		section(w, []string{"INTERFACE", "PARAMETER", "VALUE"}, params, func(row []string) []string { return row }),
	)
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
