package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	dio "github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/internal/cli"
)

func (s streams) previewCommand() cli.Command {
	return cli.Command{
		Name: "preview", Synopsis: "FILE… [--cycle 1ms] [--for 60s] [--json]",
		Doc:      "what nets would do that start together, with twins of all devices: nothing moves; exit 1 if a limit would be violated",
		Examples: []string{"rccctl preview net.dio && rccctl load net.dio --start"},
		Args:     []string{kindFile}, Least: 1, Most: -1, Missing: "a file is missing, or - for standard input",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			cycle := set.Duration("cycle", 0, "cycle `time`, by default that of the daemon")
			longest := set.Duration("for", 0, "`time` of the cell after which what still runs is cancelled, by default 60s")
			return func(files []string) int {
				if *cycle < 0 || *longest < 0 {
					return s.refuse(usage, fmt.Errorf("--cycle %v or --for %v is negative", *cycle, *longest))
				}
				plan := dio.Plan{For: longest.Seconds()}
				for _, file := range files {
					text, err := s.readText(file)
					if err != nil {
						return s.refuse(usage, err)
					}
					plan.Nets = append(plan.Nets, dio.PlannedNet{Text: text, Cycle: cycle.Seconds(), Start: true})
				}
				return s.preview(daemon, files, &plan, *asJSON)
			}
		},
	}
}

// readText reads a net and returns it in text form.
func (s streams) readText(file string) (string, error) {
	text, err := s.read(file)
	if err != nil || !isXML(file, text) {
		return text, err
	}
	tree, err := xmlnet.Parse(text, grammar.Limits{})
	if err != nil {
		return "", fmt.Errorf("%s: %w", shownAs(file), err)
	}
	return string(tree.AppendText(nil)), nil
}

// preview has the daemon execute the plan.
func (s streams) preview(daemon *client, files []string, plan *dio.Plan, asJSON bool) int {
	body, err := json.Marshal(plan)
	if err != nil {
		return s.refuse(failed, err)
	}
	answer, err := daemon.json(request{method: http.MethodPost, path: "/preview/", media: typeJSON, body: string(body)})
	if err != nil {
		return s.refuseCall(err)
	}
	found := foreseen{files: files}
	if err := json.Unmarshal(answer, &found); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	if code := s.show(answer, asJSON, &found, found.write); code != done {
		return code
	}
	if len(found.Breaches) > 0 {
		return failed
	}
	return done
}

// foreseen is what would come of nets.
type foreseen struct {
	dio.Preview

	files []string
}

// write shows it to people.
func (f *foreseen) write(w io.Writer) error {
	for i, n := range f.Nets {
		if i >= len(f.files) {
			break
		}
		file := shownAs(f.files[i])
		fmt.Fprintf(w, "%s: %s after %s\n", file, printable(string(n.State)), inSeconds(n.End))
		for _, r := range n.Warnings {
			fmt.Fprintf(w, "%s: warning: %s\n", file, printable(r.Text))
		}
	}
	if f.Cut {
		fmt.Fprintln(w, "what still ran was cancelled (--for)")
	}
	for _, b := range f.Breaches {
		fmt.Fprintf(w, "limit: %s\n", printable(b.Text))
	}
	for _, d := range f.Warnings {
		fmt.Fprintf(w, "now: %s\n", printable(d.Text))
	}
	for _, d := range f.LeftOut {
		fmt.Fprintf(w, "left out: %s: %s\n", printable(d.Device), printable(d.Why))
	}
	return f.writeJoints(w)
}

// writeJoints shows where joints would come to rest, and what they would be commanded at most, beside their limits.
func (f *foreseen) writeJoints(w io.Writer) error {
	rows := [][]string{{"DEVICE", "JOINT", "FROM", "TO", "VELOCITY", "LIMIT", "ACCELERATION", "LIMIT"}}
	for _, d := range f.Devices {
		for i, p := range d.Peaks {
			if i >= len(d.From) || i >= len(d.Joints) {
				break
			}
			rows = append(rows, []string{
				d.Name, strconv.Itoa(i), fourDigits(d.From[i]), fourDigits(d.Joints[i]),
				fourDigits(p.Velocity), limitOf(p.VelocityLimit), fourDigits(p.Acceleration), limitOf(p.AccelerationLimit),
			})
		}
	}
	if len(rows) == 1 {
		return nil
	}
	return table(w, rows)
}

func inSeconds(t float64) string {
	return time.Duration(math.Round(t*1e6) * 1e3).String()
}

// rounded keeps the digits that people read.
func fourDigits(v float64) string {
	text := strconv.FormatFloat(v, 'f', 4, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// limitOf shows a limit, which is 0 when nobody knows it.
func limitOf(v float64) string {
	if v == 0 {
		return "none"
	}
	return fourDigits(v)
}
