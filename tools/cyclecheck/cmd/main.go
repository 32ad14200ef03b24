// Command cmd reports what breaks the rules of the cycle in a program.
//
//	go run ./tools/cyclecheck/cmd                 what must not be called, and the way to it
//	go run ./tools/cyclecheck/cmd memmove Board   a shortest way to every function with one of these in its name
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/softrobot-rcc/rccd/tools/cyclecheck"
)

func main() {
	p := cyclecheck.Program{}
	flag.StringVar(&p.Dir, "dir", ".", "folder of the module")
	flag.StringVar(&p.Package, "package", "./cmd/rccd", "the program")
	flag.StringVar(&p.Arch, "arch", "amd64", "amd64 or arm64")
	flag.Parse()
	if err := run(p, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(p cyclecheck.Program, names []string) error {
	s, err := cyclecheck.Read(context.Background(), p)
	if err != nil {
		return err
	}
	r, err := s.Check(&cyclecheck.Cycle)
	if err != nil {
		return err
	}
	for _, name := range names {
		for _, way := range r.Ways(name) {
			fmt.Print(way, "\n\n")
		}
	}
	if len(names) > 0 {
		return nil
	}
	for _, f := range r.Findings {
		fmt.Print(f, "\n\n")
	}
	fmt.Printf("%s: %d functions in the cycle, %d bytes of stack of %d\n", p.Arch, r.Functions, r.Stack, cyclecheck.Cycle.Room)
	if n := len(r.Findings); n > 0 {
		return fmt.Errorf("%d findings", n)
	}
	return nil
}
