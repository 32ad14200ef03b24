package robotics

import (
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Jointed is the proxy of a device with joints, as runtimes and previews see it (package actuator).
type Jointed interface {
	Device() string
	Len() int
	Joint(i int) kinematics.Joint
	// Compare returns how the device's own description differs from the proxy.
	Compare(device client.Model) error
	// Forward returns where the flange is, seen from the base, if the proxy knows.
	Forward(joints []float64) (flange geom.Frame, known bool)
}

// Devices are the devices whose joints a net commands. Actuators add them while they are mapped.
type Devices struct {
	all      []Jointed
	handOver map[string]bool // devices that may be taken over
	from     []*Handle       // commands that they are taken over from
}

// DevicesOf returns the devices of a net.
func DevicesOf(m *mapping.Net) *Devices {
	type key struct{}
	return mapping.Once(m, key{}, func() *Devices { return &Devices{handOver: map[string]bool{}} })
}

// HandOver says that other commands may take over the joints of a device.
func (d *Devices) HandOver(device string) { d.handOver[device] = true }

// TakeOver says that the net takes over the joints of a device from a command. The error is ErrHandOver if that does not hand them over.
func (d *Devices) TakeOver(from *Handle, device string) error {
	if !from.program.handOver[device] {
		return fmt.Errorf("%s: %w", device, ErrHandOver)
	}
	if !slices.Contains(d.from, from) {
		d.from = append(d.from, from)
	}
	return nil
}

// Command says that the net commands joints. Two proxies of a device must agree, as one goes on from what the other commands.
func (d *Devices) Command(m *mapping.Net, j Jointed) {
	for _, other := range d.all {
		if other == j {
			return
		}
		if other.Device() == j.Device() && !slices.Equal(jointsOf(other), jointsOf(j)) {
			m.Fail(fmt.Errorf("%s: %w", j.Device(), ErrModels))
			return
		}
	}
	d.all = append(d.all, j)
}

func jointsOf(j Jointed) []kinematics.Joint {
	all := make([]kinematics.Joint, j.Len())
	for i := range all {
		all[i] = j.Joint(i)
	}
	return all
}
