package ethercat

import (
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Expected is a configured slave.
type Expected struct {
	Name     string
	Identity sii.Identity // a revision is the least that will do; 0 takes any, as a serial number of 0 does
	Alias    uint16       // 0 takes any
	Setup    ecat.Setup
}

// RackError is a difference between the configured rack and the real one.
type RackError struct {
	Position int
	Name     string
	What     string // "vendor", …
	Want     uint32
	Got      uint32
}

func (d *RackError) Error() string {
	who := ecat.Label{Position: d.Position, Name: d.Name}
	switch d.What {
	case "slave":
		if d.Want == 0 {
			return fmt.Sprintf("%v is connected but not configured", who)
		}
		return fmt.Sprintf("%v is missing", who)
	case "alias":
		return fmt.Sprintf("%v: alias %d instead of %d", who, d.Got, d.Want)
	}
	return fmt.Sprintf("%v: %s 0x%08x instead of 0x%08x", who, d.What, d.Got, d.Want)
}

// Compare returns all differences of a rack, each as a *RackError, or nil. An empty rack fits any.
func Compare(rack []Expected, slaves []*Slave) error {
	if len(rack) == 0 {
		return nil
	}
	var errs []error
	differs := func(position int, name, what string, want, got uint32) {
		errs = append(errs, &RackError{position, name, what, want, got})
	}
	for i := range max(len(rack), len(slaves)) {
		switch {
		case i >= len(slaves):
			differs(i, rack[i].Name, "slave", 1, 0)
			continue
		case i >= len(rack):
			differs(i, slaves[i].Name, "slave", 0, 1)
			continue
		}
		want, got := &rack[i], slaves[i]
		if want.Identity.Vendor != got.Identity.Vendor {
			differs(i, want.Name, "vendor", want.Identity.Vendor, got.Identity.Vendor)
			continue
		}
		if want.Identity.Product != got.Identity.Product {
			differs(i, want.Name, "product", want.Identity.Product, got.Identity.Product)
			continue
		}
		if got.Identity.Revision < want.Identity.Revision {
			differs(i, want.Name, "revision", want.Identity.Revision, got.Identity.Revision)
		}
		if w := want.Identity.Serial; w != 0 && w != got.Identity.Serial {
			differs(i, want.Name, "serial number", w, got.Identity.Serial)
		}
		if want.Alias != 0 && want.Alias != got.Alias {
			differs(i, want.Name, "alias", uint32(want.Alias), uint32(got.Alias))
		}
	}
	return errors.Join(errs...)
}
