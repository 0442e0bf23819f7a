// Package capture writes and reads packet captures: pcapng files of RoCEv2 frames.
//
// # Files
//
// A capture has one interface for every port of the network, named host3:0 or switch16:2 (node and
// port, from 0), with the rate of its link and time stamps in picoseconds since the start of the
// run (if_tsresol 12). A packet is seen when it begins to leave a port (outbound) and when it has
// arrived completely (inbound); what is lost on a link is seen at one end only. Packets carry an
// id that is the same at all ports (epb_packetid), but for PFC frames, which belong to one link and have none.
// The format is draft-ietf-opsawg-pcapng. Tshark and
// Wireshark show nanoseconds, and misread picoseconds beyond the first 18.4 ms of a second
// ([Misread]): for longer runs there are files that count nanoseconds.
//
// # Frames
//
// What the simulator counts in bytes becomes a frame that other tools can read:
//
//	data    Ethernet, IPv4, UDP 4791, BTH (RC SEND first, middle, last or only), zeros, ICRC, FCS;
//	        as RDMA WRITE if wanted, with a RETH in the first or only packet: the message's length
//	        a trimmed packet is what is left of it, without a byte of the message, in class 0, which no flow has
//	ACK     the same with BTH (RC Acknowledge) and AETH; a NACK has the syndrome "PSN sequence error"
//	CNP     BTH opcode 0x81 and 16 reserved bytes (RoCEv2, InfiniBand 1.2.1 annex A17.9.3)
//	grant   BTH opcode 0xc0, CNM 0xc1 and answer of ConWeave 0xc2, of those left to manufacturers, and 16 bytes: the value
//	        granted or fed back, and the sequence number, 64 bits each; of an answer, its content, and 0. Labels of data are left out
//	PFC     MAC control frame of IEEE 802.1Qbb: classes and quanta; a pause without end has 65535, and the comment "until resumed"
//
// Packets of credit flow control, which InfiniBand alone has, are left out.
//
// A frame has the simulated size, its FCS included, where that holds the headers, and the least
// size that holds them elsewhere: a CNP has 78 bytes. The simulator counts the same headers for every
// data packet, and no RETH: its 16 bytes take the place of as many of the message. Payloads are not
// padded to multiples of 4. What a scheme adds to a packet, such as INT,
// stands as zeros before the message; where the length does not tell how many bytes of a data packet are
// the message's, a comment of the packet does (opt_comment, "message bytes: 1000"). Addresses are 11.0.0.1 and upwards as in fct.txt; a MAC
// address holds node and port of the link's end (02, node in 3 bytes, port in 2). The class of a
// packet is its IP precedence (class selector), its marks are the ECN bits, and BECN of the BTH is
// an echo. Queue pairs are the flow's number plus 2. The PSN counts packets of the MTU in the
// flow, and UDP's source port is the data packet's, both ways. With all bytes captured ICRC and FCS are right;
// with fewer (96 hold all headers) the original length still tells, but tshark 4.0 calls the packet
// malformed after the BTH.
package capture
