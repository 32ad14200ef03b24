// Package stream tells clients what changes: states of nets, rules, devices, sessions and executors, incidents and lines of the log as
// JSON, and values of ports as columns of bytes, over a WebSocket (docs/guide-stream.md, ADR 49).
//
// The daemon looks at what clients watch once for all of them, at most 20 times a second, and puts it on a board, which numbers the changes
// of its rows. A client is told the rows that have changed since the number that it was told last, when its connection takes a message: one that
// reads slowly is told of fewer changes and how many it has missed, one that does not read at all costs a number. Nobody who looks
// is waited for by whoever changes something.
//
//	conversation   a client: reads its requests, writes for each job what there is by now
//	watch          the job of a client that watches a topic
//	topic          looks at the core while anybody watches
//	board          the rows of a topic, by the number of their last change
//	probe          the job of a client that watches ports; clients that watch the same ones share what the net pays for it
//	pixels         samples for a picture: the extremes of each pixel of time
package stream
