package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// debugLog is what a net has recorded (§7.7.1).
type debugLog struct {
	Shortened bool
	Ports     []struct{ Name string }
	Rows      []struct {
		Time, Cycle json.Number
		Values      []*string // nil where there was none
	}
}

func (s streams) debugCommand() cli.Command {
	return cli.Command{
		Name: "debug", Synopsis: "NET [--csv | --json]",
		Doc:      "what a net has recorded of its ports, cycle by cycle; port[2.0]=… in a net asks for the last two seconds",
		Examples: []string{"rccctl debug rpinet0", "rccctl debug rpinet0 --csv > rpinet0.csv"},
		Args:     []string{kindNet}, Least: 1, Most: 1, Missing: missingNet,
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			asCSV := set.Bool("csv", false, "values separated by commas, nothing where there was none")
			return func(args []string) int {
				switch {
				case args[0] == "":
					return s.refuse(usage, errEmptyName)
				case *asCSV && *asJSON:
					return s.refuse(usage, errors.New("choose only one form of output"))
				}
				var log debugLog
				return s.ask(daemon, netPlace(args[0], "debug"), *asJSON, &log, func(w io.Writer) error {
					if log.Shortened {
						s.refuse(done, errors.New("recording is incomplete, as memory was short"))
					}
					if *asCSV {
						return log.writeCSV(w)
					}
					return table(w, log.table())
				})
			}
		},
	}
}

// table has the names of the columns first.
func (l *debugLog) table() [][]string {
	head := []string{"time", "cycle"}
	for _, p := range l.Ports {
		head = append(head, p.Name)
	}
	rows := [][]string{head}
	for _, r := range l.Rows {
		row := []string{r.Time.String(), r.Cycle.String()}
		for _, v := range r.Values {
			text := ""
			if v != nil {
				text = *v
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

func (l *debugLog) writeCSV(w io.Writer) error {
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(l.table()); err != nil {
		return err
	}
	return verbatim(w, b.String())
}
