package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/content"
)

// longestNet is more than a daemon takes: its limit is what counts.
const longestNet = 64 << 20

func (s streams) loadCommand() cli.Command {
	return cli.Command{
		Name: "load", Synopsis: "FILE [--name D] [--cycle 1ms] [--session S] [--refusal end] [--start] [--json]",
		Doc: "load a net, in text form or XML, from a file or - for standard input, and print its name",
		Examples: []string{
			"rccctl load net.dio --name 'first try' --cycle 1ms --start",
			"net=$(rccctl load - < net.xml)",
		},
		Args: []string{kindFile}, Least: 1, Most: 1, Missing: "a file is missing, or - for standard input",
		Flags: func(set *flag.FlagSet) func([]string) int {
			var l loading
			l.daemon, l.asJSON = s.clientFlag(set), jsonFlag(set)
			l.name = set.String("name", "", "`description` of the net, by default the name of the file")
			l.session = set.String("session", "", "`name` of the session that the net belongs to")
			l.refusal = set.String("refusal", "", "continue or end: what the net does when a device refuses a set-point, continue by default")
			l.start = set.Bool("start", false, "start it, too")
			set.DurationVar(&l.cycle, "cycle", 0, "cycle `time`, by default that of the daemon")
			return func(args []string) int { return s.load(l, args[0]) }
		},
	}
}

type loading struct {
	daemon        *client
	asJSON, start *bool
	name, session *string
	refusal       *string
	cycle         time.Duration
}

func (s streams) load(l loading, file string) int {
	if l.cycle < 0 {
		return s.refuse(usage, fmt.Errorf("--cycle %v is negative", l.cycle))
	}
	text, err := s.read(file)
	if err != nil {
		return s.refuse(usage, err)
	}
	answer, err := l.daemon.json(l.request(file, text))
	if err != nil {
		return s.refuseCall(inFile(err, file, text))
	}
	var n netView
	if err := json.Unmarshal(answer, &n); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	s.warn(file, n.Warnings)
	if *l.start {
		started, err := l.daemon.post(netPlace(n.Name, "start"), nil)
		if err != nil {
			fmt.Fprintln(s.out, printable(n.Name)) // it is loaded nevertheless
			return s.refuseCall(err)
		}
		answer = started
	}
	return s.show(answer, *l.asJSON, &n, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, printable(n.Name))
		return err
	})
}

func (s streams) read(file string) (string, error) {
	in := s.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, longestNet+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", file, err)
	case len(text) > longestNet:
		return "", fmt.Errorf("%s: longer than %d bytes", file, longestNet)
	case strings.TrimSpace(string(text)) == "":
		return "", fmt.Errorf("%s: it is empty", file)
	}
	return string(text), nil
}

// isXML reports whether a net is XML, by the name of its file or by its text.
func isXML(file, text string) bool {
	return strings.EqualFold(filepath.Ext(file), ".xml") || content.Of(text) == content.XML
}

// mediaOf returns the media type of a net.
func mediaOf(file, text string) string {
	if isXML(file, text) {
		return "application/xml"
	}
	return "text/plain; charset=utf-8"
}

func (l loading) request(file, text string) request {
	query := url.Values{"desc": {*l.name}}
	if *l.name == "" && file != "-" {
		query.Set("desc", strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	}
	if *l.session != "" {
		query.Set("session", *l.session)
	}
	if *l.refusal != "" {
		query.Set("refusal", *l.refusal)
	}
	if l.cycle > 0 {
		query.Set("cycle", l.cycle.String())
	}
	return request{method: http.MethodPost, path: "/nets/", query: query, media: mediaOf(file, text), body: text}
}

// inFile gives a text that does not parse its place in the file, and shows it.
func inFile(err error, file, text string) error {
	var r *refusal
	if !errors.As(err, &r) || r.Line == 0 || len(r.Reasons) > 0 {
		return err
	}
	message := strings.TrimPrefix(r.Message, fmt.Sprintf("line %d, column %d: ", r.Line, r.Column))
	return fmt.Errorf("%s: %s%s", inText(file, r.Line, r.Column), message, excerpt(text, r.Line, r.Column))
}

// inText returns a place in a file, as editors know it.
func inText(file string, line, column int) string {
	return fmt.Sprintf("%s:%d:%d", shownAs(file), line, column)
}

// around is how much is shown on either side of a place, in characters: generated nets are one long line.
const around = 32

// excerpt returns the line of a place, with a sign below it.
func excerpt(text string, line, column int) string {
	lines := strings.Split(text, "\n")
	if line > len(lines) {
		return ""
	}
	shown := []rune(harmless(strings.ReplaceAll(strings.TrimRight(lines[line-1], "\r"), "\t", " ")))
	at := min(max(column-1, 0), len(shown))
	first, last := max(at-around, 0), min(at+around, len(shown))
	return "\n  " + string(shown[first:last]) + "\n  " + strings.Repeat(" ", at-first) + "^"
}
