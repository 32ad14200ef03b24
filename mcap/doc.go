// Package mcap writes and reads MCAP, an open container format for records that have times: messages on channels, with the
// schemas that describe them, attachments and metadata. Many tools read it. The facts that this package is written from are in
// docs/facts/mcap.md.
//
// A [Writer] needs an io.Writer only, and what it has written before a power failure can be read. Messages are collected in
// chunks, which are compressed and indexed; the end of the file has an index of everything.
//
// A [Reader] reads from the beginning to the end, which also works for a file that was cut off. A [File] uses the index, and
// reads those chunks only that it needs. Both are for files that somebody else has made: they check every length and every check
// sum, need as much memory as [Limits] says, and end with one [Error] that names the place.
//
// The package knows nothing of the daemon.
package mcap
