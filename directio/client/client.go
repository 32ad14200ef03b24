package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	version = "2.0"
	path    = "DirectIO/" // of the WebSocket, below the address of the daemon

	instanceHeader = "Rccd-Instance"

	writeTime = 10 * time.Second // a daemon that has not taken a statement by then is given up
	alive     = 10 * time.Second // between two questions whether the daemon is still there
	patience  = 3 * alive        // without a sign of it
	farewell  = time.Second      // for the last word to the daemon

	longestMessage = 64 << 20
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("the connection is closed")

// ErrBusy is returned when the daemon has reached a limit; the error is a *RefusedError, and a retry may succeed.
var ErrBusy = errors.New("the daemon is busy")

// RefusedError is returned when the daemon refuses something, with its words.
type RefusedError struct {
	Command string
	Message string

	busy bool
}

func (e *RefusedError) Error() string { return e.Command + ": " + e.Message }

// Is reports whether it is ErrBusy.
func (e *RefusedError) Is(target error) bool { return target == ErrBusy && e.busy }

// LostError is returned when the client is not connected, or has lost its connection.
type LostError struct {
	Cause error
	Sent  bool // the command was under way: it is unknown whether it was carried out
}

func (e *LostError) Error() string {
	if e.Sent {
		return "connection lost before the answer: " + e.Cause.Error()
	}
	return "no connection: " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// Message is a message of a subscription: a word of the protocol, such as ns, and its parameters.
type Message struct {
	Word   string
	Params []any
}

// Client is a connection to a daemon. Everything but Close may be called after it has ended, and fails then.
type Client struct {
	conn     *websocket.Conn
	over     chan struct{} // closed when nothing more is read
	instance string        // which daemon it is: another one after it was started again

	writing sync.Mutex

	mu      sync.Mutex
	calls   int
	waiting map[string]*call // by tag; subscriptions stay
	cause   error            // why it has ended
}

// call is what waits for messages of a tag.
type call struct {
	tag   string
	reply chan Message              // of room one, the answer
	tell  func(Message) (more bool) // of a subscription
	done  bool                      // its last message has come
	known bool                      // its answer has been taken
}

var errAddress = errors.New("expected an address such as http://127.0.0.1:8080")

// Address returns the address of a daemon, such as http://127.0.0.1:8080, or 127.0.0.1:8080 for short.
func Address(text string) (*url.URL, error) {
	whole := text
	if !strings.Contains(text, "://") {
		whole = "http://" + text
	}
	u, err := url.Parse(whole)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errAddress
	}
	return u, nil
}

// Dial connects to the daemon at an address of HTTP (Address), and agrees on the version.
// The context is that of connecting only.
func Dial(ctx context.Context, address string) (*Client, error) {
	return DialInstance(ctx, address, "")
}

// DialInstance is Dial for one instance of the daemon only, with the name that an earlier connection returned (Instance). When
// another one answers, the error is ErrRestarted.
func DialInstance(ctx context.Context, address, instance string) (*Client, error) {
	u, err := Address(address)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", address, err)
	}
	u.Scheme = map[string]string{"http": "ws", "https": "wss"}[u.Scheme]
	header := http.Header{}
	if instance != "" {
		header.Set(instanceHeader, instance)
	}
	conn, answer, err := websocket.DefaultDialer.DialContext(ctx, u.JoinPath(path).String(), header)
	if answer != nil {
		_ = answer.Body.Close() // all of it has been read
	}
	if err != nil {
		if answer != nil && isOther(answer, instance) {
			return nil, fmt.Errorf("%s: %w", address, ErrRestarted)
		}
		if answer != nil {
			err = fmt.Errorf("%w: %s", err, answer.Status)
		}
		return nil, &LostError{Cause: err}
	}
	c := &Client{conn: conn, over: make(chan struct{}), instance: answer.Header.Get(instanceHeader), waiting: map[string]*call{}}
	conn.SetReadLimit(longestMessage)
	conn.SetPongHandler(func(string) error { return conn.SetReadDeadline(time.Now().Add(patience)) })
	go c.listen()
	go c.keepAlive()
	if _, err := c.Call(ctx, "ver", version); err != nil {
		c.end(err)
		return nil, err
	}
	return c, nil
}

