package rcc_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// extensible is a core with a folder for extensions.
func extensible(t *testing.T) (c *rcc.Core, folder string) {
	t.Helper()
	folder = t.TempDir()
	opened, err := extension.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := spec.NewCatalogue(primitives.All(), testdevice.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	c, err = rcc.New(rcc.Config{
		Catalogue: catalogue, DeviceTypes: []device.Type{testdevice.Type}, Folder: opened, Version: "1.2.3",
		Clock: rt.NewVirtual(time.Unix(0, 0)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return c, folder
}

// write writes an extension of a type that multiplies, and a device.
func write(t *testing.T, folder, id, version, factor, more string) {
	t.Helper()
	at := filepath.Join(folder, id)
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, at, map[string]string{
		"scaled.net": `{by=Core::DoubleMultiply(inFirst=parent.inValue,Second='$Factor'),outValue=by.outValue}`,
		"extension.yaml": fmt.Sprintf(`version: "%s"
doc: multiplies
primitives:
  - type: My::Scaled
    doc: a multiple
    net: scaled.net
    in: [{name: inValue, type: double, doc: what is multiplied}]
    out: [{name: outValue, type: double, doc: the product}]
    parameters: [{name: Factor, default: %[2]s, doc: the factor}]
    examples: [{doc: one, in: {inValue: 1}, out: {outValue: %[2]s}}]
%s`, version, factor, more),
	})
}

func writeFiles(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(folder, name)
		must(t, os.MkdirAll(filepath.Dir(at), 0o755))
		must(t, os.WriteFile(at, []byte(text), 0o644))
	}
}

// evaluated is what My::Scaled makes of 10 now.
func evaluated(t *testing.T, c *rcc.Core) string {
	t.Helper()
	list, err := c.Nets.Eval(t.Context(), rcc.EvalRequest{Text: `{ten=Core::DoubleValue(Value='10'),s=My::Scaled(inValue=ten.outValue),outX=s.outValue}`})
	if err != nil {
		return err.Error()
	}
	return list.Values[0].Value
}

func loadScaled(t *testing.T, c *rcc.Core) *rcc.Net {
	t.Helper()
	n, err := c.Nets.Load(rcc.LoadRequest{Text: `{s=My::Scaled(),outTerminate=Core::BooleanValue(Value='false').outValue}`})
	if err != nil {
		t.Fatal(err)
	}
	if n.State() != rcc.Ready {
		t.Fatal(n.Problems())
	}
	return n
}

func refusedWith(t *testing.T, err, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("got %v, want %v", err, kind)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUserExtension(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "1", "2", "devices: [{name: helper, type: test}]\n")
	must(t, c.Extensions.Load("mine"))
	if got := evaluated(t, c); got != "20" {
		t.Errorf("got %s", got)
	}
	n := loadScaled(t, c)
	write(t, folder, "mine", "2", "3", "devices: [{name: helper, type: test}, {name: second, type: test}]\n")
	must(t, c.Extensions.Load("mine"))
	if got := evaluated(t, c); got != "20" {
		t.Errorf("loading what is loaded has replaced it: %s", got)
	}
	before, err := c.Devices.Get("helper")
	must(t, err)
	must(t, c.Extensions.Replace("mine"))
	if got := evaluated(t, c); got != "30" {
		t.Errorf("after replacing it is %s", got)
	}
	if after, err := c.Devices.Get("helper"); err != nil || after.Number != before.Number {
		t.Errorf("a device that has not changed is another one: %v", err)
	}
	if _, err := c.Devices.Get("second"); err != nil {
		t.Error(err)
	}

	refusedWith(t, c.Extensions.Unload("mine"), rcc.ErrInUse, n.Name()+" has a My::Scaled")
	must(t, n.Unload(t.Context()))
	must(t, c.Changes.Settle(t.Context()))
	must(t, c.Extensions.Unload("mine"))
	if got := evaluated(t, c); !strings.Contains(got, "unknown type My::Scaled") {
		t.Errorf("after unloading: %s", got)
	}
	if got := c.Devices.All(); len(got) != 1 {
		t.Errorf("devices are left: %v", got)
	}
	refusedWith(t, c.Extensions.Unload("mine"), rcc.ErrExtension, "not loaded")
}

func TestBuiltInExtension(t *testing.T) {
	c, _ := extensible(t)
	const id = "rpiworld"
	refusedWith(t, c.Extensions.Replace(id), rcc.ErrExtension, "built in")
	n, err := c.Nets.Load(rcc.LoadRequest{Text: `{w=World::VectorValue(),outTerminate=Core::BooleanValue(Value='false').outValue}`})
	must(t, err)
	if n.State() != rcc.Ready {
		t.Fatal(n.Problems())
	}
	refusedWith(t, c.Extensions.Unload(id), rcc.ErrInUse, n.Name()+" has a World::")
	must(t, n.Unload(t.Context()))
	must(t, c.Changes.Settle(t.Context()))
	must(t, c.Extensions.Unload(id))
	if c.Nets.Catalogue().Lookup("World::VectorValue") != nil {
		t.Error("its primitives are there")
	}
	must(t, c.Extensions.Load(id))
	if c.Nets.Catalogue().Lookup("World::VectorValue") == nil {
		t.Error("its primitives are not there")
	}

	must(t, c.Devices.Create("arm", "test", nil))
	device := testdevice.Type.Extension
	refusedWith(t, c.Extensions.Unload(device), rcc.ErrInUse, `device "arm" is a test`)
	must(t, c.Devices.Remove("arm"))
	must(t, c.Extensions.Unload(device))
	if err := c.Devices.Create("arm", "test", nil); err == nil {
		t.Error("a device of a type that is not loaded")
	}
	for _, e := range c.Extensions.All() {
		if !e.BuiltIn || e.Version != "1.2.3" || e.Loaded == (e.ID == device) {
			t.Errorf("%+v", e)
		}
	}
}

// TestExtensionsDependOnEachOther looks that an extension stays what others are written with.
func TestExtensionsDependOnEachOther(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "low", "1", "2", "")
	at := filepath.Join(folder, "high")
	must(t, os.Mkdir(at, 0o755))
	must(t, os.WriteFile(filepath.Join(at, "n"), []byte(`{a=My::Scaled(inValue=parent.inX),b=My::Scaled(inValue=a.outValue),outX=b.outValue}`), 0o644))
	must(t, os.WriteFile(filepath.Join(at, extension.Manifest), []byte(`version: "1"
doc: twice
primitives:
  - {type: My::Twice, doc: twice, net: n, in: [{name: inX, type: double, doc: x}], out: [{name: outX, type: double, doc: y}],
     examples: [{doc: four, in: {inX: 1}, out: {outX: 4}}]}
`), 0o644))
	refusedWith(t, c.Extensions.Load("high"), rcc.ErrExtension, "high/extension.yaml:4: primitives[0].net: a: unknown type My::Scaled")
	must(t, c.Extensions.Load("low"))
	must(t, c.Extensions.Load("high"))
	refusedWith(t, c.Extensions.Unload("low"), rcc.ErrInUse, "high/extension.yaml:4: primitives[0].net: a: unknown type My::Scaled")
	write(t, folder, "low", "2", "3", "")
	refusedWith(t, c.Extensions.Replace("low"), rcc.ErrExtension, "high/extension.yaml:5: primitives[0].examples[0]: cycle 1: outX is 9, not 4")
	if got := evaluated(t, c); got != "20" {
		t.Errorf("something has changed: %s", got)
	}
	must(t, c.Extensions.Unload("high"))
	must(t, c.Extensions.Replace("low"))
}

// TestDevicesOfExtension looks that a version that cannot have its devices leaves those of the old one.
func TestDevicesOfExtension(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "1", "2", "devices: [{name: a, type: test}, {name: b, type: test}]\n")
	must(t, c.Extensions.Load("mine"))
	write(t, folder, "mine", "2", "2", "devices: [{name: a, type: test}, {name: c, type: test}, {name: d, type: tst}]\n")
	refusedWith(t, c.Extensions.Replace("mine"), rcc.ErrExtension, "mine/extension.yaml:11: devices[2]:", "did you mean test?")
	var names []string
	for _, d := range c.Devices.All() {
		names = append(names, d.Name)
	}
	if slices.Sort(names); !slices.Equal(names, []string{"a", "b", "rcc"}) {
		t.Errorf("devices are %v", names)
	}
	must(t, c.Extensions.Unload("mine"))
	if len(c.Devices.All()) != 1 {
		t.Errorf("devices are left: %v", c.Devices.All())
	}
}

