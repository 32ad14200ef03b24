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
	ws     *websocket.Conn
	limits wire.Limits
	meter  wire.Meter
}

func newStrict(ws *websocket.Conn, limits wire.Limits) *strict {
	ws.SetReadLimit(int64(limits.Message))
	return &strict{ws: ws, limits: limits, meter: limits.NewMeter()}
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
	if full := (*wire.NoRoom)(nil); errors.As(err, &full) {
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

func (c *strict) WriteMessage(text string) error {
	if err := c.ws.SetWriteDeadline(time.Now().Add(c.limits.Write)); err != nil {
		return err
	}
	return c.ws.WriteMessage(websocket.TextMessage, []byte(text))
}

func (c *strict) Close(reason string) error {
	farewell := websocket.FormatCloseMessage(int(goingAway), shorten(reason))
	// A peer that is gone or stuck does not get the reason.
	_ = c.ws.WriteControl(websocket.CloseMessage, farewell, time.Now().Add(wire.FarewellTime))
	return c.ws.Close()
}
