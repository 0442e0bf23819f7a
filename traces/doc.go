// Package traces reads and writes qbb's files.
//
// # Formats
//
// The manual of every format, with type, unit and meaning of each column, is data:
// [Schemas] returns it. Parquet tables and config.txt are
// described by the tags of the very types that are read and written ([FCTRow],
// [QueueCDFRow], [PFCRow], [PortRow], [SeriesRow], [ScheduleRow], [ManagerRow], [SweepRow], [Config]), so the manual cannot drift.
//
//	input                   function
//	config.txt              LoadConfig
//	topology.txt            LoadTopology
//	flow.txt, CSV           LoadFlows, then CheckFlows against the topology
//	flow.txt, CSV, Parquet  tables.LoadFlows
//	trace.txt               LoadNodes
//	fct.txt                 ReadFCT
//	fct.txt, fct.parquet    tables.LoadFCT
//	mix.tr                  NewEventReader of Open
//	mix.txt                 NewEventTextReader of Open
//	any Parquet output      tables.Scan
//	any Parquet, as text    tables.Text
//
//	output                  function
//	topology.txt            AppendTopology
//	flow.txt                AppendFlows
//	flow CSV                AppendFlowTable
//	fct.txt                 AppendFCT
//	pfc.txt                 AppendPFC
//	qlen.txt                AppendQueues
//	mix.tr                  EventEncoder
//	mix.txt                 AppendEventText
//	fct.parquet             tables.Create[FCTRow]
//	queue_cdf.parquet       tables.Create[QueueCDFRow], AppendQueueCDF
//	pfc.parquet             tables.Create[PFCRow]
//	ports.parquet           tables.Create[PortRow]
//	series.parquet          tables.Create[SeriesRow]
//	schedule.parquet        tables.Create[ScheduleRow]
//	dcms.parquet            tables.Create[ManagerRow]
//	dcms_counters.parquet   tables.Create[SweepRow]
//	summary.json            WriteJSON
//
// Package capture holds captures of packets, and package tables everything that needs the Parquet
// library, which not every program may link; the types of the rows and the manual are here.
//
// The text formats and mix.tr are those of the NS-3 simulator published with HPCC, byte
// for byte, except for the padding inside the records of mix.tr, which that simulator leaves
// undefined and this package sets to zero. No mix.tr of that simulator with NACKs, PFC
// frames, drops or congestion marks was at hand: their codes are this package's.
//
// # Reading
//
// Text may be compressed with gzip or zstd, whatever its name; Parquet compresses by
// itself. Memory is bounded by the content, never by a count that a file announces. A
// mistake is reported as one line (see [SyntaxError]):
//
//	config.txt:3: unknown key "CC_MOD": did you mean CC_MODE?
//
// What follows the entries that a count announces is ignored, as by the reference; if it
// looks like a further entry, a [SurplusError] is returned with the entries.
//
// The name among a function's arguments is what errors call the file.
//
// # Writing
//
// The Append functions write to memory; those of fct.txt, pfc.txt, qlen.txt, mix.tr and mix.txt allocate nothing once the
// slice has grown. An [Output] holds several files back until all are complete.
//
// # Units and numbering
//
// Times in Parquet are nanoseconds in double precision: [PicosOf] recovers the picosecond
// exactly below 4398 s. Sizes are bytes, rates bit/s. Nodes count from 0. Ports count from 0
// in the order of a node's links, as in [topo.Topology], in Parquet and in Go; the
// reference's formats count them from 1, and only the functions that read or write those
// formats know.
package traces
