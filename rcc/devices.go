package rcc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// coreDevice is the virtual device that stands for the core itself (§9.3).
const coreDevice = "rcc"

// DeviceInfo is what observers see of a device.
type DeviceInfo struct {
	Name   string
	Type   string
	Number uint64 // of all devices so far: a later device of the same name has another number
	device.Status
	Interfaces []device.Interface
}

// Devices are the devices of a core, and their users.
type Devices struct {
	*ground

	world *worlds
	types map[string]device.Type // that are built in; never changed
	kinds map[string]device.InterfaceType

	// under ground.mu
	byName  map[string]*lentDevice
	order   []string                    // in which they have been created: none depends on a later one
	count   uint64                      // of all that have been created
	opening map[string]*lentDevice      // devices that are being opened or closed
	ticking map[sched.Ref]chan struct{} // what devices do in their ticks, until that is over
	last    lastWords                   // of devices that are being removed, or were

	ease ease
}

// lentDevice is a device that is used by nets, and by other devices that were created later.
type lentDevice struct {
	device.Device
	kind   device.Type // as it was when the device was created
	number uint64
	params map[string]string // that it was created with, or has been given since; never written to
	life   *life             // of a device that is cyclic
	ticks  sched.Ref         // that bring it; under core.ease.mu
	users  map[user]bool
	lent   []string // devices that it uses

	visits sync.WaitGroup // of those who look at it; it closes when they have gone
	tuning sync.Mutex     // held while its parameters change
}

// user is a net or a device that uses devices.
type user interface {
	// usingNet is the name of the net, empty for a device.
	usingNet() string
}

func (*lentDevice) usingNet() string { return "" }

func newDevices(g *ground, ws *worlds) (*Devices, error) {
	ds := &Devices{
		ground: g, world: ws, types: map[string]device.Type{}, kinds: map[string]device.InterfaceType{},
		byName: map[string]*lentDevice{}, opening: map[string]*lentDevice{}, ticking: map[sched.Ref]chan struct{}{},
	}
	for _, t := range g.cfg.DeviceTypes {
		if _, twice := ds.types[t.Name]; twice {
			return nil, fmt.Errorf("device type %s is declared twice", t.Name)
		}
		ds.types[t.Name] = t
	}
	for _, k := range g.cfg.Interfaces {
		if _, twice := ds.kinds[k.Name]; twice {
			return nil, fmt.Errorf("device interface %s is declared twice", k.Name)
		}
		ds.kinds[k.Name] = k
	}
	return ds, nil
}

// Create opens a device of a known type. Devices that it depends on must exist. Opening may take long; other calls do
// not wait for it.
func (ds *Devices) Create(name, typeName string, params map[string]string) error {
	return ds.create(name, typeName, params, nil)
}

// create opens a device of one of some types, nil for those that are loaded.
func (ds *Devices) create(name, typeName string, params map[string]string, types map[string]device.Type) error {
	d := &lentDevice{params: maps.Clone(params), users: map[user]bool{}}
	err := ds.reserve(name, typeName, d, types)
	if err == nil {
		err = ds.bringUp(name, d, func(env *device.Env) (device.Device, error) { return d.kind.Open(env, params) })
	}
	if err != nil {
		return fmt.Errorf("device %q: %w", name, err)
	}
	return nil
}

// bringUp opens a device whose name is reserved, and publishes it.
func (ds *Devices) bringUp(name string, d *lentDevice, open func(env *device.Env) (device.Device, error)) (err error) {
	if d.Device, err = open(ds.env(name, d)); err == nil {
		err = ds.start(d)
	}
	if err != nil {
		ds.abandon(name, d)
		return err
	}
	return ds.publish(name, d)
}

// reserve keeps the name for a device that is being opened.
func (ds *Devices) reserve(name, typeName string, d *lentDevice, types map[string]device.Type) error {
	if err := checkDeviceName(name); err != nil {
		return err
	}
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if types == nil {
		types = ds.world.Load().types
	}
	kind, known := types[typeName]
	switch {
	case ds.closing:
		return ErrClosed
	case !known:
		return unknownType(typeName, types)
	case ds.byName[name] != nil || ds.opening[name] != nil:
		return errors.New("the name is in use")
	case len(ds.byName)+len(ds.opening) >= ds.cfg.MaxDevices:
		return fmt.Errorf("%w devices: there are %d already", ErrTooMany, ds.cfg.MaxDevices)
	}
	d.kind = kind
	ds.opening[name] = d
	ds.count++
	d.number = ds.count
	return nil
}

