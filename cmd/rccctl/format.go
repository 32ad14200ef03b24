package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/internal/cli"
)

func (s streams) formatCommand() cli.Command {
	return cli.Command{
		Name: "fmt", Synopsis: "FILE… [--write]", Doc: "lay out nets in text form, with their comments, for people",
		Examples: []string{"rccctl fmt net.dio", "rccctl fmt --write *.dio", "rccctl show rpinet0 --dio | rccctl fmt -"},
		Args:     []string{kindFile}, Least: 1, Most: -1, Missing: "a file is missing, or - for standard input",
		Flags: func(set *flag.FlagSet) func([]string) int {
			write := set.Bool("write", false, "write the files back, and print the names of those that have changed")
			return func(args []string) int { return s.format(args, *write) }
		},
	}
}

// format lays out files. One that is refused keeps none of the others from being laid out.
func (s streams) format(files []string, write bool) int {
	var problems []error
	for _, file := range files {
		if err := s.formatFile(file, write); err != nil {
			problems = append(problems, err)
		}
	}
	err := errors.Join(problems...)
	if unread := new(fs.PathError); errors.As(err, &unread) {
		return s.refuse(usage, err)
	}
	return s.answer(err)
}

func (s streams) formatFile(file string, write bool) error {
	text, err := s.read(file)
	if err != nil {
		return err
	}
	if isXML(file, text) {
		return fmt.Errorf("%s is XML; only nets in text form can be laid out", file)
	}
	laid, err := grammar.FormatNet(text, grammar.Limits{Bytes: longestNet})
	var syntax *grammar.Error
	if errors.As(explain.Explain(explain.Net, text, err), &syntax) {
		return placed(syntax, file, text)
	}
	switch {
	case err != nil || write && text == laid:
		return err
	case !write || file == "-":
		_, err := io.WriteString(s.out, laid)
		return err
	}
	if err := replaceFile(file, laid); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, printable(file))
	return err
}

// placed gives an error its place in the file, and shows it.
func placed(e *grammar.Error, file, text string) error {
	at := e.Pos
	placeless := *e
	placeless.Pos = grammar.Pos{}
	return fmt.Errorf("%s: %w%s", inText(file, at.Line, at.Column), &placeless, excerpt(text, at.Line, at.Column))
}

// replaceFile gives a file another text, all of it or nothing, and leaves its rights as they are.
func replaceFile(file, text string) error {
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	fresh, err := os.CreateTemp(filepath.Dir(target), ".rccctl-*")
	if err != nil {
		return err
	}
	_, err = fresh.WriteString(text)
	err = errors.Join(err, fresh.Chmod(info.Mode().Perm()), fresh.Close())
	if err == nil {
		err = os.Rename(fresh.Name(), target)
	}
	if err != nil {
		_ = os.Remove(fresh.Name()) // the first error is returned
	}
	return err
}
