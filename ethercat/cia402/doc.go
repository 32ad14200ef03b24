// Package cia402 has the drive profile CiA 402 over CoE: states with their words, objects, modes, errors. It does no I/O.
//
//	             0x06                 0x07             0x0f
//	switch-on  ───────> ready to    ─────> switched ─────> operation
//	disabled   <─────── switch on   <───── on       <───── enabled
//	    ^       0x00                 0x06             0x07     │ 0x02
//	    │ rising edge of bit 7                                 v
//	  fault <──── fault reaction <──── from everywhere     quick stop active ──> switch-on disabled
//
// A slave may have several axes: the objects of axis a, from 0, stand 0x800·a further on.
package cia402
