package robotics

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// Motions keep to the limits of a proxy, and go where its model says. So before joints are commanded for the first time, the
// model is compared with that of the device, which is remembered until the daemon is restarted, or a command fails.

// models are what devices have said of themselves.
type models struct {
	mu    sync.Mutex
	epoch int // rises when what was asked before may be out of date
	known map[string]client.Model
}

// of asks a device, or remembers what it has said.
func (m *models) of(ctx context.Context, d *client.Daemon, device string) (client.Model, error) {
	if device == "" {
		return client.Model{}, ErrNoDevice
	}
	m.mu.Lock()
	is, known := m.known[device]
	epoch := m.epoch
	m.mu.Unlock()
	if known {
		return is, nil
	}
	is, err := d.Model(ctx, device)
	if err != nil {
		return is, fmt.Errorf("%s: %w", device, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.epoch == epoch {
		if m.known == nil {
			m.known = map[string]client.Model{}
		}
		m.known[device] = is
	}
	return is, nil
}

// forget has devices asked again.
func (m *models) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	m.known = nil
}

// check compares the models of proxies with their devices.
func (r *Runtime) check(ctx context.Context, proxies []Jointed) error {
	var problems []error
	for _, j := range proxies {
		is, err := r.models.of(ctx, r.daemon, j.Device())
		if err == nil {
			err = j.Compare(is)
		}
		problems = append(problems, err)
	}
	err := errors.Join(problems...)
	if err != nil {
		r.models.forget() // who has seen to it tries again
	}
	return err
}

// Model returns the model that a device reports. It is asked once, and again after the daemon was started again or a command has failed.
func (r *Runtime) Model(ctx context.Context, device string) (client.Model, error) {
	return r.models.of(ctx, r.daemon, device)
}
