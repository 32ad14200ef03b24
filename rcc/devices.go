package rcc

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/softrobot-rcc/rccd/geom"
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
	Number uint64 // of all devices there have been: another one of the same name has another number
	device.Status
	Interfaces []device.Interface
}

// devices are the devices of the cell and who uses them. Core.mu guards everything.
type devices struct {
	types   map[string]device.Type // never changed
	kinds   map[string]device.InterfaceType
	byName  map[string]*lentDevice
	count   uint64                      // of all that have been created
	ticking map[sched.Ref]chan struct{} // what devices do in their ticks, until that is over
	opening map[string]*lentDevice      // devices that are being opened or closed
	places  map[string]geom.Frame       // where devices stand, by their names
	frames  []CellFrame
	order   []string  // in which they have been created: none depends on a later one
	last    lastWords // of devices that are being removed, or were
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
type user any

func (d *devices) init(types []device.Type, kinds []device.InterfaceType) error {
	d.types = map[string]device.Type{}
	d.kinds = map[string]device.InterfaceType{}
	d.byName = map[string]*lentDevice{}
	d.opening = map[string]*lentDevice{}
	d.places = map[string]geom.Frame{}
	d.ticking = map[sched.Ref]chan struct{}{}
	for _, t := range types {
		if _, twice := d.types[t.Name]; twice {
			return fmt.Errorf("device type %s is declared twice", t.Name)
		}
		d.types[t.Name] = t
	}
	for _, k := range kinds {
		if _, twice := d.kinds[k.Name]; twice {
			return fmt.Errorf("device interface %s is declared twice", k.Name)
		}
		d.kinds[k.Name] = k
	}
	return nil
}

// SetPlace says where in the cell the device of a name stands, whether it is there already or not. Nothing moves by that: it is
// for those who look at the cell, and programs that ask.
func (c *Core) SetPlace(name string, at geom.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.devices.places[name] = at
}

// placeOf is where a device stands.
func (c *Core) placeOf(name string) geom.Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.devices.places[name]
}

// CreateDevice opens a device of a known type. Devices that it depends on are there already. Opening may take its time,
// which holds up nobody.
func (c *Core) CreateDevice(name, typeName string, params map[string]string) error {
	return c.createDevice(name, typeName, params, nil)
}

// createDevice opens a device of one of some types, nil for those that are loaded.
func (c *Core) createDevice(name, typeName string, params map[string]string, types map[string]device.Type) error {
	d := &lentDevice{params: maps.Clone(params), users: map[user]bool{}}
	err := c.reserveDevice(name, typeName, d, types)
	if err == nil {
		err = c.bringUp(name, d, func(env *device.Env) (device.Device, error) { return d.kind.Open(env, params) })
	}
	if err != nil {
		return fmt.Errorf("device %q: %w", name, err)
	}
	return nil
}

// bringUp opens a device whose name is reserved, and lets everybody see it.
func (c *Core) bringUp(name string, d *lentDevice, open func(env *device.Env) (device.Device, error)) (err error) {
	if d.Device, err = open(c.deviceEnv(name, d)); err == nil {
		err = c.startDevice(d)
	}
	if err != nil {
		c.abandonDevice(name, d)
		return err
	}
	return c.publishDevice(name, d)
}

// reserveDevice keeps the name for a device that is being opened.
func (c *Core) reserveDevice(name, typeName string, d *lentDevice, types map[string]device.Type) error {
	if err := checkDeviceName(name); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if types == nil {
		types = c.world.Load().types
	}
	kind, known := types[typeName]
	switch {
	case c.closing:
		return ErrClosed
	case !known:
		return unknownType(typeName, types)
	case c.devices.byName[name] != nil || c.devices.opening[name] != nil:
		return errors.New("the name is in use")
	case len(c.devices.byName)+len(c.devices.opening) >= c.cfg.MaxDevices:
		return fmt.Errorf("%w devices: there are %d already", ErrTooMany, c.cfg.MaxDevices)
	}
	d.kind = kind
	c.devices.opening[name] = d
	c.devices.count++
	d.number = c.devices.count
	return nil
}

func unknownType(name string, types map[string]device.Type) error {
	return fmt.Errorf("unknown type %q%s", name, suggest.DidYouMean(name, maps.Keys(types)))
}

// startDevice lets a device that has been opened tick. If it cannot it is closed again.
func (c *Core) startDevice(d *lentDevice) error {
	cyclic, ok := d.Device.(device.Cyclic)
	if !ok {
		return nil
	}
	d.life = &life{device: cyclic, period: int64(cyclic.Period())}
	err := c.ease.begin(c, d)
	if err != nil {
		err = errors.Join(err, d.Close())
	}
	return err
}

// closeDevice brings a device to rest that nobody uses.
func (c *Core) closeDevice(name string, d *lentDevice) error {
	d.visits.Wait()
	if m, moves := d.Device.(device.Mover); moves {
		c.rest([]mover{{name, m}})
	}
	if d.life != nil {
		if err := c.stopTicks(c.ease.end(d)); err != nil {
			return err // it may still be in its tick
		}
	}
	return d.Close()
}

// publishDevice lets everybody see a device that has been opened, unless there is nobody any more.
func (c *Core) publishDevice(name string, d *lentDevice) error {
	c.mu.Lock()
	closing := c.closing
	if !closing {
		delete(c.devices.opening, name)
		c.devices.byName[name] = d
		c.devices.order = append(c.devices.order, name)
		c.ring()
	}
	c.mu.Unlock()
	if !closing {
		return nil
	}
	err := errors.Join(ErrClosed, c.closeDevice(name, d))
	c.abandonDevice(name, d)
	return err
}

