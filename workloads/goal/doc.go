// Package goal replays schedules in GOAL, the Group Operation Assembly Language (Hoefler, Siebert, Lumsdaine: Group
// Operation Assembly Language, ICPP 2009), in the text form of LogGOPSim and ATLAHS: traces of AI, HPC and storage jobs.
//
//	num_ranks 2
//	rank 0 {
//	l1: calc 5000
//	l2: send 8192b to 1 tag 0
//	l2 requires l1
//	}
//	rank 1 {
//	l1: recv 8192b from 0 tag 0
//	l2: calc 100 cpu 1
//	l2 requires l1
//	}
//
// Every rank has operations, which begin as soon as what they require has come about: "a requires b" waits for the end of
// b, "a irequires b" for its beginning. Labels are those of a rank.
//
//	send  a message, of at least one byte. It ends with the last acknowledgement
//	recv  ends when its message is there: of the messages with its source and tag the one that has the same place in the
//	      order of the file. It is there with its last byte. The size of a recv does not matter
//	calc  takes a number of nanoseconds on its cpu, 0 without one. A cpu does one at a time, in the order in which they can
//	      begin; of those that can begin at the same time, first those whose operations before ended first
//
// Messages leave whether or not their recv has begun (the eager protocol). A message from a rank to itself is there at once.
// LogGOPSim's parameters (o, g, G, L) have no place here, since the network is simulated; nor has the nic of a message: a
// host uses all its links.
//
// A [Schedule] is what a file says, or what a [Builder] was told by a reader of another format; a [Program] is the state of
// one rank in a run: a state machine, to which time and the ends of messages are arguments, and which answers with the
// messages to send and the next time at which to be asked. It also tells when its [Operation]s began and ended.
package goal
