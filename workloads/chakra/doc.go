// Package chakra reads execution traces in the format of MLCommons Chakra (Sridharan et al., Chakra: Advancing Performance
// Benchmarking and Co-design using Standardized Execution Traces, arXiv 2305.14516), the input of ASTRA-sim and others, and
// makes a schedule in GOAL of them.
//
// There is a file for each rank, NAME.RANK.et, which may be compressed, NAME.RANK.et.gz: messages of Protocol Buffers, each behind
// its length as a varint, the first of them GlobalMetadata, the others Node. The schema is et_def.proto of
// github.com/mlcommons/chakra, under the MIT licence, with values in attributes of typed names (version 0.0.4 and later).
//
// A node begins as soon as those in its data_deps and ctrl_deps have ended:
//
//	COMP_NODE, METADATA_NODE        computing of duration_micros, on the processor (is_cpu_op, which is true where it is not
//	                                given) or on the accelerator; each does one node at a time, as a cpu in GOAL does
//	MEM_LOAD_NODE, MEM_STORE_NODE   the same on a third unit, the memory
//	COMM_SEND_NODE, COMM_RECV_NODE  send and recv in GOAL: comm_size bytes to comm_dst or from comm_src, with comm_tag
//	COMM_COLL_NODE                  a collective of the ranks that have one with the same pg_name, or of all without it. The
//	                                k-th collective in the file of each of them is the same; their order, as in a ring, is
//	                                that of their numbers
//
// The comm_size of a collective is that of what every rank puts in, as in ASTRA-sim and in traces of PyTorch. Of n ranks in:
//
//	ALL_REDUCE      each sends an n-th to the next one, in 2(n-1) steps, each as soon as all of those before have arrived
//	REDUCE_SCATTER  the same in n-1 steps; so does REDUCE_SCATTER_BLOCK
//	ALL_GATHER      each sends comm_size bytes to the next one, in n-1 steps
//	ALL_TO_ALL      each sends an n-th to every other one, all at once; sizes may differ
//	BROADCAST       comm_size bytes go down a binomial tree from the first rank, since the schema names no root; a rank sends
//	                one message after another
//	BARRIER         messages of a byte in ceil(log2 n) steps, to ranks 1, 2, 4, ... further on (Hensgen, Finkel and Manber,
//	                Int. J. Parallel Programming 17(1), 1988)
//
// A collective has ended at a rank when its messages to that rank are there and, in ALL_TO_ALL and BROADCAST, those from it
// are acknowledged. Any number of nodes communicate at the same time. How fast a processor, an accelerator or a memory is, is
// not modelled: a node with num_ops or tensor_size and no duration_micros is an error.
package chakra
