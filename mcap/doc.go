// Package mcap writes and reads MCAP, an open container format for records that have times: messages on channels, with the
// schemas that describe them, attachments and metadata. Many tools read it. This package is written from the facts in
// docs/facts/mcap.md.
//
// A [Writer] needs an io.Writer only, and what it has written before a power failure can be read. Messages are collected in
// chunks, which are compressed and indexed; the end of the file has an index of everything.
//
// A [Reader] reads from the beginning to the end, which also works for a file that was cut off. A [File] uses the index, and
// reads only the chunks that it needs. Both are for files of any origin: they check every length and every checksum, need no
// more memory than [Limits] allows, and end with one [Error] that names the place.
//
// The package knows nothing of the daemon.
package mcap
