package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/content"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// cell is a core with the devices and nets of its configuration.
type cell struct {
	*rcc.Core
	folder  *extension.Folder
	start   []starting // what runs from the beginning
	held    []*rcc.Net // what should, and has not been started
	doubts  []string   // warnings of nets from files
	missing []string   // names of devices that the configuration has, and the cell has not
}

// surroundings are what a cell lives in. All but the clock may be missing.
type surroundings struct {
	clock     rt.Clock
	execution sched.Config
	log       *zap.Logger
	numbers   *number.Book   // of nets, sessions and rules; nil: they start from 0
	claims    *device.Claims // with which devices open nothing
}

// openCell makes a cell; nothing runs in it yet. What is wrong is a config.Error where the configuration is to blame.
func openCell(cfg *config.Config, p plugins, in surroundings) (*cell, error) {
	c, err := openCore(cfg, p, in)
	if err != nil {
		return nil, err
	}
	if problems := c.fill(cfg, p); len(problems) > 0 {
		return nil, errors.Join(problems, c.Close(context.Background()))
	}
	return c, nil
}

// openCore makes a cell without anything in it.
func openCore(cfg *config.Config, p plugins, in surroundings) (*cell, error) {
	catalogue, err := spec.NewCatalogue(p.primitives)
	if err != nil {
		return nil, err
	}
	folder, err := openFolder(cfg)
	if err != nil {
		return nil, err
	}
	builtIn, _ := p.apart(cfg.Extensions)
	core, err := rcc.New(rcc.Config{
		Catalogue: catalogue, DeviceTypes: p.devices, Interfaces: p.interfaces, Clock: in.clock, Claims: in.claims, Log: in.log,
		DefaultCycle: cfg.Realtime.Cycle, MinCycle: cfg.Realtime.MinCycle, MaxCycle: cfg.Realtime.MaxCycle,
		MaxNets: cfg.Limits.Nets, MaxDevices: cfg.Limits.Devices, NeedStop: cfg.NeedStop,
		Rest: max(brakingTime, cfg.Server.Grace/2),
		Limits: grammar.Limits{
			Bytes: cfg.Limits.NetBytes, Depth: cfg.Limits.Depth, Primitives: cfg.Limits.Primitives, Ports: cfg.Limits.Ports,
		},
		Debug: debugging(cfg), Probes: probing(cfg), Quotas: quotas(cfg, memoryAllowed()), Sched: in.execution, Numbers: in.numbers, Extensions: builtIn, Folder: folder, Version: cli.Version(),
	})
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	core.Listens([]string{cfg.Server.Listen, cfg.Server.DirectIOTCP}, cfg.Server.Hosts) // ports that are any free one are known later
	return &cell{Core: core, folder: folder}, nil
}

// fill puts devices, extensions and nets of the configuration into the cell, except those that are known to be wrong.
func (c *cell) fill(cfg *config.Config, p plugins) config.Error {
	_, others := p.apart(cfg.Extensions)
	for _, f := range cfg.Frames {
		c.Cell.SetFrame(f.Name, f.Of, f.Place.Frame())
	}
	return slices.Concat(c.addWhatDepends(cfg, others), c.addNets(cfg))
}

// openFolder opens the folder of users' extensions, if there is one.
func openFolder(cfg *config.Config) (*extension.Folder, error) {
	if cfg.Folder == "" {
		return nil, nil //nolint:nilnil // a cell without is as good
	}
	folder, err := extension.OpenFolder(cfg.Folder)
	if err != nil {
		return nil, cfg.Problem("extension-folder", err)
	}
	return folder, nil
}

// addWhatDepends adds the devices and the extensions of users that the configuration names, or all that the folder has. A
// device may be of a type of an extension, which may have devices that depend on others, and be written with another
// extension: whatever is refused is tried again when more is there.
func (c *cell) addWhatDepends(cfg *config.Config, ids []string) (problems config.Error) {
	if c.folder != nil && len(cfg.Extensions) == 0 {
		ids = c.folder.IDs()
	}
	var devices []int
	for i, d := range cfg.Devices {
		if cfg.Refuses(deviceKey(i)) {
			c.missing = append(c.missing, d.Name)
		} else {
			devices = append(devices, i)
		}
	}
	var refused map[string]error
	for before := -1; len(ids)+len(devices) != before; {
		before = len(ids) + len(devices)
		refused = map[string]error{}
		devices = slices.DeleteFunc(devices, func(i int) bool {
			d := &cfg.Devices[i]
			c.Cell.SetPlace(d.Name, d.Place.Frame())
			return noted(refused, deviceKey(i), c.Devices.Create(d.Name, d.Type, d.Params))
		})
		ids = slices.DeleteFunc(ids, func(id string) bool {
			key := "extension-folder"
			if i := slices.Index(cfg.Extensions, id); i >= 0 {
				key = fmt.Sprintf("extensions[%d]", i)
			}
			return noted(refused, key, c.Extensions.Load(id))
		})
	}
	for _, i := range devices {
		c.missing = append(c.missing, cfg.Devices[i].Name)
	}
	for _, key := range slices.Sorted(maps.Keys(refused)) {
		if err := c.unexplained(refused[key]); err != nil {
			problems = append(problems, placed(cfg, key, err)...)
		}
	}
	problems.Sort()
	return problems
}

func deviceKey(i int) string { return fmt.Sprintf("devices[%d]", i) }

