// Package extension reads the extensions of users: folders with a manifest that bring primitives written as nets and
// devices (docs/guide-extension.md, ADR 0016). What is read is data. Declare makes a catalogue with it.
package extension
