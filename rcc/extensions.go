package rcc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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

// worlds has the present world.
type worlds struct {
	atomic.Pointer[world]

	using sync.RWMutex // held for reading while a net is loaded, so that no extension goes that it uses
}

// userExtension is an extension of a user that is loaded.
type userExtension struct {
	*extension.Extension
	created map[string]uint64 // numbers of its devices, by name; under ground.mu once others see it
	stamp   extension.Stamp   // of the files that it was read from
}

// Extension describes an extension.
type Extension struct {
	ID, Version, Doc string
	BuiltIn, Loaded  bool
	Primitives       []string
	DeviceTypes      []string
	Devices          []string // that a user's extension has created
	Pages            []string // of a user's extension: names below its address
	Problem          string   // why the present files of a user's extension could not be loaded
}

// Extensions are the extensions of a core: those that are built in, and those of users.
type Extensions struct {
	*ground

	world   *worlds
	devices *Devices
	nets    *Nets

	extending sync.Mutex                 // held while extensions change
	seen      map[string]extension.Stamp // of users' extensions when they were last looked at, by id; under extending
	refused   map[string]error           // why versions of users' extensions are not loaded, by id; under ground.mu
}

func newExtensions(g *ground, ws *worlds, d *Devices, n *Nets) *Extensions {
	return &Extensions{ground: g, world: ws, devices: d, nets: n, refused: map[string]error{}}
}

// firstWorld is what is loaded from the start.
func (es *Extensions) firstWorld() error {
	w := &world{builtIn: map[string]bool{}}
	all := es.builtIns()
	chosen := es.cfg.Extensions
	if chosen == nil {
		chosen = all
	}
	for _, id := range chosen {
		if !slices.Contains(all, id) {
			return noExtension(id, all)
		}
		w.builtIn[id] = true
	}
	if err := es.gather(w); err != nil {
		return err
	}
	es.world.Store(w)
	return nil
}

func extensionPlace(id string) string { return fmt.Sprintf("extension %q", id) }

func noExtension(id string, all []string) error {
	return refuse(ErrExtension, extensionPlace(id), "there is no such extension%s", suggest.DidYouMean(id, slices.Values(all)))
}

// builtIns are the ids of all extensions that are built in, in order.
func (es *Extensions) builtIns() []string {
	ids := map[string]bool{}
	for _, p := range es.builtInPrimitives() {
		ids[p.Extension] = true
	}
	for _, t := range es.devices.types {
		ids[t.Extension] = true
	}
	for _, k := range es.devices.kinds {
		ids[k.Extension] = true
	}
	delete(ids, "")
	return slices.Sorted(maps.Keys(ids))
}

func (es *Extensions) builtInPrimitives() []*spec.Primitive {
	if es.cfg.Catalogue == nil {
		return nil
	}
	return es.cfg.Catalogue.All()
}

// gather makes the catalogue and the types of devices of a world.
func (es *Extensions) gather(w *world) error {
	var list []*spec.Primitive
	for _, p := range es.builtInPrimitives() {
		if w.builtIn[p.Extension] || p.Extension == "" {
			list = append(list, p)
		}
	}
	base, err := spec.NewCatalogue(list)
	if err != nil {
		return err
	}
	var mine []*extension.Extension
	for _, ext := range w.mine {
		mine = append(mine, ext.Extension)
	}
	types := map[string]device.Type{}
	for name, t := range es.devices.types {
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
	return slices.IndexFunc(w.mine, func(ext *userExtension) bool { return ext.ID == id })
}

func (w *world) has(id string) bool { return w.builtIn[id] || w.user(id) >= 0 }

// but returns a world that is to become another one.
func (w *world) but() *world {
	return &world{builtIn: maps.Clone(w.builtIn), mine: slices.Clone(w.mine)}
}

// All returns all extensions, loaded or not, in the order of their ids.
func (es *Extensions) All() []Extension {
	w, all := es.world.Load(), map[string]*Extension{}
	for _, id := range es.builtIns() {
		all[id] = &Extension{ID: id, Version: es.cfg.Version, BuiltIn: true, Loaded: w.builtIn[id]}
	}
	if es.cfg.Folder != nil {
		for _, id := range es.cfg.Folder.IDs() {
			if all[id] == nil {
				all[id] = &Extension{ID: id}
			}
		}
	}
	es.mu.Lock()
	defer es.mu.Unlock()
	for _, ext := range w.mine {
		all[ext.ID] = &Extension{
			ID: ext.ID, Version: ext.Version, Doc: ext.Doc, Loaded: true,
			Devices: slices.Sorted(maps.Keys(ext.created)), Pages: ext.pageNames(),
		}
	}
	for id, found := range es.refused {
		if ext := all[id]; ext != nil {
			ext.Problem = strings.TrimPrefix(found.Error(), extensionPlace(id)+": ")
		}
	}
	for _, p := range slices.Concat(es.builtInPrimitives(), w.catalogue.All()) {
		if ext := all[p.Extension]; ext != nil && (ext.BuiltIn || p.Net != nil) && !slices.Contains(ext.Primitives, p.Name) {
			ext.Primitives = append(ext.Primitives, p.Name)
		}
	}
	types := maps.Clone(es.devices.types) // also those of built-in extensions that are not loaded
	maps.Copy(types, w.types)
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if ext := all[types[name].Extension]; ext != nil {
			ext.DeviceTypes = append(ext.DeviceTypes, name)
		}
	}
	var list []Extension
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[id])
	}
	return list
}

