package spec_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// scale has one of everything that a declaration can have.
type scale struct {
	common
	In     spec.In[float64]    `rcc:"inValue" required:"true" doc:"value"`
	Factor spec.In[float64]    `rcc:"inFactor" or:"Factor=2" doc:"factor"`
	Offset spec.In[float64]    `rcc:"inOffset" doc:"offset"`
	Invert spec.InOr[bool]     `rcc:"inInvert" or:"=false" doc:"sign"`
	Empty  spec.InOr[bool]     `rcc:"inEmpty" or:"Empty=" doc:"default of the type"`
	Max    spec.Param[float64] `rcc:"Max" default:"10" doc:"limit"`
	Zero   spec.Param[int32]   `rcc:"Zero" default:"" doc:"default of the type"`
	Out    spec.Out[float64]   `rcc:"outValue" doc:"result"`

	kept float64
}

// common is embedded: its fields are those of the primitive.
type common struct {
	Name spec.Param[string] `rcc:"Name" doc:"required"`
}

func (p *scale) Init(env *spec.Env) error {
	if p.Max.V < 0 {
		return errors.New("parameter Max is negative")
	}
	if env.Open("inOffset") {
		p.kept = 1000
	}
	return nil
}

func runScale(run []scale, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v := p.In.Or(cy, -1)*p.Factor.Or(cy, -1) + p.Offset.Or(cy, p.kept)
		if p.Invert.Get(cy) {
			v = -v
		}
		p.Out.Set(cy, min(v, p.Max.V))
	}
}

func declareScale() *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Test::Scale", Extension: "test"}, spec.Kernels[scale]{Run: runScale})
}

func TestDeclare(t *testing.T) {
	p := declareScale()
	var got []string
	for _, port := range p.In {
		got = append(got, fmt.Sprintf("in %s %s %s %t", port.Name, port.Type, port.Param, port.Required))
	}
	for _, port := range p.Out {
		got = append(got, fmt.Sprintf("out %s %s", port.Name, port.Type))
	}
	for _, param := range p.Params {
		got = append(got, fmt.Sprintf("param %s %s %q %t", param.Name, param.Type, param.Default, param.Required))
	}
	want := []string{
		"in inValue double  true", "in inFactor double Factor false", "in inOffset double  false", "in inInvert bool  false", "in inEmpty bool Empty false",
		"out outValue double",
		`param Name string "" true`, `param Factor double "2" false`, `param Empty bool "false" false`, `param Max double "10" false`, `param Zero int "0" false`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !p.Has(spec.Run) || p.Has(spec.Sense) || p.Has(spec.Act) || p.Delays() {
		t.Error("takes part in the wrong phases")
	}
	if p.InPort("inNone") != -1 || p.OutPort("outNone") != -1 || p.Param("None") != -1 || p.InPort("inOffset") != 2 {
		t.Error("finds what is not there")
	}
}

func TestDeclarePanics(t *testing.T) {
	type badDefault struct {
		In spec.In[bool] `rcc:"inValue" or:"Value=maybe"`
	}
	type twice struct {
		A spec.In[bool]  `rcc:"value"`
		B spec.Out[bool] `rcc:"value"`
	}
	type noPort struct {
		A int `rcc:"inValue"`
	}
	type noType struct {
		A spec.Param[int64] `rcc:"Value" default:"1"`
	}
	type stateful struct {
		Out  spec.Out[bool] `rcc:"outValue"`
		last bool
	}
	runs := spec.Kernels[stateful]{Run: func(run []stateful, cy *spec.Cycle) { run[0].Out.Set(cy, run[0].last) }}
	mustPanic(t, "has no state, field last", func() { spec.Declare(spec.Decl{Name: "P", Pure: true}, runs) })
	mustPanic(t, "operator", func() {
		spec.Declare(spec.Decl{Name: "P", Pure: true, Operator: spec.Operator{Symbol: "+", Rank: spec.Sum}}, spec.Kernels[struct{}]{Run: func([]struct{}, *spec.Cycle) {}})
	})
	mustPanic(t, "kernel Run and no other", func() { spec.Declare(spec.Decl{Name: "P", Pure: true}, spec.Kernels[struct{}]{}) })
	bind := func([]struct{}) func(*spec.Cycle) { return nil }
	type silent struct {
		Out spec.Out[bool] `rcc:"outValue" doc:"never set"`
	}
	mustPanic(t, "out ports without", func() { spec.Declare(spec.Decl{Name: "P"}, spec.Kernels[silent]{}) })
	mustPanic(t, "Bind without", func() { spec.Declare(spec.Decl{Name: "P"}, spec.Kernels[struct{}]{Bind: bind}) })
	mustPanic(t, "is neither true nor false", func() { spec.Declare(spec.Decl{Name: "P"}, spec.Kernels[badDefault]{}) })
	mustPanic(t, "twice", func() { spec.Declare(spec.Decl{Name: "P"}, spec.Kernels[twice]{}) })
	mustPanic(t, "neither a port nor a parameter", func() { spec.Declare(spec.Decl{Name: "P"}, spec.Kernels[noPort]{}) })
	mustPanic(t, "not a data type", func() { spec.Declare(spec.Decl{Name: "P"}, spec.Kernels[noType]{}) })
}

func mustPanic(t *testing.T, with string, f func()) {
	t.Helper()
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), with) {
			t.Errorf("panics with %v, not %q", r, with)
		}
	}()
	f()
}

