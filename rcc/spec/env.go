package spec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Env is the view that a primitive has of the daemon while it is loaded.
type Env struct {
	Period time.Duration   // cycle time of the net
	Host   Host            // devices and other nets
	Inbox  *Inbox          // values from the application
	Board  *Board          // values that the net publishes
	Stop   *device.Stop    // emergency stop of the cell; nil for a net that is only tried out
	Memory *budget.Account // of the net; asked before memory is taken; nil when memory is not accounted for

	// Here reports whether this daemon listens at an address; nil when it does not listen.
	Here func(address string) bool

	Refusals *Refusals // set-points that devices do not follow; nil when not wanted

	// Buttons of the emergency stop that the net may press, collected by Button.
	Buttons []*device.Button
	// Resources are what the net must own to run (§6.2), collected by Claim.
	Resources []device.Resource

	primitive *Primitive
	open      []bool // by in port
	taken     int64  // bytes, by Take
	short     error  // why there is no more memory
	shared    map[any]any
	constants []any  // *constants[T] of different T
	text      []byte // of a value, for the time of a look-up
}

// ErrNoDevice is the cause of the error of Host.Device when no device has the name.
var ErrNoDevice = errors.New("no such device")

// Host lends devices and the messages of other nets, until the net is unloaded.
type Host interface {
	// Device returns the device of that name.
	Device(name string) (device.Device, error)
	// Board returns the published values of another net.
	Board(net string) (*Board, error)
	// Inbox returns the inputs of another net.
	Inbox(net string) (*Inbox, error)
}

// Open reports whether an in port of the primitive is not connected.
func (e *Env) Open(port string) bool {
	i := e.primitive.InPort(port)
	if i < 0 {
		panic(fmt.Sprintf("%s has no in port %s", e.primitive.Name, port))
	}
	return e.open[i]
}

// Cycles returns how many whole cycles fit into a time in seconds, at most limit.
func (e *Env) Cycles(seconds float64, limit int) int {
	n := seconds / e.Period.Seconds()
	n += 1e-9 * n // 0.3 s are three cycles of 0.1 s, whatever binary fractions say
	if !(n > 0) {
		return 0
	}
	return int(min(n, float64(limit)))
}

// MostMemory is how many bytes the primitives of a net may take at the request of parameters: for arrays, matrices and
// histories. A short text must not take all memory of the machine.
const MostMemory = 256 << 20

// Take accounts for memory that a parameter asks for; it returns an error when that is too much.
func (e *Env) Take(bytes int64) error {
	if bytes > MostMemory-e.taken {
		return fmt.Errorf("arrays and histories of the net take more than %d MiB", MostMemory>>20)
	}
	if err := e.Memory.Take(budget.Histories, budget.Object(bytes)); err != nil {
		return err
	}
	e.taken += bytes
	return nil
}

// takePiece accounts for something small of which there may be many. That there is no memory left for it is known when the
// primitive is initialized.
func (e *Env) takePiece(bytes int64) {
	if err := e.Memory.Take(budget.Primitives, bytes); err != nil && e.short == nil {
		e.short = err
	}
}

// Make returns n zeros, or an error when the net would take too much memory. It is for memory whose length a parameter
// gives.
func Make[E any](env *Env, n int) ([]E, error) {
	if err := env.Take(int64(n) * int64(reflect.TypeFor[E]().Size())); err != nil {
		return nil, err
	}
	made := make([]E, n)
	clear(made) // so that the system has given the memory before a cycle asks for it
	return made, nil
}

// Claim adds a resource that the net must own while it runs. Claiming twice is allowed: several primitives of one net may use a
// resource (§6.2).
func (e *Env) Claim(r device.Resource) {
	for _, have := range e.Resources {
		if have == r {
			return
		}
	}
	e.Resources = append(e.Resources, r)
}

// Button connects the primitive to the emergency stop of the cell.
func (e *Env) Button() *device.Button {
	b := e.Stop.Button()
	e.Buttons = append(e.Buttons, b)
	return b
}

// Device returns the device of that name as the interface that the primitive needs.
func Device[D any](e *Env, name string) (D, error) {
	var none D
	dev, err := e.Host.Device(name)
	if err != nil {
		return none, err
	}
	d, ok := dev.(D)
	if !ok {
		return none, fmt.Errorf("device %q is of another kind: %s", name, offers(dev))
	}
	return d, nil
}

// offers tells people what a device is instead.
func offers(d device.Device) string {
	var names []string
	for _, i := range d.Interfaces() {
		names = append(names, i.Name)
	}
	if names == nil {
		return "it offers nothing"
	}
	return "it offers " + strings.Join(names, ", ")
}

// Shared returns memory that all primitives of the net share under a key, zero at first.
func Shared[T any](e *Env, key any) *T {
	if have, ok := e.shared[key].(*T); ok {
		return have
	}
	if e.shared == nil {
		e.shared = map[any]any{}
	}
	made := new(T)
	e.shared[key] = made
	return made
}