func (ext *userExtension) pageNames() (names []string) {
	for _, p := range ext.Pages {
		names = append(names, p.Name)
	}
	return names
}

// Page returns a page of a user's extension with its media type.
func (es *Extensions) Page(id, name string) (media string, text []byte, err error) {
	w := es.world.Load()
	if i := w.user(id); i >= 0 {
		for _, p := range w.mine[i].Pages {
			if p.Name == name {
				return p.Media, p.Text, nil
			}
		}
	}
	return "", nil, refuse(ErrNoPage, extensionPlace(id), "it has no page %q", name)
}

// Load loads an extension that is built in, or one of the folder. An extension that is loaded already stays as it is.
func (es *Extensions) Load(id string) error {
	if es.world.Load().has(id) {
		return nil // clients ask for all they know, and need not wait for one that is being loaded
	}
	es.extending.Lock()
	defer es.extending.Unlock()
	w := es.world.Load()
	switch {
	case w.has(id):
		return nil
	case slices.Contains(es.builtIns(), id):
		next := w.but()
		next.builtIn[id] = true
		return es.enterWorld(id, next)
	}
	return es.bring(id, nil)
}

// Replace loads the present version of a user's extension. Nets keep the version that they were compiled with.
func (es *Extensions) Replace(id string) error {
	es.extending.Lock()
	defer es.extending.Unlock()
	w := es.world.Load()
	i := w.user(id)
	switch {
	case w.builtIn[id]:
		return refuse(ErrExtension, extensionPlace(id), "it is built in, and cannot be replaced")
	case i < 0:
		return es.bring(id, nil)
	}
	return es.bring(id, w.mine[i])
}

// bring loads an extension of the folder in place of an older version, if there is one, and remembers when it is refused.
// extending is held.
func (es *Extensions) bring(id string, old *userExtension) error {
	err := es.bringFrom(id, old)
	es.mu.Lock()
	defer es.mu.Unlock()
	if delete(es.refused, id); err != nil && old != nil {
		es.refused[id] = err
	}
	return err
}

func (es *Extensions) bringFrom(id string, old *userExtension) error {
	if es.cfg.Folder == nil || !slices.Contains(es.cfg.Folder.IDs(), id) {
		var ids []string
		for _, e := range es.All() {
			ids = append(ids, e.ID)
		}
		return noExtension(id, ids)
	}
	stamp := es.cfg.Folder.Stamp(id) // before it is read, so that changes during reading are noticed
	read, err := es.cfg.Folder.Read(id)
	if err != nil {
		return wrongExtension(id, err)
	}
	fresh := &userExtension{Extension: read, created: map[string]uint64{}, stamp: stamp}
	next := es.world.Load().but()
	if old == nil {
		next.mine = append(next.mine, fresh)
	} else {
		next.mine[next.user(id)] = fresh
	}
	if err := es.gather(next); err != nil {
		return wrongExtension(id, err)
	}
	if err := es.exchangeDevices(old, fresh, next); err != nil {
		return err
	}
	es.world.Store(next)
	es.ring()
	es.log.Info("extension loaded", zap.String("extension", id), zap.String("version", read.Version))
	return nil
}

