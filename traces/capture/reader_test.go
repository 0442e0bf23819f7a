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

// Every port has the rate of its own link, and one that no packet was seen at has none, nor has any if the file does not tell.
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
	r, untold := read(b.Bytes()), read(bytes.ReplaceAll(b.Bytes(), []byte{optSpeed, 0, 8, 0}, []byte{99, 0, 8, 0}))
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
}

// Times in nanoseconds are those of the packets, cut; a later one than a clock holds is told. Offsets count from 0 again
// after 2^24 packets.
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

// Blocks of other programs are passed over, of whatever length a block may have.
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

// What is not a capture of ours is refused in one line.
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
	head := func(kind uint32, body string) []byte {
		return block(nil, kind, func(dst []byte) []byte { return append(dst, body...) })
	}
	const magic = "\x4d\x3c\x2b\x1a"
	for what, test := range map[string]struct {
		file []byte
		want string
	}{
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
		"no such":    {patched(first+8, 99), "packet 0 was seen at an unknown interface"},
		"too long":   {patched(first+22, 9), "packet 0 is longer than its block"},
		"late":       {patched(first+15, 0xff), "packet 0 has a time out of range"},
		"IPv6":       {patched(first+28+12, 0x86), "packet 0 is neither IPv4 nor PFC: was it captured by qbb?"},
		"TCP":        {patched(first+28+ethLen+9, 6), "packet 0 is no RoCEv2 packet"},
		"address":    {patched(first+28+ethLen+15, 2), "packet 0 has an address of no node"},
		"BTH":        {patched(first+28+bthAt, 0x33), "packet 0 has an unknown BTH opcode"},
		"two":        {bytes.Repeat(good, 2), "x: holds several captures, the second from packet 13 on: look at each by itself"},
		"two heads":  {bytes.Repeat(good[:first], 2), "x: holds several captures, the second from packet 0 on: look at each by itself"},
		"block size": {patched(first+4, 13), "a block has"},
	} {
		r, err := NewReader("x", bytes.NewReader(test.file))
		if err == nil {
			_, err = readAll(r)
		}
		if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", what, err, test.want)
		}
	}
}

// A failure to read is told as such, with its place, not as the end of the file.
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