// TestReplaceWhileNetsRun replaces versions while nets come and go and one runs all the time. Each net is of a version.
func TestReplaceWhileNetsRun(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "0", "2", "")
	must(t, c.Extensions.Load("mine"))
	old := loadScaled(t, c)
	must(t, old.Start(t.Context()))
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 20 {
				if got := evaluated(t, c); got != "20" && got != "30" {
					t.Errorf("got %s", got)
				}
				n := loadScaled(t, c)
				if err := n.Unload(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 10 {
		write(t, folder, "mine", fmt.Sprint(i+1), fmt.Sprint(2+(i+1)%2), "")
		must(t, c.Extensions.Replace("mine"))
		if err := c.Extensions.Unload("mine"); !errors.Is(err, rcc.ErrInUse) {
			t.Errorf("unloaded while a net runs: %v", err)
		}
	}
	all.Wait()
	if _, ended := old.Ended(); ended {
		t.Error("the net has ended")
	}
	must(t, old.Abort(t.Context()))
}

// presets are types of devices of an extension, one made of the other.
const presets = `device-types:
  - {type: few, doc: few channels, of: many, set: {channels: 2, records: $Kept}, parameters: [{name: Kept, default: 4, doc: how many are kept}]}
  - {type: many, doc: any number, of: test, set: {channels: $channels, records: $records},
     parameters: [{name: channels, doc: how many}, {name: records, doc: how many are kept}]}
`

// paramsOf are the parameters that a device tells of.
func paramsOf(t *testing.T, c *rcc.Core, name string) string {
	t.Helper()
	d, err := c.Devices.Get(name)
	must(t, err)
	text := d.Type
	for _, p := range d.Params {
		text += fmt.Sprintf(" %s=%s", p.Name, p.Value)
	}
	return text
}

func TestDeviceTypesOfExtension(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "1", "2", presets+"devices: [{name: own, type: few}]\n")
	must(t, c.Extensions.Load("mine"))
	must(t, c.Devices.Create("a", "few", map[string]string{"Kept": "8"}))
	if own, a := paramsOf(t, c, "own"), paramsOf(t, c, "a"); own != "few Kept=4" || a != "few Kept=8" {
		t.Errorf("%s; %s", own, a)
	}
	for params, want := range map[[2]string]string{
		{"Kept", "x"}:       "parameter Kept: ",
		{"kept", "1"}:       "parameter kept: few has no such parameter, did you mean Kept?",
		{"channels", "1"}:   "parameter channels: few has no such parameter",
		{"Kept", "-987654"}: "parameter Kept: -987654 is not",
	} {
		if err := c.Devices.Create("b", "few", map[string]string{params[0]: params[1]}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", params, err)
		}
	}
	refusedWith(t, c.Extensions.Unload("mine"), rcc.ErrInUse, `device "a" is a few`)
	refusedWith(t, c.Extensions.Unload(testdevice.Type.Extension), rcc.ErrInUse, "mine/extension.yaml")
	for _, e := range c.Extensions.All() {
		if e.ID == "mine" && !slices.Equal(e.DeviceTypes, []string{"few", "many"}) {
			t.Errorf("%+v", e)
		}
	}

	// A device stays what it was created as; one of the extension's own is another one when its type is.
	before, err := c.Devices.Get("own")
	must(t, err)
	write(t, folder, "mine", "2", "2", strings.Replace(presets, "default: 4", "default: 5", 1)+"devices: [{name: own, type: few}]\n")
	must(t, c.Extensions.Replace("mine"))
	if own, a := paramsOf(t, c, "own"), paramsOf(t, c, "a"); own != "few Kept=5" || a != "few Kept=8" {
		t.Errorf("%s; %s", own, a)
	}
	if after, err := c.Devices.Get("own"); err != nil || after.Number == before.Number {
		t.Errorf("it is the same device: %v", err)
	}
	must(t, c.Devices.Remove("a"))
	must(t, c.Extensions.Unload("mine"))
	if err := c.Devices.Create("a", "few", nil); err == nil {
		t.Error("a device of a type that is not loaded")
	}
	if len(c.Devices.All()) != 1 {
		t.Errorf("devices are left: %v", c.Devices.All())
	}
}

