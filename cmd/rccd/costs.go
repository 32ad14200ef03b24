package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// costsFile is in the folder of a daemon, for its graphs of nets to show.
const costsFile = "costs.json"

// measuredCosts is what instances of types take in a cycle, in ns, as measured by rccd latency --costs.
type measuredCosts struct {
	Machine string             `json:"machine"`
	Version string             `json:"version"`
	Time    time.Time          `json:"time"`
	Costs   map[string]float64 `json:"costs"`
	Not     map[string]string  `json:"notMeasured"` // why
}

// measureCosts measures every type of primitive that needs no device, and keeps that in the folder, if there is one.
func measureCosts(dir string, asJSON bool, s streams) int {
	machine, err := os.Hostname()
	if err != nil {
		return s.refuse(failed, err)
	}
	begin := time.Now()
	m := measuredCosts{Machine: machine, Version: cli.Version(), Time: begin, Costs: map[string]float64{}, Not: map[string]string{}}
	for _, p := range builtIn().primitives {
		cost, err := net.Cost(p, func() time.Duration { return time.Since(begin) })
		if err != nil {
			m.Not[p.Name] = err.Error()
			continue
		}
		m.Costs[p.Name] = float64(cost)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err == nil && dir != "" {
		err = errors.Join(makeFolder(dir), os.WriteFile(filepath.Join(dir, costsFile), text, 0o644))
	}
	switch {
	case err != nil:
	case asJSON:
		_, err = fmt.Fprintf(s.out, "%s\n", text)
	default:
		err = m.show(s.out)
	}
	if err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// show writes for people, what takes longest first.
func (m *measuredCosts) show(out io.Writer) error {
	names := make([]string, 0, len(m.Costs))
	for name := range m.Costs {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(m.Costs[b], m.Costs[a]), cmp.Compare(a, b)) })
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, name := range names {
		fmt.Fprintf(w, "%s\t%.0f ns\n", name, m.Costs[name])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d types are not measured, as they need a device or other nets, or are written as nets (--json says why)\n", len(m.Not))
	return err
}

// costs returns what was measured, nil if nothing was.
func (s *stateFolder) costs() (*pages.Costs, error) {
	if s.dir == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(s.dir, costsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m measuredCosts
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", costsFile, err)
	}
	from := fmt.Sprintf("rccd latency --costs, version %s on %s, %s", m.Version, m.Machine, m.Time.Format(time.DateOnly))
	return &pages.Costs{From: from, Types: m.Costs}, nil
}
