package robotics

import (
	"context"
	"errors"
	"sync"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// valueKey is the variable that has the value of a sensor.
const valueKey = "value"

// ErrNoValue is returned while a sensor has no value.
var ErrNoValue = errors.New("sensor has no value")

// Value returns the present value of a sensor: a net of one cycle reads it.
func Value[T graph.Value](ctx context.Context, r *Runtime, s Sensor[T]) (value T, err error) {
	n, err := observe(ctx, r, s, once)
	if err != nil {
		return value, err
	}
	defer r.forget(n)
	if _, err = n.End(ctx); err != nil {
		return value, err
	}
	text, known := n.Value("out" + valueKey)
	if !known {
		return value, ErrNoValue
	}
	return value, client.Parse(text, &value)
}

// observe starts a net that publishes what a sensor says.
func observe[T graph.Value](ctx context.Context, r *Runtime, s Sensor[T], end func(*mapping.Net) graph.Signal[bool]) (*client.Net, error) {
	large, err := reading(r.catalogue, s, end)
	if err != nil {
		return nil, err
	}
	small, _, err := large.Optimise()
	if err != nil {
		return nil, err
	}
	text, err := small.Text()
	if err != nil {
		return nil, err
	}
	if err := r.check(ctx, DevicesOf(large).all); err != nil {
		return nil, err
	}
	n, err := r.daemon.Run(ctx, text, client.NetOptions{Description: "sensor", Cycle: r.cycle})
	if err != nil && n != nil {
		r.drop(n)
	}
	return n, err
}

// reading returns a net that publishes what a sensor says until something is true.
func reading[T graph.Value](c *graph.Catalogue, s Sensor[T], end func(*mapping.Net) graph.Signal[bool]) (*mapping.Net, error) {
	m := mapping.New(c)
	graph.Publish(m.Graph, valueKey, valued(Read(m, s)))
	m.Terminate(end(m))
	return m, m.End()
}

// once returns the end of a net that asks once, untilCancelled that of one that listens.
func once(m *mapping.Net) graph.Signal[bool]           { return m.True() }
func untilCancelled(m *mapping.Net) graph.Signal[bool] { return graph.Cancelled(m.Graph) }

// valued returns a signal that is null as well where it is not a number, which arithmetic makes of doubles that are null.
func valued[T graph.Value](v graph.Signal[T]) graph.Signal[T] {
	double, is := any(v).(graph.Signal[float64])
	if !is || v.Open() {
		return v
	}
	p := v.Graph().Add("Core::DoubleSetNull").Link("inValue", v.Port).Link("inNull", graph.Not(mapping.Near(double, double, 0)).Port)
	return mapping.Link[T](p, "outValue")
}

// Listener receives the values of a sensor.
type Listener struct {
	net  *client.Net
	over chan struct{}
}

// Stop ends it. Afterwards its function is not called any more. The function must not call it. It may be called twice.
func (l *Listener) Stop(ctx context.Context) error {
	if err := l.net.Cancel(ctx); err != nil && !l.net.State().Over() {
		return err
	}
	select {
	case <-l.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Listen calls a function with the value of a sensor whenever it has changed, until the listener is stopped. One goroutine does it,
// soon, but without any guarantee. Of values that come faster than the daemon sends them, or than the function returns, it
// hears the newest.
func Listen[T graph.Value](ctx context.Context, r *Runtime, s Sensor[T], do func(T)) (*Listener, error) {
	if do == nil {
		return nil, ErrNoEffect
	}
	return listen(ctx, r, s, do)
}

// ListenAll does so with all values that the daemon sends, which queue up while the function is busy.
func ListenAll[T graph.Value](ctx context.Context, r *Runtime, s Sensor[T], do func(T)) (*Listener, error) {
	if do == nil {
		return nil, ErrNoEffect
	}
	q := newQueue(do)
	l, err := listen(ctx, r, s, q.put)
	if err != nil {
		return nil, err
	}
	queued := &Listener{l.net, make(chan struct{})}
	r.work.Go(func() {
		defer close(queued.over)
		q.serve()
	})
	r.work.Go(func() {
		<-l.over
		q.close()
	})
	return queued, nil
}

func listen[T graph.Value](ctx context.Context, r *Runtime, s Sensor[T], do func(T)) (*Listener, error) {
	n, err := observe(ctx, r, s, untilCancelled)
	if err != nil {
		return nil, err
	}
	l := &Listener{n, make(chan struct{})}
	r.work.Go(func() {
		defer close(l.over)
		defer r.drop(n) // also when the runtime is closed
		for u := range n.Updates(r.life) {
			var v T
			if text, told := u.Values["out"+valueKey]; told && client.Parse(text, &v) == nil {
				do(v)
			}
			if u.State.Over() {
				return
			}
		}
	})
	return l, nil
}

// queue hands values over one by one, however many there are.
type queue[T any] struct {
	do     func(T)
	mu     sync.Mutex
	some   *sync.Cond // values, or the end
	values []T
	closed bool
}

func newQueue[T any](do func(T)) *queue[T] {
	q := &queue[T]{do: do}
	q.some = sync.NewCond(&q.mu)
	return q
}

func (q *queue[T]) put(v T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values, v)
	q.some.Signal()
}

func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.some.Signal()
}

func (q *queue[T]) serve() {
	for {
		q.mu.Lock()
		for len(q.values) == 0 && !q.closed {
			q.some.Wait()
		}
		values := q.values
		q.values = nil
		q.mu.Unlock()
		if len(values) == 0 {
			return
		}
		for _, v := range values {
			q.do(v)
		}
	}
}
