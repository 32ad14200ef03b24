// Package directio is the daemon's side of everything that comes in over the network: DirectIO on WebSocket and, where it
// is wanted, on bare TCP, and beside it on the same listener the HTTP pages.
package directio