// load makes one instance with texts for parameters and cells for in ports.
func load(p *spec.Primitive, params map[string]string, cells map[string]any) (*spec.Block, error) {
	b := p.New(1)
	for port, cell := range cells {
		b.Link(0, p.InPort(port), cell)
	}
	texts := make([]*string, len(p.Params))
	for name, text := range params {
		texts[p.Param(name)] = &text
	}
	return b, b.Init(0, texts, &spec.Env{Period: time.Millisecond})
}

func TestInit(t *testing.T) {
	tests := []struct {
		doc    string
		params map[string]string
		cells  []string
		want   float64
	}{
		{"defaults", nil, nil, 10},
		{"a parameter of an open port", map[string]string{"Factor": "-1"}, nil, 10},
		{"a parameter of a field", map[string]string{"Max": "2000"}, nil, 1006},
		{"a null port reads no parameter", map[string]string{"Factor": "50", "Max": "2000"}, []string{"inFactor"}, 997},
		{"a null port without default, which is not open", nil, []string{"inOffset"}, 6},
		{"null of an InOr port", map[string]string{"Max": "2000"}, []string{"inInvert"}, 1006},
	}
	for _, test := range tests {
		in, cells := &spec.Out[float64]{}, map[string]any{}
		cells["inValue"] = in
		p := declareScale()
		for _, port := range test.cells {
			cells[port] = p.New(1).Source(0, p.InPort(port))
		}
		params := map[string]string{"Name": "n"}
		for name, text := range test.params {
			params[name] = text
		}
		b, err := load(p, params, cells)
		if err != nil {
			t.Fatalf("%s: %v", test.doc, err)
		}
		cy := spec.Cycle{N: 1}
		in.Set(&cy, 3)
		b.Kernel(spec.Run, 0, 1)(&cy)
		out := b.Cell(0, 0).(*spec.Out[float64])
		if !out.Current(&cy) || out.V != test.want {
			t.Errorf("%s: %v, not %v", test.doc, out.V, test.want)
		}
	}
}

func TestInitRefuses(t *testing.T) {
	linked := map[string]any{"inValue": &spec.Out[float64]{}}
	tests := []struct {
		want   string
		params map[string]string
		cells  map[string]any
	}{
		{"parameter Name is missing", nil, linked},
		{"in port inValue must be connected", map[string]string{"Name": "n"}, nil},
		{`parameter Factor: "x" is not a number`, map[string]string{"Name": "n", "Factor": "x"}, linked},
		{`parameter Zero: "0.5" is not a whole number of 32 bits`, map[string]string{"Name": "n", "Zero": "0.5"}, linked},
		{"parameter Max is negative", map[string]string{"Name": "n", "Max": "-1"}, linked},
	}
	for _, test := range tests {
		if _, err := load(declareScale(), test.params, test.cells); err == nil || err.Error() != test.want {
			t.Errorf("%v, not %s", err, test.want)
		}
	}
}

// TestKernelRuns: a run is the part of the block that it names, and no more.
func TestKernelRuns(t *testing.T) {
	p := declareScale()
	b, name := p.New(4), "n"
	for i := range 4 {
		b.Link(i, 0, &spec.Out[float64]{})
		texts := make([]*string, len(p.Params))
		texts[p.Param("Name")] = &name
		if err := b.Init(i, texts, &spec.Env{}); err != nil {
			t.Fatal(err)
		}
	}
	cy := spec.Cycle{N: 1}
	b.Kernel(spec.Run, 1, 3)(&cy)
	for i, want := range []bool{false, true, true, false} {
		if got := b.Cell(i, 0).(spec.Cell).Current(&cy); got != want {
			t.Errorf("instance %d has run: %t", i, got)
		}
	}
}

