package cyclecheck

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
)

// TestMain lets garbage wait: most of what is read of a program stays until the next one is read, and to mark it again and
// again takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

var architectures = []string{"amd64", "arm64"}

// read reads a program of the module.
func read(t *testing.T, pkg, arch string) *Subject {
	t.Helper()
	race.Skip(t, "nothing here is concurrent")
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("skip: no go command: the program cannot be built")
	}
	lookAtModule()
	s, err := Read(t.Context(), Program{Dir: "../..", Package: pkg, Arch: arch})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lookAtModule opens all folders of the module, so that go test does not take an old result for a new one: it knows the
// files that a test opens itself, not those that the compiler reads.
func lookAtModule() {
	_ = filepath.WalkDir("../..", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() != ".." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir // some test may have removed it just now
		}
		return nil
	})
}

func check(t *testing.T, s *Subject, p Policy) *Report {
	t.Helper()
	r, err := s.Check(&p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDaemon(t *testing.T) {
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			s := read(t, "./cmd/rccd", arch)
			t.Run("cycle", func(t *testing.T) { isCycle(t, s) })
			t.Run("kernels", func(t *testing.T) { kernelsAreReached(t, s) })
			t.Run("reviewed list", func(t *testing.T) { reviewedListIsNeeded(t, s) })
		})
	}
}

func isCycle(t *testing.T, s *Subject) {
	t.Helper()
	r := check(t, s, Cycle)
	for _, f := range r.Findings {
		t.Error(f)
	}
	t.Logf("%d functions, %d bytes of stack", r.Functions, r.Stack)
}

// Anything that looks like a kernel is one.
func kernelsAreReached(t *testing.T, s *Subject) {
	t.Helper()
	reached := map[*function]bool{}
	for _, f := range check(t, s, Cycle).walk.reached {
		reached[f] = true
	}
	kernels := 0
	for fn := range ssautil.AllFunctions(s.sites.prog) {
		if !isKernel(fn) {
			continue
		}
		kernels++
		if !slices.ContainsFunc(s.sites.functions(s.image, fn), func(f *function) bool { return reached[f] }) {
			t.Errorf("%s is not reached", fn)
		}
	}
	if kernels < 70 {
		t.Errorf("only %d kernels", kernels)
	}
}

// isKernel reports whether a function has the signature of a kernel, for types that are known.
func isKernel(fn *ssa.Function) bool {
	params := fn.Signature.Params()
	if fn.Signature.Recv() != nil || params.Len() != 2 || fn.TypeParams().Len() > len(fn.TypeArgs()) || isWrapper(fn) {
		return false
	}
	_, run := params.At(0).Type().(*types.Slice)
	return run && params.At(1).Type().String() == "*"+module+"/rcc/spec.Cycle"
}

// Every line of the reviewed list is needed, and has a reason.
func reviewedListIsNeeded(t *testing.T, s *Subject) {
	t.Helper()
	for i, e := range Cycle.Reviewed {
		if e.Why == "" {
			t.Errorf("%s: no reason", e.Call)
		}
		p := Cycle
		p.Reviewed = slices.Delete(slices.Clone(p.Reviewed), i, i+1)
		findings := check(t, s, p).Findings
		if len(findings) == 0 {
			t.Errorf("%s: nothing is found without it", e.Call)
		}
		for _, f := range findings {
			if f.What != "a call of "+e.Call && f.What != "recursion of "+e.Call {
				t.Errorf("without %s: %s", e.Call, f)
			}
		}
	}
	p := Cycle
	p.Reviewed = append(slices.Clone(p.Reviewed), Reviewed{Call: "runtime.newobject", Why: "a mistake"})
	want := "the reviewed list has runtime.newobject, which is not called"
	if findings := check(t, s, p).Findings; len(findings) != 1 || findings[0].What != want {
		t.Errorf("a line that nobody needs: %v", findings)
	}
}

