package directio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"go.uber.org/zap/zaptest/observer"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/directio/protocol"
)

// rude are clients as nobody should be. Each returns when the server is rid of it.
var rude = map[string]func(*intruder){
	"garbage instead of a handshake": func(i *intruder) {
		i.connect()
		i.write(i.noise(10_000))
		i.write([]byte("\r\n\r\n"))
		i.untilClosed()
	},
	"garbage frames": func(i *intruder) {
		i.handshake()
		i.write([]byte{0xff, 0xff})
		i.write(i.noise(10_000))
		i.untilClosed()
	},
	"silence": func(i *intruder) {
		i.handshake()
		i.leaveAbruptly()
	},
	"half a header": func(i *intruder) {
		i.handshake()
		i.write([]byte{0x81})
		i.leaveAbruptly()
	},
	"half a frame": func(i *intruder) {
		i.handshake()
		i.write(textFrame(`a=ver("2.0")`)[:7])
		i.leaveAbruptly()
	},
	"half a frame, and stays": func(i *intruder) {
		i.handshake()
		i.write(textFrame(`a=ver("2.0")`)[:7])
		i.untilClosed()
	},
	"one byte too many": func(i *intruder) {
		i.handshake()
		i.write(textFrame(strings.Repeat("x", 8<<20+1)))
		i.untilClosed()
	},
	"statements without sense": func(i *intruder) {
		i.handshake()
		i.write(textFrame(`a=ver("2.0")`))
		for range 100 {
			i.write(textFrame(string(i.noise(100))))
			i.write(textFrame(`b=nene("` + strings.Repeat("{a=", 1000) + `")`))
			i.write(textFrame(`c=nesc("` + strings.Repeat("(", 1000) + `",[],[],[])`))
		}
		i.leaveAbruptly()
	},
	"commands without reading": func(i *intruder) {
		i.handshake()
		i.write(textFrame(`a=ver("2.0")`))
		for i.write(textFrame(strings.Repeat("b", 10_000) + `=gde()`)) { // each answer bears the tag: buffers are soon full
		}
	},
	"bare garbage": func(i *intruder) {
		i.connectBare()
		i.write(i.noise(10_000))
		i.write([]byte("#"))
		i.untilClosed()
	},
	"bare command without end": func(i *intruder) {
		i.connectBare()
		for i.write([]byte(strings.Repeat("x", 1<<16))) {
		}
	},
	"a browser's request at the bare port": func(i *intruder) {
		i.connectBare()
		i.write([]byte("POST / HTTP/1.1\r\nHost: localhost\r\n\r\na=ver(\"2.0\")#b=nse(\"evil\")#"))
		i.untilClosed()
	},
}

func TestRudeClientsDisturbNobody(t *testing.T) {
	// The limit on writing is the one of every day: the good client is held to it too, on a machine that is busy. That on
	// reading must not be over before those who do not read are found out.
	s, logs := serve(t, Config{TCP: "127.0.0.1:0", limits: wire.Limits{Rest: 20 * time.Second}})
	c := dial(t, s)
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	var crowd sync.WaitGroup
	for name, behave := range rude {
		for n := range rounds {
			crowd.Go(func() {
				i := &intruder{t: t, s: s, name: name, rand: rand.New(rand.NewPCG(uint64(n), 7))}
				behave(i)
				_ = i.Close()
			})
		}
	}
	gone := make(chan struct{})
	go func() { crowd.Wait(); close(gone) }()
	t.Cleanup(crowd.Wait)
	for served := 0; ; served++ {
		wholeLife(c)
		select {
		case <-gone:
			t.Logf("%d nets were served among the crowd", served+1)
			c.leave()
			s.talks.Wait()
			if logs.FilterMessage("connection ended").Filter(func(e observer.LoggedEntry) bool {
				return strings.Contains(fmt.Sprint(e.ContextMap()["error"]), protocol.ErrNotReading.Error())
			}).Len() == 0 {
				t.Error("nobody was logged as not reading")
				for _, e := range logs.All() {
					t.Log(e.Message, e.ContextMap())
				}
			}
			for _, session := range s.core.Sessions.All() {
				t.Errorf("session %q was opened", session.Description())
			}
			return
		default:
		}
	}
}

// wholeLife takes a net through its life and looks at every message.
func wholeLife(c *talker) {
	c.t.Helper()
	net := c.name(`nene("` + switchable + `")`)
	heard := map[string][]string{}
	talk := func(statement, until string) {
		c.t.Helper()
		if err := c.ws.WriteMessage(websocket.TextMessage, []byte(statement)); err != nil {
			c.t.Fatal(err)
		}
		c.await(func(m string) bool {
			tag, message, _ := strings.Cut(m, "=")
			heard[tag] = append(heard[tag], message)
			return m == until
		})
	}
	talk(fmt.Sprintf("g=gne(%q,0.0)", net), "g=ok()")
	talk(fmt.Sprintf("s=nest(%q)", net), `g=nc({outend:"false"})`)
	talk(fmt.Sprintf(`v=snc({%s:{inend:"true"}})`, net), `g=ns("TERMINATED")`)
	talk(fmt.Sprintf("u=neun(%q)", net), `g=ns("UNLOADED")`)
	// The last value may have been looked at before the end of the net was known.
	heard["g"] = slices.Compact(heard["g"])
	want := map[string][]string{
		"g": {
			`ns("READY")`, `ok()`, `ns("RUNNING")`, `nc({outend:"false"})`, `nc({outend:"true"})`, `ns("TERMINATED")`,
			`nc({outend:"true"})`, `ns("TERMINATED")`, `ns("UNLOADED")`,
		},
		"s": {"ok()"}, "v": {"ok()"}, "u": {"ok()"},
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		c.t.Fatal(diff)
	}
}

// intruder is a rude client.
type intruder struct {
	net.Conn
	t    *testing.T
	s    *Server
	name string
	rand *rand.Rand
}

func (i *intruder) connect() { i.dial(i.s.Addr()) }

func (i *intruder) connectBare() { i.dial(i.s.TCPAddr()) }

func (i *intruder) dial(addr net.Addr) {
	c, err := net.Dial("tcp", addr.String())
	if err != nil {
		i.t.Errorf("%s: %v", i.name, err)
		runtime.Goexit()
	}
	i.Conn = c
}

func (i *intruder) handshake() {
	i.connect()
	i.write([]byte("GET /DirectIO/ HTTP/1.1\r\nHost: localhost\r\n" + legacyHandshake + "\r\n"))
}

// write reports whether the server still listens.
func (i *intruder) write(b []byte) bool {
	_ = i.SetDeadline(time.Now().Add(patience))
	_, err := i.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		i.t.Errorf("%s: the server neither reads nor closes", i.name)
	}
	return err == nil
}

func (i *intruder) noise(n int) []byte {
	b := make([]byte, n)
	for k := range b {
		b[k] = byte(i.rand.Uint32())
	}
	return b
}

func (i *intruder) untilClosed() {
	_ = i.SetDeadline(time.Now().Add(patience))
	_, err := io.Copy(io.Discard, i)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		i.t.Errorf("%s: the server does not close", i.name)
	}
}

// leaveAbruptly resets the connection.
func (i *intruder) leaveAbruptly() { _ = i.Conn.(*net.TCPConn).SetLinger(0) }

func textFrame(body string) []byte {
	b := []byte{0x81}
	switch n := len(body); {
	case n < 126:
		b = append(b, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	return append(b, body...)
}