// abandonDevice gives back the name of a device that is not there, and what it was lent.
func (c *Core) abandonDevice(name string, d *lentDevice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.devices.opening, name)
	c.devices.giveBack(d, d.lent)
}

// deviceEnv is what a device gets that is being opened.
func (c *Core) deviceEnv(name string, d *lentDevice) *device.Env {
	return &device.Env{
		Name: name,
		Device: func(other string) (device.Device, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.devices.lend(other, d, &d.lent)
		},
		Clock:   c.cfg.Clock,
		Thread:  c.sched.DeviceThread(d.number),
		Claims:  c.cfg.Claims,
		Stop:    c.stop,
		Changed: c.ring,
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

// RemoveDevice closes a device that neither nets nor other devices use.
func (c *Core) RemoveDevice(name string) error {
	d, err := c.takeDevice(name)
	if err != nil {
		return err
	}
	err = c.closeDevice(name, d)
	c.hearLast(name)
	c.abandonDevice(name, d) // what it was built on stays until it is at rest
	if err != nil {
		return fmt.Errorf("device %q: %w", name, err)
	}
	return nil
}

func devicePlace(name string) string { return fmt.Sprintf("device %q", name) }

// takeDevice takes a device that is not used from everybody's sight. Its name is free when it has been closed.
func (c *Core) takeDevice(name string) (*lentDevice, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.devices.byName[name]
	switch {
	case name == coreDevice:
		return nil, refuse(ErrInUse, devicePlace(name), "it stands for the daemon itself")
	case d == nil:
		return nil, refuse(ErrNoDevice, devicePlace(name), "")
	case len(d.users) > 0:
		return nil, refuse(ErrInUse, devicePlace(name), "%s", c.devices.inUse(d))
	}
	delete(c.devices.byName, name)
	c.devices.order = slices.DeleteFunc(c.devices.order, func(n string) bool { return n == name })
	c.devices.opening[name] = d
	c.devices.last.leaves(name, d)
	c.ring()
	return d, nil
}

// DeviceTypes returns the kinds of devices that there can be, in the order of their names.
func (c *Core) DeviceTypes() []device.Type {
	types := c.world.Load().types
	var list []device.Type
	for _, name := range slices.Sorted(maps.Keys(types)) {
		list = append(list, types[name])
	}
	return list
}

// Devices returns all devices, the core's own first.
func (c *Core) Devices() []DeviceInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []DeviceInfo{itself()}
	for _, name := range c.devices.order {
		list = append(list, infoOf(name, c.devices.byName[name]))
	}
	return list
}

// DeviceState is what changes of a device.
type DeviceState struct {
	Name   string
	Number uint64
	State  device.State
}

// DeviceStates appends the states of all devices, the core's own first, for those who look often.
func (c *Core) DeviceStates(list []DeviceState) []DeviceState {
	c.mu.Lock()
	defer c.mu.Unlock()
	list = append(list, DeviceState{Name: coreDevice, State: device.Operational})
	for _, name := range c.devices.order {
		d := c.devices.byName[name]
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

// usersOf returns the names of nets and devices that use a device. Core.mu is held.
func (d *devices) usersOf(dev *lentDevice) (nets, others []string) {
	for u := range dev.users {
		if n, isNet := u.(*Net); isNet {
			nets = append(nets, cmp.Or(n.name, "an evaluation"))
		}
	}
	slices.Sort(nets)
	for _, name := range d.order {
		if dev.users[d.byName[name]] {
			others = append(others, name)
		}
	}
	return nets, others
}

// inUse tells who uses a device. Core.mu is held.
func (d *devices) inUse(dev *lentDevice) string {
	return usage(d.usersOf(dev))
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
func (d *devices) close() error {
	var errs []error
	for _, name := range slices.Backward(d.order) {
		d.byName[name].visits.Wait()
		if err := d.byName[name].Close(); err != nil {
			errs = append(errs, fmt.Errorf("device %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// giveBack ends uses. Core.mu is held.
func (d *devices) giveBack(u user, lent []string) {
	for _, name := range lent {
		if dev := d.byName[name]; dev != nil {
			delete(dev.users, u)
		}
	}
}

// lend lends a device to a user, who remembers what has been lent. Core.mu is held.
func (d *devices) lend(name string, u user, lent *[]string) (device.Device, error) {
	dev := d.byName[name]
	if dev == nil {
		return nil, fmt.Errorf("device %q: %w", name, spec.ErrNoDevice)
	}
	if !dev.users[u] {
		dev.users[u] = true
		*lent = append(*lent, name)
	}
	return dev.Device, nil
}

// lender is the spec.Host of one net while it is loaded.
type lender struct {
	net      *Net
	borrowed map[any]bool // boards and inboxes of other nets
}

func (l *lender) Device(name string) (device.Device, error) {
	c := l.net.core
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.devices.lend(name, l.net, &l.net.lent)
}

func (l *lender) Board(name string) (*spec.Board, error) {
	n, err := l.other(name)
	if err != nil {
		return nil, err
	}
	return n.program.Board, l.borrow(n.program.Board, n.program.Board.Bytes())
}

func (l *lender) Inbox(name string) (*spec.Inbox, error) {
	n, err := l.other(name)
	if err != nil {
		return nil, err
	}
	return n.program.Inbox, l.borrow(n.program.Inbox, n.program.Inbox.Bytes())
}

func (l *lender) other(name string) (*Net, error) {
	n, err := l.net.core.Net(name)
	if err != nil {
		return nil, err
	}
	if n.program == nil {
		return nil, refuse(ErrState, n.place(), "it is rejected")
	}
	return n, nil
}
