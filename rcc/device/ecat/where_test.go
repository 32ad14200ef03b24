package ecat_test

import (
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// standing is a slave of which only the identity counts.
type standing struct {
	ecat.Slave
	label ecat.Label
}

func (s standing) About() ecat.Label { return s.label }

// A slave is found by its number, by its alias, or as the only one; the error says what is there instead, and where the slave would be.
func TestWhere(t *testing.T) {
	var slaves []ecat.Slave
	for i, p := range []struct {
		product, revision uint32
		alias             uint16
	}{{1, 1, 0}, {2, 1, 7}, {2, 3, 8}, {3, 1, 0}, {3, 1, 9}, {3, 1, 9}} {
		slaves = append(slaves, standing{label: ecat.Label{
			Position: i, Alias: p.alias, Identity: sii.Identity{Vendor: 5, Product: p.product, Revision: p.revision},
		}})
	}
	for _, tt := range []struct {
		where  ecat.Where
		vendor uint32
		wanted sii.Identity
		found  int // number
		err    string
	}{
		{wanted: sii.Identity{Product: 1}, found: 1},
		{where: ecat.Where{Slave: 2}, wanted: sii.Identity{Product: 2}, found: 2},
		{where: ecat.Where{Slave: 2}, found: 2},
		{wanted: sii.Identity{Product: 2, Revision: 2}, found: 3},
		{where: ecat.Where{Alias: 7}, wanted: sii.Identity{Product: 2}, found: 2},
		{where: ecat.Where{Alias: 9, Slave: 6}, wanted: sii.Identity{Product: 3}, found: 6},
		{wanted: sii.Identity{Product: 2}, err: "box on the bus: it may be slave 2, slave 3, say which one (slave, alias)"},
		{where: ecat.Where{Alias: 9}, wanted: sii.Identity{Product: 3}, err: "box with alias 9: it may be slave 5, slave 6, say which one (slave, alias)"},
		{where: ecat.Where{Slave: 1}, wanted: sii.Identity{Product: 2}, err: "slave 1 cannot be the box: its product is 0x00000001 instead of 0x00000002; it may be slave 2, slave 3"},
		{where: ecat.Where{Slave: 2}, wanted: sii.Identity{Product: 2, Revision: 4}, err: "slave 2 cannot be the box: its revision is 0x00000001, 0x00000004 is the least"},
		{wanted: sii.Identity{Product: 2, Revision: 4}, err: "no box on the bus: slave 2 is too old, its revision is 0x00000001 and the least is 0x00000004"},
		{where: ecat.Where{Slave: 7}, wanted: sii.Identity{Product: 1}, err: "box: no slave 7, the bus has 6; it may be slave 1"},
		{where: ecat.Where{Alias: 6}, wanted: sii.Identity{Product: 1}, err: "no box with alias 6; it may be slave 1"},
		{where: ecat.Where{Alias: 9, Slave: 1}, wanted: sii.Identity{Product: 4}, err: "no box as slave 1 with alias 9"},
		{wanted: sii.Identity{Product: 4}, err: "no box on the bus"},
		{where: ecat.Where{Slave: 1}, vendor: 4, err: "slave 1 cannot be the box: its vendor is 0x00000005 instead of 0x00000004"},
	} {
		tt.wanted.Vendor = 5
		if tt.vendor != 0 {
			tt.wanted.Vendor = tt.vendor
		}
		s, err := tt.where.Find(slaves, ecat.Wanted{What: "box", Identity: tt.wanted})
		switch {
		case err != nil && err.Error() != tt.err:
			t.Errorf("%+v: %v", tt.where, err)
		case err == nil && (tt.err != "" || s.About().Number() != tt.found):
			t.Errorf("%+v: found %v, not %d %s", tt.where, s.About(), tt.found, tt.err)
		}
	}
}
