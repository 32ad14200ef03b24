// Package image lays out the process image: which slave has which bytes of it, and which datagrams carry them with which working
// counter. It does no I/O.
//
//	outputs 0 | inputs 0 | outputs 1 | inputs 1 | …     slaves that can be read and written at once, by LRW
//	outputs … | inputs …                                 all others, by LWR and LRD
//
// Every slave has whole bytes. Its outputs and inputs are next to each other, so that one datagram does both; they never overlap.
package image
