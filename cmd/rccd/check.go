package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// check says what is wrong with a cell, and with a net that is to run in it.
func check(args []string, s streams) int {
	set := cli.FlagSet("check", "rccd check --config cell.yaml [--net net.dio|net.xml]", s.err)
	file := set.String("config", "", "`file` with the configuration of the cell, the built-in cell by default")
	netFile := set.String("net", "", "`file` with a net in text form, or in XML when it ends with .xml")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	if err := checkFiles(*file, *netFile); err != nil {
		return s.refuse(failed, err)
	}
	fmt.Fprintln(s.out, "ok")
	return done
}

// checkFiles loads everything and starts nothing, with a clock that stands still.
func checkFiles(file, netFile string) (err error) {
	p := builtIn()
	cfg, err := readConfig(file, p)
	if err != nil {
		return err
	}
	c, err := openCell(cfg, p, rt.NewVirtual(epoch), sched.Config{}, zap.NewNop())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(context.Background())) }()
	if netFile == "" {
		return nil
	}
	text, err := os.ReadFile(netFile)
	if err != nil {
		return err
	}
	_, err = c.load(rcc.LoadRequest{Text: string(text)}, netFile)
	return err
}
