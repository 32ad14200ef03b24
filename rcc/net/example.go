package net

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// longestExample bounds how long an example may keep others waiting.
const longestExample = 10_000

// RunExample returns an error if a primitive differs from its example. There are no
// devices and no other nets.
func RunExample(p *spec.Primitive, e *spec.Example, catalogue *spec.Catalogue) error {
	program, period, err := exampleProgram(p, e, catalogue)
	var rejection *Rejection
	switch {
	case e.Reject != "" && err == nil:
		return fmt.Errorf("accepted, but must be refused with %q", e.Reject)
	case e.Reject != "" && strings.Contains(err.Error(), e.Reject):
		return nil
	case errors.As(err, &rejection):
		return &Rejection{Net: p.Name, Problems: within(p.Name, rejection.Problems)}
	case err != nil:
		return err
	}
	cycles := 1
	for _, series := range []map[string][]string{e.In, e.Out} {
		for name, texts := range series {
			if len(texts) == 0 {
				return fmt.Errorf("no values for %s", name)
			}
			cycles = max(cycles, len(texts))
		}
	}
	if cycles > longestExample {
		return fmt.Errorf("it has %d cycles, limit %d", cycles, longestExample)
	}
	return playExample(program, e, cycles, period)
}

func exampleProgram(p *spec.Primitive, e *spec.Example, catalogue *spec.Catalogue) (*Program, time.Duration, error) {
	for name := range e.In {
		if p.InPort(name) < 0 {
			return nil, 0, fmt.Errorf("there is no in port %s", name)
		}
	}
	for name := range e.Out {
		if p.OutPort(name) < 0 {
			return nil, 0, fmt.Errorf("there is no out port %s", name)
		}
	}
	period := 10 * time.Millisecond
	if e.Cycle != "" {
		var err error
		if period, err = time.ParseDuration(e.Cycle); err != nil || period <= 0 {
			return nil, 0, fmt.Errorf("%q is not a cycle time", e.Cycle)
		}
	}
	tree, catalogue, err := probe(p, catalogue, e.Params, firstOf(e), func(port string) bool { return e.In[port] != nil })
	if err != nil {
		return nil, 0, err
	}
	program, err := Compile(tree, Options{Name: p.Name, Period: period, Catalogue: catalogue, Host: nobody{}, Once: true})
	return program, period, err
}

// firstOf are the first values of the in ports of an example that are not null.
func firstOf(e *spec.Example) map[string]string {
	first := map[string]string{}
	for name, texts := range e.In {
		if k := slices.IndexFunc(texts, func(text string) bool { return text != null }); k >= 0 {
			first[name] = texts[k]
		}
	}
	return first
}

// null is how an example writes that there is no value.
const null = "null"

func playExample(program *Program, e *spec.Example, cycles int, period time.Duration) error {
	cells := map[string]spec.Cell{}
	for _, out := range program.Outs {
		cells[out.Name] = out.Cell
	}
	for n := range cycles {
		now := int64(n) * int64(period)
		cy := &spec.Cycle{N: uint64(n) + 1, Time: now, Due: now, Wall: now, Period: period.Seconds()}
		for _, name := range slices.Sorted(maps.Keys(e.In)) {
			text := e.In[name][min(n, len(e.In[name])-1)]
			if text == null {
				continue
			}
			if err := cells[feedOf(name)].SetText(cy, text); err != nil {
				return fmt.Errorf("cycle %d: %s: %w", n+1, name, err)
			}
		}
		program.Evaluate(cy)
		for _, name := range slices.Sorted(maps.Keys(e.Out)) {
			want, got := e.Out[name][min(n, len(e.Out[name])-1)], null
			if cell := cells[name]; cell != nil && cell.Current(cy) {
				got = string(cell.Text(nil))
			}
			if !alike(got, want) {
				return fmt.Errorf("cycle %d: %s is %s, not %s", n+1, name, got, want)
			}
		}
	}
	return nil
}

// alike compares texts of values: word by word, numbers without their last digits.
func alike(got, want string) bool {
	const between = "{}[],:"
	isBetween := func(c rune) bool { return strings.ContainsRune(between, c) }
	marks := func(text string) string {
		return strings.Map(func(c rune) rune {
			if isBetween(c) {
				return c
			}
			return -1
		}, text)
	}
	a, b := strings.FieldsFunc(got, isBetween), strings.FieldsFunc(want, isBetween)
	return marks(got) == marks(want) && slices.EqualFunc(a, b, func(a, b string) bool {
		x, errX := value.Double.Parse(strings.TrimSpace(a))
		y, errY := value.Double.Parse(strings.TrimSpace(b))
		return a == strings.TrimSpace(b) || errX == nil && errY == nil && math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))
	})
}

// nobody is a world without devices and other nets.
type nobody struct{}

func (nobody) Device(name string) (device.Device, error) {
	return nil, fmt.Errorf("device %q: %w", name, spec.ErrNoDevice)
}

func (nobody) Board(net string) (*spec.Board, error) {
	return nil, fmt.Errorf("net %q: there is none", net)
}

func (nobody) Inbox(net string) (*spec.Inbox, error) {
	return nil, fmt.Errorf("net %q: there is none", net)
}
