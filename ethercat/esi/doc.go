// Package esi reads descriptions of EtherCAT devices: ESI files, which are XML (ETG.2000). Makers give one with each device; it says what
// process data there are under which names and types, which objects are written at the start, how clocks are used, and which modules
// fit into which slots.
//
//	f, err := esi.Read(r, "valves.xml")
//	d, err := f.Find(esi.Wanted{Product: 0x1234})
//	s, err := d.Select(esi.Choice{Modules: []string{"8 DI", "4 AO"}})
//
// A File has the contents; a Selection has those of one slave: PDOs that are assigned, objects, clock. Every error says
// in which line of the file it is. Parts that are not needed here are skipped: pictures, texts for tools, sizes of memories.
package esi