// TestUnloadingLooksFirst: what is refused because of a device has not taken anything away before.
func TestUnloadingLooksFirst(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "1", "2", presets+"devices: [{name: own, type: few}]\n")
	must(t, c.Extensions.Load("mine"))
	n, err := c.Nets.Load(rcc.LoadRequest{Text: `{on=Core::BooleanValue(Value='true'),d=Test::Sensor(Device='own'),outTerminate=on.outValue}`})
	must(t, err)
	if n.State() != rcc.Ready {
		t.Fatal(n.Problems())
	}
	catalogue := c.Nets.Catalogue()
	refusedWith(t, c.Extensions.Unload("mine"), rcc.ErrInUse, `device "own": `+n.Name()+" uses it")
	if c.Nets.Catalogue() != catalogue {
		t.Error("the catalogue is another one")
	}
	must(t, n.Unload(t.Context()))
	must(t, c.Changes.Settle(t.Context()))
	must(t, c.Extensions.Unload("mine"))
}

// TestReplacingLooksFirst: what is refused has not removed a device before, which would be at rest elsewhere afterwards.
func TestReplacingLooksFirst(t *testing.T) {
	c, folder := extensible(t)
	devices := func(version, channels, last string) {
		write(t, folder, "mine", version, "2", fmt.Sprintf(
			"devices: [{name: a, type: test}, {name: b, type: test, channels: %s}, {name: c, type: test, channels: %[1]s}%s]\n", channels, last))
	}
	devices("1", "2", "")
	must(t, c.Extensions.Load("mine"))
	n, err := c.Nets.Load(rcc.LoadRequest{Text: `{s=Test::Sensor(Device='b'),outTerminate=Core::BooleanValue(Value='false').outValue}`})
	must(t, err)
	if n.State() != rcc.Ready {
		t.Fatal(n.Problems())
	}
	before := c.Devices.All()
	devices("2", "3", "")
	refusedWith(t, c.Extensions.Replace("mine"), rcc.ErrInUse, `device "b": `+n.Name()+" uses it")
	devices("3", "2", ", {name: d, type: test, channels: x}")
	refusedWith(t, c.Extensions.Replace("mine"), rcc.ErrExtension, "mine/extension.yaml:11: devices[3]: device \"d\": parameter channels:")
	for i, d := range c.Devices.All() {
		if d.Number != before[i].Number || d.Name != before[i].Name {
			t.Errorf("%s is another device", d.Name)
		}
	}
	must(t, n.Unload(t.Context()))
	must(t, c.Changes.Settle(t.Context()))
	devices("4", "3", "")
	must(t, c.Extensions.Replace("mine"))
}

