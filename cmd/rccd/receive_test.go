package main

import (
	"fmt"
	"net"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
)

// TestReceive: a simulated controller hears answers where it says, and not where its telegrams come from.
func TestReceive(t *testing.T) {
	t.Parallel()
	stamp := regexp.MustCompile(`<IPOC>(\d+)</IPOC>`)
	for name, tt := range map[string]struct {
		answer func(telegram []byte) []byte
		taken  string
	}{
		"rsisim": {func(telegram []byte) []byte {
			return fmt.Appendf(nil, `<Sen Type="ImFree"><AK A1="0.0"/><IPOC>%s</IPOC></Sen>`, stamp.FindSubmatch(telegram)[1])
		}, `"answers":[1-9]`},
		"frisim": {func(telegram []byte) []byte {
			var m wire.Measurement
			if m.Decode(telegram) != wire.Good {
				return nil
			}
			a := wire.Answer{Header: wire.Header{Count: m.Count, Reflected: m.Count}}
			b := make([]byte, wire.CommandSize)
			a.Encode(b)
			return b
		}, `"taken":[1-9]`},
	} {
		for _, there := range []bool{true, false} {
			pc, free := listenUDP(t), listenUDP(t)
			port := free.LocalAddr().(*net.UDPAddr).Port
			_ = free.Close()
			go func() {
				room := make([]byte, 8192)
				for {
					n, from, err := pc.ReadFromUDP(room)
					if err != nil {
						return
					}
					if there {
						from.Port = port
					}
					_, _ = pc.WriteToUDP(tt.answer(room[:n]), from)
				}
			}()
			said, err := exec.CommandContext(t.Context(), "rccd", name, "--to", pc.LocalAddr().String(), "--receive", fmt.Sprint(port), "--cycle", "12ms",
				"--for", (600 * time.Millisecond).String()).CombinedOutput()
			if heard := regexp.MustCompile(tt.taken).Match(said); err != nil || heard != there {
				t.Errorf("%s: answers to the right port %t, heard %t: %v\n%s", name, there, heard, err, said)
			}
		}
	}
}

func listenUDP(t *testing.T) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
