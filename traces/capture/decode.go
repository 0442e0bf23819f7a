package capture

import (
	"encoding/binary"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// decodeFrame reads the headers of a frame of ours, of which size bytes were on the wire. It
// reports what is wrong with others.
func decodeFrame(b []byte, size int32, mtu int64) (p core.Packet, flow int64, problem string) {
	p.Size = size
	if len(b) < ethLen+2 {
		return p, traces.NoFlow, "is cut within its first header"
	}
	switch binary.BigEndian.Uint16(b[12:]) {
	case etherMACControl:
		p.Kind, p.Prio = core.Pause, 0
		return decodePFC(p, b)
	case etherIPv4:
		return decodeRoCE(p, b, mtu)
	}
	return p, traces.NoFlow, "is neither IPv4 nor PFC"
}

func decodePFC(p core.Packet, b []byte) (core.Packet, int64, string) {
	be := binary.BigEndian
	if len(b) < ethLen+20 || be.Uint16(b[ethLen:]) != opcodePFC {
		return p, traces.NoFlow, "is no PFC frame"
	}
	classes := b[ethLen+3]
	word := core.PauseWord(classes)
	for class := range 8 {
		if classes>>class&1 != 0 {
			word |= core.PauseWord(be.Uint16(b[ethLen+4+2*class:])) << 8
			break
		}
	}
	p.Aux, p.Src = uint64(word), nodeAt(b[6:])
	return p, traces.NoFlow, ""
}

// nodeAt is the node of a MAC address.
func nodeAt(b []byte) core.NodeID {
	return core.NodeID(b[1])<<16 | core.NodeID(b[2])<<8 | core.NodeID(b[3])
}

func decodeRoCE(p core.Packet, b []byte, mtu int64) (core.Packet, int64, string) {
	be := binary.BigEndian
	if len(b) < bthAt+bthLen || b[ethLen] != 0x45 || b[ethLen+9] != protocolUDP || be.Uint16(b[ethLen+ipLen+2:]) != portRoCE {
		return p, traces.NoFlow, "is no RoCEv2 packet, or cut within its headers"
	}
	var ok1, ok2 bool
	p.Src, ok1 = traces.NodeAt(be.Uint32(b[ethLen+12:]))
	p.Dst, ok2 = traces.NodeAt(be.Uint32(b[ethLen+16:]))
	if !ok1 || !ok2 {
		return p, traces.NoFlow, "has an address of no node"
	}
	p.Prio = b[ethLen+1] >> 5
	switch b[ethLen+1] & 3 {
	case 3:
		p.Flags |= core.CE
	case 2:
		p.Flags |= core.ECT
	}
	bth := b[bthAt:]
	if bth[4]&becn != 0 {
		p.Flags |= core.ECE
	}
	word := be.Uint32(bth[8:])
	psn := int64(word & mask24)
	flow := int64(be.Uint32(bth[4:])&mask24) - firstQP
	source := be.Uint16(b[ethLen+ipLen:])
	problem := decodeKind(&p, b, psn*mtu, mtu)
	if p.Prio == 0 && (p.Kind == core.Data || p.Kind == core.Nack) { // no flow is of class 0
		p.Flags, p.Payload = p.Flags|core.Trimmed, 0
	}
	if p.Kind == core.Data {
		if word&ackReq == 0 {
			p.Flags |= core.NoAckReq
		}
		p.SrcPort = source
	} else {
		p.DstPort = source
	}
	return p, flow, problem
}

// usualPayload is the number of message bytes in a data packet with a frame of the given length, if the
// scheme adds nothing to the headers. Packets before the last are full.
func usualPayload(p *core.Packet, size int32, mtu int64) int32 {
	if p.Flags&core.Last == 0 {
		return int32(mtu)
	}
	return size - dataLen
}

// decodeKind fills in what depends on the opcode; at is the offset that the PSN stands for.
func decodeKind(p *core.Packet, b []byte, at, mtu int64) (problem string) {
	body := b[bthAt+bthLen:]
	switch op := b[bthAt]; op {
	case sendFirst, sendMiddle, sendLast, sendOnly, writeFirst, writeMiddle, writeLast, writeOnly:
		p.Kind, p.Seq = core.Data, at
		switch op {
		case sendLast, sendOnly, writeLast, writeOnly:
			p.Flags |= core.Last
		}
		p.Payload = usualPayload(p, p.Size, mtu)
	case acknowledge:
		if len(body) < aethLen {
			return "is cut within its AETH"
		}
		p.Kind, p.Seq = core.Ack, at+mtu
		if body[0]>>5 == syndromeNACK>>5 {
			p.Kind, p.Seq = core.Nack, at
		}
	case opcodeCNP:
		p.Kind = core.CNP
	case opcodeGrant, opcodeCNM, opcodeWeave:
		if len(body) < bodyLen {
			return "is cut within its body"
		}
		p.Kind = [...]core.Kind{core.Grant, core.CNM, core.ConWeave}[op-opcodeGrant]
		p.Aux, p.Seq = binary.BigEndian.Uint64(body), int64(binary.BigEndian.Uint64(body[8:]))
	default:
		return "has an unknown BTH opcode"
	}
	return ""
}