func unknownType(name string, types map[string]device.Type) error {
	return fmt.Errorf("unknown type %q%s", name, suggest.DidYouMean(name, maps.Keys(types)))
}

// start lets a device that has been opened tick. If it cannot it is closed again.
func (ds *Devices) start(d *lentDevice) error {
	cyclic, ok := d.Device.(device.Cyclic)
	if !ok {
		return nil
	}
	d.life = &life{device: cyclic, period: int64(cyclic.Period())}
	err := ds.ease.begin(ds, d)
	if err != nil {
		err = errors.Join(err, d.Close())
	}
	return err
}

// closeOne brings an unused device to rest.
func (ds *Devices) closeOne(name string, d *lentDevice) error {
	d.visits.Wait()
	if m, moves := d.Device.(device.Mover); moves {
		ds.rest([]mover{{name, m}})
	}
	if d.life != nil {
		if err := ds.stopTicks(ds.ease.end(d)); err != nil {
			return err // it may still be in its tick
		}
	}
	return d.Close()
}

// publish makes an opened device visible, unless the core has been closed.
func (ds *Devices) publish(name string, d *lentDevice) error {
	ds.mu.Lock()
	closing := ds.closing
	if !closing {
		delete(ds.opening, name)
		ds.byName[name] = d
		ds.order = append(ds.order, name)
		ds.ring()
	}
	ds.mu.Unlock()
	if !closing {
		return nil
	}
	err := errors.Join(ErrClosed, ds.closeOne(name, d))
	ds.abandon(name, d)
	return err
}

// abandon gives back the name of a device that is not there, and what it was lent.
func (ds *Devices) abandon(name string, d *lentDevice) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	delete(ds.opening, name)
	ds.giveBack(d, d.lent)
}

// env is what a device gets that is being opened.
func (ds *Devices) env(name string, d *lentDevice) *device.Env {
	return &device.Env{
		Name: name,
		Device: func(other string) (device.Device, error) {
			ds.mu.Lock()
			defer ds.mu.Unlock()
			return ds.lend(other, d, &d.lent)
		},
		Clock:   ds.cfg.Clock,
		Thread:  ds.sched.DeviceThread(d.number),
		Claims:  ds.cfg.Claims,
		Stop:    ds.stop,
		Changed: ds.ring,
	}
}

// longestName is how long the name of a device may be, in bytes: it stands in every list, announcement and message.
const longestName = 200

func checkDeviceName(name string) error {
	if len(name) > longestName {
		return fmt.Errorf("the name has %d bytes, %d are allowed", len(name), longestName)
	}
	if name == "" || name == coreDevice || strings.Trim(name, ".") == "" {
		return errors.New("the name is empty, reserved or a path")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r < ' ' || r == 0x7f }) {
		return errors.New("the name contains a slash or a control character")
	}
	return nil
}

// Remove closes a device that neither nets nor other devices use.
func (ds *Devices) Remove(name string) error {
	d, err := ds.take(name)
	if err != nil {
		return err
	}
	err = ds.closeOne(name, d)
	ds.hearLast(name)
	ds.abandon(name, d) // what it was built on stays until it is at rest
	if err != nil {
		return fmt.Errorf("device %q: %w", name, err)
	}
	return nil
}

func devicePlace(name string) string { return fmt.Sprintf("device %q", name) }

// take takes a device that is not used from everybody's sight. Its name is free when it has been closed.
func (ds *Devices) take(name string) (*lentDevice, error) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.byName[name]
	switch {
	case name == coreDevice:
		return nil, refuse(ErrInUse, devicePlace(name), "it stands for the daemon itself")
	case d == nil:
		return nil, refuse(ErrNoDevice, devicePlace(name), "")
	case len(d.users) > 0:
		return nil, refuse(ErrInUse, devicePlace(name), "%s", ds.inUse(d))
	}
	delete(ds.byName, name)
	ds.order = slices.DeleteFunc(ds.order, func(n string) bool { return n == name })
	ds.opening[name] = d
	ds.last.leaves(name, d)
	ds.ring()
	return d, nil
}

