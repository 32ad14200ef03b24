package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

// rule is a synchronization rule as the daemon reports it.
type rule struct {
	ID                  int
	State, Description  string
	Condition, After    string
	Stop, Cancel, Start []string
	Record              record
}

// record is what a rule has gone by.
type record struct {
	Account   string
	Value     string
	Variables []struct {
		Net, Key, Value, State, Why string
		Cycle                       uint64
	}
	Changes []struct {
		Action, Net, Before string
		Done                bool
	}
}

// The states of rules.
const (
	stateActive = "ACTIVE"
	stateFired  = "FIRED"
)

func (s streams) rulesCommand() cli.Command {
	return cli.Command{
		Name: "rules", Synopsis: "[N] [--json]",
		Doc:      "the synchronization rules, or one with its record: why it has switched, or why not",
		Examples: []string{"rccctl rules", "rccctl rules 3"},
		Args:     []string{kindRule}, Most: 1,
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func(numbers []string) int {
				if len(numbers) == 0 {
					return s.listRules(daemon, *asJSON)
				}
				number, err := strconv.Atoi(numbers[0])
				if err != nil {
					return s.refuse(usage, fmt.Errorf("%q is not the number of a rule", numbers[0]))
				}
				var r rule
				return s.ask(daemon, ruleAddress(number), *asJSON, &r, r.write)
			}
		},
	}
}

func ruleAddress(number int) string { return "/rules/" + strconv.Itoa(number) }

func (s streams) listRules(daemon *client, asJSON bool) int {
	var list struct{ Rules []rule }
	return s.ask(daemon, "/rules/", asJSON, &list, func(w io.Writer) error {
		rows := [][]string{{"RULE", "STATE", "CONDITION", "STOP", "CANCEL", "START", "DESCRIPTION"}}
		for _, r := range list.Rules {
			rows = append(rows, []string{
				strconv.Itoa(r.ID), r.State, r.condition(), strings.Join(r.Stop, ","), strings.Join(r.Cancel, ","),
				strings.Join(r.Start, ","), r.Description,
			})
		}
		return table(w, rows)
	})
}

func (r *rule) condition() string {
	switch {
	case r.After != "":
		return "end of " + r.After
	case r.Condition == "":
		return "t"
	}
	return r.Condition
}

// write prints a rule with its record for people.
func (r *rule) write(w io.Writer) error {
	fmt.Fprintf(w, "rule %d %s: %s\n%s\n", r.ID, printable(r.State), printable(r.condition()), harmless(r.Record.Account))
	if len(r.Record.Variables) > 0 {
		rows := [][]string{{"VALUE", "IS", "CYCLE", "NET IS", "WHY"}}
		for _, v := range r.Record.Variables {
			name := v.Net + "." + v.Key
			if v.Key == "" {
				name = "end of " + v.Net
			}
			rows = append(rows, []string{name, v.Value, strconv.FormatUint(v.Cycle, 10), v.State, v.Why})
		}
		if err := table(w, rows); err != nil {
			return err
		}
	}
	if len(r.Record.Changes) == 0 {
		return nil
	}
	rows := [][]string{{"ACTION", "NET", "WAS", "DONE"}}
	for _, c := range r.Record.Changes {
		done := "done"
		if !c.Done {
			done = "nothing to do"
		}
		rows = append(rows, []string{c.Action, c.Net, c.Before, done})
	}
	return table(w, rows)
}

func (s streams) syncCommand() cli.Command {
	return cli.Command{
		Name: "sync", Synopsis: "COND [--stop N,…] [--cancel N,…] [--start N,…] [--description D] [--wait [--timeout 1m]] [--json]",
		Doc: "add a synchronization rule: what to stop, cancel and start when a condition becomes true",
		Examples: []string{
			"rccctl sync 'rpinet0.outdone & !rpinet0.outfailed' --stop rpinet0 --start rpinet1",
			"rccctl sync t --start rpinet1,rpinet2 --wait    # at once, both in one tick",
		},
		Args: []string{kindValue}, Least: 1, Most: 1,
		Missing: "a condition is missing, such as rpinet0.outDone; t holds at once",
		Flags:   s.addRule,
	}
}

// addRule adds a rule, and waits for its outcome if requested.
func (s streams) addRule(set *flag.FlagSet) func([]string) int {
	daemon, asJSON := s.clientFlag(set), jsonFlag(set)
	form := url.Values{}
	for _, name := range []string{"stop", "cancel", "start"} {
		set.Func(name, "`nets` to "+name+", separated by commas; can be repeated", func(text string) error {
			if strings.Trim(text, ", \t") == "" {
				return errors.New("rule names no net; use --stop, --cancel or --start") // such as a variable of a script that is empty by mistake
			}
			form.Add(name, text)
			return nil
		})
	}
	description := set.String("description", "", "what the rule is for")
	wait := set.Bool("wait", false, "wait until the rule is decided, and print its record")
	timeout := set.Duration("timeout", time.Minute, "how long to wait; with --wait")
	return func(conditions []string) int {
		var err error
		set.Visit(func(f *flag.Flag) {
			if f.Name == "timeout" && !*wait {
				err = errors.New("--timeout without --wait")
			}
		})
		if err != nil {
			return s.refuse(usage, err)
		}
		form.Set("condition", conditions[0])
		form.Set("description", *description)
		answer, err := daemon.post("/rules/", form)
		if err != nil {
			return s.refuseCall(err)
		}
		if *wait {
			return waitForRule(daemon, answer, *timeout, *asJSON, s)
		}
		var r rule
		return s.show(answer, *asJSON, &r, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, r.ID)
			return err
		})
	}
}

// Looks at a rule that is waited for: often at first, because most rules are decided soon.
const (
	firstLook = 10 * time.Millisecond
	rareLooks = 500 * time.Millisecond
)

// waitForRule returns the outcome of a rule. It is done when the rule has fired.
func waitForRule(daemon *client, answer json.RawMessage, timeout time.Duration, asJSON bool, s streams) int {
	enough := time.After(timeout)
	for pause := firstLook; ; pause = min(2*pause, rareLooks) {
		var r rule
		if err := json.Unmarshal(answer, &r); err != nil {
			return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
		}
		if r.State != stateActive {
			if code := s.show(answer, asJSON, &r, r.write); code != done || r.State == stateFired {
				return code
			}
			return failed
		}
		select {
		case <-enough:
			_ = s.show(answer, asJSON, &r, r.write)
			return s.refuse(failed, fmt.Errorf("rule %d still waits after %v", r.ID, timeout))
		case <-time.After(pause):
		}
		var err error
		if answer, err = daemon.get(ruleAddress(r.ID)); err != nil {
			return s.refuseCall(err)
		}
	}
}
