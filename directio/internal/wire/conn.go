package wire

// Conn is a connection that carries one statement per message.
//
// ReadMessage and WriteMessages are each called by one goroutine, Close by any, and it ends the other two.
type Conn interface {
	// ReadMessage waits for the next message. io.EOF means that the peer has said goodbye.
	ReadMessage() (string, error)
	// WriteMessages hands messages to the peer, as many at once as fit, or gives up when the peer does not take them in time.
	// It does not keep them.
	WriteMessages(messages ...[]byte) error
	// Close ends the connection. The peer is told the reason where the transport has a place for it.
	Close(reason string) error
}

// BinaryConn is a connection that carries messages of bytes too. WriteBinary and WriteMessages are called by the same goroutine.
type BinaryConn interface {
	Conn

	// WriteBinary hands a message to the peer, or gives up when the peer does not take it in time. It does not keep it.
	WriteBinary(message []byte) error
}
