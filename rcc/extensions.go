package rcc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// world is what nets and cells can use at a time. It is never changed: another one takes its place (ADR 0016).
type world struct {
	catalogue *spec.Catalogue
	types     map[string]device.Type
	builtIn   map[string]bool // ids of the built-in extensions that are loaded
	mine      []*userExtension
}

// userExtension is an extension of a user that is loaded.
type userExtension struct {
	*extension.Extension
	created map[string]uint64 // numbers of its devices, by name; under core.mu once others see it
	stamp   extension.Stamp   // of the files that it was read from
}

// Extension is an extension as others see it.
type Extension struct {
	ID, Version, Doc string
	BuiltIn, Loaded  bool
	Primitives       []string
	DeviceTypes      []string
	Devices          []string // of a user's extension: those that it has created
	Pages            []string // of a user's extension: their names below its address
	Problem          string   // of a user's extension: why what its folder has now is not loaded, when somebody has tried
}

// firstWorld is what is loaded from the start.
func (c *Core) firstWorld() error {
	w := &world{builtIn: map[string]bool{}}
	all := c.builtIns()
	chosen := c.cfg.Extensions
	if chosen == nil {
		chosen = all
	}
	for _, id := range chosen {
		if !slices.Contains(all, id) {
			return noExtension(id, all)
		}
		w.builtIn[id] = true
	}
	if err := c.gather(w); err != nil {
		return err
	}
	c.world.Store(w)
	return nil
}

func extensionPlace(id string) string { return fmt.Sprintf("extension %q", id) }

func noExtension(id string, all []string) error {
	return refuse(ErrExtension, extensionPlace(id), "there is no such extension%s", suggest.DidYouMean(id, slices.Values(all)))
}

// builtIns are the ids of all extensions that are built in, in order.
func (c *Core) builtIns() []string {
	ids := map[string]bool{}
	for _, p := range c.builtInPrimitives() {
		ids[p.Extension] = true
	}
	for _, t := range c.devices.types {
		ids[t.Extension] = true
	}
	for _, k := range c.devices.kinds {
		ids[k.Extension] = true
	}
	delete(ids, "")
	return slices.Sorted(maps.Keys(ids))
}

func (c *Core) builtInPrimitives() []*spec.Primitive {
	if c.cfg.Catalogue == nil {
		return nil
	}
	return c.cfg.Catalogue.All()
}

// gather makes the catalogue and the types of devices of a world.
func (c *Core) gather(w *world) error {
	var list []*spec.Primitive
	for _, p := range c.builtInPrimitives() {
		if w.builtIn[p.Extension] || p.Extension == "" {
			list = append(list, p)
		}
	}
	base, err := spec.NewCatalogue(list)
	if err != nil {
		return err
	}
	var mine []*extension.Extension
	for _, e := range w.mine {
		mine = append(mine, e.Extension)
	}
	types := map[string]device.Type{}
	for name, t := range c.devices.types {
		if w.builtIn[t.Extension] || t.Extension == "" {
			types[name] = t
		}
	}
	var wrongNets, wrongTypes error
	w.catalogue, wrongNets = extension.Declare(base, mine)
	w.types, wrongTypes = extension.DeclareDevices(types, mine)
	return errors.Join(wrongNets, wrongTypes)
}

func (w *world) user(id string) int {
	return slices.IndexFunc(w.mine, func(e *userExtension) bool { return e.ID == id })
}

func (w *world) has(id string) bool { return w.builtIn[id] || w.user(id) >= 0 }

// but returns a world that is to become another one.
func (w *world) but() *world {
	return &world{builtIn: maps.Clone(w.builtIn), mine: slices.Clone(w.mine)}
}