// Call sends a command and returns the parameters of its ok. An err of the daemon is a *RefusedError, a connection that has
// ended a *LostError.
func (c *Client) Call(ctx context.Context, command string, params ...any) ([]any, error) {
	w, err := c.begin(ctx, nil, command, params)
	if err != nil {
		return nil, err
	}
	return c.finish(ctx, w, command)
}

// Subscribe sends a command that subscribes to something, such as gne, and passes the messages of the subscription to tell, in order,
// also what comes before the answer and long after it, until the connection ends. It is called by the goroutine that
// reads, so nothing else is read while it runs: the daemon then keeps only what is newest. It must not call commands.
func (c *Client) Subscribe(ctx context.Context, tell func(Message), command string, params ...any) error {
	w, err := c.begin(ctx, func(m Message) bool {
		tell(m)
		return true
	}, command, params)
	if err == nil {
		_, err = c.finish(ctx, w, command)
	}
	return err
}

// begin sends a command. Several may be begun before the first is finished: the daemon takes them up in their order.
func (c *Client) begin(ctx context.Context, tell func(Message) (more bool), command string, params []any) (*call, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &call{reply: make(chan Message, 1), tell: tell}
	if err := c.enter(w); err != nil {
		return nil, err
	}
	text, err := (&statement{tag: w.tag, word: command, params: params}).append(nil)
	if err != nil {
		err = fmt.Errorf("%s: %w", command, err)
	} else {
		err = c.send(text)
	}
	if err != nil {
		c.leave(w)
		return nil, err
	}
	return w, nil
}

// enter gives a call its tag.
func (c *Client) enter(w *call) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return &LostError{Cause: c.cause}
	}
	w.tag = "c" + strconv.Itoa(c.calls)
	c.calls++
	c.waiting[w.tag] = w
	return nil
}

func (c *Client) leave(w *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, w.tag)
}

// finish waits for the answer to a command.
func (c *Client) finish(ctx context.Context, w *call, command string) (answer []any, err error) {
	select {
	case m := <-w.reply:
		answer, err = m.result(command)
	case <-ctx.Done():
		err = ctx.Err()
	case <-c.over:
		select {
		case m := <-w.reply: // it had come just before
			answer, err = m.result(command)
		default:
			err = &LostError{Cause: c.reason(), Sent: true}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w.known = true
	if w.tell == nil || w.done || err != nil {
		delete(c.waiting, w.tag)
	}
	return answer, err
}

// result returns what an answer says.
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

// send writes a statement. A connection that takes no more of it is lost: half a statement cannot be taken back.
func (c *Client) send(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	err := c.conn.SetWriteDeadline(time.Now().Add(writeTime))
	if err == nil {
		err = c.conn.WriteMessage(websocket.TextMessage, text)
	}
	if err != nil {
		c.end(err)
		return &LostError{Cause: c.reason(), Sent: true}
	}
	return nil
}

// listen reads until the connection ends.
func (c *Client) listen() {
	defer close(c.over)
	for {
		_ = c.conn.SetReadDeadline(time.Now().Add(patience)) // the error comes from reading
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

// dispatch hands a message to its call or subscription. Answers to calls that were given up are dropped.
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
	case waiting.tell != nil && !waiting.tell(m):
		c.mu.Lock()
		defer c.mu.Unlock()
		waiting.done = true
		if waiting.known {
			delete(c.waiting, s.tag)
		}
	}
}

// keepAlive asks from time to time whether the daemon is still there, so that a cable that was pulled is noticed.
func (c *Client) keepAlive() {
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
	c.blame(cause)
	_ = c.conn.Close() // nothing depends on how it was closed
}

// blame keeps the first cause for which the connection ends.
func (c *Client) blame(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil {
		c.cause = cause
	}
}

// Instance returns the name of the instance: a restarted daemon has another name, and none of the earlier nets, rules and
// sessions. Daemons that are too old to have one are all called "".
func (c *Client) Instance() string { return c.instance }

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.over }

// Err returns the reason why the connection has ended, or nil while it has not.
func (c *Client) Err() error {
	if cause := c.reason(); cause != nil {
		return &LostError{Cause: cause}
	}
	return nil
}

func (c *Client) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// Close ends the connection cleanly and waits until no more messages come. It may be called twice, but not by
// what a subscription calls. Nets and sessions live on.
func (c *Client) Close() {
	c.blame(ErrClosed) // before the daemon can answer
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	_ = c.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(farewell)) // the daemon may have gone
	c.end(ErrClosed)
	<-c.over
}
