package traces

// The formats of the reference simulator, whose lines have no names of their own.

var topologySchema = Schema{"topology.txt", "Input. First line: nodes, switches, links; then the switch ids; then one link per line:", []Column{
	{"a", "int", "node id", "one end; node ids count from 0"},
	{"b", "int", "node id", "the other end"},
	{"rate", "text", "rate", "such as 100Gbps; each way; from 1Kbps to 1000Tbps"},
	{"delay", "text", "time", "propagation, such as 1000ns or 0.001ms; at most 1h"},
	{"error_rate", "decimal", "probability", "that a packet is lost, each way"},
}}

var flowSchema = Schema{"flow.txt", "Input. First line: number of flows; then one flow per line, sorted by start (further lines are ignored):", []Column{
	{"src", "int", "node id", "source host"},
	{"dst", "int", "node id", "destination host"},
	{"priority_group", "int", "1 to 7", "traffic class"},
	{"dst_port", "int", "port", "destination port"},
	{"bytes", "int", "B", "size of the message, at least 1"},
	{"start", "decimal", "s", "start"},
}}

var scheduleSchema = Schema{"job.goal", "Input. A schedule in GOAL, the language of LogGOPSim and ATLAHS, in text (go doc ./workloads/goal): num_ranks N, and for each rank \"rank R {\", its statements and \"}\". Ranks are the hosts in their order. Comments begin with # or //, or are between /* and */. Statements:", []Column{
	{"[label:] send SIZEb to RANK", "statement", "B", "a message, of at least one byte; ends with the last acknowledgement. Behind it tag, cpu and nic with a number may follow; cpu and nic have no effect"},
	{"[label:] recv SIZEb from RANK", "statement", "B", "ends when its message is there: of those from the rank with the same tag (without one: 0) the one with the same place in the order of the file; the size has no effect"},
	{"[label:] calc TIME", "statement", "ns", "computing; behind it cpu with a number may follow (without it: 0): a cpu does one calc at a time"},
	{"label requires label", "statement", "", "the first begins when the second has ended"},
	{"label irequires label", "statement", "", "the first begins when the second has begun"},
}}

var chakraSchema = Schema{"job.RANK.et", "Input. Execution traces of MLCommons Chakra, one file for each rank, from 0 on, with .gz behind the name or not; ranks are the hosts in their order (go doc ./workloads/chakra). Each is messages of Protocol Buffers behind their lengths, a GlobalMetadata and Nodes, as et_def.proto has them from version 0.0.4 on. A node begins when those in its data_deps and ctrl_deps have ended. Nodes:", []Column{
	{"COMP_NODE, METADATA_NODE", "node", "us", "computing of duration_micros, on the processor, or on the accelerator if is_cpu_op is false; each does one at a time. Without duration_micros num_ops and tensor_size are errors"},
	{"MEM_LOAD_NODE, MEM_STORE_NODE", "node", "us", "the same on the memory"},
	{"COMM_SEND_NODE", "node", "B", "a message of comm_size to comm_dst, with comm_tag (without one: 0); ends with the last acknowledgement"},
	{"COMM_RECV_NODE", "node", "", "ends when its message is there: of those from comm_src with the same comm_tag the one with the same place in the order of the file"},
	{"COMM_COLL_NODE", "node", "B", "a collective of the ranks with the same pg_name, without it of all: the k-th of each is the same one. By comm_type, and comm_size, which is what a rank puts in: ALL_REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK and ALL_GATHER in a ring, ALL_TO_ALL all at once, BROADCAST from the first rank along a binomial tree, BARRIER"},
}}

var nodesSchema = Schema{"trace.txt", "Input. The nodes whose packet events are recorded: their number, then", []Column{
	{"node", "int", "node id", "a node; repeated"},
}}

var fctTextSchema = Schema{"fct.txt", "Output. One line for each finished flow, in order of completion:", []Column{
	{"src", "hex", "IPv4 address", "source: 0b000001 + (id/256 << 16) + (id%256 << 8)"},
	{"dst", "hex", "IPv4 address", "destination"},
	{"src_port", "int", "port", "source port"},
	{"dst_port", "int", "port", "destination port"},
	{"size", "int", "B", "size of the message"},
	{"start", "int", "ns", "start"},
	{"fct", "int", "ns", "flow completion time"},
	{"standalone_fct", "int", "ns", "completion time of the flow alone in the network"},
}}

var pfcTextSchema = Schema{"pfc.txt", "Output. One line for each PFC frame received:", []Column{
	{"time", "int", "ns", "arrival"},
	{"node", "int", "node id", "the device that received the frame"},
	{"node_type", "int", "", "0 host, 1 switch"},
	{"port", "int", "port, from 1", "the port that received it"},
	{"type", "int", "", "1 pause, 0 resume"},
}}

var queueTextSchema = Schema{"qlen.txt", "Output. Blocks of \"time: NS\" and, for each switch port, a histogram since the start of sampling:", []Column{
	{"switch", "int", "node id", "switch"},
	{"port", "int", "port, from 1", "egress port"},
	{"count", "int", "samples", "samples of i kB to below i+1 kB (1 kB = 1000 B), for i = 0, 1, ...; repeated"},
}}