func TestPorts(t *testing.T) {
	var out spec.Out[int32]
	cy := spec.Cycle{N: 1}
	if out.Current(&cy) {
		t.Error("a new port has a value")
	}
	out.Set(&cy, 5)
	if !out.Current(&cy) || out.Type() != value.TypeInt || string(out.Text(nil)) != "5" {
		t.Error("a port without its value")
	}
	cy.N++
	if out.Current(&cy) {
		t.Error("a value outlives its cycle")
	}
	out.Touch(&cy)
	if !out.Current(&cy) {
		t.Error("a touched port has no value")
	}
	cy.N++
	if err := out.SetText(&cy, "x"); err == nil || out.Current(&cy) {
		t.Error("x is an int")
	}
	if err := out.SetText(&cy, "-3"); err != nil || out.V != -3 || !out.Current(&cy) {
		t.Errorf("%d, %v", out.V, err)
	}
	cy.N++
	out.SetWords(&cy, []uint64{8})
	if out.V != 8 || !out.Current(&cy) {
		t.Errorf("%d from words", out.V)
	}
}

func TestEnvCycles(t *testing.T) {
	env := spec.Env{Period: 100 * time.Millisecond}
	for seconds, want := range map[float64]int{0: 0, 0.09: 0, 0.1: 1, 0.3: 3, 0.39: 3, -1: 0, 1e9: 50} {
		if got := env.Cycles(seconds, 50); got != want {
			t.Errorf("%g s are %d cycles, not %d", seconds, got, want)
		}
	}
}

func TestEnvShares(t *testing.T) {
	var env spec.Env
	r := device.Resource{Device: "d", Channel: "c"}
	env.Claim(r)
	env.Claim(r)
	env.Claim(device.Resource{Device: "d", Channel: "e"})
	if len(env.Resources) != 2 {
		t.Errorf("claims %v", env.Resources)
	}
	first := spec.Shared[int](&env, r)
	*first = 3
	if second := spec.Shared[int](&env, r); second != first {
		t.Error("two for one key")
	}
	if other := spec.Shared[int](&env, "else"); *other != 0 {
		t.Error("one for two keys")
	}
}

// TestMakeIsBounded: several pieces count together.
func TestMakeIsBounded(t *testing.T) {
	var env spec.Env
	if got, err := spec.Make[float64](&env, 10); err != nil || len(got) != 10 {
		t.Error(len(got), err)
	}
	if err := env.Take(spec.MostMemory - 80); err != nil {
		t.Error(err)
	}
	if _, err := spec.Make[bool](&env, 1); err == nil {
		t.Error("one byte more than there may be")
	}
	if got, err := spec.Make[bool](&env, 0); err != nil || len(got) != 0 {
		t.Error(len(got), err)
	}
}

type lender struct{ dev device.Device }

func (l lender) Device(name string) (device.Device, error) {
	if name != "arm" {
		return nil, fmt.Errorf("no device %q", name)
	}
	return l.dev, nil
}
func (lender) Board(string) (*spec.Board, error) { return nil, nil }
func (lender) Inbox(string) (*spec.Inbox, error) { return nil, nil }

type arm struct{ device.Device }

func (arm) Interfaces() []device.Interface { return device.AnnounceJoints(6) }

func TestEnvDevice(t *testing.T) {
	env := &spec.Env{Host: lender{arm{}}}
	if _, err := spec.Device[arm](env, "arm"); err != nil {
		t.Error(err)
	}
	if _, err := spec.Device[lender](env, "arm"); err == nil || !strings.Contains(err.Error(), "another kind: it offers robotarm, multijoint") {
		t.Errorf("an arm of another kind: %v", err)
	}
	if _, err := spec.Device[arm](env, "leg"); err == nil || !strings.Contains(err.Error(), `"leg"`) {
		t.Errorf("a device that is not there: %v", err)
	}
}

func TestCatalogue(t *testing.T) {
	p := declareScale()
	q := spec.Declare(spec.Decl{Name: "Another", Extension: "other"}, spec.Kernels[struct{}]{})
	c, err := spec.NewCatalogue([]*spec.Primitive{p}, []*spec.Primitive{q})
	if err != nil || len(c.All()) != 2 || c.All()[0] != q || c.Lookup("Test::Scale") != p || c.Lookup("test::scale") != nil {
		t.Errorf("a catalogue of %v, %v", c, err)
	}
	if _, err := spec.NewCatalogue([]*spec.Primitive{p, q, p}); err == nil || !strings.Contains(err.Error(), "Test::Scale is declared twice") {
		t.Errorf("a name twice: %v", err)
	}
}

