// Package ecaxis has joints that drives of CiA 402 move on an EtherCAT bus: device type ec_axis. One drive is one joint, several together
// are one mechanism, in one slave or in several; with a table of Denavit and Hartenberg they are an arm with kinematics.
//
//	devices:
//	  - {name: bus, type: ethercat, ethernetdevice: eth1}
//	  - name: table
//	    type: ec_axis
//	    ethercatdevice: bus
//	    axes: "3"                      # slave 3; 3:2 would be the second axis of it
//	    increments: [1048576]          # for a turn of the motor
//	    gear: [100]                    # turns of the motor for one of the joint
//	    min_joint: [-3.1]
//	    max_joint: [3.1]
//	    max_vel: [1]
//	    max_acc: [5]
//
// All that moves, stops and supervises is in rcc/device/drives.
package ecaxis