// Extensions returns the extensions that there are, loaded or not, in the order of their ids.
func (c *Core) Extensions() []Extension {
	w, all := c.world.Load(), map[string]*Extension{}
	for _, id := range c.builtIns() {
		all[id] = &Extension{ID: id, Version: c.cfg.Version, BuiltIn: true, Loaded: w.builtIn[id]}
	}
	if c.cfg.Folder != nil {
		for _, id := range c.cfg.Folder.IDs() {
			if all[id] == nil {
				all[id] = &Extension{ID: id}
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range w.mine {
		all[e.ID] = &Extension{
			ID: e.ID, Version: e.Version, Doc: e.Doc, Loaded: true,
			Devices: slices.Sorted(maps.Keys(e.created)), Pages: e.pageNames(),
		}
	}
	for id, found := range c.refused {
		if e := all[id]; e != nil {
			e.Problem = strings.TrimPrefix(found.Error(), extensionPlace(id)+": ")
		}
	}
	for _, p := range slices.Concat(c.builtInPrimitives(), w.catalogue.All()) {
		if e := all[p.Extension]; e != nil && (e.BuiltIn || p.Net != nil) && !slices.Contains(e.Primitives, p.Name) {
			e.Primitives = append(e.Primitives, p.Name)
		}
	}
	types := maps.Clone(c.devices.types) // also those of built-in extensions that are not loaded
	maps.Copy(types, w.types)
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if e := all[types[name].Extension]; e != nil {
			e.DeviceTypes = append(e.DeviceTypes, name)
		}
	}
	var list []Extension
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[id])
	}
	return list
}

func (e *userExtension) pageNames() (names []string) {
	for _, p := range e.Pages {
		names = append(names, p.Name)
	}
	return names
}

// ExtensionPage returns a page of a user's extension with its media type.
func (c *Core) ExtensionPage(id, name string) (media string, text []byte, err error) {
	w := c.world.Load()
	if i := w.user(id); i >= 0 {
		for _, p := range w.mine[i].Pages {
			if p.Name == name {
				return p.Media, p.Text, nil
			}
		}
	}
	return "", nil, refuse(ErrNoPage, extensionPlace(id), "it has no page %q", name)
}

// LoadExtension loads an extension that is built in, or one of the folder. One that is loaded stays as it is.
func (c *Core) LoadExtension(id string) error {
	if c.world.Load().has(id) {
		return nil // clients ask for all they know, and need not wait for one that is being loaded
	}
	c.extending.Lock()
	defer c.extending.Unlock()
	w := c.world.Load()
	switch {
	case w.has(id):
		return nil
	case slices.Contains(c.builtIns(), id):
		next := w.but()
		next.builtIn[id] = true
		return c.enterWorld(id, next)
	}
	return c.bring(id, nil)
}

// ReplaceExtension loads the present version of a user's extension. Nets keep the version that they were compiled with.
func (c *Core) ReplaceExtension(id string) error {
	c.extending.Lock()
	defer c.extending.Unlock()
	w := c.world.Load()
	i := w.user(id)
	switch {
	case w.builtIn[id]:
		return refuse(ErrExtension, extensionPlace(id), "it is built in, and cannot be replaced")
	case i < 0:
		return c.bring(id, nil)
	}
	return c.bring(id, w.mine[i])
}

// bring loads an extension of the folder in place of an older version, if there is one, and remembers when it is refused.
// extending is held.
func (c *Core) bring(id string, old *userExtension) error {
	err := c.bringFrom(id, old)
	c.mu.Lock()
	defer c.mu.Unlock()
	if delete(c.refused, id); err != nil && old != nil {
		c.refused[id] = err
	}
	return err
}

func (c *Core) bringFrom(id string, old *userExtension) error {
	if c.cfg.Folder == nil || !slices.Contains(c.cfg.Folder.IDs(), id) {
		var ids []string
		for _, e := range c.Extensions() {
			ids = append(ids, e.ID)
		}
		return noExtension(id, ids)
	}
	stamp := c.cfg.Folder.Stamp(id) // before it is read, so that changes during reading are noticed
	read, err := c.cfg.Folder.Read(id)
	if err != nil {
		return wrongExtension(id, err)
	}
	fresh := &userExtension{Extension: read, created: map[string]uint64{}, stamp: stamp}
	next := c.world.Load().but()
	if old == nil {
		next.mine = append(next.mine, fresh)
	} else {
		next.mine[next.user(id)] = fresh
	}
	if err := c.gather(next); err != nil {
		return wrongExtension(id, err)
	}
	if err := c.exchangeDevices(old, fresh, next); err != nil {
		return err
	}
	c.world.Store(next)
	c.ring()
	c.log.Info("extension loaded", zap.String("extension", id), zap.String("version", read.Version))
	return nil
}

