// Package sim is a running simulation: devices, schemes and links put together and moved on by
// the engine. It reads and writes no files; scenario makes its Setup from a user's options.
//
//	Setup     a run with every choice made
//	   |      Build makes devices, schemes, links, processes
//	Network   a running simulation, which Step moves on
//	   |      Observer hears what happens
//	Record, Counters, Histogram   the results
//
// # Parts
//
// With Setup.Threads, or if it is large and events are in the order of entities, the network is cut
// into parts that threads run in parallel, unless something in the run acts at once on distant nodes,
// or is recorded in an order that all nodes share. A part keeps its own counts and records (part);
// the recorder and the observer get them when the parts have met, in the order of events. Results
// do not depend on the cut. Where links are short, parts would meet too often to be of use
// ([Setup.UsefulThreads]).
//
// # Closed loops
//
// With Setup.ClosedLoop the program that calls Step adds flows as others end or arrive ([Network.Add], [Network.TakeEnd],
// [Network.TakeArrival]): one part runs them. A program with an event loop of its own takes [Hosted] instead.
//
// # Profiles
//
// A [Profile] is a named set of options of one implementation. native has a clock of
// picoseconds, RoCEv2 frames, pauses that expire, retransmission timers so that every run ends,
// and nothing that is global: ties and random numbers depend on entities. ns3 has the
// reference's arithmetic, order of events and random sequences.
package sim
