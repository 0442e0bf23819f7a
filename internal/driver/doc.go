// Package driver runs scenarios from files to files: it is what the command does, and Python's
// runs, between the options and the report.
//
//	Setup     the run that a scenario describes; its flows may come from a Parquet file
//	   |
//	Run       moves the simulation on, writes its files as it goes, tells of progress
//	   |
//	Summary   its results: summary.json
//
// Files appear under their names when all are complete ([traces.Output]); a run that is
// interrupted leaves complete files of what it has. It is apart from package scenario since the
// tables are Parquet's, whose library the C library must not contain.
//
// # Results
//
// All outputs depend on the scenario alone, summary.json's part "machine" apart. A run ends with
// the event in which its last flow ends, or at the time stop. Without a retransmission timer
// (profile ns3) a loss can leave a flow unfinished; such a run ends when nothing is left to
// happen. Rows of unfinished flows stand at the end of fct.parquet, by number, with finished = false;
// start_ns is -1 for a flow that waited in vain for another one.
package driver