// planted are the roots of testdata/planted and what is found from each, at least: the ways without the root. From the
// clean ones nothing is found.
var planted = []struct {
	root string
	want []string
}{
	{"cleanCalls", nil},
	{"cleanNumbers", nil},

	{"allocates", []string{"main.fresh → a call of runtime.makeslice"}},
	{"escapes", []string{"a call of runtime.newobject"}},
	{"appends", []string{"a call of runtime.growslice"}},
	{"boxes", []string{"a call of runtime.convT64"}},
	{"joins", []string{"main.join → a call of runtime.concatstring2"}},
	{"converts", []string{"main.bytesOf → a call of runtime.stringtoslicebyte"}},
	{"formats", []string{"a call of internal/strconv.FormatInt"}},
	{"prints", []string{"a call of fmt.Fprintln"}},

	{"linksNext", []string{"a call of runtime.gcWriteBarrier2"}},
	{"linksAny", []string{"a call of runtime.gcWriteBarrier2"}},
	{"linksPair", []string{"a call of runtime.wbMove"}},
	{"linksText", []string{"a call of runtime.gcWriteBarrier2"}},
	{"linksList", []string{"a call of runtime.gcWriteBarrier2"}},
	{"slices", []string{"a call of runtime.gcWriteBarrier2"}},
	{"setsArray", []string{"a call of runtime.gcWriteBarrier2"}},
	{"swaps", []string{"sync/atomic.SwapPointer → a call of runtime.atomicwb"}},

	{"looksUp", []string{"a call of runtime.mapaccess1_fast64"}},
	{"maps", []string{"a call of runtime.mapassign_fast64"}},
	{"sends", []string{"a call of runtime.chansend1"}},
	{"receives", []string{"a call of runtime.chanrecv1"}},
	{"selects", []string{"a call of runtime.selectgo"}},
	{"starts", []string{"a call of runtime.newproc"}},
	{"locks", []string{"a call of internal/sync.(*Mutex).lockSlow"}},
	{"unlocks", []string{"a call of internal/sync.(*Mutex).unlockSlow"}},
	{"defers", []string{"a call of runtime.deferproc", "a call of runtime.deferreturn"}},
	{"defersOnce", []string{"a call of runtime.deferreturn"}},
	{"looksAtTime", []string{"a call of time.Now"}},
	{"sleeps", []string{"a call of time.Sleep"}},

	{"divides", []string{"a call of runtime.panicdivide"}},
	{"indexes", []string{"a call of runtime.panicBounds"}},
	{"cuts", []string{"a call of runtime.panicBounds"}},
	{"shifts", []string{"a call of runtime.panicshift"}},
	{"asserts", []string{"a call of runtime.panicdottypeE"}},
	{"panics", []string{"a call of runtime.gopanic"}},

	{"recurses", []string{"main.descend → recursion of main.descend"}},
	{"recursesOverTwo", []string{"main.even → main.odd → recursion of main.even"}},
	{"isLarge", []string{"the stack has 65536 bytes, 71"}},

	{"reachesThroughPointer", []string{"main.(*state).badStep → a call of runtime.mapaccess1_fast64"}},
	{"reachesThroughInterface", []string{"main.(*geared).cycle → a call of runtime.growslice"}},
	{"reachesThroughMethodValue", []string{"main.call → main.(*state).badEnd-fm → a call of runtime.mapaccess1_fast64"}},
	{"reachesThroughLiteral", []string{"main.each → main.reachesThroughLiteral.func1 → a call of runtime.gcWriteBarrier2"}},
	{"reachesThroughGeneric", []string{"main.apply[...] → main.(*state).add → a call of runtime.mapaccess1_fast64"}},
	{"reachesNothing", []string{"a call through a pointer that nothing is known of"}},
	{"reachesNobody", nil},
}

// rules are what the planted program is judged by: only those helpers are allowed that its clean functions need.
var rules = Policy{
	Open: Cycle.Open,
	Room: Cycle.Room,
	Reviewed: []Reviewed{
		{Call: "runtime.morestack_noctxt", Why: "of the prologue"},
		{Call: "runtime.morestack", Why: "of the prologue"},
		{Call: "runtime.memmove", Why: "of copies"},
	},
}

func TestPlanted(t *testing.T) {
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			s := read(t, "./tools/cyclecheck/testdata/planted", arch)
			for _, tt := range planted {
				t.Run(tt.root, func(t *testing.T) {
					found := ways(check(t, s, rulesFrom(Root{Function: "main." + tt.root})))
					if tt.want == nil && found != nil {
						t.Errorf("found %q", found)
					}
					for _, want := range tt.want {
						if !slices.ContainsFunc(found, func(way string) bool { return strings.HasPrefix(way, want) }) {
							t.Errorf("not %q, but %q", want, found)
						}
					}
				})
			}
			t.Run("root is gone", func(t *testing.T) { rootMustBeThere(t, s, Root{Function: "main.gone"}) })
			t.Run("nothing begins", func(t *testing.T) { rootMustBeThere(t, s, Root{Function: "main.fresh", Bodies: true}) })
			t.Run("ways", func(t *testing.T) { waysAreShown(t, s) })
		})
	}
}

func rulesFrom(root Root) Policy {
	p := rules
	p.Roots = []Root{root}
	return p
}

func rootMustBeThere(t *testing.T, s *Subject, root Root) {
	t.Helper()
	p := rulesFrom(root)
	if _, err := s.Check(&p); err == nil {
		t.Errorf("%v is a root", root)
	}
}

