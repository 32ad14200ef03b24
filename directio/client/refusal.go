package client

import (
	"context"
	"strconv"
	"time"
)

// Refusal is a set-point that a device has refused.
type Refusal struct {
	Joint  string // its name, or its number
	Reason string // such as "limit of velocity: 3.1 rad/s, 2.7 is allowed"
	Cycle  uint64 // of the net
}

// refusedView is what the page of joints says of it.
type refusedView struct {
	Reason string
	Time   int64 // of the cycle, Unix, ns
	Cycle  uint64
}

// Refusals returns the set-points that a device with joints refused of a net that has ended, of each joint the last one. Those of
// others do not count. A joint that was refused something again since then has forgotten the one before.
func (n *Net) Refusals(ctx context.Context, device string) (list []Refusal, err error) {
	if _, err = n.connection(); err != nil {
		return nil, err
	}
	var net struct {
		Cycle string
		Ended struct {
			Cycle uint64
			Time  int64 // of the cycle
		}
	}
	if err = n.daemon.get(ctx, place("nets", n.Name), &net); err != nil {
		return nil, err
	}
	period, err := time.ParseDuration(net.Cycle)
	if err != nil || net.Ended.Cycle == 0 {
		return nil, err // it has done nothing
	}
	begun := net.Ended.Time - int64(net.Ended.Cycle-1)*int64(period)
	var joints jointsPage
	if err = n.daemon.get(ctx, place("devices", device)+robotArm, &joints); err != nil {
		return nil, err
	}
	for i := range joints.Joints {
		j := &joints.Joints[i]
		if r := j.Refused; r != nil && r.Time >= begun && r.Cycle <= net.Ended.Cycle {
			list = append(list, Refusal{j.Model.name(i), r.Reason, r.Cycle})
		}
	}
	return list, nil
}

func (j *jointView) name(number int) string {
	if j == nil || j.Name == "" {
		return strconv.Itoa(number)
	}
	return j.Name
}

// NotReady returns why a device is not operational; it is empty if it is. Its other faults, such as refused set-points,
// may be the work of others.
func (d *Daemon) NotReady(ctx context.Context, device string) (cause string, err error) {
	var is deviceDetails
	if err = d.get(ctx, place("devices", device), &is); is.State != operational {
		cause = is.Cause
	}
	return cause, err
}

// operational is the state of a device, as its page says.
const operational = "operational"

// Cause returns why a device is not operational, or what else is wrong with it; it is empty when nothing is.
func (d *Daemon) Cause(ctx context.Context, device string) (string, error) {
	var is deviceDetails
	err := d.get(ctx, place("devices", device), &is)
	return is.Cause, err
}