// TestConstants shares cells of equal value, and only of those.
func TestConstants(t *testing.T) {
	run := func(run []echo, cy *spec.Cycle) {
		for i := range run {
			if v, ok := run[i].In.Get(cy); ok {
				run[i].Out.Set(cy, v)
			}
		}
	}
	texts := []string{"0.5", "0.50", "0", "-0", "nan", "NaN", "+inf"}
	b := spec.Declare(spec.Decl{Name: "Echo", Pure: true}, spec.Kernels[echo]{Run: run}).New(len(texts) + 1)
	env := &spec.Env{Period: time.Millisecond}
	for i := range texts {
		if err := b.Init(i, []*string{&texts[i]}, env); err != nil {
			t.Fatal(err)
		}
	}
	b.Kernel(spec.Run, 0, len(texts))(&spec.Cycle{N: math.MaxUint64})
	var got []string
	seen := map[any]string{}
	cy := spec.Cycle{N: 7}
	for i := range len(texts) + 1 { // the last one has never run
		cell := env.Constant(b.Cell(i, 0))
		if seen[cell] == "" {
			seen[cell] = fmt.Sprint("cell ", len(seen))
		}
		text := "null"
		if c := cell.(spec.Cell); c.Current(&cy) {
			text = string(c.Text(nil))
		}
		got = append(got, seen[cell]+" "+text)
	}
	want := []string{"cell 0 0.5", "cell 0 0.5", "cell 1 0", "cell 2 -0", "cell 3 nan", "cell 3 nan", "cell 4 +inf", "cell 5 null"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type echo struct {
	In  spec.In[float64]  `rcc:"inValue" or:"Value="`
	Out spec.Out[float64] `rcc:"outValue"`
}

// TestArraysOnPorts: an array keeps its length, and its memory.
func TestArraysOnPorts(t *testing.T) {
	cy := spec.Cycle{N: 1}
	var out spec.Out[[]float64]
	if err := out.SetText(&cy, "[1,2]"); err != nil || !out.Current(&cy) {
		t.Fatal(err)
	}
	if err := out.SetText(&cy, "[1,2,3]"); err == nil || err.Error() != "it has 3 elements, not 2" {
		t.Errorf("another length: %v", err)
	}
	cy.N++
	memory, theirs := out.V, []float64{5, 6, 7}
	spec.SetElements(&out, &cy, theirs)
	if memory[0] != 5 || len(out.V) != 2 || !out.Current(&cy) {
		t.Error(memory, out.V)
	}
	theirs[0] = 9
	out.SetWords(&cy, []uint64{0})
	if memory[0] != 0 || memory[1] != 6 {
		t.Error(memory)
	}
	if string(out.Text(nil)) != "[0,6]" || out.Type() != "array<double>" {
		t.Errorf("%s %s", out.Text(nil), out.Type())
	}
}

// TestArrayVariables: the initial value decides how long a variable is, and is nobody's memory.
func TestArrayVariables(t *testing.T) {
	initial := []int32{1, 2}
	v := spec.NewVar("in", initial)
	initial[0] = 7
	if got := string(v.Text(nil, v.Initial)); got != "[1,2]" {
		t.Error(got)
	}
	words, err := v.Parse("[3,4]")
	if got := string(v.Text(nil, words)); err != nil || got != "[3,4]" {
		t.Error(got, err)
	}
	if _, err := v.Parse("[3]"); err == nil || err.Error() != "it has 1 elements, not 2" {
		t.Errorf("another length: %v", err)
	}
	own, err := spec.InitialOf[[]int32](&v)
	if err != nil || !slices.Equal(own, []int32{1, 2}) {
		t.Error(own, err)
	}
	m := spec.NewVar("in", value.Matrix{Rows: 2, Cols: 3, V: make([]float64, 6)})
	if _, err := m.Parse("[[1,2],[3,4],[5,6]]"); err == nil {
		t.Error("a matrix of another shape")
	}
}

// mixed has structured parameters and defaults.
type mixed struct {
	Pose  spec.In[geom.Frame]    `rcc:"inPose" or:"Pose=" doc:"pose"`
	Joint spec.In[[]float64]     `rcc:"inJoints" or:"Joints=[1,2,3]" doc:"joints"`
	Open  spec.In[[]geom.Vector] `rcc:"inOpen" doc:"nothing"`
	Home  spec.Param[[]float64]  `rcc:"Home" default:"" doc:"joints"`
	Out   spec.Out[geom.Frame]   `rcc:"outValue" doc:"pose"`
	Sum   spec.Out[[]float64]    `rcc:"outSum" doc:"joints"`
}

func (p *mixed) Init(*spec.Env) error {
	if len(p.Home.V) != len(*p.Joint.Source()) || len(*p.Open.Source()) != 0 {
		return errors.New("lengths differ")
	}
	p.Sum.V = make([]float64, len(p.Home.V))
	return nil
}

func mix(run []mixed, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Joint.Get(cy); ok {
			for k := 0; k < len(v) && k < len(p.Home.V) && k < len(p.Sum.V); k++ {
				p.Sum.V[k] = v[k] + p.Home.V[k]
			}
			p.Sum.Touch(cy)
		}
		if pose := p.Pose.Ref(cy); pose != nil && p.Open.Null(cy) {
			p.Out.Set(cy, pose.Mul(*pose))
		}
	}
}

func TestStructuredParameters(t *testing.T) {
	p := spec.Declare(spec.Decl{Name: "Test::Mixed"}, spec.Kernels[mixed]{Run: mix})
	if got := p.Params[p.Param("Pose")].Default; got != "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" {
		t.Error("default", got)
	}
	texts := make([]*string, len(p.Params))
	home, pose := "[10, 20, 30]", "{pos:{x:1,y:2,z:3},rot:{a:0,b:0,c:0}}"
	texts[p.Param("Home")], texts[p.Param("Pose")] = &home, &pose
	block, env := p.New(2), &spec.Env{Period: time.Millisecond}
	for i := range 2 {
		if err := block.Init(i, texts, env); err != nil {
			t.Fatal(err)
		}
	}
	cy := spec.Cycle{N: 1}
	run := block.Kernel(spec.Run, 0, 2)
	run(&cy)
	for i := range 2 {
		out, sum := block.Cell(i, 0).(spec.Cell), block.Cell(i, 1).(spec.Cell)
		if got := string(sum.Text(nil)); got != "[11,22,33]" || !sum.Current(&cy) {
			t.Error(got)
		}
		if got := string(out.Text(nil)); got != "{pos:{x:2,y:4,z:6},rot:{a:0,b:0,c:0}}" || !out.Current(&cy) {
			t.Error(got)
		}
	}
	if n := alloc.Least(func() { run(&cy) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
	home = "[10]"
	if err := block.Init(0, texts, env); err == nil {
		t.Error("no error for lengths that differ")
	}
	home = "[10"
	if err := block.Init(0, texts, env); err == nil || !strings.Contains(err.Error(), "parameter Home: \"[10\" is not of type array<double>: ] is missing") {
		t.Error(err)
	}
}

type standing struct {
	Open   spec.In[float64]  `rcc:"inOpen"`
	Linked spec.In[float64]  `rcc:"inLinked"`
	Param  spec.In[float64]  `rcc:"inParam" or:"Param=3"`
	Sum    spec.Out[float64] `rcc:"outValue"`
}

func (p *standing) Init(env *spec.Env) error {
	for _, port := range []*spec.In[float64]{&p.Open, &p.Linked, &p.Param} {
		port.StandIn(env, 100)
	}
	return nil
}

func stand(run []standing, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.Sum.Set(cy, p.Open.Or(cy, 0)+p.Linked.Or(cy, 0)+p.Param.Or(cy, 0))
	}
}

// TestStandIn: a value of Init stands in for an open port only, in every cycle, and not for a null one.
func TestStandIn(t *testing.T) {
	block, env := spec.Declare(spec.Decl{Name: "Test::Standing"}, spec.Kernels[standing]{Run: stand}).New(2), &spec.Env{Period: time.Millisecond}
	sources := [2]*spec.Out[float64]{}
	for i := range sources {
		sources[i] = block.Source(i, 1).(*spec.Out[float64])
		block.Link(i, 1, sources[i])
		if err := block.Init(i, []*string{nil}, env); err != nil {
			t.Fatal(err)
		}
	}
	cy := spec.Cycle{N: 5}
	sources[0].Set(&cy, 20)
	block.Kernel(spec.Run, 0, 2)(&cy)
	for i, want := range [2]float64{123, 103} {
		if got := block.Cell(i, 0).(*spec.Out[float64]).V; got != want {
			t.Errorf("instance %d: %v, not %v", i, got, want)
		}
	}
}
