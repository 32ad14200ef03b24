package extension

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Manifest is the name of the file that says what an extension is.
const Manifest = "extension.yaml"

// Limits of what the daemon reads from a folder.
const (
	mostManifest = 1 << 20
	mostFile     = 8 << 20
	mostBytes    = 32 << 20
	mostFiles    = 1000
	mostTypes    = 1000
)

// Extension is an extension that has been read.
type Extension struct {
	ID, Version, Doc string
	Devices          []config.Device
	Pages            []Page // in the order of their names

	types   []spec.Primitive
	presets []preset
	file    *config.File
}

// manifest is the file.
type manifest struct {
	Version    string          `yaml:"version" required:"true" doc:"of the extension"`
	Doc        string          `yaml:"doc" required:"true" doc:"what it is for"`
	Primitives []primitive     `yaml:"primitives" doc:"types of primitives that are written as nets"`
	Presets    []preset        `yaml:"device-types" doc:"types of devices that are others with some of their parameters given"`
	Devices    []config.Device `yaml:"devices" doc:"devices that exist while the extension is loaded"`
}

type primitive struct {
	Type     string    `yaml:"type" required:"true" doc:"name of the type"`
	Doc      string    `yaml:"doc" required:"true" doc:"what it does"`
	Net      string    `yaml:"net" required:"true" doc:"file of the net, in text form"`
	In       []port    `yaml:"in" doc:"in ports"`
	Out      []port    `yaml:"out" doc:"out ports"`
	Params   []param   `yaml:"parameters" doc:"parameters"`
	Examples []example `yaml:"examples" doc:"what it does, cycle by cycle; they are run when the extension is loaded"`
}

type port struct {
	Name string `yaml:"name" required:"true" doc:"name of the port"`
	Type string `yaml:"type" required:"true" doc:"data type"`
	Doc  string `yaml:"doc" required:"true" doc:"what it is for"`
}

type param struct {
	Name     string `yaml:"name" required:"true" doc:"name of the parameter"`
	Default  string `yaml:"default" doc:"value when none is given"`
	Required bool   `yaml:"required" doc:"there is no default"`
	Doc      string `yaml:"doc" required:"true" doc:"what it is for"`
}

type example struct {
	Doc    string `yaml:"doc" required:"true" doc:"what it shows"`
	Cycle  string `yaml:"cycle" doc:"cycle time, 10ms when not given"`
	Params values `yaml:"parameters" doc:"values of parameters"`
	In     series `yaml:"in" doc:"values of in ports, cycle by cycle"`
	Out    series `yaml:"out" doc:"values that out ports have"`
	Reject string `yaml:"reject" doc:"instead of out: part of the message with which it is refused"`
}

type preset struct {
	Type   string  `yaml:"type" required:"true" doc:"name of the type"`
	Doc    string  `yaml:"doc" required:"true" doc:"what its devices are"`
	Of     string  `yaml:"of" required:"true" doc:"the type that it is made of"`
	Set    values  `yaml:"set" doc:"values of parameters of that type; the others have their defaults"`
	Params []param `yaml:"parameters" doc:"parameters of the type; type, unit and bounds are those of what it sets"`
}

type values struct {
	Of map[string]string `yaml:",rest" doc:"values by name"`
}

type series struct {
	Of map[string][]string `yaml:",rest" doc:"values by name"`
}

var idPattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// ValidID reports whether a text may be an id, which is never a path.
func ValidID(text string) bool { return idPattern.MatchString(text) }

// Folder is where the extensions of users are, each in a folder of its own that has its id as name.
type Folder struct{ root *os.Root }