func TestPagesOfExtension(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "1", "2", "")
	at := filepath.Join(folder, "mine", "pages")
	writeFiles(t, at, map[string]string{"a.html": "one", "b.js": "two", ".hidden": "", "a.html~": ""})
	must(t, c.Extensions.Load("mine"))
	page := func(name string) string {
		_, text, err := c.Extensions.Page("mine", name)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	writeFiles(t, at, map[string]string{"a.html": "three"})
	must(t, os.Remove(filepath.Join(at, "b.js")))
	if a, b := page("a.html"), page("b.js"); a != "one" || b != "two" {
		t.Errorf("pages are not those of the version: %q %q", a, b)
	}
	must(t, c.Extensions.Replace("mine"))
	if a, b := page("a.html"), page("b.js"); a != "three" || !strings.Contains(b, "it has no page") {
		t.Errorf("pages are not those of the version: %q %q", a, b)
	}
	must(t, c.Extensions.Unload("mine"))
	if _, _, err := c.Extensions.Page("mine", "a.html"); !errors.Is(err, rcc.ErrNoPage) {
		t.Errorf("there is a page: %v", err)
	}
}

// TestFollowFiles: what changes is taken over when it was the same at two looks; what is wrong leaves the old version.
func TestFollowFiles(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "mine", "1", "2", "")
	must(t, c.Extensions.Load("mine"))
	problem := func() string {
		for _, e := range c.Extensions.All() {
			if e.ID == "mine" {
				return e.Problem
			}
		}
		return "not there"
	}
	follow := func(want, wrong string) {
		t.Helper()
		c.Extensions.Follow()
		if got := evaluated(t, c); got != want || (problem() == "") != (wrong == "") || !strings.Contains(problem(), wrong) {
			t.Errorf("got %s, problem %q", got, problem())
		}
	}
	follow("20", "")
	write(t, folder, "mine", "version two", "3", "")
	follow("20", "") // it is still being written
	follow("30", "")
	follow("30", "")
	write(t, folder, "mine", "version three", "4", "primitves: []\n")
	follow("30", "")
	follow("30", "mine/extension.yaml:11: primitves: unknown key, did you mean primitives?")
	follow("30", "primitves")
	write(t, folder, "mine", "version four", "5", "")
	follow("30", "primitves")
	follow("50", "")
	must(t, os.RemoveAll(filepath.Join(folder, "mine")))
	follow("50", "")
	follow("50", "")
	must(t, c.Extensions.Unload("mine"))
	c.Extensions.Follow()
	if problem() != "not there" {
		t.Error("an extension without folder that is not loaded")
	}
}

