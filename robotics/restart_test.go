package robotics_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// cable leads to a daemon, and may be put into another one: to an application, that is its daemon started again.
type cable struct {
	listen net.Listener
	all    sync.WaitGroup

	mu    sync.Mutex
	told  func() // before a message to an application
	to    string
	conns map[net.Conn]bool
}

// lay lays a cable to an address of HTTP.
func lay(t *testing.T, address string) (c *cable, through string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c = &cable{listen: l, conns: map[net.Conn]bool{}}
	c.put(address)
	c.all.Go(c.serve)
	t.Cleanup(func() {
		_ = l.Close()
		c.put("http://nowhere")
		c.all.Wait()
	})
	return c, "http://" + l.Addr().String()
}

// put pulls the cable and puts it into another socket.
func (c *cable) put(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = strings.TrimPrefix(address, "http://")
	for conn := range c.conns {
		_ = conn.Close()
	}
	clear(c.conns)
}

// tap receives what goes to an application.
type tap struct {
	*cable
	to net.Conn
}

func (t tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	told := t.told
	t.mu.Unlock()
	if told != nil {
		told()
	}
	return t.to.Write(p)
}

// onTold sets a function that is called before a message to an application.
func (c *cable) onTold(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = do
}

func (c *cable) serve() {
	for {
		near, err := c.listen.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		far, err := net.Dial("tcp", c.to)
		if err != nil {
			_ = near.Close()
			c.mu.Unlock()
			continue
		}
		c.conns[near], c.conns[far] = true, true
		c.mu.Unlock()
		for from, to := range map[net.Conn]net.Conn{near: far, far: near} {
			c.all.Go(func() {
				var into io.Writer = to
				if to == near {
					into = tap{c, to}
				}
				_, _ = io.Copy(into, from)
				_, _ = to.Close(), from.Close()
			})
		}
	}
}

// TestRestart: after a restart of the daemon nothing is known of a command, and all calls say so.
func TestRestart(t *testing.T) {
	slow := cells.Device{Name: "kr16", Kind: "kuka_kr_arm_sim", Params: map[string]string{"max_vel": "[1,1,1,1,1,1]"}}
	before, after := cells.New(t).Free(), cells.New(t, cells.With(slow)).Free()
	wire, through := lay(t, before.URL())
	back := make(chan struct{}, 1)
	r, err := robotics.Connect(t.Context(), through, robotics.OnConnection(func(e client.Event) {
		if e.What == client.Back {
			back <- struct{}{}
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	level := robotics.NewInput("level", 1.0)
	follow := robotics.NewCommand(robotics.AnalogOutput{Device: "io"}, robotics.FollowAnalog{Value: level})
	done, err := r.Start(t.Context(), robotics.NewWait(cells.Period))
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Start(t.Context(), follow)
	if err := errors.Join(err, done.Wait(t.Context())); err != nil {
		t.Fatal(err)
	}
	move := robotics.NewCommand(kr16(), motions.PTP{To: point})
	if err := r.Execute(t.Context(), move); err != nil {
		t.Fatal(err)
	}
	wire.put(after.URL())
	<-back
	<-h.Done()
	for what, err := range map[string]error{
		"wait": h.Wait(t.Context()), "cancel": h.Cancel(t.Context()), "abort": h.Abort(t.Context()), "forget": h.Forget(t.Context()),
		"start": h.Start(t.Context()), "override": h.SetOverride(t.Context(), 0.5), "set": robotics.Set(t.Context(), h, level, 2),
	} {
		if !errors.Is(err, client.ErrRestarted) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := errors.Join(done.Wait(t.Context()), done.Cancel(t.Context())); err != nil {
		t.Errorf("one that had ended before: %v", err)
	}
	if err := r.Execute(t.Context(), robotics.NewWait(cells.Period)); err != nil {
		t.Errorf("the daemon that is there now: %v", err)
	}
	if err := r.Execute(t.Context(), move); !errors.Is(err, robotics.ErrModel) {
		t.Errorf("the arm that is there now: %v", err)
	}
}
