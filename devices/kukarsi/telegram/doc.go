// Package telegram reads and writes the telegrams of RSI (§11.3): small pieces of XML that a controller of a robot sends in
// every cycle, and the answers to them. It has both directions, for drivers and for simulated controllers.
//
//	<Rob Type="KUKA"><AIPos A1="0.0" A2="-90.0" …/><Delay D="0"/><IPOC>4485717</IPOC></Rob>     Reader
//	<Sen Type="ImFree"><AK A1="0.0000" …/><Stop>0</Stop><IPOC>4485717</IPOC></Sen>              Writer
//
// Configuration on both sides says what is in a telegram: a Field is an attribute or the text of an element, found
// by its name wherever it stands, and unrequested elements are skipped. Only IPOC, the time stamp of the
// controller, is always there; it is handed on as text, because it must come back unchanged.
//
// Reading and writing are for the cycle: one pass over the text, a table of names that was made at load, numbers in fixed
// point, no allocation. A subset of XML is accepted. Documents that need more, such as types, sections of raw
// characters or numbered characters, are refused.
package telegram
