// Package coe has the language of mailboxes: the header of mail, and the protocol CoE (ETG.1000.6 §5.6)
// with objects that are read and written (SDO), descriptions of objects (SDO information) and emergencies. It does no I/O.
//
//	mail   length 2 | address 2 | channel 1 | type and counter 1 | …
//	CoE    number and service 2 | …                                  SDO: command 1 | index 2 | subindex 1 | 4 bytes, or more
//
// A Client carries out one transfer at a time: it says what to send and takes what has come. A Server answers for a
// Dictionary. Both are pure: the same mails give the same answers, whatever carries them and whenever.
package coe
