package core

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// murmur3 is the published algorithm on bytes: Appleby's MurmurHash3_x86_32.
func murmur3(data []byte, seed uint32) uint32 {
	mix := func(k uint32) uint32 {
		k *= 0xcc9e2d51
		k = k<<15 | k>>17
		return k * 0x1b873593
	}
	h, n := seed, len(data)
	for ; len(data) >= 4; data = data[4:] {
		h ^= mix(binary.LittleEndian.Uint32(data))
		h = h<<13 | h>>19
		h = h*5 + 0xe6546b64
	}
	var tail uint32
	for i, b := range data {
		tail |= uint32(b) << (8 * i)
	}
	h ^= mix(tail)
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// The twin itself gives the known values of the algorithm.
func TestMurmur3(t *testing.T) {
	for _, c := range []struct {
		text string
		seed uint32
		want uint32
	}{{"", 0, 0}, {"", 1, 0x514e28b7}, {"test", 0, 0xba6bd213}, {"hello", 0, 0x248bfa47}, {"Hello, world!", 0x9747b28c, 0x24884cba}} {
		if got := murmur3([]byte(c.text), c.seed); got != c.want {
			t.Errorf("%q, seed %#x: got %#x, want %#x", c.text, c.seed, got, c.want)
		}
	}
}

func TestECMPHashIsMurmur3(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 5000 {
		p := &Packet{
			Src: NodeID(rng.Int32N(70000)), Dst: NodeID(rng.Int32N(70000)),
			SrcPort: uint16(rng.Uint32()), DstPort: uint16(rng.Uint32()), Seq: rng.Int64(), Size: rng.Int32(),
		}
		var b [12]byte
		binary.LittleEndian.PutUint32(b[0:], Address(p.Src))
		binary.LittleEndian.PutUint32(b[4:], Address(p.Dst))
		binary.LittleEndian.PutUint16(b[8:], p.SrcPort)
		binary.LittleEndian.PutUint16(b[10:], p.DstPort)
		seed, n := rng.Uint32(), 1+rng.IntN(40)
		want := murmur3(b[:], seed)
		if got := ECMPHash(p, seed); got != want {
			t.Fatalf("%+v: got %#x, want %#x", p, got, want)
		}
		if got := ecmpIndex(p, seed, n); got != want%uint32(n) {
			t.Fatalf("%+v: path %d of %d, want %d", p, got, n, want%uint32(n))
		}
	}
}

func TestAddress(t *testing.T) {
	for id, want := range map[NodeID]uint32{
		0: 0x0b000001, 1: 0x0b000101, 255: 0x0b00ff01, 256: 0x0b010001, 4003: 0x0b000001 + 15<<16 + 163<<8,
	} {
		if got := Address(id); got != want {
			t.Errorf("node %d: got %#08x, want %#08x", id, got, want)
		}
	}
}

func TestECMPPort(t *testing.T) {
	p := &Packet{Src: 1, Dst: 2, SrcPort: 10_000, DstPort: 100}
	if _, ok := ECMPPort(nil, p, 7, 0); ok {
		t.Error("ECMPPort chooses a port although there is no route")
	}
	if got, ok := ECMPPort([]uint16{5}, p, 7, 0); got != 5 || !ok {
		t.Errorf("the only port is 5, got %d, %v", got, ok)
	}
	ports := []uint16{4, 6, 9}
	for seed := range uint32(20) {
		if got, ok := ECMPPort(ports, p, 7, seed); got != int(ports[ecmpIndex(p, 7^seed, 3)]) || !ok {
			t.Errorf("seed %d: got %d, %v", seed, got, ok)
		}
	}
}