func waysAreShown(t *testing.T, s *Subject) {
	t.Helper()
	list := check(t, s, rulesFrom(Root{Function: "main.allocates"})).Ways("makeslice")
	want := "runtime.makeslice\n    main.allocates\n        tools/cyclecheck/testdata/planted/main.go:"
	if len(list) != 1 || !strings.HasPrefix(list[0].String(), want) {
		t.Errorf("%v", list)
	}
}

// ways returns the findings in words, each from behind the root.
func ways(r *Report) []string {
	var list []string
	for _, f := range r.Findings {
		if f.Path == nil {
			continue // something allowed is not called from this root
		}
		var way []string
		for _, s := range f.Path[1:] {
			if s.File != "" {
				way = append(way, s.Function)
			}
		}
		list = append(list, strings.Join(append(way, f.What), " → "))
	}
	return list
}

// Every root of the planted program has its row.
func TestPlantedIsComplete(t *testing.T) {
	rows := map[string]bool{}
	for _, tt := range planted {
		rows[tt.root] = true
	}
	for _, name := range takers(t, "testdata/planted", "*state") {
		if !rows[name] {
			t.Errorf("%s: nobody says what is found in it", name)
		}
	}
}

// takers returns the functions of a folder with one parameter, of the given type.
func takers(t *testing.T, dir, param string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no program in %s: %v", dir, err)
	}
	var names []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && len(f.Type.Params.List) == 1 && types.ExprString(f.Type.Params.List[0].Type) == param {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// TestGeometry looks at what packages geom and motion offer to the cycle, also at what no kernel calls.
func TestGeometry(t *testing.T) {
	const program = "testdata/geometry"
	p := Cycle
	p.Roots = nil
	for _, name := range takers(t, program, "*cell") {
		p.Roots = append(p.Roots, Root{Function: "main." + name})
	}
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			r := check(t, read(t, "./tools/cyclecheck/"+program, arch), p)
			for _, f := range r.Findings {
				if f.Path != nil { // what the reviewed list has for others is not needed here
					t.Error(f)
				}
			}
			t.Logf("%d roots, %d functions, %d bytes of stack", len(p.Roots), r.Functions, r.Stack)
		})
	}
}

// TestWire: the cycle of a wire begins in its thread, and the functions of every driver belong to it.
func TestWire(t *testing.T) {
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			r := check(t, read(t, "./tools/cyclecheck/testdata/wire", arch), Cycle)
			var found []string
			for _, way := range ways(r) {
				if _, in, ok := strings.Cut(way, " → main."); ok {
					found = append(found, in)
				} else {
					t.Error(way)
				}
			}
			for _, want := range []string{
				"(*loose).Answer → a call of runtime.growslice", "(*loose).Answer → a call of fmt.Fprintln",
				"(*loose).Lost → a call of runtime.mapassign",
			} {
				if !slices.ContainsFunc(found, func(way string) bool { return strings.HasPrefix(way, want) }) {
					t.Errorf("not %q, but %q", want, found)
				}
			}
			for _, way := range found {
				if !strings.HasPrefix(way, "(*loose).") {
					t.Error(way)
				}
			}
			for _, name := range []string{"(*echo).Answer", "(*echo).Lost"} {
				if len(r.Ways("main."+name)) == 0 {
					t.Errorf("%s is not reached", name)
				}
			}
		})
	}
}

