// Package univaldrive drives Stäubli's TX90 by the uniVAL drive of its controller (§9.4.3): device type staubli_tx90_ec. The controller is
// one slave on an EtherCAT bus with the axes of the arm as drives of CiA 402, in cyclic synchronous position mode (package drives).
//
// Facts about these drives that are not public are configuration: their identity, their process data, the counts of a rad.
package univaldrive
