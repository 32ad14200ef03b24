package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Known is what the program offers that a configuration may name.
type Known struct {
	DeviceTypes []device.Type
	Extensions  []string
}

// Default returns the configuration of a file without keys.
func Default() *Config {
	cfg := new(Config)
	setDefaults(reflect.ValueOf(cfg).Elem())
	return cfg
}

// Load reads the file of that name and the nets that it names. The error is an Error, with shown as the name of the file. With it
// Load returns as much of the configuration as it could read, nil if the file is not a configuration; Refuses says which keys of
// it are wrong.
func Load(files fs.FS, name, shown string, known Known) (*Config, error) {
	cfg := Default()
	r := &report{file: shown, lines: map[string]int{}}
	cfg.origin = r
	data, err := fs.ReadFile(files, name)
	if err != nil {
		r.at(0, "", "%v", cause(err))
		return nil, r.err()
	}
	decode(r, data, cfg)
	if r.refuses("") {
		return nil, r.err()
	}
	if !r.refuses("realtime") {
		checkRealtime(r, cfg)
	}
	if !r.refuses("server") && !r.refuses("auth") {
		checkAccess(r, cfg)
	}
	checkExtensions(r, cfg, known)
	checkDevices(r, cfg, known)
	checkFrames(r, cfg)
	readNets(r, cfg, files, path.Dir(name))
	return cfg, r.err()
}

// Refuses reports whether Load has found something wrong with the value of a key, or below it; nothing is wrong with what was not loaded.
func (cfg *Config) Refuses(key string) bool { return cfg.origin != nil && cfg.origin.refuses(key) }

// File is a file of keys and values that has been read: it knows where the keys were.
type File struct{ read report }

// Decode reads a file of keys and values into a structure, as strictly as a configuration. The error is an Error, with
// shown as name of the file.
func Decode[T any](data []byte, shown string) (*T, *File, error) {
	into, f := new(T), &File{report{file: shown, lines: map[string]int{}}}
	setDefaults(reflect.ValueOf(into).Elem())
	decode(&f.read, data, into)
	if err := f.read.err(); err != nil {
		return nil, f, err
	}
	return into, f, nil
}

// Problem says an error that is found when a value is used, at the place of its key.
func (f *File) Problem(key string, err error) Error {
	r := report{file: f.read.file, lines: f.read.lines}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		r.refuse(key, "%s", line)
	}
	return r.problems
}

// cause leaves out the path, which stands in front of the message already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func checkRealtime(r *report, cfg *Config) {
	rt := &cfg.Realtime
	if rt.MinCycle > rt.MaxCycle {
		r.refuse("realtime.min-cycle", "%v is more than max-cycle %v", rt.MinCycle, rt.MaxCycle)
	} else if rt.Cycle < rt.MinCycle || rt.Cycle > rt.MaxCycle {
		r.refuse("realtime.cycle", "%v is not between min-cycle %v and max-cycle %v", rt.Cycle, rt.MinCycle, rt.MaxCycle)
	}
	if rt.Mode == "required" && rt.Clock == "virtual" {
		r.refuse("realtime.clock", "the virtual clock is never real-time, and mode says required")
	}
}

// Set changes one value, for example server.listen, as a flag of the program does. Check follows.
func (cfg *Config) Set(key, text string) error {
	v := reflect.ValueOf(cfg).Elem()
	var f reflect.StructField
	for name := range strings.SplitSeq(key, ".") {
		fields, _ := fieldsOf(v.Type())
		f = fields[name]
		v = v.FieldByIndex(f.Index)
	}
	return set(v, text, f.Tag)
}

// Check looks again at what depends on several values, after Set.
func (cfg *Config) Check() error {
	r := &report{file: "command line"}
	checkRealtime(r, cfg)
	checkAccess(r, cfg)
	return r.err()
}

// Problem says that something is wrong with the value of a key, found by those who use it. An error of several lines is
// several problems.
func (cfg *Config) Problem(key string, err error) Error {
	return (&File{*cfg.origin}).Problem(key, err)
}

