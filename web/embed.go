// Package web holds the files of the browser client: ES modules written by hand, without tools and dependencies.
//
//	directio.js  a client of the DirectIO protocol (§7.6.3) over WebSocket
//	instance.js  which daemon a page is of
//	plot.js      values over time on a canvas
//	numbers.js   numbers as people read them
//	scene.js     arms in space on a canvas
//	cell.js      the page of the cell
//	debug.js     the debugging log of a net
//	live.js      what the pages of package directio/pages do when scripts run
//	style.css    light and dark
//
// The tests of the modules run under node --test, by go test where node is installed.
//
// The folder pride is the application at /pride/, in TypeScript. It is built by make pride where npm is, into a folder that is embedded and
// not committed; a binary that was built without it has a page that says so.
package web

import "embed"

// Files are the files that browsers get.
//
//go:embed directio.js instance.js plot.js numbers.js scene.js cell.js debug.js live.js style.css icon.svg
var Files embed.FS

// Pride is the folder pride/dist: missing.html, and below app what was built.
//
//go:embed pride/dist
var Pride embed.FS
