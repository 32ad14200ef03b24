package esi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/esi"
)

// TestDictionary: entries are those of arrays, records, simple types and enumerations, of the device and of its modules.
func TestDictionary(t *testing.T) {
	f := read(t, "dictionary.xml")
	s, err := find(t, f, esi.Wanted{Type: "MX-1"}).Select(esi.Choice{Modules: []string{"-", "MX-T"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		index uint16
		sub   uint8
		want  string
	}{
		{0x2000, 0, "STRING(4) 32"},
		{0x2000, 1, "object 0x2000 of MX-1 (dictionary.xml:26) has no subindex 1"},
		{0x2001, 0, "UDINT 32 it can only be read (dictionary.xml:27)"},
		{0x8000, 0, "USINT 8 it can only be read (dictionary.xml:28)"},
		{0x8000, 1, "UINT 16"},
		{0x8000, 3, "UINT 16"},
		{0x8000, 4, "object 0x8000 of MX-1 (dictionary.xml:28) has no subindex 4"},
		{0x8010, 0, "USINT 8"},
		{0x8010, 1, "USINT 8"},
		{0x8010, 0x11, "REAL 32"},
		{0x8010, 18, "BOOL 1 it cannot be written in Pre-Op (dictionary.xml:29)"},
		{0x8011, 1, "MX-1 (dictionary.xml:6) has no object 0x8011"},
		{0x9100, 0, "UDINT 32"},
		{0x9000, 0, "MX-1 (dictionary.xml:6) has no object 0x9000"},
		{0x1c12, 1, "unknown"},
	} {
		got := "unknown"
		o, err := s.Object(tt.index, tt.sub)
		switch {
		case err != nil:
			got = err.Error()
		case o != nil:
			got = fmt.Sprintf("%s %d", o.TypeName, o.Bits)
			if err := o.Unwritable(); err != nil {
				got += " " + err.Error()
			}
		}
		if got != tt.want {
			t.Errorf("0x%04x:%d is %q, not %q", tt.index, tt.sub, got, tt.want)
		}
	}
}

// TestPartialDictionary: where something cannot be read, and where there is no dictionary, nothing is known of the rest.
func TestPartialDictionary(t *testing.T) {
	const text = `<EtherCATInfo><Descriptions><Devices><Device><Type>X</Type><Profile><Dictionary><Objects>
		<Object><Index>much</Index></Object><Object><Index>#x2000</Index><Type>INT</Type><BitSize>16</BitSize></Object>
		</Objects></Dictionary></Profile></Device><Device><Type>Y</Type></Device></Devices></Descriptions></EtherCATInfo>`
	f, err := esi.Read(strings.NewReader(text), "x.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []string{"X", "Y"} {
		s, err := find(t, f, esi.Wanted{Type: typ}).Select(esi.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if o, err := s.Object(0x3000, 0); o != nil || err != nil {
			t.Errorf("%s: %v %v", typ, o, err)
		}
		if o, err := s.Object(0x2000, 0); err != nil || (o != nil) != (typ == "X") {
			t.Errorf("%s: %v %v", typ, o, err)
		}
	}
}
