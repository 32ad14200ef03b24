// Package facts is what there is in the core in the form in which it goes to clients: structures whose tags are their contract, made
// in one place for all doors. Pages show them in HTML, XML and JSON, the stream sends their JSON as it changes.
package facts
