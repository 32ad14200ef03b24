// Package ecslave makes any slave of an EtherCAT bus a device (§9.4.2): type ec_slave. Its process data are ports of io and entries
// with names and types.
//
//	devices:
//	  - {name: bus, type: ethercat, ethernetdevice: eth1}
//	  - {name: gauge, type: ec_slave, ethercatdevice: bus, slave: 4}
//	  - {name: valves, type: ec_slave, ethercatdevice: bus, slave: 5, esi: files/valves.xml}
//	  - {name: box, type: ec_slave, ethercatdevice: bus, slave: 6, pdo: "0x1600 lamp=0x7000:1/BOOL pad7"}
//
// The layout of process data comes from the configuration (pdo), a device description (esi), or the slave itself: its objects,
// otherwise its SII. In the end the layout that the slave has decides; where the two do not fit the device is offline
// and says why.
//
//	config.go    parameters, and what follows from them without a bus
//	describe.go  the same from a description of the device (ESI)
//	entries.go   from what is known of process data and the layout of the slave to entries and their places
//	slave.go     the driver
//	status.go    what people see
package ecslave
