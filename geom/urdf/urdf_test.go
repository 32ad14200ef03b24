package urdf_test

import (
	"errors"
	"flag"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/urdf"
)

var update = flag.Bool("update", false, "rewrite what the corpus expects")

const wantSuffix = ".want"

// refused are the texts of the corpus, without what is expected of them.
func refused(t testing.TB) (texts []string) {
	t.Helper()
	corpus, err := txtar.ParseFile("testdata/err.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range corpus.Files {
		if !strings.HasSuffix(f.Name, wantSuffix) {
			texts = append(texts, strings.TrimSuffix(string(f.Data), "\n"))
		}
	}
	return texts
}

// TestRefused compares errors, which all have places.
func TestRefused(t *testing.T) {
	const file = "testdata/err.txtar"
	corpus, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range corpus.Files {
		want[f.Name] = string(f.Data)
	}
	fresh := txtar.Archive{Comment: corpus.Comment}
	for _, f := range corpus.Files {
		if strings.HasSuffix(f.Name, wantSuffix) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			got := refusal(t, strings.TrimSuffix(string(f.Data), "\n")) + "\n"
			fresh.Files = append(fresh.Files, f, txtar.File{Name: f.Name + wantSuffix, Data: []byte(got)})
			if diff := cmp.Diff(want[f.Name+wantSuffix], got); diff != "" && !*update {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, txtar.Format(&fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func refusal(t *testing.T, text string) string {
	t.Helper()
	m, err := urdf.Parse(text)
	var refused *urdf.Error
	if m != nil || !errors.As(err, &refused) || len(refused.Problems) == 0 {
		t.Fatalf("accepted, or an error of another kind: %v", err)
	}
	for i, p := range refused.Problems {
		if p.Line < 1 || p.Column < 1 || i > 0 && p.Line < refused.Problems[i-1].Line {
			t.Errorf("%v: no place, or not in the order of the text", p)
		}
	}
	return refused.Error()
}

// everything has each element of the format, and some of others.
const everything = `<?xml version="1.0" encoding="us-ascii"?>
<!-- a comment -->
<robot name="all" version="1.0" xmlns="http://www.ros.org" xmlns:xacro="http://www.ros.org/wiki/xacro" xmlns:x="urn:x">
  <material name="orange"><color rgba="1 0.4 0 1"/></material>
  <material name="wood"><texture filename="wood.png"/></material>
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.5"/>
      <mass value="12.5"/>
      <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="3"/>
    </inertial>
    <visual name="foot">
      <origin xyz="0 0 0.1" rpy="0 0 1.5"/>
      <geometry><box size="0.4 0.3 0.2"/></geometry>
      <material name="orange"/>
    </visual>
    <visual><geometry><mesh filename="package://all/base.stl" scale="0.001 0.001 0.001"/></geometry>
      <material name="blue"><color rgba="0 0 1 0.5"/></material></visual>
    <visual><geometry><mesh filename="ring.dae"/></geometry><material name="wood"/></visual>
    <collision><geometry><cylinder radius="0.2" length="0.4"/></geometry><verbose value="1"/></collision> from the data sheet
  </link>
  <link name="arm"><visual><geometry><sphere radius="0.1"/></geometry><material name="blue"/></visual>
    <self_collide>0</self_collide></link>
  <link name="slide"/><link name="wheel"/><link name="finger"/><link name="buoy"/><link name="puck"/><link name="tool"/>
  <joint name="a1" type="revolute">
    <origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 0 -2"/>
    <calibration rising="0.5"/>
    <dynamics damping="0.7" friction="0.2" D="1" mu_viscous="16"/>
    <limit lower="-1.5" upper="2.5" velocity="3" effort="40"/>
    <safety_controller soft_lower_limit="-1.4" soft_upper_limit="2.4" k_position="100" k_velocity="10"/>
  </joint>
  <joint name="e1" type="prismatic">
    <parent link="arm"/><child link="slide"/><limit upper="0.5" velocity="1" effort="500"/>
    <safety_controller k_velocity="1"/>
  </joint>
  <joint name="w" type="continuous"><origin xyz="0 0 0"/><origin xyz="0 0 0"/><parent link="base"/><child link="wheel"/><axis xyz="0 1 0"/></joint>
  <joint name="f" type="revolute">
    <parent link="slide"/><child link="finger"/><limit lower="0" upper="1" velocity="0" effort="0"/>
    <mimic joint="e2" multiplier="3" offset="-0.25"/>
  </joint>
  <joint name="e2" type="continuous"><parent link="slide"/><child link="tool"/><mimic joint="e1" multiplier="-2" offset="0.5"/></joint>
  <joint name="sea" type="floating"><parent link="base"/><child link="buoy"/></joint>
  <joint name="table" type="planar"><parent link="base"/><child link="puck"/><axis xyz="0 0 1"/></joint>
  <transmission name="t"><type>simple</type><joint name="a1"><limit/></joint></transmission>
  <gazebo reference="arm"><sensor name="s"><origin>0 0 0</origin></sensor></gazebo>
  <x:note>elements of others</x:note>
</robot>`

func TestEverything(t *testing.T) {
	got, err := urdf.Parse("\uFEFF" + everything)
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(1)
	x := geom.Vector{X: 1}
	blue := urdf.Material{Name: "blue", Color: &[4]float64{0, 0, 1, 0.5}}
	want := &urdf.Model{
		Name: "all",
		Links: []urdf.Link{
			{
				Name: "base", Joint: -1, Carries: []int{0, 2, 5, 6},
				Visual: []urdf.Shape{
					{
						Name: "foot", Origin: geom.Frame{Pos: geom.Vector{Z: 0.1}, Rot: geom.FromABC(1.5, 0, 0)},
						Form: urdf.Box, Size: geom.Vector{X: 0.4, Y: 0.3, Z: 0.2},
						Material: urdf.Material{Name: "orange", Color: &[4]float64{1, 0.4, 0, 1}},
					},
					{Form: urdf.Mesh, File: "package://all/base.stl", Scale: geom.Vector{X: 0.001, Y: 0.001, Z: 0.001}, Material: blue},
					{
						Form: urdf.Mesh, File: "ring.dae", Scale: geom.Vector{X: 1, Y: 1, Z: 1},
						Material: urdf.Material{Name: "wood", Texture: "wood.png"},
					},
				},
				Collision: []urdf.Shape{{Form: urdf.Cylinder, Radius: 0.2, Length: 0.4}},
				Inertial: &urdf.Inertial{
					Origin: geom.Frame{Pos: geom.Vector{Z: 0.5}}, Mass: 12.5, XX: 1, XY: 0.1, XZ: 0.2, YY: 2, YZ: 0.3, ZZ: 3,
				},
			},
			{Name: "arm", Joint: 0, Carries: []int{1}, Visual: []urdf.Shape{{Form: urdf.Sphere, Radius: 0.1, Material: blue}}},
			{Name: "slide", Joint: 1, Carries: []int{3, 4}},
			{Name: "wheel", Joint: 2},
			{Name: "finger", Joint: 3},
			{Name: "buoy", Joint: 5},
			{Name: "puck", Joint: 6},
			{Name: "tool", Joint: 4},
		},
		Joints: []urdf.Joint{
			{
				Name: "a1", Kind: urdf.Revolute, Parent: 0, Child: 1,
				Origin: geom.Frame{Pos: geom.Vector{X: 0.1, Y: 0.2, Z: 0.3}, Rot: geom.FromABC(0.3, 0.2, 0.1)},
				Axis:   geom.Vector{Z: -1}, Lower: -1.5, Upper: 2.5, Velocity: 3, Effort: 40, Damping: 0.7, Friction: 0.2,
				Safety: &urdf.Safety{Lower: -1.4, Upper: 2.4, PositionFactor: 100, VelocityFactor: 10},
			},
			{
				Name: "e1", Kind: urdf.Prismatic, Parent: 1, Child: 2, Axis: x, Upper: 0.5, Velocity: 1, Effort: 500,
				Safety: &urdf.Safety{Lower: -inf, Upper: inf, VelocityFactor: 1},
			},
			{Name: "w", Kind: urdf.Continuous, Parent: 0, Child: 3, Axis: geom.Vector{Y: 1}, Lower: -inf, Upper: inf},
			{
				Name: "f", Kind: urdf.Revolute, Parent: 2, Child: 4, Axis: x, Upper: 1,
				Mimic: &urdf.Mimic{Joint: 1, Multiplier: -6, Offset: 1.25},
			},
			{
				Name: "e2", Kind: urdf.Continuous, Parent: 2, Child: 7, Axis: x, Lower: -inf, Upper: inf,
				Mimic: &urdf.Mimic{Joint: 1, Multiplier: -2, Offset: 0.5},
			},
			{Name: "sea", Kind: urdf.Floating, Parent: 0, Child: 5, Axis: x, Lower: -inf, Upper: inf},
			{Name: "table", Kind: urdf.Planar, Parent: 0, Child: 6, Axis: geom.Vector{Z: 1}, Lower: -inf, Upper: inf},
		},
	}
	same := cmp.Comparer(func(a, b geom.Rotation) bool { return a == b })
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got.Link("tool") != 7 || got.Link("tol") != -1 || got.Joint("sea") != 5 || got.Joint("") != -1 {
		t.Error("links and joints are not found by name")
	}
}

const mega = 1 << 20

// A text that is far too long must be refused at once, whatever it is: anything quadratic does not end before the tests are
// given up. Nor may it take much more memory than it is long.
func TestHostile(t *testing.T) {
	repeat := strings.Repeat
	robot := func(inside string) string { return `<robot name="r">` + inside + `</robot>` }
	links := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`<link name="` + number(i) + `"/>`)
		}
		return b.String()
	}
	joint := func(i int, child, more string) string {
		return `<joint name="j` + number(i) + `" type="continuous"><parent link="` + number(i) + `"/><child link="` + child + `"/>` + more + `</joint>`
	}
	chain := func(n int, more func(i int) string) string {
		var b strings.Builder
		b.WriteString(links(n))
		for i := range n - 1 {
			b.WriteString(joint(i, number(i+1), more(i)))
		}
		return robot(b.String())
	}
	tests := []struct{ name, text, want string }{
		{"5 MB", repeat(" ", 5*mega), "line 1, column 1: 5242880 bytes, limit 4194304"},
		{"blanks", repeat(" ", mega), "line 1, column 1048577: found end of text, expected element robot"},
		{"links in links", "<robot>" + repeat(`<link>`, mega/2), "line 1, column 602: nested more than 100 deep"},
		{"links", robot(repeat(`<link/>`, 100_000)), "line 1, column 350010: more than 50000 elements"},
		{"nameless links", robot(repeat(`<link/>`, 40_000)), "line 1, column 17: link without attribute name"},
		{"links of one name", robot(repeat(`<link name="a"/>`, 40_000)), `line 1, column 33: second link "a", the first is in line 1`},
		{"roots", robot(links(40_000)), `line 1, column 33: link "1" is the child of no joint, and neither is link "0" in line 1, expected one root`},
		{"attributes", "<robot" + repeat(` a=""`, mega/5), "line 1, column 1: more than 1000 attributes"},
		{"slips", robot(repeat("<link"+repeat(` nayme=""`, 1000)+"/>", 400)), `line 1, column 23: found attribute "nayme" of link, did you mean name?`},
		{"attributes of a name", robot(repeat("<link"+repeat(` name="a"`, 1000)+"/>", 100)), `line 1, column 32: second attribute name of link`},
		{"name", "<" + repeat("x", mega-1), "line 1, column 1048577: found end of text, expected the ends of all elements"},
		{"value", `<robot name="` + repeat("x", mega) + `"/>`, "line 1, column 1: robot without element link"},
		{"entity", `<robot name="&` + repeat("x", mega) + `;"/>`, "line 1, column 1048592: invalid character entity &" + repeat("x", 54) + "…, expected &lt; &gt; &amp; &quot; &apos; or the number of a character"},
		{"comments", robot(repeat("<!---->", mega/7)), "line 1, column 1: robot without element link"},
		{"document type", "<!DOCTYPE [" + repeat("<!ENTITY a 'b'>", mega/15-1), "line 1, column 1048572: found end of text, expected the ends of all elements"},
		{"instructions", repeat("<?a?>", mega/5), "line 1, column 1048576: found end of text, expected element robot"},
		{"numbers", robot(`<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="` + repeat("1 ", mega/2) + `"/></joint>`), `line 1, column 121: attribute xyz is "` + repeat("1 ", 20) + `…", expected 3 numbers`},
		{"a long arm, which is fine", chain(9_000, func(int) string { return "" }), ""},
		{"joints to nowhere", robot(links(2_000) + repeat(`<joint name="j" type="fixed"><parent link="nobody"/><child link="1"/></joint>`, 10_000)), `line 1, column 36944: there is no link "nobody"`},
		{"followers", chain(8_000, func(i int) string { return `<mimic joint="j` + number((i+1)%7_999) + `"/>` }), `line 1, column 150977: joint "j0" follows itself`},
		{"circle", robot(links(9_000) + repeatJoints(9_000, joint)), `line 1, column 949493: links carry each other in a circle: "0", "8999", "8998", "8997", "8996", …`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := urdf.Parse(tt.text)
			runtime.ReadMemStats(&after)
			got := ""
			if err != nil {
				got, _, _ = strings.Cut(err.Error(), "\n")
				if len(err.Error()) > 20_000 {
					t.Errorf("%d bytes of error", len(err.Error()))
				}
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) / mega; took > 120 {
				t.Errorf("%d MB of memory", took)
			}
		})
	}
}

func number(i int) string { return strconv.Itoa(i) }

// repeatJoints closes a circle of links.
func repeatJoints(n int, joint func(i int, child, more string) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(joint(i, number((i+1)%n), ""))
	}
	return b.String()
}
