// Package directio serves the network: DirectIO over WebSocket and, if it is configured, over bare TCP, and the HTTP pages on the
// same listener as the WebSocket.
package directio
