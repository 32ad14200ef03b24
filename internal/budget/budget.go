package budget

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Kind is a use of memory.
type Kind uint8

// The kinds.
const (
	Texts      Kind = iota // of nets
	Loading                // trees and what compiling needs, given back when a net is ready
	Primitives             // of nets, with what executes them
	Histories              // and arrays and matrices: what is as large as parameters say
	Values                 // that nets publish and are given
	Recordings             // of ports and of phases
	Previews               // simulated cells in which plans are tried out
	Requests               // bodies and messages that are being received
	kinds
)

var kindWords = [kinds]string{
	"texts", "loading", "primitives", "arrays and histories", "values", "recordings", "previews", "requests",
}

// String returns the name of the kind.
func (k Kind) String() string {
	if k < kinds {
		return kindWords[k]
	}
	return "memory"
}

// Budget is a bounded amount of memory, and its users.
type Budget struct {
	most int64

	mu     sync.Mutex
	used   int64
	of     [kinds]int64
	open   map[*Account]struct{}
	groups map[string]*group
}

// group is a client that has several accounts. It exists as long as one of them does.
type group struct {
	name     string
	used     int64
	accounts int
}

// New makes a budget of a number of bytes.
func New(most int64) *Budget {
	return &Budget{most: most, open: map[*Account]struct{}{}, groups: map[string]*group{}}
}

// Account is the memory of one user of the budget. All methods of a nil account accept everything, for memory that no client
// has caused.
type Account struct {
	budget *Budget
	name   string
	group  *group
	quota  int64

	// under the mutex of the budget
	used   int64
	of     [kinds]int64
	closed bool
}

// Open makes an account in the name of a user. Accounts of one group have a quota in common; an empty name stands for no
// group, and a quota of 0 for none. The opener of an account closes it.
func (b *Budget) Open(name, of string, quota int64) *Account {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := &Account{budget: b, name: name, quota: quota}
	b.open[a] = struct{}{}
	if of != "" {
		g := b.groups[of]
		if g == nil {
			g = &group{name: of}
			b.groups[of] = g
		}
		g.accounts++
		a.group = g
	}
	return a
}

// Take accounts for memory that is about to be used. If it does not fit, nothing changes, and the error, an *ExceededError, says
// why.
func (a *Account) Take(kind Kind, bytes int64) error {
	if a == nil {
		return nil
	}
	b := a.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case a.closed:
		return fmt.Errorf("%s is gone", a.name)
	case bytes > b.most-b.used:
		return b.exceeded(a, kind, bytes)
	case a.group != nil && a.quota > 0 && bytes > a.quota-a.group.used:
		return &ExceededError{Who: a.name, Kind: kind, Wanted: bytes, Most: a.quota, Used: a.group.used, Group: a.group.name}
	}
	a.add(kind, bytes)
	return nil
}

// TakeUpTo accounts for as much of the memory as is free, and returns that amount.
func (a *Account) TakeUpTo(kind Kind, bytes int64) int64 {
	if a == nil {
		return bytes
	}
	b := a.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.closed {
		return 0
	}
	left := b.most - b.used
	if a.group != nil && a.quota > 0 {
		left = min(left, a.quota-a.group.used)
	}
	granted := max(0, min(bytes, left))
	a.add(kind, granted)
	return granted
}

// add changes what is used. The mutex is held.
func (a *Account) add(kind Kind, bytes int64) {
	a.of[kind] += bytes
	a.used += bytes
	a.budget.of[kind] += bytes
	a.budget.used += bytes
	if a.group != nil {
		a.group.used += bytes
	}
}

// Give returns memory.
func (a *Account) Give(kind Kind, bytes int64) {
	if a == nil {
		return
	}
	a.budget.mu.Lock()
	defer a.budget.mu.Unlock()
	if !a.closed {
		a.add(kind, -min(bytes, a.of[kind]))
	}
}

