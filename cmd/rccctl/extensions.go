package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// extensionView is an extension that is loaded (§9.5).
type extensionView struct {
	Name, Version, Doc string
	BuiltIn            bool
	Modules            []struct{ Name string }
	DeviceTypes        []string
	Devices            []string
	Pages              []struct{ URI string }
	Problem            string // of the version that its folder has now
}

// Commands for extensions.
const (
	loadExtension    = "load"
	replaceExtension = "replace"
	unloadExtension  = "unload"
)

type extensionList struct {
	Extensions []extensionView
	Others     []string
}

func (s streams) extensionsCommand() cli.Command {
	return cli.Command{
		Name: "extensions", Synopsis: "[--json]", Doc: "the extensions with their versions, and those that could be loaded",
		Examples: []string{"rccctl extensions"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func([]string) int {
				var list extensionList
				return s.ask(daemon, "/extensions/", *asJSON, &list, func(w io.Writer) error {
					rows := [][]string{{"EXTENSION", "VERSION", "PRIMITIVES", "DEVICE TYPES", "DEVICES"}}
					for _, e := range list.Extensions {
						rows = append(rows, []string{
							e.Name, e.Version, strconv.Itoa(len(e.Modules)), strings.Join(e.DeviceTypes, " "), strings.Join(e.Devices, " "),
						})
					}
					for _, id := range list.Others {
						rows = append(rows, []string{id, "not loaded", "", "", ""})
					}
					if err := table(w, rows); err != nil {
						return err
					}
					return problemsOf(w, list.Extensions)
				})
			}
		},
	}
}

// problemsOf returns the extensions that differ from their folders.
func problemsOf(w io.Writer, list []extensionView) error {
	var rows [][]string
	for _, e := range list {
		if e.Problem == "" {
			continue
		}
		for line := range strings.SplitSeq(e.Problem, "\n") {
			rows = append(rows, []string{e.Name, line})
		}
	}
	return section(w, []string{"EXTENSION", "WHY ITS FOLDER IS NOT LOADED"}, rows, func(row []string) []string { return row })
}

func (s streams) extensionCommand() cli.Command {
	return cli.Command{
		Name: "extension", Synopsis: "load ID | replace ID | unload ID",
		Doc: "load an extension, replace it by its present version, or unload it when it is not in use",
		Examples: []string{
			"rccctl extension load rpiworld",
			"rccctl extension replace grippers",
		},
		Args: []string{kindExtensionAct, kindExtension}, Least: 2, Most: 2, Missing: "load, replace or unload is missing, or an id; rccctl extensions has all",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon := s.clientFlag(set)
			return func(args []string) int {
				done, ok := map[string]string{loadExtension: "loaded", replaceExtension: "loaded", unloadExtension: "unloaded"}[args[0]]
				switch {
				case !ok:
					return s.refuse(usage, fmt.Errorf("%q is not load, replace or unload", args[0]))
				case args[1] == "":
					return s.refuse(usage, errors.New("the id is empty"))
				}
				if _, err := daemon.post("/extensions/", url.Values{"extension": {args[1]}, "action": {args[0]}}); err != nil {
					return s.refuseCall(err)
				}
				return s.answer(table(s.out, [][]string{{args[1], done}}))
			}
		},
	}
}

// completeExtension returns which extensions something can be done with.
func completeExtension(daemon *client, action string) (list []cli.Candidate) {
	var all extensionList
	daemon.fill(&all, "/extensions/")
	for _, e := range all.Extensions {
		if action == unloadExtension || action == replaceExtension && !e.BuiltIn {
			list = append(list, cli.Candidate{Word: e.Name, Doc: strings.TrimSpace(e.Version + " " + e.Doc)})
		}
	}
	if action == loadExtension || action == replaceExtension {
		for _, id := range all.Others {
			list = append(list, cli.Candidate{Word: id, Doc: "not loaded"})
		}
	}
	return list
}
