package websocket

import (
	"errors"
	"io"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// strict serves clients that keep to RFC 6455.
type strict struct {
	frames
	ws    *websocket.Conn
	meter wire.Meter
}

// newStrict leaves reading to the library. The library itself writes last words only.
func newStrict(ws *websocket.Conn, limits wire.Limits) *strict {
	c := &strict{frames: newFrames(ws.NetConn(), limits), ws: ws, meter: limits.NewMeter()}
	ws.SetReadLimit(int64(limits.Message))
	ws.SetPingHandler(func(body string) error { return c.control(opPong, body, limits.Write) })
	ws.SetCloseHandler(func(code int, _ string) error {
		_ = c.control(opClose, string(websocket.FormatCloseMessage(code, "")), wire.FarewellTime) // a peer that is gone needs no echo
		return nil
	})
	return c
}

func (c *strict) ReadMessage() (string, error) {
	text, err := c.read()
	if err == nil {
		return text, nil
	}
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return "", io.EOF
	}
	if full := (*wire.NoRoomError)(nil); errors.As(err, &full) {
		farewell := websocket.FormatCloseMessage(int(tooLarge), shorten(full.Error()))
		_ = c.ws.WriteControl(websocket.CloseMessage, farewell, time.Now().Add(wire.FarewellTime))
	}
	wire.Linger(c.ws.NetConn()) // the library has sent the reason
	return "", err
}

func (c *strict) read() (string, error) {
	if err := c.ws.SetReadDeadline(time.Time{}); err != nil {
		return "", err
	}
	_, body, err := c.ws.NextReader()
	if err != nil {
		return "", err
	}
	if err := c.ws.SetReadDeadline(time.Now().Add(c.limits.Rest)); err != nil {
		return "", err
	}
	c.meter.Begin()
	text, err := c.meter.ReadAll(body)
	return string(text), err
}
