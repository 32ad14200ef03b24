package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// primitive is a type of the catalogue. The list has its name, extension and doc only.
type primitive struct {
	Name, Extension, Doc string

	Parameters []struct {
		Name, Type, Default, Doc string
		Required                 bool
	}
	In, Out []struct {
		Name, Type, Parameter, Doc string
		Required                   bool
	}
	Examples []struct {
		Doc, Cycle, Reject  string
		Parameters, In, Out []struct {
			Name   string
			Values []string
		}
	}
}

func (s streams) catalogueCommand() cli.Command {
	return cli.Command{
		Name: "catalogue", Synopsis: "[TYPE] [--search WORD] [--json]",
		Doc:      "the primitives of the daemon, or one with its ports, parameters and examples",
		Examples: []string{"rccctl catalogue --search snapshot", "rccctl catalogue Core::DoubleAdd"},
		Args:     []string{kindType}, Most: 1,
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			search := set.String("search", "", "only those with this `word` in their name or description")
			return func(args []string) int {
				switch {
				case len(args) == 0:
					return s.catalogue(daemon, *search, *asJSON)
				case *search != "":
					return s.refuse(usage, errors.New("either a type or --search, not both"))
				case args[0] == "":
					return s.refuse(usage, errEmptyName)
				}
				var p primitive
				path := strings.TrimSuffix(place("primitives", args[0]), "/")
				return s.ask(daemon, path, *asJSON, &p, p.write)
			}
		},
	}
}

func (s streams) catalogue(daemon *client, search string, asJSON bool) int {
	answer, err := daemon.get("/primitives/")
	if err != nil {
		return s.refuseCall(err)
	}
	var list struct {
		Primitives []json.RawMessage `json:"primitives"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	rows := [][]string{{"PRIMITIVE", "EXTENSION", "WHAT IT DOES"}}
	found := list.Primitives[:0]
	for _, text := range list.Primitives {
		var p primitive
		if err := json.Unmarshal(text, &p); err != nil {
			return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
		}
		if p.has(search) {
			found = append(found, text)
			rows = append(rows, []string{p.Name, p.Extension, p.Doc})
		}
	}
	if !asJSON {
		return s.answer(table(s.out, rows))
	}
	list.Primitives = found
	answer, err = json.Marshal(list)
	if err != nil {
		return s.refuse(failed, err)
	}
	return s.answer(showJSON(s.out, answer))
}

func (p *primitive) has(word string) bool {
	word = strings.ToLower(word)
	return slices.ContainsFunc([]string{p.Name, p.Extension, p.Doc}, func(text string) bool {
		return strings.Contains(strings.ToLower(text), word)
	})
}

// write prints a type for people.
func (p *primitive) write(w io.Writer) error {
	fmt.Fprintf(w, "%s, extension %s\n%s\n", printable(p.Name), printable(p.Extension), printable(p.Doc))
	var params, in, out [][]string
	for _, e := range p.Parameters {
		params = append(params, []string{e.Name, e.Type, optional(e.Required, e.Default), e.Doc})
	}
	for _, e := range p.In {
		in = append(in, []string{e.Name, e.Type, optional(e.Required, e.Parameter), e.Doc})
	}
	for _, e := range p.Out {
		out = append(out, []string{e.Name, e.Type, e.Doc})
	}
	itself := func(row []string) []string { return row }
	return errors.Join(
		section(w, []string{"PARAMETER", "TYPE", "DEFAULT", "WHAT IT IS"}, params, itself),
		section(w, []string{"IN", "TYPE", "WHILE OPEN", "WHAT IT IS"}, in, itself),
		section(w, []string{"OUT", "TYPE", "WHAT IT IS"}, out, itself),
		p.writeExamples(w),
	)
}

func optional(required bool, otherwise string) string {
	if required {
		return "required"
	}
	return otherwise
}

// writeExamples prints values cycle by cycle.
func (p *primitive) writeExamples(w io.Writer) error {
	for _, e := range p.Examples {
		fmt.Fprintf(w, "\nexample: %s\n", printable(e.Doc))
		var rows [][]string
		for _, list := range [][]struct {
			Name   string
			Values []string
		}{e.Parameters, e.In, e.Out} {
			for _, series := range list {
				rows = append(rows, append([]string{series.Name}, series.Values...))
			}
		}
		if e.Reject != "" {
			rows = append(rows, []string{"rejected:", e.Reject})
		}
		if err := table(w, rows); err != nil {
			return err
		}
	}
	return nil
}
