// Package scopes runs scopes on nets, devices and executors, and serves them at /scope/ (docs/guide-scope.md, ADR 50).
//
//	Scopes   running scopes, saved setups, the newest capture of each
//	Running  a scope that runs: a goroutine reads its sources, 20 times a second, and gives them to rcc/scope
//	source   where channels with common ticks come from: a probe of a net, the figures of a device or of an executor
//	watcher  events of the cell, for triggers that wait for them
//
// Nets are probed, so that every cycle is seen. Figures are read as often as sources; they are those that the pages of devices
// and executors show, by their names in JSON.
package scopes