// noted keeps what is wrong at a key, and reports whether nothing is.
func noted(refused map[string]error, key string, err error) (fine bool) {
	if err != nil {
		refused[key] = errors.Join(refused[key], err)
	}
	return err == nil
}

// placed returns the problems of a device or an extension, those of parameters at their own keys.
func placed(cfg *config.Config, key string, err error) (problems config.Error) {
	if wrong := device.ParamErrors(err); !slices.ContainsFunc(wrong, func(w device.ParamError) bool { return w.Name == "name" }) {
		for _, w := range wrong {
			problems = append(problems, cfg.Problem(key+"."+w.Name, w.Err)...)
		}
		return problems
	}
	return cfg.Problem(key, err)
}

// unexplained is what is left of an error without that which only follows from missing devices, about which enough is said.
func (c *cell) unexplained(err error) error {
	if err == nil {
		return nil
	}
	follows := func(text string) bool {
		return slices.ContainsFunc(c.missing, func(name string) bool {
			return strings.Contains(text, fmt.Sprintf("device %q: %v", name, spec.ErrNoDevice))
		})
	}
	var inNet netError
	switch {
	case errors.As(err, &inNet):
		if left := slices.DeleteFunc(slices.Clone(inNet), follows); len(left) > 0 {
			return left
		}
		return nil
	case follows(err.Error()):
		return nil
	}
	return err
}

// debugging returns what nets may record.
func debugging(cfg *config.Config) rcc.Debugging {
	levels := map[string]rcc.DebugLevel{"off": rcc.DebugOff, "requested": rcc.DebugRequested, "all": rcc.DebugAll}
	return rcc.Debugging{
		Level: levels[cfg.Realtime.Debug], Time: cfg.Realtime.DebugFor,
		NetBytes: max(1, cfg.Limits.DebugNet), Bytes: max(1, cfg.Limits.Debug), // 0 would stand for the default
	}
}

// probing returns what probes may take.
func probing(cfg *config.Config) rcc.Probing {
	return rcc.Probing{NetWords: cfg.Limits.ProbeNet, Words: cfg.Limits.Probes, Bytes: cfg.Limits.ProbeBytes}
}

func (c *cell) addNets(cfg *config.Config) (problems config.Error) {
	for i, n := range cfg.Nets {
		if cfg.Refuses(fmt.Sprintf("nets[%d]", i)) {
			continue
		}
		loaded, err := c.load(rcc.LoadRequest{Text: n.Text, Description: n.Description, Period: n.Cycle}, n.File)
		if err == nil && n.Start != "" {
			c.start = append(c.start, starting{loaded, n.Start})
		}
		if err := c.unexplained(err); err != nil {
			problems = append(problems, cfg.Problem(fmt.Sprintf("nets[%d].file", i), err)...)
		}
	}
	return problems
}

// netError is all that is wrong with a net, a line for each with the name of its file.
type netError []string

func (e netError) Error() string { return strings.Join(e, "\n") }

// load loads a net from a file, whose name or content tells the form of the text.
func (c *cell) load(req rcc.LoadRequest, file string) (n *rcc.Net, err error) {
	if filepath.Ext(file) == ".xml" || content.Of(req.Text) == content.XML {
		req.Parse = xmlnet.Parse
	}
	n, err = c.Nets.Load(req)
	var syntax *grammar.Error
	switch {
	case errors.As(err, &syntax):
		placeless := *syntax
		placeless.Pos = grammar.Pos{}
		return nil, netError{fmt.Sprintf("%s:%d:%d: %v", file, syntax.Pos.Line, syntax.Pos.Column, &placeless)}
	case err != nil:
		return nil, netError{fmt.Sprintf("%s: %v", file, err)}
	}
	for _, w := range n.Warnings() {
		c.doubts = append(c.doubts, "warning: "+inFile(file, w))
	}
	if n.State() != rcc.Rejected {
		return n, nil
	}
	var problems netError
	for _, p := range n.Problems() {
		problems = append(problems, inFile(file, p))
	}
	return nil, problems
}

// inFile returns a problem with the file and the place in front.
func inFile(file string, p rcc.Problem) string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", file, p)
	}
	return fmt.Sprintf("%s:%d:%d: %s", file, p.Line, p.Column, p)
}

// starting is a net that runs from the beginning.
type starting struct {
	*rcc.Net
	when config.Start
}

// begin starts the nets that run from the beginning. After an end that was not orderly nobody knows what a robot is in the middle of,
// so that only those start that are to do so in any case.
func (c *cell) begin(ctx context.Context, orderly bool) error {
	for _, n := range c.start {
		if !orderly && n.when != config.StartAlways {
			c.held = append(c.held, n.Net)
			continue
		}
		if err := n.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// tellHeld logs which nets have not been started.
func (c *cell) tellHeld(log *zap.Logger) {
	for _, n := range c.held {
		log.Warn("net loaded but not started, as the daemon did not end in good order before",
			zap.String("net", n.Name()), zap.String("description", n.Description()))
	}
}

// epoch is when virtual time begins, so that every run is the same.
var epoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// clockOf makes the clock of a cell.
func clockOf(cfg *config.Config) rt.Clock {
	if cfg.Realtime.Clock != "virtual" {
		return rt.NewReal()
	}
	v := rt.NewVirtual(epoch)
	v.SetSpeed(float64(cfg.Realtime.Speed))
	return v
}