// TestBus: the cycle of a bus begins in its thread, and the functions of every driver on it belong to it.
func TestBus(t *testing.T) {
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			r := check(t, read(t, "./tools/cyclecheck/testdata/ethercat", arch), Cycle)
			var found []string
			for _, way := range ways(r) {
				if _, in, ok := strings.Cut(way, " → main."); ok && strings.Contains(in, "(*loose).") {
					found = append(found, in)
				} else {
					t.Error(way)
				}
			}
			for _, want := range []string{
				"(*loose).Write → a call of runtime.growslice", "(*loose).Read → a call of runtime.mapassign",
			} {
				if !slices.ContainsFunc(found, func(way string) bool { return strings.Contains(way, want) }) {
					t.Errorf("not %q, but %q", want, found)
				}
			}
			for _, name := range []string{"main.(*strict).Write", "main.(*strict).Read", "main.(*rack).Prepare"} {
				if len(r.Ways(name)) == 0 {
					t.Errorf("%s is not reached", name)
				}
			}
		})
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.f":                         "a/b.f",
		"a/b.(*T).m":                    "a/b.T.m",
		"a/b.(*T[go.shape.int]).m":      "a/b.T.m",
		"a/b.T.m-fm":                    "a/b.T.m",
		"a%2eb.f[go.shape.[]int,a/b.T]": "a.b.f",
		`a.(*T[go.shape.struct { F int "x:\"in [0, 1) \"" }]).m.func1`: "a.T.m.func1",
	} {
		if got := canonical(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"a.b/c.f": "a.b/c", "a.b/c.(*T).m": "a.b/c", "a/b%2ec.f[a/d.T]": "a/b.c", "main.main": "main", "gcWriteBarrier": "gcWriteBarrier",
	} {
		if got := packageOf(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// fake returns a program of one function.
func fake(machine elf.Machine, code string) (*image, *function) {
	data, err := hex.DecodeString(strings.ReplaceAll(code, " ", ""))
	if err != nil {
		panic(err)
	}
	f := &function{name: "f", entry: 0x1000, end: 0x1000 + uint64(len(data)), of: new(lines), info: make([]byte, funcPCData)}
	table := make([]byte, 8)
	binary.LittleEndian.PutUint64(table, f.entry)
	return &image{machine: machine, sections: []section{{f.entry, data}, {0x2000, table}}, funcs: []*function{f}}, f
}

func TestTransfers(t *testing.T) {
	tests := []struct {
		name    string
		machine elf.Machine
		code    string
		want    []transfer
	}{
		{"call", elf.EM_X86_64, "90 e8 fa ff 00 00 c3", []transfer{{pc: 0x1001, to: 0x11000, call: true}}},
		{"jump away", elf.EM_X86_64, "e9 fb ff 00 00", []transfer{{pc: 0x1000, to: 0x11000}}},
		{"jump inside", elf.EM_X86_64, "eb fe 75 fc c3", nil},
		{"call of a register", elf.EM_X86_64, "ff d1", []transfer{{pc: 0x1000, indirect: true, call: true}}},
		{"call of a word in memory", elf.EM_X86_64, "ff 52 18", []transfer{{pc: 0x1000, indirect: true, call: true}}},
		{"switch", elf.EM_X86_64, "48 8d 0d f9 0f 00 00 ff 24 c1", nil},
		{"switch on a boundary of code", elf.EM_X86_64, "48 8d 0d f9 0f 00 00 66 90 0f 1f 40 00 ff 24 c1", nil},
		{"no switch", elf.EM_X86_64, "48 8d 0d f9 0f 00 00 48 89 d1 ff 24 c1", []transfer{{pc: 0x100a, indirect: true}}},
		{"what looks like a call in a vector instruction", elf.EM_X86_64, "c5 f9 6f 80 e8 00 00 00 c5 f8 77 c4 e3 79 0f c1 e8 c3", nil},
		{"vector instructions of 512 bits", elf.EM_X86_64, "62 f1 7c 48 10 84 24 e8 00 00 00 62 f1 7c 48 10 44 24 e8 c3", nil},

		{"BL", elf.EM_AARCH64, "1f2003d5 ff3f0094 c0035fd6", []transfer{{pc: 0x1004, to: 0x11000, call: true}}},
		{"B backwards", elf.EM_AARCH64, "00fcff17", []transfer{{pc: 0x1000, to: 0}}},
		{"branches inside", elf.EM_AARCH64, "20000054 e0ffffb4 e0ff0736 00000014", nil},
		{"BLR", elf.EM_AARCH64, "20003fd6", []transfer{{pc: 0x1000, indirect: true, call: true}}},
		{"BR", elf.EM_AARCH64, "60031fd6", []transfer{{pc: 0x1000, indirect: true}}},
		{"switch of ARM", elf.EM_AARCH64, "1b0000b0 7b030091 7b7b61f8 60031fd6", nil},
		{"no switch of ARM", elf.EM_AARCH64, "1b0000b0 7b230091 7b7b61f8 60031fd6", []transfer{{pc: 0x100c, indirect: true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, f := fake(tt.machine, tt.code)
			got, err := m.transfers(f)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Nothing that cannot be read is skipped.
func TestUnreadable(t *testing.T) {
	for _, tt := range []struct {
		machine elf.Machine
		code    string
	}{
		{elf.EM_X86_64, "90 06"},       // no instruction in 64-bit mode
		{elf.EM_X86_64, "48 8d 0d 00"}, // cut off
		{elf.EM_X86_64, "c5 f9 6f 80"}, // the same
		{elf.EM_AARCH64, "c0035f"},     // the same
		{elf.EM_RISCV, "13000000"},
	} {
		m, f := fake(tt.machine, tt.code)
		if got, err := m.transfers(f); err == nil {
			t.Errorf("%s: %v", tt.code, got)
		}
	}
	m, f := fake(elf.EM_X86_64, "48 89 d1 c3")
	f.of = &lines{step: 1, values: []byte{0, 2, 1, 2, 3, 0}} // a line begins in the middle of the first instruction
	binary.LittleEndian.PutUint32(f.info[funcLine:], 1)
	if got, err := m.transfers(f); err == nil {
		t.Errorf("out of step: %v", got)
	}
}
