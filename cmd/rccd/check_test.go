package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// checked returns what check says about a cell in the folder of the test, and what it exits with.
func checked(t *testing.T, cell string, args ...string) (said string, code int) {
	t.Helper()
	if err := os.WriteFile(cellFile, []byte(cell), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, err strings.Builder
	code = run(append([]string{"check", "--config", cellFile}, args...), &out, &err)
	return out.String() + err.String(), code
}

const (
	onBus  = "  - {name: bus, type: ethercat, ethernetdevice: nowhere0}\n"
	onRack = "  - {name: bus, type: ethercat, ethernetdevice: nowhere0, rack: \"EK1100,EL1008,EL2008\"}\n"
)

// needed are the parameters that devices of a type cannot do without, and the devices.
var needed = map[string]struct{ others, params string }{
	"ec_dummy":              {params: "slave: 1"},
	"ec_axis":               {params: "axes: 1, increments: [1000], min_joint: [0], max_joint: [1], max_vel: [1], max_acc: [1]"},
	"staubli_tx90_ec":       {params: "counts_per_rad: [1, 1, 1, 1, 1, 1]"},
	"kuka_kr_arm_rsi":       {others: "  - {name: rsi, type: ethernet_udp_standard, port: 49152, address: 192.0.2.1}\n", params: "ethernet: rsi"},
	"kuka_kr_extaxis":       {others: "  - {name: arm, type: kuka_kr_arm_sim}\n", params: "kr_arm: arm, axiscount: 1, first_axis: 6"},
	"ethernet_udp_standard": {params: "port: 49152"},
	"ethernet_udp_rtnet":    {params: "port: 49152"},
}

// TestCheckEveryType: a cell with a device of any type can be checked, whatever the device would need of the machine.
func TestCheckEveryType(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, typ := range builtIn().devices {
		t.Run(typ.Name, func(t *testing.T) {
			n := needed[typ.Name]
			cell := "devices:\n" + n.others
			if slices.ContainsFunc(typ.Params, func(p device.Param) bool { return p.Name == "ethercatdevice" }) {
				cell += onBus
				n.params = strings.TrimPrefix(n.params+", ethercatdevice: bus", ", ")
			}
			cell += fmt.Sprintf("  - {name: it, type: %s, %s}\n", typ.Name, n.params)
			if said, code := checked(t, cell); said != "ok\n" || code != done {
				t.Errorf("%d\n%s%s", code, cell, said)
			}
		})
	}
}

// TestCheckOpensNothing: a robot that listens elsewhere is not disturbed.
func TestCheckOpensNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	taken, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	cell := fmt.Sprintf("devices: [{name: lwr, type: kuka_lwr_fri, port: %d}]\n", taken.LocalAddr().(*net.UDPAddr).Port)
	if said, code := checked(t, cell); said != "ok\n" || code != done {
		t.Errorf("%d: %s", code, said)
	}
}

// fragment is the begin of a list of devices that a page shows without its section.
var fragment = regexp.MustCompile(`^  - (\{name|name): \w+`)

// cellsOf returns the cells that a page of the repository shows, whole ones and lists of devices.
func cellsOf(page string) (list []string) {
	for _, b := range blocksOf(page) {
		switch {
		case b.language != "yaml", b.mark == "file=wrong.yaml": // the page shows what check says about that
		case b.mark == "file="+cellFile, strings.HasPrefix(b.text, "devices:\n"), strings.HasPrefix(b.text, "realtime:"):
			list = append(list, b.text)
		case fragment.MatchString(b.text):
			list = append(list, "devices:\n"+onBus+b.text)
		}
	}
	return list
}

// smallESI is a file that pages name and do not show.
const smallESI = `<EtherCATInfo><Vendor><Id>1</Id></Vendor><Descriptions><Devices><Device><Type ProductCode="2">Valves</Type></Device></Devices></Descriptions></EtherCATInfo>`

// comments are the lines of a package's documentation that show a cell.
var comments = regexp.MustCompile(`(?m)^//\tdevices:\n(//\t.*\n)+`)