// OpenFolder opens a folder. Nothing outside is ever read, wherever symbolic links lead.
func OpenFolder(name string) (*Folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Close lets the folder go; there may be none.
func (f *Folder) Close() error {
	if f == nil {
		return nil
	}
	return f.root.Close()
}

// IDs returns the ids of what is there.
func (f *Folder) IDs() []string {
	entries, _ := fs.ReadDir(f.root.FS(), ".") // what cannot be read is not there
	var ids []string
	for _, e := range entries {
		if _, err := f.root.Stat(path.Join(e.Name(), Manifest)); err == nil && e.IsDir() && ValidID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

// Read reads an extension. What is wrong with it is a config.Error.
func (f *Folder) Read(id string) (*Extension, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("%q is not an id: use letters, digits, _ and - only", id)
	}
	info, err := f.root.Lstat(id)
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("there is no folder %s", id)
	}
	own, err := f.root.OpenRoot(id)
	if err != nil {
		return nil, fmt.Errorf("folder %s cannot be opened", id)
	}
	read, err := Read(own.FS(), id)
	return read, errors.Join(err, own.Close())
}

// Read reads an extension from its folder.
func Read(files fs.FS, id string) (*Extension, error) {
	r := reader{files: files}
	shown := path.Join(id, Manifest)
	text, err := r.read(Manifest, mostManifest)
	if err != nil {
		return nil, config.Error{{File: shown, Text: err.Error()}}
	}
	m, file, err := config.Decode[manifest](text, shown)
	if err != nil {
		return nil, err
	}
	e := &Extension{ID: id, Version: m.Version, Doc: m.Doc, Devices: m.Devices, presets: m.Presets, file: file}
	var wrong config.Error
	if n := len(m.Primitives) + len(m.Presets); n > mostTypes {
		return nil, config.Error{{File: shown, Text: fmt.Sprintf("there are %d types, limit %d", n, mostTypes)}}
	}
	for i := range m.Primitives {
		key := fmt.Sprintf("primitives[%d]", i)
		if p, at, err := r.primitive(id, &m.Primitives[i]); err != nil {
			wrong = append(wrong, file.Problem(key+at, err)...)
		} else {
			e.types = append(e.types, p)
		}
	}
	for i := range m.Presets {
		if name := m.Presets[i].Type; !ValidID(name) {
			err := fmt.Errorf("%q is not the name of a type: use letters, digits, _ and - only", name)
			wrong = append(wrong, file.Problem(fmt.Sprintf("device-types[%d].type", i), err)...)
		}
	}
	if e.Pages, err = r.pages(); err != nil {
		wrong = append(wrong, config.Problem{File: shown, Text: err.Error()})
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return e, nil
}

// reader reads the files of an extension and keeps count of them.
type reader struct {
	files fs.FS
	bytes int64
	count int
}

// read reads a regular file: anything else could keep who reads it waiting.
func (r *reader) read(name string, most int64) ([]byte, error) {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return nil, fmt.Errorf("%q is not in or below the folder of the extension", name)
	}
	info, err := fs.Stat(r.files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("no file %s", name)
	case err != nil || !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file in or below the folder of the extension", name)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes, limit %d", name, info.Size(), most)
	}
	r.bytes += info.Size()
	r.count++
	if r.bytes > mostBytes || r.count > mostFiles {
		return nil, fmt.Errorf("the extension has more than %d bytes in %d files", mostBytes, mostFiles)
	}
	text, err := fs.ReadFile(r.files, name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read", name)
	}
	return text, nil
}

// primitive reads a type; at is the key, within its own, of what is wrong.
func (r *reader) primitive(id string, m *primitive) (p spec.Primitive, at string, err error) {
	if !isTypeName(m.Type) {
		return p, ".type", fmt.Errorf("%q is not the name of a type; write for example My::Type", m.Type)
	}
	text, err := r.read(m.Net, mostFile)
	if err != nil {
		return p, ".net", err
	}
	tree, err := grammar.ParseNet(string(text), grammar.Limits{})
	var syntax *grammar.Error
	if errors.As(err, &syntax) {
		placeless := *syntax
		placeless.Pos = grammar.Pos{}
		return p, ".net", fmt.Errorf("%s:%d:%d: %w", m.Net, syntax.Pos.Line, syntax.Pos.Column, &placeless)
	}
	if err != nil {
		return p, ".net", err
	}
	return m.declaration(id, tree), "", nil
}

// isTypeName reports whether nets can name a type so.
func isTypeName(text string) bool {
	tree, err := grammar.ParseNet("{a="+text+"()}", grammar.Limits{})
	return err == nil && len(tree.Nodes) == 1 && tree.Nodes[0].Type == text
}

// Device is a device that exists while the extension is loaded.
type Device = config.Device
