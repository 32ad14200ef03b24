package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/content"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
)

// check says what is wrong with cells, with nets that are to run in one, and with extensions.
func check(args []string, s streams) int {
	set := s.flags("check", "rccd check [FILE…] [--config cell.yaml] [--net net.dio|net.xml]\n"+
		"The content of a FILE says what it is. Nets and extensions are checked in the cell of the configuration, or in the built-in one.")
	asked := &checking{warn: func(line string) { fmt.Fprintln(s.err, "rccd: "+line) }}
	config := set.String("config", "", "`file` with the configuration of the cell, the built-in cell by default")
	net := set.String("net", "", "`file` with a net in text form, or in XML")
	files, err := cli.ParseMixed(set, args, -1)
	if err != nil {
		return s.refuse(usage, err)
	}
	err = asked.sortOut(files)
	if *net != "" {
		asked.nets = append(asked.nets, *net)
	}
	if err := errors.Join(err, asked.run(*config)); err != nil {
		return s.refuse(failed, err)
	}
	for _, file := range files {
		fmt.Fprintf(s.out, "%s: %v\n", file, asked.kinds[file])
	}
	fmt.Fprintln(s.out, "ok")
	return done
}

// checking are files to be checked.
type checking struct {
	cells, nets, extensions []string
	kinds                   map[string]content.Kind
	warn                    func(line string)
}

// sortOut finds out what files are. A folder stands for the manifest in it.
func (a *checking) sortOut(files []string) error {
	a.kinds = map[string]content.Kind{}
	var errs []error
	for _, file := range files {
		name := file
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			name = filepath.Join(file, extension.Manifest)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		kind := content.Of(string(text))
		a.kinds[file] = kind
		switch kind {
		case content.Net, content.XML:
			a.nets = append(a.nets, name)
		case content.Configuration:
			a.cells = append(a.cells, name)
		case content.Extension:
			a.extensions = append(a.extensions, name)
		default:
			errs = append(errs, fmt.Errorf("%s: it is %v", file, kind))
		}
	}
	return errors.Join(errs...)
}

// run checks everything; the cell is that of a file, or the only one that is checked.
func (a *checking) run(file string) error {
	inCell := len(a.nets)+len(a.extensions) > 0
	switch {
	case file == "" && len(a.cells) == 1:
		file, a.cells = a.cells[0], nil
	case file == "" && len(a.cells) > 1 && inCell:
		return errors.New("several configurations; choose with --config the one for nets and extensions")
	}
	var errs []error
	for _, other := range a.cells {
		if other != file {
			errs = append(errs, checkCell(other, nil))
		}
	}
	if file != "" || inCell || len(a.cells) == 0 {
		errs = append(errs, checkCell(file, a))
	}
	for _, manifest := range a.extensions {
		errs = append(errs, checkExtension(file, manifest))
	}
	return errors.Join(errs...)
}

// checkCell makes a cell as far as that is possible without anything that runs: time stands still in it, and devices claim what they
// would open. The errors are all that are found, those of the cell and those of nets that are to be checked in it.
func checkCell(file string, also *checking) error {
	p := builtIn()
	cfg, err := readConfig(file, p)
	if cfg == nil {
		return err
	}
	var problems config.Error
	_ = errors.As(err, &problems)
	if folder, err := openFolder(cfg); err != nil {
		var missing config.Error
		_ = errors.As(err, &missing)
		problems = append(problems, missing...)
		cfg.Folder = "" // the rest can be checked nevertheless
	} else if err := folder.Close(); err != nil {
		return err
	}
	c, err := openCore(cfg, p, surroundings{clock: rt.NewVirtual(epoch), claims: &device.Claims{}})
	if err != nil {
		problems.Sort()
		return errors.Join(problems.OrNil(), err)
	}
	problems = append(problems, c.fill(cfg, p)...)
	problems.Sort()
	errs := []error{problems.OrNil()}
	if also != nil {
		for _, net := range also.nets {
			errs = append(errs, c.checkNet(net))
		}
		for _, doubt := range c.doubts {
			also.warn(doubt)
		}
	}
	return errors.Join(append(errs, c.Close(context.Background()))...)
}

// checkNet loads a net. A device that the cell refused is not reported again as missing from the net.
func (c *cell) checkNet(file string) error {
	text, err := os.ReadFile(file)
	if err == nil {
		_, err = c.load(rcc.LoadRequest{Text: string(text)}, file)
	}
	return c.unexplained(err)
}

// checkExtension loads an extension beside those in the folders next to it, of which it may need types. About the cell enough is said.
func checkExtension(file, manifest string) error {
	if filepath.Base(manifest) != extension.Manifest {
		return fmt.Errorf("%s: the manifest of an extension is in a folder of its own and called %s", manifest, extension.Manifest)
	}
	p := builtIn()
	cfg, _ := readConfig(file, p)
	if cfg == nil {
		return nil
	}
	folder, err := filepath.Abs(filepath.Dir(manifest))
	if err != nil {
		return err
	}
	id := filepath.Base(folder)
	cfg.Folder = filepath.Dir(folder)
	c, err := openCore(cfg, p, surroundings{clock: rt.NewVirtual(epoch), claims: &device.Claims{}})
	if err != nil {
		return err
	}
	_ = c.fill(cfg, p)
	is := func(e rcc.Extension) bool { return e.ID == id && e.Loaded }
	if !slices.ContainsFunc(c.Extensions.All(), is) {
		err = underFolder(c.Extensions.Load(id), id, filepath.Dir(manifest))
	}
	return errors.Join(err, c.Close(context.Background()))
}

// underFolder says what is wrong with an extension with files as the user named them, not as the cell knows them.
func underFolder(err error, id, folder string) error {
	if err == nil {
		return nil
	}
	var lines netError
	for line := range strings.SplitSeq(strings.TrimPrefix(err.Error(), fmt.Sprintf("extension %q: ", id)), "\n") {
		if rest, within := strings.CutPrefix(line, id+"/"); within {
			line = filepath.Join(folder, rest)
		} else {
			line = filepath.Join(folder, extension.Manifest) + ": " + line
		}
		lines = append(lines, line)
	}
	return lines
}
