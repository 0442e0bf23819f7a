package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/qbb-sim/qbb/core"
)

// Every port has the rate of its own link; a port without packets has no rate, and no port has one if the file gives
// none, or more than a rate can hold.
func TestRates(t *testing.T) {
	net := line()
	net.Links[1].Rate = 40 * core.Gbps
	var b bytes.Buffer
	w, err := NewWriter(&b, net, options)
	if err != nil {
		t.Fatal(err)
	}
	for at, place := range []place{{node: 0}, {node: 1}, {node: 2, port: 1}} {
		s := example()[0]
		s.At, s.Node, s.Port = core.Time(at), place.node, place.port
		w.Add(&s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read := func(file []byte) *Reader {
		r, err := NewReader("x", bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(r); err != io.EOF {
			t.Fatal(err)
		}
		return r
	}
	r := read(b.Bytes())
	untold := read(bytes.ReplaceAll(b.Bytes(), []byte{optSpeed, 0, 8, 0}, []byte{99, 0, 8, 0}))
	speed := []byte{optSpeed, 0, 8, 0, 0, 0xe8, 0x76, 0x48, 0x17, 0, 0, 0}
	most := read(bytes.ReplaceAll(b.Bytes(), speed, append([]byte{optSpeed, 0, 8, 0}, bytes.Repeat([]byte{0xff}, 8)...)))
	for _, c := range []struct {
		node core.NodeID
		port int32
		want core.Rate
	}{{0, 0, 100 * core.Gbps}, {1, 0, 40 * core.Gbps}, {2, 1, 40 * core.Gbps}, {0, 1, 0}, {2, 2, 0}, {3, 0, 0}} {
		if got := r.Rate(c.node, c.port); got != c.want {
			t.Errorf("node %d port %d: %v, want %v", c.node, c.port, got, c.want)
		}
		if got := untold.Rate(c.node, c.port); got != 0 {
			t.Errorf("node %d port %d: %v of a file without rates", c.node, c.port, got)
		}
	}
	if got := most.Rate(0, 0); got != 0 {
		t.Errorf("2^64-1 bit/s are read as %v", got)
	}
}

// Times have 63 bits.
func TestTimes(t *testing.T) {
	for _, at := range []core.Time{0, 999, 1<<32 - 1, 1 << 32, 1<<52 + 12_345, core.Never - 1, core.Never} {
		for _, unit := range []core.Time{1, 1000} {
			o, list := options, example()[:1]
			list[0].At, o.Nanoseconds = at, unit > 1
			r, err := NewReader("x", bytes.NewReader(written(t, o, list)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := readAll(r)
			switch {
			case at >= core.Never/unit*unit:
				if err == nil || !strings.Contains(err.Error(), "packet 0 has a time out of range") {
					t.Errorf("%v: %v", at, err)
				}
			case err != io.EOF || got[0].At != at/unit*unit:
				t.Errorf("%v in units of %d ps: %v, %v", at, unit, got, err)
			}
		}
	}
}

// An interface is called host or switch, the number of the node and that of the port.
func TestPortNames(t *testing.T) {
	for name, want := range map[string]place{
		"host0:0": {}, "host10:0": {node: 10}, "switch123:45": {node: 123, port: 45}, "switch16777215:65535": {node: 1<<24 - 1, port: 65535},
		"switch16777216:0": {unit: -1}, "host1:65536": {unit: -1}, "host1": {unit: -1}, "host:1": {unit: -1}, "host-1:0": {unit: -1}, "eth0": {unit: -1},
	} {
		if got, ok := parsePort(name); ok != (want.unit == 0) || ok && got != want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

// A packet need not have options, or a whole frame: then it has left its port. It is an error if it has less than a
// head, more bytes than its block or its frame, or more than a frame can have.
func TestPacketLengths(t *testing.T) {
	file := written(t, options, nil)
	frame := frames(t, written(t, options, example()[10:11]))[0]
	for _, c := range []struct {
		captured, whole uint32
		bytes           int // of the block's body
		want            string
	}{
		{64, 64, 84, ""},
		{36, 64, 56, ""},
		{64, 1 << 18, 84, ""},
		{64, 1<<18 + 1, 84, "packet 0 is longer than its block"},
		{64, 63, 84, "packet 0 is longer than its block"},
		{64, 64, 80, "packet 0 is longer than its block"},
		{0, 64, 20, "packet 0 is cut within its first header"},
		{0, 64, 16, "packet 0 has no head"},
	} {
		body := binary.LittleEndian.AppendUint32(make([]byte, 12), c.captured)
		body = append(binary.LittleEndian.AppendUint32(body, c.whole), frame...)
		packet := blockOf(enhancedPacket, body[:c.bytes])
		r, err := NewReader("x", bytes.NewReader(append(bytes.Clone(file), packet...)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(r)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v", c, err)
			}
		} else if err != io.EOF || len(got) != 1 || got[0].Event != core.EventDequeue || got[0].Packet.Kind != core.Pause || got[0].Packet.Size != int32(c.whole) {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

// Times in nanoseconds are those of the packets, truncated; one later than a clock can hold is an error. Offsets count
// from 0 again after 2^24 packets.
func TestNanoseconds(t *testing.T) {
	o := options
	o.Nanoseconds = true
	good := written(t, o, example())
	r, err := NewReader("x", bytes.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	list, err := readAll(r)
	if err != io.EOF || len(list) != len(example()) || r.Period() != 1000<<24 {
		t.Fatalf("%d packets, %v, period %d", len(list), err, r.Period())
	}
	for i, s := range list {
		if want := core.Time((i + 1) * 1000); s.At != want {
			t.Errorf("packet %d: %v, want %v", i, s.At, want)
		}
	}
	late := binary.LittleEndian.AppendUint32(nil, uint32(int64(core.Never)/1000>>32)+1)
	copy(good[bytes.Index(good, []byte{enhancedPacket, 0, 0, 0})+12:], late)
	if r, err = NewReader("x", bytes.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	if _, err = readAll(r); !strings.Contains(err.Error(), "packet 0 has a time out of range") {
		t.Error(err)
	}
}

// Blocks of other programs are skipped, whatever their length.
func TestBlockLengths(t *testing.T) {
	good := written(t, options, example())
	first := bytes.Index(good, []byte{enhancedPacket, 0, 0, 0})
	for n, ok := range map[uint32]bool{8: false, 12: true, 14: false, 16: true, 327_680: true, 327_684: false} {
		le := binary.LittleEndian
		block := le.AppendUint32(le.AppendUint32(nil, 0x0bad), n)
		block = le.AppendUint32(append(block, make([]byte, max(n, 12)-12)...), n)
		r, err := NewReader("x", bytes.NewReader(slices.Concat(good[:first], block, good[first:])))
		if err != nil {
			t.Fatal(err)
		}
		list, err := readAll(r)
		if ok && (err != io.EOF || len(list) != len(example())) || !ok && !strings.Contains(err.Error(), fmt.Sprintf("a block has %d bytes", n)) {
			t.Errorf("%d bytes: %d packets, %v", n, len(list), err)
		}
	}
}

// Full packets of 1 byte to 1 MiB are read.
func TestMTUs(t *testing.T) {
	for mtu, ok := range map[core.Bytes]bool{1: true, 1 << 20: true, 1<<20 + 1: false} {
		o := options
		o.MTU = mtu
		r, err := NewReader("x", bytes.NewReader(written(t, o, nil)))
		if (err == nil) != ok || ok && r.Period() != int64(mtu)*16_777_216 {
			t.Errorf("%v: %v", mtu, err)
		}
	}
}

// refused requires that each file, named by what is wrong with it, is refused in one line.
func refused(t *testing.T, files map[string]refusal) {
	t.Helper()
	for what, test := range files {
		r, err := NewReader("x", bytes.NewReader(test.file))
		if err == nil {
			_, err = readAll(r)
		}
		if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", what, err, test.want)
		}
	}
}

type refusal struct {
	file []byte
	want string
}

// Files that are not captures of ours are refused.
func TestForeignFiles(t *testing.T) {
	good := written(t, options, example())
	patched := func(at int, b byte) []byte {
		c := bytes.Clone(good)
		c[at] = b
		return c
	}
	first := bytes.Index(good, []byte{enhancedPacket, 0, 0, 0})
	mark := []byte(mtuMark + "1000")
	if !bytes.Contains(good, mark) {
		t.Fatalf("no %q", mark)
	}
	mtu := func(text string) []byte { return bytes.Replace(good, mark, []byte(mtuMark+text), 1) }
	head := blockOf[string]
	const magic = "\x4d\x3c\x2b\x1a"
	o := options
	o.Nanoseconds = true
	nanos := written(t, o, nil)
	refused(t, map[string]refusal{
		"MTU 0":      {mtu("0000"), "its comment does not say"},
		"MTU -1":     {mtu("-001"), "its comment does not say"},
		"MTU x":      {mtu("1x00"), "its comment does not say"},
		"number":     {bytes.Replace(good, mark, fmt.Appendf(nil, "%0*d", len(mark), 1000), 1), "its comment does not say"},
		"no body":    {head(sectionHeader, ""), "does not begin with a little-endian section header"},
		"12 bytes":   {head(sectionHeader, magic+"12345678"), "does not begin with a little-endian section header"},
		"16 bytes":   {head(sectionHeader, magic+"123456789012"), "its comment does not say"},
		"other head": {head(0x0bad, magic+"123456789012"), "does not begin with a little-endian section header"},
		"option cut": {bytes.Replace(good, []byte{optName, 0, 7, 0}, []byte{optName, 0, 255, 255}, 1), `interface "" does not name a port`},
		"no section": {good[binary.LittleEndian.Uint32(good[4:]):], "does not begin with a little-endian section header"},
		"short":      {slices.Insert(bytes.Clone(good), first, head(interfaceBlock, "1234")...), "a short description of an interface"},
		"no name":    {slices.Insert(bytes.Clone(good), first, head(interfaceBlock, "12345678")...), `interface "" does not name a port`},
		"empty":      {nil, "x: not a capture of qbb: it is empty"},
		"text":       {[]byte("hello, this is no capture"), "x: not a capture of qbb: a block has"},
		"big endian": {patched(8, 0x1a), "does not begin with a little-endian section header"},
		"other":      {bytes.Replace(good, []byte(mtuMark), []byte(strings.ToUpper(mtuMark)), 1), "its comment does not say"},
		"cut":        {good[:len(good)-5], "x: the file ends inside a block: is it complete?"},
		"cut at 8":   {good[:first+8], "x: the file ends inside a block: is it complete?"},
		"cut at 4":   {good[:first+4], "x: the file ends inside a block: is it complete?"},
		"interface":  {bytes.Replace(good, []byte("switch2:1"), []byte("swotch2:1"), 2), `interface "swotch2:1" does not name a port`},
		"interface2": {bytes.Replace(nanos, []byte("switch2:1"), []byte("swotch2:1"), 2), `interface "swotch2:1" does not name a port`},
		"two":        {bytes.Repeat(good, 2), "x: holds several captures, the second from packet 13 on: look at each by itself"},
		"two heads":  {bytes.Repeat(good[:first], 2), "x: holds several captures, the second from packet 0 on: look at each by itself"},
		"block size": {patched(first+4, 13), "a block has"},
	})
}

// Packets that are not ours are refused.
func TestForeignPackets(t *testing.T) {
	good := written(t, options, example())
	first := bytes.Index(good, []byte{enhancedPacket, 0, 0, 0})
	patched := func(at int, b byte) []byte {
		c := bytes.Clone(good)
		c[first+at] = b
		return c
	}
	const frame = 28
	list := example()[2:3]
	list[0].Packet.Size += 18
	added := written(t, options, list)
	payload := func(text string) []byte {
		return bytes.Replace(added, []byte(payloadMark+"500"), []byte(payloadMark+text), 1)
	}
	refused(t, map[string]refusal{
		"no such":    {patched(8, 99), "packet 0 was seen at an unknown interface"},
		"next":       {patched(8, 4), "packet 0 was seen at an unknown interface"}, // of four, numbered from 0
		"too long":   {patched(22, 9), "packet 0 is longer than its block"},
		"late":       {patched(15, 0xff), "packet 0 has a time out of range"},
		"IPv6":       {patched(frame+12, 0x86), "packet 0 is neither IPv4 nor PFC: was it captured by qbb?"},
		"TCP":        {patched(frame+ethLen+9, 6), "packet 0 is no RoCEv2 packet"},
		"address":    {patched(frame+ethLen+15, 2), "packet 0 has an address of no node"},
		"BTH":        {patched(frame+bthAt, 0x33), "packet 0 has an unknown BTH opcode"},
		"payload":    {payload("5x0"), "packet 0 has a wrong number of message bytes"},
		"more bytes": {payload("581"), "packet 0 has a wrong number of message bytes"},
	})
}

// A failure to read is reported as such, with its place, not as the end of the file.
func TestReadFailures(t *testing.T) {
	good := written(t, options, example())
	first := bytes.Index(good, []byte{enhancedPacket, 0, 0, 0})
	second := first + int(binary.LittleEndian.Uint32(good[first+4:]))
	for cut, want := range map[int]string{
		0:          "x: cannot read the head: disk on fire",
		5:          "x: cannot read the head: disk on fire",
		first:      "x: cannot read packet 0: disk on fire",
		first + 8:  "x: cannot read packet 0: disk on fire",
		second:     "x: cannot read packet 1: disk on fire",
		second + 4: "x: cannot read packet 1: disk on fire",
	} {
		r, err := NewReader("x", io.MultiReader(bytes.NewReader(good[:cut]), iotest.ErrReader(errors.New("disk on fire"))))
		if err == nil {
			_, err = readAll(r)
		}
		if err == nil || err.Error() != want {
			t.Errorf("after %d bytes: got %v, want %s", cut, err, want)
		}
	}
}

func FuzzReader(f *testing.F) {
	o := options
	o.Snap = 96
	f.Add(written(f, o, example()))
	o.Write = true
	f.Add(written(f, o, example()))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader("x", bytes.NewReader(b))
		if err == nil {
			_, err = readAll(r)
		}
		if err != io.EOF && !strings.HasPrefix(err.Error(), "x: ") {
			t.Error(err)
		}
	})
}

// blockOf is a block with a body.
func blockOf[T ~string | ~[]byte](kind uint32, body T) []byte {
	return endBlock(append(beginBlock(nil, kind), body...), 0)
}
