package wire

// Conn is a connection that carries one statement per message.
//
// ReadMessage and WriteMessage are each called by one goroutine, Close by any, and it ends the other two.
type Conn interface {
	// ReadMessage waits for the next message. io.EOF tells that the peer has said goodbye.
	ReadMessage() (string, error)
	// WriteMessage hands a message to the peer, or gives up when the peer does not take it in time.
	WriteMessage(text string) error
	// Close ends the connection. The peer is told the reason where the transport has a place for it.
	Close(reason string) error
}
