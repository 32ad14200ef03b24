// Command texts looks after the language of the repository.
//
//	go run ./tools/texts          writes testdata/texts.txt
//	go run ./tools/texts words    prints what the word list refuses
//
// testdata/texts.txt holds every text of the programs and libraries that a user can see, package by package, so that a reviewer
// can read them in one sitting. The tests of this package fail when the file is out of date, when an error text has the wrong form,
// and when a comment, a string or a page uses a phrase of the word list (words.go).
package main

import (
	"errors"
	"fmt"
	"os"
)

// collected is the file with the texts, below the top of the repository.
const collected = "testdata/texts.txt"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "texts:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	top := os.DirFS(".")
	switch {
	case len(args) == 0:
		all, err := collect(top)
		if err != nil {
			return err
		}
		return os.WriteFile(collected, []byte(all.String()), 0o666)
	case len(args) == 1 && args[0] == "words":
		found, err := words(top)
		for _, f := range found {
			fmt.Println(f)
		}
		return err
	}
	return errors.New("usage: texts [words]")
}
