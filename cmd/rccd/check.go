package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// check says what is wrong with a cell, and with a net that is to run in it.
func check(args []string, s streams) int {
	set := cli.FlagSet("check", "rccd check --config cell.yaml [--net net.dio|net.xml]", s.out)
	file := set.String("config", "", "`file` with the configuration of the cell, the built-in cell by default")
	netFile := set.String("net", "", "`file` with a net in text form, or in XML when it ends with .xml")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	doubts, err := checkFiles(*file, *netFile)
	for _, doubt := range doubts {
		fmt.Fprintln(s.err, "rccd: "+doubt)
	}
	if err != nil {
		return s.refuse(failed, err)
	}
	fmt.Fprintln(s.out, "ok")
	return done
}

// checkFiles makes a cell as far as that is possible without anything that runs: time stands still in it, and devices claim what they
// would open. The errors are all that are found, those of the cell and those of the net; the doubts
// are warnings of nets.
func checkFiles(file, netFile string) (doubts []string, err error) {
	p := builtIn()
	cfg, err := readConfig(file, p)
	if cfg == nil {
		return nil, err
	}
	var problems config.Error
	_ = errors.As(err, &problems)
	c, err := openCore(cfg, p, surroundings{clock: rt.NewVirtual(epoch), claims: &device.Claims{}})
	if err != nil {
		return nil, errors.Join(problems, err)
	}
	problems = append(problems, c.fill(cfg, p)...)
	problems.Sort()
	err = errors.Join(problems.OrNil(), c.checkNet(netFile), c.Close(context.Background()))
	return c.doubts, err
}

// checkNet loads a net, if there is one. A device that the cell refused is not reported once more as missing from the net.
func (c *cell) checkNet(file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err == nil {
		_, err = c.load(rcc.LoadRequest{Text: string(text)}, file)
	}
	return c.unexplained(err)
}
