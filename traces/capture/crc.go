package capture

import "hash/crc32"

// crc is the frame check sequence of Ethernet over b.
func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// invariant is scratch: 8 bytes of ones, and the headers that an ICRC covers.
type invariant [8 + ipLen + udpLen + bthLen]byte

// icrc is the invariant CRC of a frame up to its payload (InfiniBand 1.2.1 annex A17.3.3): that of
// Ethernet over 8 bytes of ones and the packet from its IP header on, with ones for what routers
// change: type of service, time to live and checksum of IP, checksum of UDP, FECN and BECN of the
// BTH.
func (f *framer) icrc(frame []byte) uint32 {
	for i := range 8 {
		f.head[i] = 0xff
	}
	copy(f.head[8:], frame[ethLen:])
	const ip, udp, bth = 8, 8 + ipLen, 8 + ipLen + udpLen
	for _, i := range [...]int{ip + 1, ip + 8, ip + 10, ip + 11, udp + 6, udp + 7, bth + 4} {
		f.head[i] = 0xff
	}
	sum := crc32.ChecksumIEEE(f.head[:])
	return crc32.Update(sum, crc32.IEEETable, frame[bthAt+bthLen:])
}
