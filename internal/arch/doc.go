// Package arch holds the architecture of the repository as tables that a test reads: which package may import which,
// which libraries are allowed where, and where a clock may be read (docs/architecture.md).
//
// A new package needs a row in layers. When the test refuses an import, the import is nearly always what is wrong.
package arch
