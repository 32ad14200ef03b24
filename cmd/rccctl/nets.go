package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

const netsSynopsis = "rccctl nets [--json]"

type netList struct {
	Nets []struct {
		Name, State, Description, Session, Cycle string
	}
}

func listNets(args []string, s streams) int {
	set := cli.FlagSet("nets", netsSynopsis, s.err)
	daemon, asJSON := urlFlag(set, s), set.Bool("json", false, "for programs")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	answer, err := daemon.get("/nets/")
	if err != nil {
		return s.refuseCall(err)
	}
	var list netList
	return s.show(answer, *asJSON, &list, func(w io.Writer) error {
		rows := [][]string{{"NET", "STATE", "CYCLE", "SESSION", "DESCRIPTION"}}
		for _, n := range list.Nets {
			rows = append(rows, []string{n.Name, n.State, n.Cycle, n.Session, n.Description})
		}
		return table(w, rows)
	})
}

// table writes rows in columns. What is empty gets a sign, so that columns can be counted.
func table(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, text := range row {
			row[i] = cmp.Or(printable(text), "-")
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// printable keeps what others have written in its cell: on one line, and without commands for the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, strings.Join(strings.Fields(text), " "))
}
