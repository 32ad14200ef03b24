// Package ecat is the device interface of EtherCAT (§9.4.1, figures 9.4 and 9.5): a bus as seen by the drivers of what is connected
// to it. Drivers of terminals and drives know this package and not the master behind it.
//
//	created     Master.Add(device)                                              steps 1, 2
//	start       Device.Startup(slaves) ──> Slave.Configure, Slave.Attach        steps 3 to 6
//	            Driver.PreOp, Driver.SafeOp                                     steps 7, 8
//	each cycle  Device.Prepare  ──>  Driver.Write  ──>  frames  ──>  Driver.Read      steps 9 to 11
//	stop        Device.Shutdown                                                 steps 12, 13
//	closed      Master.Remove(device)                                           steps 14, 15
//
// A Device is one or several slaves that belong together; a Driver knows the process data of one of them. All devices are prepared
// before any driver writes, so that outputs of the slaves of a device fit together. Writing comes before reading, as what is read
// comes back in the frames that carry what is written.
//
// Between start and stop a bus may lose slaves and bring them back by itself: drivers see the Quality of inputs, and PreOp and SafeOp
// are called again for a slave that is configured again. Start and stop happen again and again, with other slaves.
package ecat