// checkAccess refuses an address that others can reach unless the configuration says in so many words that everybody
// may.
func checkAccess(r *report, cfg *Config) {
	for _, a := range []struct{ key, address string }{
		{"server.listen", cfg.Server.Listen}, {"server.directio-tcp", cfg.Server.DirectIOTCP},
	} {
		if a.address == "" && a.key != "server.listen" {
			continue
		}
		host, port, err := net.SplitHostPort(a.address)
		switch {
		case err != nil || port == "":
			r.refuse(a.key, "%q is not an address; write for example 127.0.0.1:8080", a.address)
		case cfg.Auth.Mode == "" && !loopback(host):
			r.refuse(a.key, "%s can be reached by others; if everybody may, say so with auth.mode: none", a.address)
		}
	}
}

// loopback reports whether only programs of this machine reach the host.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func checkExtensions(r *report, cfg *Config, known Known) {
	if cfg.Folder != "" && !fs.ValidPath(cfg.Folder) {
		r.refuse("extension-folder", "%q is not below the folder of this file", cfg.Folder)
	}
	if cfg.Follow && cfg.Folder == "" {
		r.refuse("extension-follow", "there is no extension-folder")
	}
	for i, id := range cfg.Extensions {
		if cfg.Folder == "" && !slices.Contains(known.Extensions, id) { // it may be there otherwise
			r.refuse(fmt.Sprintf("extensions[%d]", i), "unknown extension %q%s", id,
				suggest.DidYouMean(id, slices.Values(known.Extensions)))
		}
	}
}

func checkDevices(r *report, cfg *Config, known Known) {
	types := map[string]device.Type{}
	for _, t := range known.DeviceTypes {
		if len(cfg.Extensions) == 0 || slices.Contains(cfg.Extensions, t.Extension) {
			types[t.Name] = t
		}
	}
	names := map[string]int{}
	for i, d := range cfg.Devices {
		key := fmt.Sprintf("devices[%d]", i)
		if r.refuses(key) {
			continue
		}
		if first, twice := names[d.Name]; twice {
			r.refuse(key+".name", "%q is the name of devices[%d] already", d.Name, first)
		}
		names[d.Name] = i
		t, ok := types[d.Type]
		if !ok && cfg.Folder != "" {
			continue // it may be that of an extension of a user
		}
		if !ok {
			r.refuse(key+".type", "unknown device type %q%s", d.Type, suggest.DidYouMean(d.Type, maps.Keys(types)))
			continue
		}
		for _, wrong := range t.Check(d.Params) {
			for line := range strings.SplitSeq(wrong.Err.Error(), "\n") {
				r.refuse(join(key, wrong.Name), "%s", line)
			}
		}
	}
}

// checkFrames checks whether frames have names of their own, and are seen from devices that there are.
func checkFrames(r *report, cfg *Config) {
	names := map[string]int{}
	for i, f := range cfg.Frames {
		key := fmt.Sprintf("frames[%d]", i)
		if r.refuses(key) {
			continue
		}
		if first, twice := names[f.Name]; twice {
			r.refuse(key+".name", "%q is the name of frames[%d] already", f.Name, first)
		}
		names[f.Name] = i
		if f.Of != "" && !slices.ContainsFunc(cfg.Devices, func(d Device) bool { return d.Name == f.Of }) {
			var devices []string
			for _, d := range cfg.Devices {
				devices = append(devices, d.Name)
			}
			r.refuse(key+".of", "unknown device %q%s", f.Of, suggest.DidYouMean(f.Of, slices.Values(devices)))
		}
	}
}

func readNets(r *report, cfg *Config, files fs.FS, folder string) {
	for i := range cfg.Nets {
		n := &cfg.Nets[i]
		key := fmt.Sprintf("nets[%d].file", i)
		if r.refuses(key) {
			continue
		}
		if !fs.ValidPath(n.File) {
			r.refuse(key, "%q is not in or below the folder of this file", n.File)
			continue
		}
		text, err := fs.ReadFile(files, path.Join(folder, n.File))
		if err != nil {
			r.refuse(key, "%s: %v", n.File, cause(err))
			continue
		}
		n.Text = string(text)
	}
}
