// Package extension reads the extensions of users: folders with a manifest that bring primitives written as nets and
// devices (docs/guide-extension.md, ADR 0016). Reading returns data only; Declare makes a catalogue of it.
package extension
