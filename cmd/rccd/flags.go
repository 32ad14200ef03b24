package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/softrobot-rcc/rccd/configs"
	"github.com/softrobot-rcc/rccd/rcc/config"
)

// cellFlags are the flags that choose a cell and change its configuration.
type cellFlags struct {
	set  *flag.FlagSet
	file string

	listen, directioTCP, realtime, clock, logLevel, state string
}

func addCellFlags(set *flag.FlagSet) *cellFlags {
	d := config.Default()
	f := &cellFlags{set: set}
	set.StringVar(&f.listen, "listen", d.Server.Listen, "`address` of HTTP and DirectIO over WebSocket, port 0 = any")
	set.StringVar(&f.directioTCP, "directio-tcp", "", "`address` of DirectIO over plain TCP, off by default")
	set.StringVar(&f.realtime, "realtime", d.Realtime.Mode, "auto, required or off")
	set.StringVar(&f.clock, "clock", d.Realtime.Clock, "real or virtual")
	set.StringVar(&f.logLevel, "log-level", d.Server.LogLevel, "debug, info, warn or error")
	set.StringVar(&f.state, "state", stateDirectory(), "`folder` for what a restart needs to know, $STATE_DIRECTORY by default")
	return f
}

func (f *cellFlags) addConfig() {
	f.set.StringVar(&f.file, "config", "", "`file` with the configuration of the cell, the built-in cell by default")
}

// load reads the configuration of the cell and changes what the flags say. With a file that is wrong everything is said at once, also
// what is found only where the cell is made.
func (f *cellFlags) load(p plugins) (*config.Config, error) {
	cfg, err := readConfig(f.file, p)
	if err != nil {
		return nil, checkCell(f.file, nil)
	}
	var errs []error
	f.set.Visit(func(g *flag.Flag) {
		key, ok := map[string]string{
			"listen": "server.listen", "directio-tcp": "server.directio-tcp", "log-level": "server.log-level",
			"realtime": "realtime.mode", "clock": "realtime.clock",
		}[g.Name]
		if ok {
			errs = append(errs, named(g.Name, cfg.Set(key, g.Value.String())))
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	cfg.State = f.state
	return cfg, cfg.Check()
}

func named(flagName string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--%s: %w", flagName, err)
}

// readConfig reads a file, or the built-in cell if the name is empty. With an error it returns what config.Load could read.
func readConfig(file string, p plugins) (*config.Config, error) {
	if file == "" {
		return config.Load(configs.Files, configs.Sim, "built-in "+configs.Sim, p.known())
	}
	cfg, err := config.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file), file, p.known())
	if cfg != nil && cfg.Folder != "" {
		cfg.Folder = filepath.Join(filepath.Dir(file), cfg.Folder)
	}
	return cfg, err
}
