// Package sii reads and writes the memory that describes an EtherCAT slave (SII, ETG.1000.6 §5.4): identity, mailbox,
// and in categories its names, FMMUs, SyncManagers, process data objects and modes of its clock.
//
//	words 0x00-0x07   configuration of the part, alias, check sum      0x14-0x1c   mailboxes and protocols
//	words 0x08-0x0f   vendor, product, revision, serial number         0x3e-0x3f   size and version
//	words 0x40…       categories: type, length in words, data          0xffff ends
//
// Reading is tolerant, since what is in the field is often half right: everything that can be made sense of is there, and Problems
// reports the rest. It is bounded whatever the image. Writing makes one category of each kind, because common masters see only
// the first.
package sii
