package arch

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/softrobot-rcc/rccd"

func TestLayers(t *testing.T) {
	found, err := check(module, os.DirFS(filepath.Join("..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

// TestChecker plants one violation of each kind and checks whether it is found.
func TestChecker(t *testing.T) {
	tests := []struct {
		name string
		file string
		text string
		want []string
	}{
		{"down is fine", "rcc/net/a.go", `import _ "` + module + `/rcc/spec"`, nil},
		{"up", "rcc/net/a.go", `import _ "` + module + `/rcc/sched"`, []string{"rcc/net: may not import rcc/sched"}},
		{
			"front end reaches behind the facade", "directio/a.go", `import _ "` + module + `/rcc/sched"`,
			[]string{"directio: may not import rcc/sched"},
		},
		{
			"client of the daemon", "directio/client/a.go", `import _ "` + module + `/grammar"`,
			[]string{"directio/client: may not import grammar"},
		},
		{"plug-in sees contracts", "primitives/core/a.go", `import _ "` + module + `/rcc/spec"`, nil},
		{"plug-in sees its own parts", "devices/arm/a.go", `import _ "` + module + `/devices/arm/wire"`, nil},
		{
			"plug-in sees another", "devices/arm/a.go", `import _ "` + module + `/devices/hand"`,
			[]string{"devices/arm: may not import devices/hand"},
		},
		{
			"plug-in sees compiling", "primitives/core/a.go", `import _ "` + module + `/rcc/net"`,
			[]string{"primitives/core: may not import rcc/net"},
		},
		{"no place", "misc/a.go", "", []string{"misc: has no place in the layers"}},
		{
			"unsafe", "rcc/a.go", `import _ "unsafe"`,
			[]string{"rcc: may not import unsafe: what the compiler cannot check stays in one place"},
		},
		{"unsafe at home", "internal/rt/a.go", `import _ "unsafe"`, nil},
		{
			"system calls", "devices/arm/a.go", `import _ "golang.org/x/sys/unix"`,
			[]string{"devices/arm: may not import golang.org/x/sys/unix: system calls in one place"},
		},
		{"cgo", "internal/rt/a.go", `import "C"`, []string{"internal/rt: may not import C: no cgo in the daemon"}},
		{
			"clock", "rcc/sched/a.go", `import "time"; var _ = time.Now()`,
			[]string{"rcc/sched: may not use time.Now: clocks are read in internal/rt"},
		},
		{
			"clock under another name", "rcc/sched/a.go", `import t "time"; var _ = t.NewTicker`,
			[]string{"rcc/sched: may not use time.NewTicker: clocks are read in internal/rt"},
		},
		{
			"clock of guard", "rcc/a.go", `import "` + module + `/internal/guard"; func f() { guard.After(0, "f", f) }`,
			[]string{"rcc: may not use guard.After: clocks are read in internal/rt"},
		},
		{"durations are not clocks", "rcc/sched/a.go", `import "time"; var _ = time.Second`, nil},
		{"clock of a timekeeper", "directio/a.go", `import "time"; var _ = time.Now()`, nil},
		{"init", "rcc/a.go", "func init() {}", []string{"rcc: has an init function: lists are values"}},
		{"method init", "rcc/a.go", "type t int; func (t) init() {}", nil},
		{"assembly", "rcc/a_amd64.s", "", []string{"rcc: assembly is reserved for internal/rt"}},
		{
			"goroutine", "rcc/a.go", "func f() { go f() }",
			[]string{"rcc: starts a goroutine: use guard.Go, so that its panic ends nothing in motion"},
		},
		{
			"goroutine of a group", "rcc/a.go", `import "sync"; func f(g *sync.WaitGroup) { g.Go(nil) }`,
			[]string{"rcc: starts a goroutine: use guard.In, so that its panic ends nothing in motion"},
		},
		{
			"goroutine of a timer", "cmd/rccd/a.go", `import "time"; func f() { time.AfterFunc(0, f) }`,
			[]string{"cmd/rccd: lets a goroutine be started: use guard.After or guard.AfterDone, so that its panic ends nothing in motion"},
		},
		{
			"goroutine of a context", "rcc/a.go", `import c "context"; func f() { c.AfterFunc(nil, f) }`,
			[]string{"rcc: lets a goroutine be started: use guard.After or guard.AfterDone, so that its panic ends nothing in motion"},
		},
		{"goroutine by guard", "rcc/a.go", `import "` + module + `/internal/guard"; func f() { guard.Go("f", f) }`, nil},
		{"goroutine of a program", "cmd/rccctl/a.go", "func f() { go f() }", nil},
		{"sleeping test", "rcc/a_test.go", `import "time"; var _ = time.Sleep`, []string{"rcc: a test sleeps"}},
		{"tests may look down and up", "rcc/net/a_test.go", `import _ "` + module + `/directio"`, nil},
		{"test data is not a package", "rcc/testdata/a.go", "func init() {}", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "package p\n" + tt.text
			found, err := check(module, fstest.MapFS{tt.file: {Data: []byte(text)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, found); diff != "" {
				t.Error(diff)
			}
		})
	}
}