// TestFollowTriesAgain: a version that is written with a new version of another extension is taken over after that one,
// whichever comes first.
func TestFollowTriesAgain(t *testing.T) {
	c, folder := extensible(t)
	high := func(version, want string) {
		writeFiles(t, filepath.Join(folder, "a"), map[string]string{
			"n": `{s=My::Scaled(inValue=parent.inX),outX=s.outValue}`,
			extension.Manifest: fmt.Sprintf(`version: "%s"
doc: once
primitives: [{type: My::Once, doc: once, net: n, in: [{name: inX, type: double, doc: x}], out: [{name: outX, type: double, doc: y}]}]
devices: [{name: helper, type: %s}]
`, version, want),
		})
	}
	write(t, folder, "b", "1", "2", "")
	high("1", "test")
	must(t, c.Extensions.Load("b"))
	must(t, c.Extensions.Load("a"))
	high("version 2", "many")
	for range 2 {
		c.Extensions.Follow()
	}
	if got := paramsOf(t, c, "helper"); !strings.HasPrefix(got, "test") {
		t.Error(got)
	}
	write(t, folder, "b", "version 2", "2", presets)
	for range 4 {
		c.Extensions.Follow()
	}
	if got := paramsOf(t, c, "helper"); !strings.HasPrefix(got, "many") {
		t.Error(got)
	}
}

// TestThousandVersions loads, replaces and unloads while nets run and others come and go, while somebody follows the
// files and others look.
func TestThousandVersions(t *testing.T) {
	c, folder := extensible(t)
	write(t, folder, "steady", "1", "2", "")
	must(t, c.Extensions.Load("steady"))
	running := loadScaled(t, c)
	must(t, running.Start(t.Context()))
	var all sync.WaitGroup
	done := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			c.Extensions.Follow()
			c.Extensions.All()
			c.Devices.All()
		}
	})
	for i := range defaultVersions {
		writeFiles(t, filepath.Join(folder, "mine"), map[string]string{
			extension.Manifest: fmt.Sprintf("version: '%d'\ndoc: comes and goes\n%sdevices: [{name: own, type: few, Kept: %d}]\n", i, presets, 1+i/2%2),
			"pages/a.txt":      fmt.Sprint(i),
		})
		must(t, c.Extensions.Load("mine"))
		must(t, c.Extensions.Replace("mine"))
		if i%10 == 0 {
			if got := evaluated(t, c); got != "20" {
				t.Errorf("got %s", got)
			}
		}
		if i%3 == 0 {
			must(t, c.Extensions.Unload("mine"))
		}
	}
	close(done)
	all.Wait()
	if _, ended := running.Ended(); ended {
		t.Error("the net has ended")
	}
	must(t, running.Abort(t.Context()))
}