func wrongExtension(id string, err error) error {
	return refuse(ErrExtension, extensionPlace(id), "%v", err)
}

// enterWorld completes a world and makes it the present one. extending is held.
func (es *Extensions) enterWorld(id string, next *world) error {
	if err := es.gather(next); err != nil {
		return wrongExtension(id, err)
	}
	es.world.Store(next)
	es.ring()
	es.log.Info("extension loaded", zap.String("extension", id))
	return nil
}

// Unload removes an unused extension.
func (es *Extensions) Unload(id string) error {
	es.extending.Lock()
	defer es.extending.Unlock()
	w := es.world.Load()
	if !w.has(id) {
		return refuse(ErrExtension, extensionPlace(id), "it is not loaded")
	}
	next := w.but()
	delete(next.builtIn, id)
	next.mine = slices.DeleteFunc(next.mine, func(ext *userExtension) bool { return ext.ID == id })
	if err := es.gather(next); err != nil {
		return refuse(ErrInUse, extensionPlace(id), "other extensions are written with it: %v", err)
	}
	if err := es.leave(id, next); err != nil {
		return err
	}
	if i := w.user(id); i >= 0 {
		if err := es.removeDevices(w.mine[i], w); err != nil {
			es.world.Store(w)
			return err
		}
	}
	es.mu.Lock()
	delete(es.refused, id)
	es.mu.Unlock()
	es.ring()
	es.log.Info("extension unloaded", zap.String("extension", id))
	return nil
}

// leave exchanges the world for one without an extension, unless something uses that. While nets are being loaded nobody
// knows what they use.
func (es *Extensions) leave(id string, next *world) error {
	es.world.using.Lock()
	defer es.world.using.Unlock()
	es.mu.Lock()
	defer es.mu.Unlock()
	if users := es.usersOf(id); len(users) > 0 {
		return refuse(ErrInUse, extensionPlace(id), "%s", strings.Join(users, ", "))
	}
	es.world.Store(next)
	return nil
}

// usersOf returns the users of an extension. ground.mu is held.
func (es *Extensions) usersOf(id string) (users []string) {
	for _, n := range es.nets.all() {
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
	if w := es.world.Load(); w.user(id) >= 0 {
		own = es.devices.still(w.mine[w.user(id)])
	}
	users = append(users, es.devices.usedBeside(own)...)
	for _, name := range es.devices.order {
		if what := es.devices.ofExtension(es.devices.byName[name], id); what != "" && !own[name] {
			users = append(users, fmt.Sprintf("device %q %s", name, what))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(es.devices.opening)) {
		if kind := &es.devices.opening[name].kind; kind.Extension == id {
			users = append(users, fmt.Sprintf("device %q, which is being opened or closed, is a %s", name, kind.Name))
		}
	}
	if len(users) > mostReasons {
		users = append(users[:mostReasons], fmt.Sprintf("and %d more", len(users)-mostReasons))
	}
	return users
}

// Follow checks whether the files of loaded extensions have changed, and loads them again when they have not changed
// since its last check, so that it does not read half-written files. If a new version is refused the old one stays, and the new
// one is tried again when its files or another extension have changed.
func (es *Extensions) Follow() {
	es.extending.Lock()
	defer es.extending.Unlock()
	before, changed := es.seen, false
	es.seen = map[string]extension.Stamp{}
	for _, ext := range es.world.Load().mine {
		now := es.cfg.Folder.Stamp(ext.ID)
		es.seen[ext.ID] = now
		if now == ext.stamp || now != before[ext.ID] || now == extension.NoFiles {
			continue
		}
		ext.stamp = now
		if err := es.bring(ext.ID, ext); err != nil {
			es.log.Warn("extension not replaced, its old version stays", zap.String("extension", ext.ID), zap.Error(err))
		} else {
			changed = true
		}
	}
	if changed {
		es.tryAgain()
	}
}

// tryAgain makes the next look take extensions for changed whose files were refused: what they are written with may fit
// now. extending is held.
func (es *Extensions) tryAgain() {
	es.mu.Lock()
	defer es.mu.Unlock()
	for _, ext := range es.world.Load().mine {
		if es.refused[ext.ID] != nil {
			ext.stamp = extension.NoFiles
		}
	}
}