// TestCheckEveryCell: all cells that this repository has or shows can be checked.
func TestCheckEveryCell(t *testing.T) {
	root, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	glob := func(parts ...string) []string {
		list, err := filepath.Glob(filepath.Join(append([]string{root}, parts...)...))
		if err != nil || len(list) == 0 {
			t.Fatal(parts, err)
		}
		return list
	}
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, file := range append(glob("configs", "*.yaml"), glob("examples", "*.yaml")...) {
		var out, errs strings.Builder
		if code := run([]string{"check", "--config", file}, &out, &errs); code != done {
			t.Errorf("%s: %s", file, errs.String())
		}
	}
	shown := 0
	for _, file := range slices.Concat(glob("docs", "*.md"), glob("devices", "*", "doc.go"), glob("README.md")) {
		t.Run(strings.TrimPrefix(file, root), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.Mkdir("files", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join("files", "valves.xml"), []byte(smallESI), 0o644); err != nil {
				t.Fatal(err)
			}
			text := read(file)
			if filepath.Ext(file) == ".go" {
				text = "```yaml\n" + strings.ReplaceAll(comments.FindString(text), "//\t", "") + "```\n"
			}
			blocks := blocksOf(text)
			files(t, ".", blocks)
			for _, b := range blocks {
				if b.mark == "rack" {
					if err := os.WriteFile("rack.yaml", []byte(b.text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, cell := range cellsOf(text) {
				cell = strings.ReplaceAll(cell, `"[…]"`, `[1, 1, 1, 1, 1, 1]`)
				if said, code := checked(t, cell); code != done {
					t.Errorf("%s%s", cell, said)
				}
				shown++
			}
		})
	}
	if shown < 15 {
		t.Errorf("%d cells are shown, there should be more", shown)
	}
}

// TestCheckTells: what is wrong with a cell is all said at once, with its place.
func TestCheckTells(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ name, cell, want string }{
		{
			"nothing follows from a bus that is refused",
			"  - {name: bus, type: ethercat, ethernetdevice: nowhere0, cycle: 1ms, answer: 2ms, spin: 1ms}\n" +
				"  - {name: a, type: el1008, ethercatdevice: bus}\n  - {name: b, type: el1008, ethercatdevice: bus, slav: 2}\n",
			"cell.yaml:2: devices[0].answer: 2ms is not shorter than the cycle, 1ms\n" +
				"cell.yaml:2: devices[0].spin: 1ms is not shorter than the cycle, 1ms\n" +
				"cell.yaml:4: devices[2].slav: el1008 has no such parameter, did you mean slave?\n",
		},
		{
			"a rack", "  - {name: bus, type: ethercat, ethernetdevice: nowhere0, rack: nowhere.yaml}\n",
			"cell.yaml:2: devices[0].rack: open nowhere.yaml: no such file or directory\n",
		},
		{
			"slaves by the rack",
			onRack + "  - {name: a, type: el1008, ethercatdevice: bus, slave: 3}\n  - {name: b, type: ec_dummy, ethercatdevice: bus, slave: 4}\n" +
				"  - {name: c, type: el2008, ethercatdevice: bus}\n  - {name: d, type: el2008, ethercatdevice: bus}\n",
			`cell.yaml:3: devices[1]: device "a": slave 3 "EL2008-3" cannot be the EL1008: its product is 0x07d83052 instead of 0x03f03052; it may be slave 2 "EL1008-2" (by the rack of bus "bus")
cell.yaml:4: devices[2]: device "b": no slave 4, the bus has 3 (by the rack of bus "bus")
cell.yaml:6: devices[4]: device "d": slave 3 "EL2008-3" belongs to device "c" (by the rack of bus "bus")
`,
		},
		{
			"several lines about one parameter", onBus + "  - {name: a, type: ec_slave, ethercatdevice: bus, startup: \"0x8000=1 0x8001=2\"}\n",
			"cell.yaml:3: devices[1].startup: \"0x8000=1\": write an object with a value and its type, such as 0x605A=2/INT, 0x605A=2/16, 0x2000:1='text' or 0x2001=#0a0b\n" +
				"cell.yaml:3: devices[1].startup: \"0x8001=2\": write an object with a value and its type, such as 0x605A=2/INT, 0x605A=2/16, 0x2000:1='text' or 0x2001=#0a0b\n",
		},
		{
			"an interface twice", onBus + "  - {name: other, type: ethercat, ethernetdevice: nowhere0}\n",
			"cell.yaml:3: devices[1].ethernetdevice: device \"bus\" uses interface nowhere0 already\n",
		},
		{
			"a port twice", "  - {name: a, type: kuka_lwr_fri, ip: 192.0.2.1}\n  - {name: b, type: kuka_lwr_fri, ip: 192.0.2.2}\n",
			"cell.yaml:3: devices[1]: device \"b\": link: device \"a\" uses UDP port 49938 at 0.0.0.0 already\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if said, code := checked(t, "devices:\n"+tt.cell); said != tt.want || code != failed {
				t.Errorf("%d\n%s\ninstead of\n%s", code, said, tt.want)
			}
		})
	}
}
