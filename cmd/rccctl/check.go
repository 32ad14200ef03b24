package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/content"
)

func (s streams) checkCommand() cli.Command {
	return cli.Command{
		Name: "check", Synopsis: "FILE… [--cycle 1ms]",
		Doc:      "check nets in the running cell without loading them",
		Examples: []string{"rccctl check net.dio", "rccctl check *.dio && rccctl load net.dio --start"},
		Args:     []string{kindFile}, Least: 1, Most: -1, Missing: "a file is missing, or - for standard input",
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon := s.clientFlag(set)
			cycle := set.Duration("cycle", 0, "cycle `time`, by default that of the daemon")
			return func(files []string) int {
				if *cycle < 0 {
					return s.refuse(usage, fmt.Errorf("--cycle %v is negative", *cycle))
				}
				query := url.Values{}
				if *cycle > 0 {
					query.Set("cycle", cycle.String())
				}
				code := done
				for _, file := range files {
					if code = max(code, s.check(daemon, file, query)); code == noConnection {
						break // and no other file would get through
					}
				}
				return code
			}
		},
	}
}

// check says about one file what is to be said.
func (s streams) check(daemon *client, file string, query url.Values) int {
	text, err := s.read(file)
	if err != nil {
		return s.refuse(usage, err)
	}
	if kind := content.Of(text); kind != content.Net && kind != content.XML {
		return s.refuse(failed, notNet(file, kind))
	}
	answer, err := daemon.json(request{method: http.MethodPost, path: "/check/", query: query, media: mediaOf(file, text), body: text})
	if err != nil {
		return s.refuseCheck(file, text, err)
	}
	var found struct{ Warnings []reason }
	if err := json.Unmarshal(answer, &found); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	s.warn(file, found.Warnings)
	_, err = fmt.Fprintf(s.out, "%s: ok\n", shownAs(file))
	return s.answer(err)
}

func notNet(file string, kind content.Kind) error {
	if kind == content.Unknown {
		return fmt.Errorf("%s: not a net", shownAs(file))
	}
	return fmt.Errorf("%s: it is %v, not a net; rccd check %s checks it", shownAs(file), kind, file)
}

// refuseCheck says what is wrong with a net, every line with its file, so that files can be told apart.
func (s streams) refuseCheck(file, text string, err error) int {
	var r *refusal
	if !errors.As(err, &r) || r.Line > 0 {
		return s.refuseCall(inFile(err, file, text))
	}
	if len(r.Reasons) == 0 {
		return s.refuse(failed, fmt.Errorf("%s: %w", shownAs(file), err))
	}
	var lines []error
	for _, why := range r.Reasons {
		lines = append(lines, fmt.Errorf("%s: %s", why.in(file), printable(why.text())))
	}
	return s.refuse(failed, errors.Join(lines...))
}

// warn says what is wrong with a net that can run nevertheless.
func (s streams) warn(file string, warnings []reason) {
	for _, w := range warnings {
		fmt.Fprintf(s.err, "rccctl: %s: warning: %s\n", w.in(file), printable(w.text()))
	}
}

func shownAs(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}