// Types returns the types of devices that can be created, in the order of their names.
func (ds *Devices) Types() []device.Type {
	types := ds.world.Load().types
	var list []device.Type
	for _, name := range slices.Sorted(maps.Keys(types)) {
		list = append(list, types[name])
	}
	return list
}

// All returns all devices, the core's own first.
func (ds *Devices) All() []DeviceInfo {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	list := []DeviceInfo{itself()}
	for _, name := range ds.order {
		list = append(list, infoOf(name, ds.byName[name]))
	}
	return list
}

// DeviceState is the part of a device that changes.
type DeviceState struct {
	Name   string
	Number uint64
	State  device.State
}

// States appends the states of all devices, the core's own first. Frequent callers reuse list.
func (ds *Devices) States(list []DeviceState) []DeviceState {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	list = append(list, DeviceState{Name: coreDevice, State: device.Operational})
	for _, name := range ds.order {
		d := ds.byName[name]
		list = append(list, DeviceState{name, d.number, d.Status().State})
	}
	return list
}

// itself is the device that stands for the core.
func itself() DeviceInfo {
	return DeviceInfo{Name: coreDevice, Type: coreDevice, Status: device.Status{State: device.Operational}}
}

func infoOf(name string, d *lentDevice) DeviceInfo {
	return DeviceInfo{Name: name, Type: d.kind.Name, Number: d.number, Status: d.Status(), Interfaces: d.Interfaces()}
}

// usersOf returns the names of nets and devices that use a device. ground.mu is held.
func (ds *Devices) usersOf(dev *lentDevice) (nets, others []string) {
	for u := range dev.users {
		if net := u.usingNet(); net != "" {
			nets = append(nets, net)
		}
	}
	slices.Sort(nets)
	for _, name := range ds.order {
		if dev.users[ds.byName[name]] {
			others = append(others, name)
		}
	}
	return nets, others
}

// inUse returns the users of a device. ground.mu is held.
func (ds *Devices) inUse(dev *lentDevice) string {
	return usage(ds.usersOf(dev))
}

func usage(nets, others []string) string {
	var parts []string
	switch len(nets) {
	case 0:
	case 1:
		parts = append(parts, nets[0]+" uses it")
	default:
		parts = append(parts, fmt.Sprintf("%d nets use it (%s)", len(nets), strings.Join(nets, ", ")))
	}
	depend := " depend on it"
	if len(others) == 1 {
		depend = " depends on it"
	}
	for i, name := range others {
		others[i] = strconv.Quote(name)
	}
	if len(others) > 0 {
		parts = append(parts, strings.Join(others, ", ")+depend)
	}
	return strings.Join(parts, " and ")
}

// close closes all devices, those first that depend on others.
func (ds *Devices) close() error {
	var errs []error
	for _, name := range slices.Backward(ds.order) {
		ds.byName[name].visits.Wait()
		if err := ds.byName[name].Close(); err != nil {
			errs = append(errs, fmt.Errorf("device %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// giveBack ends uses. ground.mu is held.
func (ds *Devices) giveBack(u user, lent []string) {
	for _, name := range lent {
		if dev := ds.byName[name]; dev != nil {
			delete(dev.users, u)
		}
	}
}

// lend lends a device to a user, who remembers what has been lent. ground.mu is held.
func (ds *Devices) lend(name string, u user, lent *[]string) (device.Device, error) {
	dev := ds.byName[name]
	if dev == nil {
		return nil, fmt.Errorf("device %q: %w%s", name, spec.ErrNoDevice, suggest.DidYouMean(name, slices.Values(ds.order)))
	}
	if !dev.users[u] {
		dev.users[u] = true
		*lent = append(*lent, name)
	}
	return dev.Device, nil
}

// EmergencyStop reports whether devices are stopped: a running net asks for it (primitive EStop), or no net is connected
// to it although Config.NeedStop wants one.
func (ds *Devices) EmergencyStop() bool { return ds.stop.Pressed() }
