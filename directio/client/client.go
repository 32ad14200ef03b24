package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	version = "2.0"
	path    = "DirectIO/" // of the WebSocket, below the address of the daemon

	writeTime = 10 * time.Second // a daemon that has not taken a statement by then is given up
	alive     = 10 * time.Second // between two questions whether the daemon is still there
	patience  = 3 * alive        // without a sign of it
	farewell  = time.Second      // for the last word to the daemon

	longestMessage = 64 << 20
)

// ErrClosed is that the connection was closed by Close.
var ErrClosed = errors.New("the connection is closed")

// RefusedError is that the daemon does not do something, in its words.
type RefusedError struct {
	Command string
	Message string
}

func (e *RefusedError) Error() string { return e.Command + ": " + e.Message }

// LostError is that there is no connection, or none any more.
type LostError struct{ Cause error }

func (e *LostError) Error() string { return "no connection: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// Message is something that a subscription was told: a word of the protocol such as ns, and its parameters.
type Message struct {
	Word   string
	Params []any
}

// Client is a connection to a daemon. Everything but Close may be called after it has ended, and fails then.
type Client struct {
	conn *websocket.Conn
	over chan struct{} // closed when nothing more is read

	writing sync.Mutex

	mu      sync.Mutex
	calls   int
	waiting map[string]*call // by tag; subscriptions stay
	cause   error            // why it has ended
}

// call is what waits for messages of a tag.
type call struct {
	reply chan Message  // of room one, the answer
	tell  func(Message) // of a subscription
}

// Dial connects to the daemon at an address of HTTP, such as http://127.0.0.1:8080, and agrees on the version.
// The context is that of connecting only.
func Dial(ctx context.Context, address string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	switch u.Scheme {
	case "http":
		u.Scheme = "ws"
	case "https":
		u.Scheme = "wss"
	default:
		return nil, fmt.Errorf("address %q: it is not like http://127.0.0.1:8080", address)
	}
	conn, answer, err := websocket.DefaultDialer.DialContext(ctx, u.JoinPath(path).String(), nil)
	if err != nil {
		if answer != nil {
			err = fmt.Errorf("%w: %s", err, answer.Status)
		}
		return nil, &LostError{err}
	}
	c := &Client{conn: conn, over: make(chan struct{}), waiting: map[string]*call{}}
	conn.SetReadLimit(longestMessage)
	conn.SetPongHandler(func(string) error { return conn.SetReadDeadline(time.Now().Add(patience)) })
	go c.listen()
	go c.knock()
	if _, err := c.Call(ctx, "ver", version); err != nil {
		c.end(err)
		return nil, err
	}
	return c, nil
}

// Call sends a command and returns the parameters of its ok. An err of the daemon is a *RefusedError, a connection that has
// ended a *LostError.
func (c *Client) Call(ctx context.Context, command string, params ...any) ([]any, error) {
	return c.call(ctx, nil, command, params)
}

// Subscribe sends a command that subscribes to something, such as gne, and hands what comes for it to tell, in order,
// also what comes before the answer and long after it, until the connection ends. It is called by the goroutine that
// reads, so nothing else is read while it runs: the daemon then keeps only what is newest. It must not call commands.
func (c *Client) Subscribe(ctx context.Context, tell func(Message), command string, params ...any) error {
	_, err := c.call(ctx, tell, command, params)
	return err
}

func (c *Client) call(ctx context.Context, tell func(Message), command string, params []any) ([]any, error) {
	waiting := &call{reply: make(chan Message, 1), tell: tell}
	tag, err := c.enter(waiting)
	if err != nil {
		return nil, err
	}
	answer, err := c.exchange(ctx, &statement{tag: tag, word: command, params: params}, waiting)
	if tell == nil || err != nil {
		c.leave(tag)
	}
	return answer, err
}

// enter gives a call its tag.
func (c *Client) enter(waiting *call) (tag string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return "", &LostError{c.cause}
	}
	tag = "c" + strconv.Itoa(c.calls)
	c.calls++
	c.waiting[tag] = waiting
	return tag, nil
}

func (c *Client) leave(tag string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, tag)
}

func (c *Client) exchange(ctx context.Context, s *statement, waiting *call) ([]any, error) {
	text, err := s.append(nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.word, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.send(text); err != nil {
		return nil, err
	}
	select {
	case m := <-waiting.reply:
		return m.result(s.word)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.over:
		select {
		case m := <-waiting.reply: // it had come just before
			return m.result(s.word)
		default:
			return nil, c.Err()
		}
	}
}

// result is what an answer says.
func (m Message) result(command string) ([]any, error) {
	if m.Word == answerOK {
		return m.Params, nil
	}
	text := "it is refused"
	if len(m.Params) > 0 {
		text = fmt.Sprint(m.Params[0])
	}
	return nil, &RefusedError{Command: command, Message: text}
}

// The words of answers.
const (
	answerOK  = "ok"
	answerErr = "err"
)

// send writes a statement. A connection that takes no more of it is over: half a statement cannot be taken back.
func (c *Client) send(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	err := c.conn.SetWriteDeadline(time.Now().Add(writeTime))
	if err == nil {
		err = c.conn.WriteMessage(websocket.TextMessage, text)
	}
	if err != nil {
		c.end(err)
		return c.Err()
	}
	return nil
}

// listen reads until the connection ends.
func (c *Client) listen() {
	defer close(c.over)
	for {
		_ = c.conn.SetReadDeadline(time.Now().Add(patience)) // reading tells what is wrong
		kind, text, err := c.conn.ReadMessage()
		if err != nil {
			c.end(err)
			return
		}
		if kind != websocket.TextMessage {
			continue
		}
		s, err := parse(string(text))
		if err != nil {
			c.end(err)
			return
		}
		c.dispatch(s)
	}
}

// dispatch hands a message to whom it belongs. Answers that nobody waits for any more are dropped.
func (c *Client) dispatch(s *statement) {
	c.mu.Lock()
	waiting := c.waiting[s.tag]
	c.mu.Unlock()
	m := Message{Word: s.word, Params: s.params}
	switch {
	case waiting == nil:
	case m.Word == answerOK || m.Word == answerErr:
		select {
		case waiting.reply <- m:
		default:
		}
	case waiting.tell != nil:
		waiting.tell(m)
	}
}

// knock asks from time to time whether the daemon is still there, so that a cable that was pulled is noticed.
func (c *Client) knock() {
	ticks := time.NewTicker(alive)
	defer ticks.Stop()
	for {
		select {
		case <-c.over:
			return
		case <-ticks.C:
			if err := c.conn.WriteControl(websocket.PingMessage, []byte("alive"), time.Now().Add(writeTime)); err != nil {
				c.end(err)
			}
		}
	}
}

// end ends the connection for the first cause that is found.
func (c *Client) end(cause error) {
	c.mu.Lock()
	if c.cause == nil {
		c.cause = cause
	}
	c.mu.Unlock()
	_ = c.conn.Close() // nothing depends on how it was closed
}

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.over }

// Err tells why the connection has ended; nil while it has not.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil {
		return nil
	}
	return &LostError{c.cause}
}

// Close ends the connection in good order and waits until nothing is told any more. It may be called twice, and not by
// what a subscription calls. Nets and sessions live on.
func (c *Client) Close() {
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	_ = c.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(farewell)) // the daemon may have gone
	c.end(ErrClosed)
	<-c.over
}
