package capture

import (
	"encoding/binary"
	"slices"
)

// Types of block (draft-ietf-opsawg-pcapng section 4).
const (
	sectionHeader  = 0x0a0d0d0a
	interfaceBlock = 1
	enhancedPacket = 6
)

// Codes of options (sections 3.5 and 4).
const (
	optComment     = 1
	optApplication = 4  // of a section: shb_userappl
	optName        = 2  // of an interface: if_name
	optDescription = 3  // if_description
	optSpeed       = 8  // if_speed
	optResolution  = 9  // if_tsresol
	optFCSLength   = 13 // if_fcslen
	optFlags       = 2  // of a packet: epb_flags
	optPacketID    = 5  // epb_packetid
)

const (
	byteOrderMagic = 0x1a2b3c4d
	linkEthernet   = 1
	picoseconds    = 12 // if_tsresol: 10^-12 s
	nanoseconds    = 9

	inbound   = 1 // epb_flags, bits 0 and 1
	outbound  = 2
	direction = 3
	withFCS   = fcsLen << 5 // bits 5 to 8
)

// beginBlock appends the head of a block, whose length endBlock fills in.
func beginBlock(dst []byte, kind uint32) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, kind)
	return binary.LittleEndian.AppendUint32(dst, 0)
}

// endBlock ends the block that begins at start.
func endBlock(dst []byte, start int) []byte {
	n := uint32(len(dst) - start + 4)
	binary.LittleEndian.PutUint32(dst[start+4:], n)
	return binary.LittleEndian.AppendUint32(dst, n)
}

// option appends an option.
func option[T ~string | ~[]byte](dst []byte, code int, value T) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(code))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(value)))
	return pad(append(dst, value...), len(value))
}

// endOptions appends the end of a list of options.
func endOptions(dst []byte) []byte { return append(dst, 0, 0, 0, 0) }

// pad fills n bytes up to a multiple of 4.
func pad(dst []byte, n int) []byte { return appendZeros(dst, -n&3) }

// appendZeros is append(dst, make([]byte, n)...), which allocates if the race detector watches.
func appendZeros(dst []byte, n int) []byte {
	from := len(dst)
	dst = slices.Grow(dst, n)[:from+n]
	clear(dst[from:])
	return dst
}

// appendSection appends the header of the file.
func appendSection(dst []byte, comment, application string) []byte {
	start := len(dst)
	dst = beginBlock(dst, sectionHeader)
	dst = binary.LittleEndian.AppendUint32(dst, byteOrderMagic)
	dst = append(dst, 1, 0, 0, 0)                           // version 1.0
	dst = binary.LittleEndian.AppendUint64(dst, ^uint64(0)) // length unknown
	dst = option(dst, optComment, comment)
	dst = option(dst, optApplication, application)
	return endBlock(endOptions(dst), start)
}

// appendInterface appends the description of an interface.
func appendInterface(dst []byte, name, description string, speed uint64, snap uint32, resolution byte) []byte {
	start := len(dst)
	dst = beginBlock(dst, interfaceBlock)
	dst = append(dst, linkEthernet, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, snap)
	dst = option(dst, optName, name)
	dst = option(dst, optDescription, description)
	dst = option(dst, optSpeed, binary.LittleEndian.AppendUint64(nil, speed))
	dst = option(dst, optResolution, []byte{resolution})
	dst = option(dst, optFCSLength, []byte{fcsLen})
	return endBlock(endOptions(dst), start)
}