func wrongExtension(id string, err error) error {
	return refuse(ErrExtension, extensionPlace(id), "%v", err)
}

// enterWorld completes a world and makes it the present one. extending is held.
func (c *Core) enterWorld(id string, next *world) error {
	if err := c.gather(next); err != nil {
		return wrongExtension(id, err)
	}
	c.world.Store(next)
	c.ring()
	c.log.Info("extension loaded", zap.String("extension", id))
	return nil
}

// UnloadExtension takes an extension away that nobody uses.
func (c *Core) UnloadExtension(id string) error {
	c.extending.Lock()
	defer c.extending.Unlock()
	w := c.world.Load()
	if !w.has(id) {
		return refuse(ErrExtension, extensionPlace(id), "it is not loaded")
	}
	next := w.but()
	delete(next.builtIn, id)
	next.mine = slices.DeleteFunc(next.mine, func(e *userExtension) bool { return e.ID == id })
	if err := c.gather(next); err != nil {
		return refuse(ErrInUse, extensionPlace(id), "other extensions are written with it: %v", err)
	}
	if err := c.leave(id, next); err != nil {
		return err
	}
	if i := w.user(id); i >= 0 {
		if err := c.removeDevices(w.mine[i], w); err != nil {
			c.world.Store(w)
			return err
		}
	}
	c.mu.Lock()
	delete(c.refused, id)
	c.mu.Unlock()
	c.ring()
	c.log.Info("extension unloaded", zap.String("extension", id))
	return nil
}

// leave exchanges the world for one without an extension, unless something uses that. While nets are being loaded nobody
// knows what they use.
func (c *Core) leave(id string, next *world) error {
	c.loading.Lock()
	defer c.loading.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if users := c.usersOfExtension(id); len(users) > 0 {
		return refuse(ErrInUse, extensionPlace(id), "%s", strings.Join(users, ", "))
	}
	c.world.Store(next)
	return nil
}

// usersOfExtension tells who uses what of an extension. core.mu is held.
func (c *Core) usersOfExtension(id string) (users []string) {
	for _, n := range c.nets.all() {
		if n.program == nil {
			continue
		}
		for _, t := range n.program.Types {
			if t.Extension == id {
				users = append(users, fmt.Sprintf("%s has a %s", n.name, t.Name))
				break
			}
		}
	}
	own := map[string]bool{}
	if w := c.world.Load(); w.user(id) >= 0 {
		own = c.devices.still(w.mine[w.user(id)])
	}
	users = append(users, c.devices.usedBeside(own)...)
	for _, name := range c.devices.order {
		if what := c.devices.ofExtension(c.devices.byName[name], id); what != "" && !own[name] {
			users = append(users, fmt.Sprintf("device %q %s", name, what))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.devices.opening)) {
		if kind := &c.devices.opening[name].kind; kind.Extension == id {
			users = append(users, fmt.Sprintf("device %q, which is being opened or closed, is a %s", name, kind.Name))
		}
	}
	if len(users) > mostReasons {
		users = append(users[:mostReasons], fmt.Sprintf("and %d more", len(users)-mostReasons))
	}
	return users
}

// still are the devices of an extension that are those that it has created. Core.mu is held.
func (d *devices) still(e *userExtension) map[string]bool {
	names := map[string]bool{}
	for _, own := range e.Devices {
		if there := d.byName[own.Name]; there != nil && there.number == e.created[own.Name] {
			names[own.Name] = true
		}
	}
	return names
}

// usedBeside tells which of some devices are used by nets or by other devices. Core.mu is held.
func (d *devices) usedBeside(some map[string]bool) (users []string) {
	for _, name := range d.order {
		if !some[name] {
			continue
		}
		nets, others := d.usersOf(d.byName[name])
		others = slices.DeleteFunc(others, func(other string) bool { return some[other] })
		if len(nets)+len(others) > 0 {
			users = append(users, fmt.Sprintf("device %q: %s", name, usage(nets, others)))
		}
	}
	return users
}

// ofExtension tells what a device has of an extension: its type or an interface.
func (d *devices) ofExtension(dev *lentDevice, id string) string {
	if dev.kind.Extension == id {
		return "is a " + dev.kind.Name
	}
	for _, i := range dev.Interfaces() {
		if kind, ok := d.kinds[i.Name]; ok && kind.Extension == id {
			return "has the interface " + i.Name
		}
	}
	return ""
}

