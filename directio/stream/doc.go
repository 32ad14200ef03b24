// Package stream reports changes to clients: states of nets, rules, devices, sessions and executors, incidents and lines of the log as
// JSON, and values of ports as columns of bytes, over a WebSocket (docs/guide-stream.md, ADR 49).
//
// The daemon reads a topic once for all clients that watch it, at most 20 times a second, and puts it on a board, which numbers the changes of
// its rows. When the connection of a client takes a message, the client gets the rows that have changed since the last number that it was sent.
// A client that reads slowly gets fewer changes and the number that it has missed; a client that does not read costs only a number. Nothing that
// runs waits for a client.
//
//	conversation   a client: reads its requests, and writes what is new for each job
//	watch          the job of a client that watches a topic
//	topic          reads the core while a client watches
//	board          the rows of a topic, by the number of their last change
//	probe          the job of a client that watches ports; clients that watch the same ports share the cost
//	pixels         samples for a picture: the extremes of each pixel of time
package stream
