package capture

import (
	"encoding/binary"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Lengths of headers, bytes.
const (
	ethLen  = 14
	ipLen   = 20
	udpLen  = 8
	bthLen  = 12
	aethLen = 4
	rethLen = 16
	bodyLen = 16 // of CNPs, grants, CNMs and answers of ConWeave
	icrcLen = 4
	fcsLen  = 4

	bthAt    = ethLen + ipLen + udpLen
	dataLen  = bthAt + bthLen + icrcLen + fcsLen // of an empty data packet
	leastLen = 64                                // of an Ethernet frame
)

// LeastSnap is the least number of bytes of a frame that a [Reader] needs, 0 in Options.Snap aside.
const LeastSnap = bthAt + bthLen + bodyLen

// Numbers of protocols.
const (
	etherIPv4       = 0x0800
	etherMACControl = 0x8808 // IEEE 802.3 clause 31
	opcodePFC       = 0x0101 // IEEE 802.1Qbb
	protocolUDP     = 17
	portRoCE        = 4791
)

// BTH opcodes (InfiniBand 1.2.1, table 38).
const (
	sendFirst   = 0x00
	sendMiddle  = 0x01
	sendLast    = 0x02
	sendOnly    = 0x04
	writeFirst  = 0x06
	writeMiddle = 0x07
	writeLast   = 0x08
	writeOnly   = 0x0a
	acknowledge = 0x11
	opcodeCNP   = 0x81 // annex A17.9.3
	opcodeGrant = 0xc0 // 0xc0 to 0xff are the manufacturers'
	opcodeCNM   = 0xc1
	opcodeWeave = 0xc2
)

// AETH syndromes (table 45 and 46).
const (
	syndromeACK  = 0x1f // credits are not used
	syndromeNACK = 0x60 // PSN sequence error
)

const (
	firstQP = 2 // 0 and 1 are for management
	mask24  = 1<<24 - 1
	becn    = 1 << 6  // in the byte after the partition key
	ackReq  = 1 << 31 // in the word with the PSN
)

// mac is the address of a port.
type mac [6]byte

func macOf(node core.NodeID, port int) mac {
	return mac{2, byte(node >> 16), byte(node >> 8), byte(node), byte(port >> 8), byte(port)}
}

// pfcGroup is the address of PFC frames, which no bridge forwards.
var pfcGroup = mac{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01}

// framer makes frames of packets.
type framer struct {
	mtu   int64                  // message bytes of a full packet
	bytes func(flow int64) int64 // size of a flow's message
	write bool                   // messages are RDMA WRITEs, not SENDs
	head  invariant
}

// appendFrame appends the frame of a packet that goes from one port to another, at most snap bytes
// of it, and returns its whole length.
func (f *framer) appendFrame(dst []byte, s *traces.Sighting, from, to mac, snap int) ([]byte, int) {
	start := len(dst)
	p := &s.Packet
	if p.Kind == core.Pause {
		to = pfcGroup
	}
	dst = append(dst, to[:]...)
	dst = append(dst, from[:]...)
	n := leastLen
	if p.Kind == core.Pause {
		dst = appendPFC(dst, core.PauseWord(p.Aux))
	} else {
		n = max(int(p.Size), f.lengthOf(p))
		dst = f.appendRoCE(dst, s, n)
	}
	if n-fcsLen-icrcLen >= snap { // what is cut off is not made
		dst = zeroTo(dst, start+snap)
		return dst[:start+snap], n
	}
	end := start + n - fcsLen
	if p.Kind != core.Pause {
		dst = zeroTo(dst, end-icrcLen)
		dst = binary.LittleEndian.AppendUint32(dst, f.icrc(dst[start:]))
	}
	dst = zeroTo(dst, end)
	dst = binary.LittleEndian.AppendUint32(dst, crc(dst[start:]))
	return dst[:start+min(n, snap)], n
}

// lengthOf is the least length of a frame with RoCEv2 headers.
func (f *framer) lengthOf(p *core.Packet) int {
	switch p.Kind {
	case core.Data:
		if f.write && p.Seq == 0 {
			return dataLen + rethLen
		}
		return dataLen
	case core.Ack, core.Nack:
		return dataLen + aethLen
	}
	return dataLen + bodyLen
}

func zeroTo(dst []byte, n int) []byte {
	return appendZeros(dst, max(0, n-len(dst)))
}

// appendPFC appends what follows the addresses of a PFC frame.
func appendPFC(dst []byte, w core.PauseWord) []byte {
	dst = binary.BigEndian.AppendUint16(dst, etherMACControl)
	dst = binary.BigEndian.AppendUint16(dst, opcodePFC)
	dst = binary.BigEndian.AppendUint16(dst, uint16(w.Classes()))
	quanta := w.Quanta()
	if w.Forever() {
		quanta = 0xffff
	}
	for class := range 8 {
		if w.Classes()>>class&1 == 0 {
			dst = append(dst, 0, 0)
		} else {
			dst = binary.BigEndian.AppendUint16(dst, quanta)
		}
	}
	return dst
}

// appendRoCE appends what follows the addresses of a frame of n bytes, up to its payload.
func (f *framer) appendRoCE(dst []byte, s *traces.Sighting, n int) []byte {
	p := &s.Packet
	dst = binary.BigEndian.AppendUint16(dst, etherIPv4)
	dst = appendIP(dst, p, n-ethLen-fcsLen)
	source := p.SrcPort
	if p.Kind != core.Data {
		source = p.DstPort
	}
	dst = binary.BigEndian.AppendUint16(dst, source)
	dst = binary.BigEndian.AppendUint16(dst, portRoCE)
	dst = binary.BigEndian.AppendUint16(dst, uint16(n-ethLen-ipLen-fcsLen))
	dst = append(dst, 0, 0) // no checksum, as A17.9.1 allows
	dst = f.appendBTH(dst, s)
	switch p.Kind {
	case core.Data:
		if f.write && p.Seq == 0 {
			return f.appendRETH(dst, s.Flow)
		}
	case core.Ack, core.Nack:
		return f.appendAETH(dst, s)
	case core.Grant, core.CNM, core.ConWeave:
		dst = binary.BigEndian.AppendUint64(dst, p.Aux)
		dst = binary.BigEndian.AppendUint64(dst, uint64(p.Seq))
	}
	return dst
}

// appendIP appends an IPv4 header without options.
func appendIP(dst []byte, p *core.Packet, total int) []byte {
	at := len(dst)
	ecn := byte(0)
	switch {
	case p.Flags&core.CE != 0:
		ecn = 3
	case p.Flags&core.ECT != 0:
		ecn = 2
	}
	dst = append(dst, 0x45, p.Prio<<5|ecn)
	dst = binary.BigEndian.AppendUint16(dst, uint16(total))
	dst = append(dst, 0, 0, 0x40, 0, 64, protocolUDP, 0, 0) // no id, do not fragment
	dst = binary.BigEndian.AppendUint32(dst, core.Address(p.Src))
	dst = binary.BigEndian.AppendUint32(dst, core.Address(p.Dst))
	binary.BigEndian.PutUint16(dst[at+10:], checksum(dst[at:]))
	return dst
}

// checksum is that of RFC 1071.
func checksum(b []byte) uint16 {
	sum := uint32(0)
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}

func (f *framer) appendBTH(dst []byte, s *traces.Sighting) []byte {
	p := &s.Packet
	notice := byte(0)
	if p.Flags&core.ECE != 0 || p.Kind == core.CNP {
		notice = becn
	}
	ask := uint32(0)
	if p.Kind == core.Data && p.Flags&core.NoAckReq == 0 {
		ask = ackReq
	}
	dst = append(dst, f.opcodeOf(p), 0, 0xff, 0xff, notice)
	qp := uint32(s.Flow+firstQP) & mask24
	dst = append(dst, byte(qp>>16), byte(qp>>8), byte(qp))
	return binary.BigEndian.AppendUint32(dst, ask|f.psn(p))
}

func (f *framer) opcodeOf(p *core.Packet) byte {
	switch p.Kind {
	case core.Ack, core.Nack:
		return acknowledge
	case core.CNP:
		return opcodeCNP
	case core.Grant:
		return opcodeGrant
	case core.CNM:
		return opcodeCNM
	case core.ConWeave:
		return opcodeWeave
	}
	op := byte(sendMiddle)
	switch first, last := p.Seq == 0, p.Flags&core.Last != 0; {
	case first && last:
		op = sendOnly
	case first:
		op = sendFirst
	case last:
		op = sendLast
	}
	if f.write {
		op += writeFirst - sendFirst // which is the difference of all four
	}
	return op
}

// psn is the packet sequence number: an ACK has that of the last packet received, a NACK that of
// the one expected.
func (f *framer) psn(p *core.Packet) uint32 {
	n := p.Seq / f.mtu
	switch p.Kind {
	case core.Ack:
		n = (p.Seq+f.mtu-1)/f.mtu - 1
	case core.CNP, core.Grant, core.CNM, core.ConWeave:
		n = 0
	}
	return uint32(n) & mask24
}

// appendRETH appends the RDMA extended transport header: address and key of the memory, which are 0
// here, and the length of the message.
func (f *framer) appendRETH(dst []byte, flow int64) []byte {
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	return binary.BigEndian.AppendUint32(dst, uint32(min(f.bytes(flow), math.MaxUint32)))
}

// appendAETH appends the syndrome and the number of messages completed.
func (f *framer) appendAETH(dst []byte, s *traces.Sighting) []byte {
	syndrome, messages := byte(syndromeACK), byte(0)
	if s.Packet.Kind == core.Nack {
		syndrome = syndromeNACK
	}
	if s.Packet.Seq >= f.bytes(s.Flow) {
		messages = 1
	}
	return append(dst, syndrome, 0, 0, messages)
}
