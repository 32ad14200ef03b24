// Package websocket carries DirectIO over WebSockets (RFC 6455), in two ways behind one interface.
//
// Ordinary clients are served by gorilla/websocket. Existing clients of DirectIO break the standard: they send no
// Sec-WebSocket-Version and do not mask their frames, which every common library refuses. Clients without that header
// get the small codec of this package, which takes masked and unmasked frames, joins text, binary and continuation
// frames until the last one, and returns the body of pings and of the closing frame as it came (ADR 0004).
//
// Nothing is sent between the answer to the handshake and the first frame of the client: existing clients read the
// answer through a buffer that may swallow what follows it.
package websocket
