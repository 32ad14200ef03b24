package scope

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Folder keeps the texts of setups by their names, so that they outlast the daemon.
type Folder interface {
	All() (map[string][]byte, error)
	Replace(name string, text []byte) error // returns when it is durable
	Remove(name string) error
}

// MostSetups is the number of setups that a store can keep.
const MostSetups = 200

// Reasons for which a store refuses.
var (
	ErrNoSetup  = errors.New("no setup has this name")
	ErrTooMany  = errors.New("there are too many setups")
	ErrBadSetup = errors.New("the setup cannot be read; save it again, or delete it")
)

// Store keeps setups. Any goroutine may use it. Only changes wait for the folder.
type Store struct {
	folder Folder // nil where nothing is kept beyond the daemon

	changing sync.Mutex // held while the folder is written

	mu     sync.Mutex
	setups map[string]*Setup // nil for one that cannot be read
}

// OpenStore reads all setups of a folder, or begins without any when folder is nil. A setup that cannot be read is listed as
// such; the others can be used.
func OpenStore(folder Folder) (*Store, error) {
	s := &Store{folder: folder, setups: map[string]*Setup{}}
	if folder == nil {
		return s, nil
	}
	texts, err := folder.All()
	if err != nil {
		return nil, fmt.Errorf("setups of scopes: %w", err)
	}
	for name, text := range texts {
		if checkName("/name", name) != nil {
			continue // a file of somebody else
		}
		setup, err := ParseSetup(text)
		if err != nil || setup.Name != name {
			setup = nil
		}
		s.setups[name] = setup
	}
	return s, nil
}

// Names returns the names in order.
func (s *Store) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.setups))
}

// Get returns a setup, which belongs to the caller.
func (s *Store) Get(name string) (*Setup, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	setup, ok := s.setups[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("setup %q: %w", name, ErrNoSetup)
	case setup == nil:
		return nil, fmt.Errorf("setup %q: %w", name, ErrBadSetup)
	}
	return setup.clone(), nil
}

func (s *Setup) clone() *Setup {
	c := *s
	c.Channels = slices.Clone(s.Channels)
	return &c
}

// Put keeps a setup and replaces one of the same name. It returns when the setup is durable.
func (s *Store) Put(setup *Setup) error {
	if err := setup.Check(); err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	s.mu.Lock()
	_, known := s.setups[setup.Name]
	full := len(s.setups) >= MostSetups
	s.mu.Unlock()
	if full && !known {
		return fmt.Errorf("setup %q: %w: %d are allowed; delete one", setup.Name, ErrTooMany, MostSetups)
	}
	text, err := json.MarshalIndent(setup, "", "  ")
	if err == nil && s.folder != nil {
		err = s.folder.Replace(setup.Name, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("setup %q is not saved: %w", setup.Name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setups[setup.Name] = setup.clone()
	return nil
}

// Delete removes a setup.
func (s *Store) Delete(name string) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.mu.Lock()
	_, known := s.setups[name]
	s.mu.Unlock()
	if !known {
		return fmt.Errorf("setup %q: %w", name, ErrNoSetup)
	}
	if s.folder != nil {
		if err := s.folder.Remove(name); err != nil {
			return fmt.Errorf("setup %q is not deleted: %w", name, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.setups, name)
	return nil
}