var eventSchema = Schema{"mix.tr", "Output. No trace of the reference with marks, NACKs, drops or PFC frames is known: their records follow our reading of its format. Little endian. Header: number of ports u32; for each port node u16, port u8, rate u64 (bit/s); largest bandwidth-delay product u32 (bytes). Then records of 56 bytes, by offset:", []Column{
	{"0 time", "u64", "ns", "when"},
	{"8 node", "u16", "node id", "where"},
	{"10 port", "u8", "port, from 1", "ingress port of a receipt or of a drop on arrival, else egress port"},
	{"11 queue", "u8", "", "queue of the port; 0 for a receipt"},
	{"12 depth", "u32", "B", "bytes in that queue: before an enqueue, after a dequeue or a drop from it"},
	{"16 sip", "u32", "IPv4 address", "source"},
	{"20 dip", "u32", "IPv4 address", "destination"},
	{"24 size", "u16", "B", "packet on the wire"},
	{"26 protocol", "u8", "", "0x11 data, 0xfc ACK, 0xfd NACK, 0xfe PFC, 0xff CNP, 0xfb CNM, 0xfa grant, 0xf9 credit, 0xf8 other, 0xf7 answer of ConWeave"},
	{"27 event", "u8", "", "0 receive, 1 enqueue, 2 dequeue, 3 drop"},
	{"28 ecn", "u8", "", "IP ECN codepoint: 3 congestion experienced, else 0"},
	{"29 node_type", "u8", "", "0 host, 1 switch"},
	{"30 -", "u16", "", "padding: 0 here, undefined in the reference"},
	{"32 sport", "u16", "port", "source port"},
	{"34 dport", "u16", "port", "destination port"},
	{"36 seq (data)", "u32", "B", "offset of the first byte"},
	{"40 ts (data)", "u64", "ns", "when the packet was made; 0 in profile ns3 unless the scheme is timely"},
	{"48 pg (data)", "u16", "", "traffic class"},
	{"50 payload (data)", "u16", "B", "message bytes"},
	{"52 - (data)", "u32", "", "padding: 0 here, undefined in the reference"},
	{"36 flags (other)", "u16", "", "bit 0: congestion was seen"},
	{"38 pg (other)", "u16", "", "traffic class"},
	{"40 seq (other)", "u32", "B", "next byte expected"},
	{"44 - (other)", "u32", "", "padding: 0 here, undefined in the reference"},
	{"48 ts (other)", "u64", "ns", "ACK, NACK: that time echoed; PFC: classes in bits 0-7, quanta in bits 8-23, bit 24 until resumed"},
}}

var eventTextSchema = Schema{"mix.txt", "Output. The event trace as text, one record per line:", []Column{
	{"time", "int", "ns", "when"},
	{"node", "text", "node id", "where, as n:16"},
	{"port:queue", "text", "port, from 1", "ingress port of a receipt or of a drop on arrival, else egress port; its queue"},
	{"depth", "int", "B", "bytes in that queue: before an enqueue, after a dequeue or a drop from it"},
	{"event", "text", "", "Recv, Enqu, Dequ or Drop"},
	{"ecn", "text", "", "as ecn:3; 3 is congestion experienced, else 0"},
	{"sip", "hex", "IPv4 address", "source"},
	{"dip", "hex", "IPv4 address", "destination"},
	{"sport", "int", "port", "source port"},
	{"dport", "int", "port", "destination port"},
	{"kind", "letter", "", "U data, A ACK, N NACK, P PFC, C CNP, M CNM, G grant, R credit, O datagram of another protocol, W answer of ConWeave; then"},
	{"data", "text", "", "offset of the first byte, time at which the packet was made (ns), traffic class, bytes(message bytes)"},
	{"PFC", "text", "", "classes and quanta as in mix.tr, bytes"},
	{"other", "text", "", "flags as in mix.tr, traffic class, next byte expected, time at which the data packet was made (ns), bytes"},
}}

var captureSchema = Schema{"capture.pcapng", "Output. Packets as RoCEv2 frames (qbb run --pcap) for tshark, Wireshark and qbb inspect, except for those of credit flow control:", []Column{
	{"interface", "text", "", "a port: host3:0 or switch16:2 (node:port, from 0); packets sent are outbound, those received inbound"},
	{"time stamp", "u64", "ps", "since the start of the run: when sending starts or receiving ends; ns with pcap.nanoseconds"},
	{"length", "u32", "B", "length of the frame including its check sequence: that of the packet on the wire, or the least that holds its headers"},
	{"packet id", "u64", "", "the same wherever the packet is seen"},
	{"MAC address", "6 octets", "", "02, node (3 octets), port (2 octets)"},
	{"IP address", "IPv4", "", "of the host, as in fct.txt"},
	{"IP precedence", "0 to 7", "", "traffic class; the ECN bits are the packet's"},
	{"UDP source port", "u16", "port", "the flow's source port, both ways"},
	{"queue pair", "u24", "", "flow_id plus 2, both ways"},
	{"PSN", "u24", "packets", "offset of the packet in the message, in full packets; in an ACK the last one received, in a NACK the one expected"},
	{"BTH opcode", "u8", "", "RC SEND, or with pcap.write RDMA WRITE, whose RETH has the flow's bytes as its length"},
	{"payload", "octets", "", "zeros; what a scheme adds to the headers precedes the message"},
	{"comment", "text", "", "\"message bytes: N\" for data packets whose length does not show it; \"until resumed\" for pauses that do not expire"},
}}
