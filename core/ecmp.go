package core

import "math/bits"

// Address returns the IPv4 address of a node: 11.0.0.1 and upwards, 256 nodes to a /16.
func Address(id NodeID) uint32 {
	u := uint32(id)
	return 0x0b000001 + (u/256)<<16 + (u%256)<<8
}

// ECMPHash hashes the flow of a packet as it is seen at a switch: 32-bit Murmur3 (x86) of
// source address, destination address and both ports, little endian, seeded by the switch.
// Independent of time and of other flows, so all packets of a flow take one path.
func ECMPHash(p *Packet, seed uint32) uint32 {
	h := murmur3Mix(seed, Address(p.Src))
	h = murmur3Mix(h, Address(p.Dst))
	h = murmur3Mix(h, uint32(p.SrcPort)|uint32(p.DstPort)<<16)
	h ^= 12
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// ECMPPort chooses the port by which a node sends a packet on: by hash of the flow if there are several
// of equal cost. There may be none. The hash is seeded by the node's number, combined with a seed that all
// nodes of the network share.
func ECMPPort(ports []uint16, p *Packet, at NodeID, seed uint32) (port int, ok bool) {
	switch len(ports) {
	case 0:
		return 0, false
	case 1:
		return int(ports[0]), true
	}
	return int(ports[ecmpIndex(p, uint32(at)^seed, len(ports))]), true
}

// ecmpIndex chooses one of n equal-cost paths for a packet: its hash modulo n.
func ecmpIndex(p *Packet, seed uint32, n int) uint32 {
	h := ECMPHash(p, seed)
	if n&(n-1) == 0 {
		return h & uint32(n-1)
	}
	return h % uint32(n)
}

func murmur3Mix(h, k uint32) uint32 {
	k *= 0xcc9e2d51
	k = bits.RotateLeft32(k, 15)
	k *= 0x1b873593
	return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
}
