package sim

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// SIIFault is a mistake in the SII of a slave, while the slave itself does not change.
type SIIFault string

// siiFaults change an image.
var siiFaults = map[SIIFault]func(image []byte) []byte{
	"empty":        func(image []byte) []byte { return slices.Repeat([]byte{0xff}, len(image)) },
	"zero":         func(image []byte) []byte { return make([]byte, len(image)) },
	"checksum":     func(image []byte) []byte { image[siiCheckSumAt] ^= 0x55; return image },
	"identity":     func(image []byte) []byte { image[siiIdentityAt] ^= 0xff; return image },
	"noMailbox":    func(image []byte) []byte { clear(image[siiMailboxAt:siiProtocolsAt]); return image },
	"noProtocols":  func(image []byte) []byte { clear(image[siiProtocolsAt : siiProtocolsAt+2]); return image },
	"noCategories": func(image []byte) []byte { return fill(image, siiCategoriesAt) },
	"cut":          func(image []byte) []byte { return fill(image, (siiCategoriesAt+len(image))/2) },
	"endless":      endlessCategory,
}

// Places in the image, in bytes (facts of the SII).
const (
	siiCheckSumAt   = 14
	siiIdentityAt   = 16
	siiMailboxAt    = 2 * 0x18
	siiProtocolsAt  = 2 * 0x1c
	siiCategoriesAt = 2 * 0x40
)

// fill returns an image of which the end was never written.
func fill(image []byte, from int) []byte {
	for i := from; i < len(image); i++ {
		image[i] = 0xff
	}
	return image
}

// endlessCategory makes the first category longer than the memory.
func endlessCategory(image []byte) []byte {
	const most = 0x7fff // words
	binary.LittleEndian.PutUint16(image[siiCategoriesAt+2:], most)
	return image
}

// encode writes the image of a kind.
func (k *kind) encode() ([]byte, error) {
	d := k.description
	if k.hidesPDOs {
		d.RxPDOs, d.TxPDOs = nil, nil
		d.SyncManagers = slices.Clone(d.SyncManagers)
		for i := range d.SyncManagers {
			if m := &d.SyncManagers[i]; m.Use == sii.Outputs || m.Use == sii.Inputs {
				m.Length = 0
			}
		}
	}
	return sii.Encode(&d)
}

func (s *Slave) spoilSII(faults []SIIFault) error {
	for _, f := range faults {
		spoil, ok := siiFaults[f]
		switch {
		case !ok:
			names := func(yield func(string) bool) {
				for name := range maps.Keys(siiFaults) {
					if !yield(string(name)) {
						return
					}
				}
			}
			return fmt.Errorf("siiFaults: %q is not one%s", f, suggest.DidYouMean(string(f), names))
		case len(s.image) < siiCategoriesAt+4:
			return fmt.Errorf("siiFaults: an image of %d bytes is too short for %q", len(s.image), f)
		}
		s.image = spoil(s.image)
	}
	return nil
}
