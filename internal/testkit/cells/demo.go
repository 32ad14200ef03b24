package cells

import (
	"context"
	"fmt"
	"slices"
)

// Demo returns a cell for an example, which cannot report failures: it panics.
func Demo(options ...Option) (c *Cell, closed func()) {
	d := &demo{}
	return New(d, options...), d.end
}

type demo struct{ cleanups []func() }

func (d *demo) Helper()                  {}
func (d *demo) Name() string             { return "example" }
func (d *demo) Context() context.Context { return context.Background() }
func (d *demo) Cleanup(do func())        { d.cleanups = append(d.cleanups, do) }
func (d *demo) Error(args ...any)        { d.Fatal(args...) }
func (d *demo) Fatal(args ...any)        { panic(fmt.Sprint(args...)) }

func (d *demo) end() {
	for _, do := range slices.Backward(d.cleanups) {
		do()
	}
}
