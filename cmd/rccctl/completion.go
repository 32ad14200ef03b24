package main

import (
	"encoding/json"
	"flag"
	"io"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// completionTimeout is how long a shell waits for the daemon while the user types.
const completionTimeout = time.Second

func (s streams) completionCommand() cli.Command {
	return cli.Command{
		Name: "completion", Synopsis: "bash | fish | zsh",
		Doc: "a script for the shell that completes commands, flags and the names of nets, rules, devices and primitives",
		Examples: []string{
			"source <(rccctl completion bash)    # in ~/.bashrc",
			"source <(rccctl completion zsh)     # in ~/.zshrc, behind compinit",
			"rccctl completion fish | source     # in ~/.config/fish/config.fish",
		},
		Args: []string{kindShell}, Least: 1, Most: 1, Missing: "a shell is missing: bash, fish or zsh",
		Flags: func(*flag.FlagSet) func([]string) int {
			return func(args []string) int {
				script, err := cli.Completion(args[0], "rccctl")
				if err != nil {
					return s.refuse(usage, err)
				}
				_, err = io.WriteString(s.out, script)
				return s.answer(err)
			}
		},
	}
}

// candidates returns the command that the scripts of shells call. Its arguments are the words of another command line; it has no flags.
func (s streams) candidates(words []string) int {
	return s.answer(cli.WriteCandidates(s.out, s.program().Complete(words, s.of)))
}

// of asks the daemon what there is of a kind. Without an answer there is nothing to complete.
func (s streams) of(kind string, flags *flag.FlagSet, given []string) (list []cli.Candidate) {
	daemon := client{target{address: address{defaultURL()}}, completionTimeout}
	if f := flags.Lookup("url"); f != nil {
		_ = daemon.Set(f.Value.String())
	}
	switch kind {
	case kindFile:
		return []cli.Candidate{{Word: cli.Files}}
	case kindShell:
		for _, name := range cli.Shells {
			list = append(list, cli.Candidate{Word: name})
		}
	case kindEthercat:
		for _, word := range ethercatWords {
			list = append(list, cli.Candidate{Word: word})
		}
	case kindCalibration:
		for _, word := range []string{calibrateFrame, calibrateTool, calibrateBase} {
			list = append(list, cli.Candidate{Word: word})
		}
	case kindNet, kindNets:
		var answer netList
		daemon.fill(&answer, "/nets/")
		for _, n := range answer.Nets {
			list = append(list, cli.Candidate{Word: n.Name, Doc: n.State + " " + n.Description})
		}
	case kindValue:
		if len(given) > 0 {
			var n netView
			daemon.fill(&n, netPlace(given[0]))
			for _, kv := range n.Inputs {
				list = append(list, cli.Candidate{Word: kv[0] + "=", Doc: "is " + kv[1]})
			}
		}
	case kindRule:
		var answer struct{ Rules []rule }
		daemon.fill(&answer, "/rules/")
		for _, r := range answer.Rules {
			list = append(list, cli.Candidate{Word: strconv.Itoa(r.ID), Doc: r.State + " " + r.condition()})
		}
	case kindDevice:
		list = devicesThere(&daemon)
		for _, word := range []string{createDevice, setDevice, tellDevice, removeDevice} {
			list = append(list, cli.Candidate{Word: word})
		}
	case kindDeviceMore:
		if len(given) > 0 {
			list = completeDevice(&daemon, given)
		}
	case kindExtensionAct:
		for _, word := range []string{loadExtension, replaceExtension, unloadExtension} {
			list = append(list, cli.Candidate{Word: word})
		}
	case kindExtension:
		if len(given) > 0 {
			list = completeExtension(&daemon, given[0])
		}
	case kindType:
		var answer struct{ Primitives []primitive }
		daemon.fill(&answer, "/primitives/")
		for _, p := range answer.Primitives {
			list = append(list, cli.Candidate{Word: p.Name, Doc: p.Doc})
		}
	}
	return list
}

// fill reads an answer as far as there is one.
func (c *client) fill(view any, path string) {
	if answer, err := c.get(path); err == nil {
		_ = json.Unmarshal(answer, view) // a shell has no place for errors
	}
}
