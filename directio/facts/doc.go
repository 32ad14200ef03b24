// Package facts describes the contents of the core in the form that clients get: structures whose tags are their contract, made in
// one place for all protocols. Pages show them in HTML, XML and JSON, the stream sends their JSON when it changes.
package facts