// exchangeDevices creates the devices of an extension in a world that comes next. Of an older version, those that are the
// same stay, and the others go before. After an error everything is as it was.
func (c *Core) exchangeDevices(old, fresh *userExtension, next *world) error {
	now := c.world.Load()
	gone := userExtension{Extension: new(extension.Extension)}
	if old != nil {
		gone.created = old.created
		for _, d := range old.Devices {
			number, created := old.created[d.Name]
			switch stays := slices.ContainsFunc(fresh.Devices, func(f extension.Device) bool { return same(d, now, f, next) }); {
			case created && stays:
				fresh.created[d.Name] = number
			case created:
				gone.Devices = append(gone.Devices, d)
			}
		}
	}
	if err := c.mayExchange(&gone, fresh, next); err != nil {
		return err
	}
	if err := c.removeDevices(&gone, now); err != nil {
		return err
	}
	kept := maps.Clone(fresh.created)
	for i, d := range fresh.Devices {
		if _, there := kept[d.Name]; there {
			continue
		}
		if err := c.createOwn(fresh, d, next); err != nil {
			err = wrongExtension(fresh.ID, fresh.Problem(i, err))
			maps.DeleteFunc(fresh.created, func(name string, _ uint64) bool { _, stays := kept[name]; return stays })
			return errors.Join(err, c.removeDevices(fresh, next), c.restore(old, gone.Devices, now))
		}
	}
	return nil
}

// mayExchange looks for mistakes before any device is removed: one that is created again would be at rest elsewhere.
func (c *Core) mayExchange(gone, fresh *userExtension, next *world) error {
	for i, d := range fresh.Devices {
		var wrong []error
		if kind, known := next.types[d.Type]; known {
			for _, e := range kind.Check(d.Params) {
				wrong = append(wrong, e)
			}
		} else {
			wrong = append(wrong, unknownType(d.Type, next.types))
		}
		if err := errors.Join(wrong...); err != nil {
			return wrongExtension(fresh.ID, fresh.Problem(i, fmt.Errorf("device %q: %w", d.Name, err)))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if users := c.devices.usedBeside(c.devices.still(gone)); len(users) > 0 {
		return refuse(ErrInUse, extensionPlace(fresh.ID), "%s", strings.Join(users, ", "))
	}
	return nil
}

// same reports whether a device of one world is that of another one: also a type of the same name may be something else.
func same(a extension.Device, in *world, b extension.Device, next *world) bool {
	typeA, typeB := in.types[a.Type], next.types[b.Type]
	ofA, paramsA := typeA.Resolve(a.Params)
	ofB, paramsB := typeB.Resolve(b.Params)
	return a.Name == b.Name && a.Type == b.Type && ofA == ofB && maps.Equal(paramsA, paramsB)
}

func (c *Core) restore(e *userExtension, list []extension.Device, w *world) error {
	var errs []error
	for _, d := range list {
		errs = append(errs, c.createOwn(e, d, w))
	}
	return errors.Join(errs...)
}

// createOwn creates a device of an extension, of a type of a world that need not be the present one.
func (c *Core) createOwn(e *userExtension, d extension.Device, w *world) error {
	if err := c.createDevice(d.Name, d.Type, d.Params, w.types); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if there := c.devices.byName[d.Name]; there != nil {
		e.created[d.Name] = there.number
	}
	return nil
}

// removeDevices removes the devices of an extension that are still those that it has created, or none of them.
func (c *Core) removeDevices(e *userExtension, w *world) error {
	var removed []extension.Device
	for _, d := range slices.Backward(e.Devices) {
		if !c.isStill(d.Name, e.created[d.Name]) {
			continue
		}
		if err := c.RemoveDevice(d.Name); err != nil {
			slices.Reverse(removed)
			return errors.Join(err, c.restore(e, removed, w))
		}
		removed = append(removed, d)
	}
	return nil
}

// isStill reports whether a device is the one of that number.
func (c *Core) isStill(name string, number uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.devices.byName[name]
	return d != nil && d.number == number
}
