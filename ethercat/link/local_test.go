package link

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// mirror sends frames back, a while after they were sent.
type mirror struct {
	delay int64
	at    []int64
}

func (m *mirror) Process(frame []byte, now int64, deliver func(frame []byte, at int64)) {
	m.at = append(m.at, now)
	frame[0]++
	deliver(frame, now+m.delay)
}

// Frames come back when they are due, in their order, and the slaves know when they were sent.
func TestLocal(t *testing.T) {
	clock := rt.NewReal()
	m := &mirror{delay: int64(2 * time.Millisecond)}
	l, err := OpenLocal(m, clock)
	if err != nil {
		t.Fatal(err)
	}
	begin := l.Now()
	for i := range byte(3) {
		if !l.Send(bytes.Repeat([]byte{i}, 60)) {
			t.Fatal("not sent")
		}
	}
	room := make([]byte, 100)
	for i := range byte(3) {
		n, ok := l.Receive(room, begin+int64(time.Minute))
		if !ok || n != 60 || room[0] != i+1 || room[1] != i {
			t.Fatalf("%d: %v, % x", i, ok, room[:n])
		}
	}
	if end := l.Now(); end < begin+m.delay {
		t.Errorf("back after %d", end-begin)
	}
	if _, ok := l.Receive(room, l.Now()+1000); ok {
		t.Error("a frame that nobody has sent")
	}
	if l.Send(make([]byte, 10)) {
		t.Error("a frame that is too short was taken")
	}
	l.Within(func() {
		for i, at := range m.at {
			if at < begin || i > 0 && at < m.at[i-1] {
				t.Errorf("sent at %v", m.at)
			}
		}
	})
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// Frames that slaves have not had time for are not lost; frames that they do not answer are.
func TestLocalStarved(t *testing.T) {
	l, err := OpenLocal(&mirror{}, rt.NewReal())
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan bool)
	l.Within(func() {
		if !l.Send(make([]byte, 60)) {
			t.Error("not sent")
		}
		waits := make(chan struct{})
		go func() {
			until := l.Now()
			close(waits)
			_, ok := l.Await(make([]byte, 100), until)
			received <- ok
		}()
		<-waits
		for range 100 {
			runtime.Gosched()
		}
	})
	if !<-received {
		t.Error("the frame is lost")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
