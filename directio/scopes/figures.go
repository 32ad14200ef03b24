package scopes

import (
	"maps"
	"slices"

	"github.com/softrobot-rcc/rccd/directio/facts"
)

// Figures are the figures that can be channels.
type Figures struct {
	Devices   []Figured `json:"devices"`
	Executors []Figured `json:"executors"`
}

// Figured is a device or an executor with the names of its figures.
type Figured struct {
	Name    string   `json:"name"`
	Figures []string `json:"figures"`
}

// figures returns all figures that there are now.
func (s *Scopes) figures() Figures {
	all := Figures{Devices: []Figured{}, Executors: []Figured{}}
	for _, d := range s.core.Devices.All() {
		if names, err := s.figuresOfDevice(d.Name); err == nil { // one that goes has none
			all.Devices = append(all.Devices, figured(d.Name, names))
		}
	}
	for _, e := range facts.Executors(s.core) {
		if names, err := s.figuresOfExecutor(e.Key()); err == nil {
			all.Executors = append(all.Executors, figured(e.Key(), names))
		}
	}
	return all
}

func figured(name string, figures map[string]any) Figured {
	return Figured{name, slices.Sorted(maps.Keys(figures))}
}
