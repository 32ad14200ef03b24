// Package scopes runs scopes on what is in the cell, and serves them at /scope/ (docs/guide-scope.md, ADR 50).
//
//	Scopes   those that run, the setups that are kept, the newest capture of each name
//	Running  a scope that runs: a goroutine reads its sources, 20 times a second, and gives them to rcc/scope
//	source   where channels with common ticks come from: a probe of a net, the figures of a device or of an executor
//	watcher  what happens in the cell, for triggers that wait for that
//
// Nets are probed, so that every cycle is seen. Figures are looked at as often as sources are read; they are those that the pages
// of devices and executors show, by their names in JSON.
package scopes