// Close returns all of its memory. It may be called again.
func (a *Account) Close() {
	if a == nil {
		return
	}
	b := a.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.closed {
		return
	}
	for kind, bytes := range a.of {
		a.add(Kind(kind), -bytes)
	}
	a.closed = true
	delete(b.open, a)
	if g := a.group; g != nil {
		if g.accounts--; g.accounts == 0 {
			delete(b.groups, g.name)
		}
	}
}

// Usage is the use of a budget.
type Usage struct {
	Most, Used int64
	Of         map[string]int64 // by what it is used for
}

// Usage returns the present use of the budget.
func (b *Budget) Usage() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := Usage{Most: b.most, Used: b.used, Of: map[string]int64{}}
	for kind, bytes := range b.of {
		u.Of[Kind(kind).String()] = bytes
	}
	return u
}

// ExceededError is the refusal of memory.
type ExceededError struct {
	Who          string
	Kind         Kind
	Wanted       int64
	Most, Used   int64
	Group        string // whose quota it is; empty for that of all clients
	Users        []User // that use most, of all clients
	Others       int    // users that are not named
	UsedByOthers int64
}

// User is a user of memory.
type User struct {
	Name  string
	Bytes int64
}

// mostUsers are named in a refusal.
const mostUsers = 5

// exceeded says who uses how much. The mutex is held.
func (b *Budget) exceeded(a *Account, kind Kind, bytes int64) *ExceededError {
	e := &ExceededError{Who: a.name, Kind: kind, Wanted: bytes, Most: b.most, Used: b.used}
	sums := map[string]int64{}
	for other := range b.open {
		if other.used > 0 && other != a {
			sums[other.name] += other.used
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(sums), func(x, y string) int {
		return cmp.Or(cmp.Compare(sums[y], sums[x]), cmp.Compare(x, y))
	}) {
		if len(e.Users) < mostUsers {
			e.Users = append(e.Users, User{name, sums[name]})
			continue
		}
		e.Others++
		e.UsedByOthers += sums[name]
	}
	return e
}

func (e *ExceededError) Error() string { return e.Who + ": " + e.Reason() }

// Reason returns the error without the name of the user.
func (e *ExceededError) Reason() string {
	var t strings.Builder
	fmt.Fprintf(&t, "it needs %s more for %s, and ", Size(e.Wanted), e.Kind)
	if e.Group != "" {
		fmt.Fprintf(&t, "%s uses %s of its %s", e.Group, Size(e.Used), Size(e.Most))
		return t.String()
	}
	fmt.Fprintf(&t, "%s of the %s for all clients are in use", Size(e.Used), Size(e.Most))
	for i, u := range e.Users {
		before := ", "
		if i == 0 {
			before = ": "
		}
		fmt.Fprintf(&t, "%s%s uses %s", before, u.Name, Size(u.Bytes))
	}
	switch {
	case e.Others == 1:
		fmt.Fprintf(&t, ", one other uses %s", Size(e.UsedByOthers))
	case e.Others > 1:
		fmt.Fprintf(&t, ", %d others use %s", e.Others, Size(e.UsedByOthers))
	}
	return t.String()
}

// Size formats a number of bytes.
func Size(bytes int64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	size, unit := float64(bytes), "bytes"
	for _, u := range units {
		if size < 1024 {
			break
		}
		size, unit = size/1024, u
	}
	switch {
	case unit == "bytes":
		return fmt.Sprintf("%d bytes", bytes)
	case size < 10:
		return fmt.Sprintf("%.1f %s", size, unit)
	default:
		return fmt.Sprintf("%.0f %s", size, unit)
	}
}

// Object returns the most bytes that an object takes: the allocator rounds small ones up by an eighth, and large ones to
// pages.
func Object(bytes int64) int64 {
	const small, page = 32 << 10, 8 << 10
	switch {
	case bytes <= 0:
		return 0
	case bytes <= small:
		return bytes + bytes/8 + 16
	default:
		return (bytes + page - 1) / page * page
	}
}
