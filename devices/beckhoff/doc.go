// Package beckhoff drives the terminals of Beckhoff on an EtherCAT bus (§9.4.2): a coupler, digital and analog inputs and outputs, each a
// device of its own with the ports of io. Types have the order numbers of the terminals.
//
//	devices:
//	  - {name: bus, type: ethercat, ethernetdevice: eth1}
//	  - {name: buttons, type: el1008, ethercatdevice: bus, slave: 2}
//	  - {name: lamps, type: el2008, ethercatdevice: bus, slave: 3}
//
// Which process data a terminal has depends on its revision. They are matched by size and order, not by the numbers of objects; what does
// not fit keeps only this terminal offline.
//
// An input without a value is not a value: where the slave is lost or the bus does not run, digital inputs are off and analog ones NaN, as
// are those that the terminal itself says are not to be used. Outputs that have been off because the slave was not in operation stay off
// until they are written again.
package beckhoff
