package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// catalogue shows what nets and cells can use: primitives, device types, and the interfaces of the built-in devices;
// ports and parameters of primitives in JSON only, and on the pages of the daemon.
func catalogue(args []string, s streams) (code int) {
	set := s.flags("catalogue", "rccd catalogue [--json]")
	asJSON := set.Bool("json", false, "for programs")
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	p := builtIn()
	cfg, err := readConfig("", p)
	if err != nil {
		return s.refuse(failed, err)
	}
	c, err := openCell(cfg, p, surroundings{clock: rt.NewVirtual(epoch)})
	if err != nil {
		return s.refuse(failed, err)
	}
	show := showCatalogue
	if *asJSON {
		show = writeCatalogue
	}
	if err := errors.Join(show(s.out, c, p.devices), c.Close(context.Background())); err != nil {
		return s.refuse(failed, err)
	}
	return done
}

func showCatalogue(out io.Writer, c *cell, types []device.Type) error {
	primitives := [][]string{{"PRIMITIVE", "EXTENSION", "WHAT IT DOES"}}
	for _, p := range c.Nets.Catalogue().All() {
		primitives = append(primitives, []string{p.Name, p.Extension, p.Doc})
	}
	kinds := [][]string{{"DEVICE TYPE", "EXTENSION", "PARAMETERS", "WHAT IT IS"}}
	for _, t := range types {
		var params []string
		for _, p := range t.Params {
			params = append(params, p.Name+"="+p.Default)
		}
		kinds = append(kinds, []string{t.Name, t.Extension, strings.Join(params, " "), t.Doc})
	}
	devices := [][]string{{"DEVICE", "TYPE", "INTERFACES"}}
	for _, d := range c.Devices.All() {
		var names []string
		for _, i := range d.Interfaces {
			names = append(names, i.Name)
		}
		devices = append(devices, []string{d.Name, d.Type, strings.Join(names, " ")})
	}
	for i, table := range [][][]string{primitives, kinds, devices} {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := cli.Table(out, table, cli.Width(out)); err != nil {
			return err
		}
	}
	return nil
}

// writeCatalogue has the primitives as /catalogue.json has them.
func writeCatalogue(out io.Writer, c *cell, types []device.Type) error {
	type param struct {
		Name     string `json:"name"`
		Type     string `json:"type"`
		Default  string `json:"default"`
		Required bool   `json:"required,omitempty"`
		Unit     string `json:"unit,omitempty"`
		Doc      string `json:"doc"`
	}
	type deviceType struct {
		Type      string  `json:"type"`
		Extension string  `json:"extension"`
		Doc       string  `json:"doc"`
		Params    []param `json:"param"`
	}
	type builtInDevice struct {
		Name       string                       `json:"name"`
		Type       string                       `json:"type"`
		Interfaces map[string]map[string]string `json:"interfaces"`
	}
	primitives, err := pages.Catalogue(c.Nets)
	if err != nil {
		return err
	}
	all := struct {
		Primitives  json.RawMessage `json:"primitives"`
		DeviceTypes []deviceType    `json:"deviceTypes"`
		Devices     []builtInDevice `json:"devices"`
	}{Primitives: primitives}
	for _, t := range types {
		d := deviceType{Type: t.Name, Extension: t.Extension, Doc: t.Doc, Params: []param{}}
		for _, p := range t.Params {
			d.Params = append(d.Params, param{p.Name, string(p.Type), p.Default, p.Required, p.Unit, p.Doc})
		}
		all.DeviceTypes = append(all.DeviceTypes, d)
	}
	for _, d := range c.Devices.All() {
		b := builtInDevice{Name: d.Name, Type: d.Type, Interfaces: map[string]map[string]string{}}
		for _, i := range d.Interfaces {
			b.Interfaces[i.Name] = i.Params
		}
		all.Devices = append(all.Devices, b)
	}
	w := json.NewEncoder(out)
	w.SetIndent("", "  ")
	return w.Encode(all)
}
