// Package pages answers HTTP requests: the addresses under which people, scripts and applications see the core and
// load nets (§7.6.2).
//
// Every address has one view, a struct whose tags are its contract, and answers it in the form that the client asks
// for: HTML to browsers, JSON to those who name it, XML to all others, as existing clients expect. The path of a request:
//
//	Guard      refuses what a foreign page made a browser send
//	Fold       turns // into /, which existing clients send
//	router     finds the handler; knows 307, 404 and 405
//	handler    works on the facade of package rcc, shows a view or returns an error
//	answer     writes view or error, with its length
//
// Errors come from one table (problem.go) that says for each what to do about it.
//
// The live parts of the pages are made by the modules of package web, which talk DirectIO like any other client. All
// that they do can be done without them too, by forms.
package pages
