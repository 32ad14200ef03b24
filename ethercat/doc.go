// Package ethercat is a master of EtherCAT: it finds slaves, configures them, takes them to Op, exchanges process data with them in
// each cycle, keeps their clocks together, and brings back those that are lost.
//
//	goroutine    Start: scan, rack, devices, Pre-Op, image, clocks, Safe-Op, Op      Tend: states, mailboxes, clocks, recovery
//	                  │ layout, drivers                    │ batch of datagrams
//	                  v                                    v
//	the cycle    Exchange: Prepare, Write ─> frames: clock | image | states | spare ─> Read      clock ─> when the next cycle begins
//	                                            │ ^
//	                                            v │
//	link         what carries frames (package link)
//
// Until the bus goes to Safe-Op the goroutine owns the link; from then on the thread of the bus does, by Exchange, and what goroutines
// have to say to slaves travels in the spare room of its frames or in a frame behind them. The cycle waits for nothing but
// the slaves, and for them only until Options.Answer; frames that come later, but before the next, are taken into account then. Exchange
// and all that it calls are cycle code (docs/architecture.md).
//
// # Devices
//
// Package rcc/device/ecat says what devices and drivers are; they import it instead of this one. They are called as figure 9.5
// has it. Inputs of a slave that did not take part are held for some cycles (Options.Patience) and then invalid, never just old.
//
// # Where to look
//
//	master.go     options, start and stop          exchange.go    the cycle
//	scan.go       which slaves there are           flight.go      frames on their way, and which are not ours
//	memory.go     their SII                        batch.go       datagrams beside the cycle; courier.go is the other side of it
//	topology.go   what is connected to what        mailbox.go     objects of slaves (CoE)
//	rack.go       what should be there             pdo.go         which process data there are
//	states.go     the way to Op (ETG.1000.6 §6.4)  configure.go   SyncManagers, FMMUs, image
//	clocks.go     distributed clocks               recover.go     slaves that have left Op
//	lane.go       slaves at the same time          silent.go      slaves in Op that exchange nothing, ages
//
// What the standard says and what slaves do is in SPECNOTES.md. Arithmetic without a bus is in packages beside this one: clock,
// image, wire, sii, coe; simulated slaves are in sim.
package ethercat
