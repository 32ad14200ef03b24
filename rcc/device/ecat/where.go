package ecat

import (
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
)

// Where selects a slave of a bus for a device, as parameters of the device. Clients know the first two.
type Where struct {
	Bus   string `rcc:"ethercatdevice" required:"true" doc:"name of the bus"`
	Slave int    `rcc:"slave" default:"0" min:"0" max:"65535" doc:"which slave of the bus, from 1 as they stand behind the master; 0: the only one that fits"`
	Alias int    `rcc:"alias" default:"0" min:"0" max:"65535" doc:"station alias of the slave, with which it may stand anywhere; 0: any"`
}

// Wanted is the required identity of a slave. A vendor of 0 is any, a product of 0 any of the vendor, a revision the least that
// will do, a serial number of 0 any.
type Wanted struct {
	What     string // as people call it
	Identity sii.Identity
}

// fits returns what is wrong with a slave, empty when nothing is.
func (w *Wanted) fits(s Slave) string {
	want, got := w.Identity, s.About().Identity
	switch {
	case want.Vendor != 0 && got.Vendor != want.Vendor:
		return fmt.Sprintf("its vendor is 0x%08x instead of 0x%08x", got.Vendor, want.Vendor)
	case want.Product != 0 && got.Product != want.Product:
		return fmt.Sprintf("its product is 0x%08x instead of 0x%08x", got.Product, want.Product)
	case want.Serial != 0 && got.Serial != want.Serial:
		return fmt.Sprintf("its serial number is %d instead of %d", got.Serial, want.Serial)
	case got.Revision < want.Revision:
		return fmt.Sprintf("its revision is 0x%08x, 0x%08x is the least", got.Revision, want.Revision)
	}
	return ""
}

// Find looks for the slave on a bus that was scanned.
func (w *Where) Find(slaves []Slave, wanted Wanted) (Slave, error) {
	var there []Slave
	for _, s := range slaves {
		about := s.About()
		if (w.Slave == 0 || about.Number() == w.Slave) && (w.Alias == 0 || int(about.Alias) == w.Alias) {
			there = append(there, s)
		}
	}
	switch fitting := those(there, wanted); {
	case len(fitting) == 1:
		return fitting[0], nil
	case len(fitting) > 1:
		return nil, fmt.Errorf("%s %s: %s, say which one (slave, alias)", wanted.What, w, list("it may be", fitting))
	case len(there) == 1:
		return nil, fmt.Errorf("%v cannot be the %s: %s%s", there[0].About(), wanted.What, wanted.fits(there[0]), w.elsewhere(slaves, wanted))
	case len(old(there, wanted)) > 0:
		s := old(there, wanted)[0].About()
		return nil, fmt.Errorf("no %s %s: %v is too old, its revision is 0x%08x and the least is 0x%08x", wanted.What, w, s, s.Identity.Revision,
			wanted.Identity.Revision)
	case w.Slave != 0 && w.Alias == 0 && wanted.Identity == (sii.Identity{}): // any other one would do, and none is meant
		return nil, fmt.Errorf("no slave %d, the bus has %d", w.Slave, len(slaves))
	case w.Slave != 0 && w.Alias == 0:
		return nil, fmt.Errorf("%s: no slave %d, the bus has %d%s", wanted.What, w.Slave, len(slaves), w.elsewhere(slaves, wanted))
	}
	return nil, fmt.Errorf("no %s %s%s", wanted.What, w, w.elsewhere(slaves, wanted))
}

// old returns those that would be it if they were newer.
func old(slaves []Slave, wanted Wanted) (list []Slave) {
	wanted.Identity.Revision = 0
	return those(slaves, wanted)
}

func those(slaves []Slave, wanted Wanted) (list []Slave) {
	for _, s := range slaves {
		if wanted.fits(s) == "" {
			list = append(list, s)
		}
	}
	return list
}

// String describes the required slave.
func (w *Where) String() string {
	switch {
	case w.Slave != 0 && w.Alias != 0:
		return fmt.Sprintf("as slave %d with alias %d", w.Slave, w.Alias)
	case w.Slave != 0:
		return fmt.Sprintf("as slave %d", w.Slave)
	case w.Alias != 0:
		return fmt.Sprintf("with alias %d", w.Alias)
	}
	return "on the bus"
}

// elsewhere returns where it would have been found.
func (w *Where) elsewhere(slaves []Slave, wanted Wanted) string {
	if fitting := those(slaves, wanted); len(fitting) > 0 {
		return "; " + list("it may be", fitting)
	}
	return ""
}

// mostListed is how many slaves fit into a line.
const mostListed = 8

func list(begin string, slaves []Slave) string {
	var names []string
	for i, s := range slaves {
		if i == mostListed {
			names = append(names, "…")
			break
		}
		names = append(names, s.About().String())
	}
	return begin + " " + strings.Join(names, ", ")
}
