// Package scenario turns a user's options into a run with every choice made.
//
//	Scenario     the options, as in a scenario file or on the command line
//	   |         Complete fills in the blanks; Setup reads files, makes topology and traffic
//	sim.Setup    a run with every choice made
//	   |         sim.Build makes devices, schemes, links, processes
//	sim.Network  a running simulation, which Step moves on
//	   |         an Observer hears what happens
//	TextWriter   an Observer that writes the reference's files
//
// Package driver runs a scenario with all its outputs. This package does not link Parquet, so that the
// C library may contain it; to read flows from Parquet, set Scenario.ReadFlows.
//
// # Scenario files
//
// [Load] reads options in two forms, told apart by content: a scenario in YAML, and the
// config.txt of the NS-3 simulator published with HPCC, which means a scenario of profile ns3.
// A scenario file gives any of the keys that [Keys] lists; the others have the values of the
// profile that it names. Unknown keys, keys given twice and values out of range are one-line
// errors with file and line number:
//
//	run.yaml:3: unknown key "lod": did you mean load? known: ...
//
// File names are relative to the working directory or else to the folder of the scenario file.
// [Scenario.Print] writes the scenario in force with nothing left blank; read back, it prints
// the same and gives the same run, byte for byte.
//
// # Profiles
//
// native is our choice; ns3 gives the reference's files byte for byte ([sim.Profile]).
//
// # Flows
//
// Flows come from a workload (Poisson arrivals), an incast, patterns, a file, a schedule, and the
// program (Scenario.Added), all of which may be combined. They are numbered in the order of their
// start; those of a file alone keep its order. A flow may wait for the end of an earlier one (column after); its start then counts
// from when its source knows of that. The scheme of a flow is the one that the file names for it,
// otherwise that of its tag (cc_by_tag), otherwise cc.
package scenario
